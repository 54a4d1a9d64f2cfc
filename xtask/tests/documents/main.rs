//! Promises about what is written: every public item of the library is in an example; every file, item and command
//! that a page names exists; the numbers on the pages are the limits that tests enforce, or those that commands print.

mod commands;
mod examples;
mod map;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};

use osculate_lab::repository::repository;

/// The text of a file of the repository.
fn read(file: &str) -> String {
    fs::read_to_string(repository().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// All pages, each with its name.
fn pages() -> Vec<(String, String)> {
    let mut names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(String::from).to_vec();
    let docs = fs::read_dir(repository().join("docs")).unwrap();
    let docs = docs.map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    names.extend(docs.filter(|name| name.ends_with(".md")));
    names.into_iter().map(|name| (read(&name), name)).map(|(text, name)| (name, text)).collect()
}

/// The Rust files of a folder, and of those within it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files.extend(sources(&path));
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
    files
}

/// The name that a line of formatted code defines, if it defines one: a type, function, constant, field or variant.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().peekable();
    words.next_if(|word| word.starts_with("pub"));
    let is_kind = |word: &str| ["struct", "enum", "trait", "type", "fn", "const", "unsafe", "static"].contains(&word);
    while words.next_if(|word| is_kind(word)).is_some() {}
    words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
}

/// A source file belongs to one crate. Code that two crates need is in a third that both depend on.
#[test]
fn no_module_is_taken_from_the_folder_of_another_crate() {
    let sources = sources(&repository());
    assert!(sources.len() > 150, "only {} files: was the repository looked through?", sources.len());
    for file in sources {
        let source = fs::read_to_string(&file).unwrap();
        // In two pieces, so that this file does not match itself.
        let has = source.lines().any(|line| line.trim_start().starts_with(concat!("#[", "path")));
        assert!(!has, "{} names the file of a module", file.display());
    }
}
