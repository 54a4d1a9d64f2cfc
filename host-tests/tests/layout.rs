//! Promise: a source file belongs to one crate. Code that two crates need is in a third that both depend on.

use std::fs;
use std::path::{Path, PathBuf};

use osculate_lab::repository::repository;

fn rust_sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files.extend(rust_sources(&path));
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
    files
}

/// Whether this source has a module whose file is not in its default place.
fn has_path_attribute(source: &str) -> bool {
    // In two pieces, so that this file does not match itself.
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.into_iter().any(|line| line.replace(' ', "").contains(concat!("#[", "path=")))
}

#[test]
fn no_module_is_taken_from_the_folder_of_another_crate() {
    let sources = rust_sources(&repository());
    assert!(sources.len() > 150, "only {} files: was the repository looked through?", sources.len());
    let taken = |path: &&PathBuf| has_path_attribute(&fs::read_to_string(path).unwrap());
    let taken: Vec<_> = sources.iter().filter(taken).collect();
    assert!(taken.is_empty(), "{taken:#?}");
}

#[test]
fn an_attribute_is_found_and_a_comment_is_not() {
    let attribute = concat!("#[", "path = \"../a.rs\"]\nmod a;");
    assert!(has_path_attribute(attribute) && has_path_attribute(&format!("    {attribute}")));
    assert!(!has_path_attribute(&format!("// {attribute}")) && !has_path_attribute("#[test]\nfn path() {}"));
}
