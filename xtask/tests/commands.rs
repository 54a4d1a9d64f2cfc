//! Promise: every command that a document names exists: the tests that it runs, its subcommand, and its options.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, iter};

use osculate_lab::repository::repository;

/// These pass their arguments on to a program that would have to be built first.
const PASSED_ON: [&str; 2] = ["compare", "fuzz"];

fn documents() -> Vec<PathBuf> {
    let root = repository();
    let pages = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    ["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)).into_iter().chain(pages).collect()
}

/// The words of each command after `cargo`.
fn commands(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with("<!--"));
    let in_line = |line| {
        let mut rest: &str = line;
        iter::from_fn(move || {
            let (_, found) = rest.split_once("cargo ")?;
            rest = found;
            let end = found.find(['`', '#']).unwrap_or(found.len());
            Some(found[..end].split_whitespace().collect::<Vec<_>>())
        })
    };
    lines.flat_map(in_line).filter(|words| matches!(words.first(), Some(&("xtask" | "test")))).collect()
}

/// What is wrong with a `cargo test`.
fn test(words: &[&str], root: &Path) -> Option<String> {
    let mut folder = "host-tests/tests";
    let (mut words, mut tests, mut filters) = (words.iter(), Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        match *word {
            "--" => break,
            "-p" => match words.next() {
                Some(&"osculate-host-tests") => (),
                Some(&"xtask") => folder = "xtask/tests",
                other => return Some(format!("the package {other:?}")),
            },
            "--test" => tests.push(*words.next()?),
            option if option.starts_with('-') => (),
            filter => filters.push(filter),
        }
    }
    for name in tests.into_iter().filter(|name| *name != "NAME") {
        let files = [format!("{name}.rs"), format!("{name}/main.rs")].map(|file| root.join(folder).join(file));
        let Some(text) = files.iter().find_map(|file| fs::read_to_string(file).ok()) else {
            return Some(format!("{folder} has no test {name}"));
        };
        let has = |filter: &&str| text.lines().any(|line| line.trim().starts_with("fn ") && line.contains(*filter));
        if let Some(filter) = filters.iter().find(|filter| !has(filter)) {
            return Some(format!("no test of {name} has {filter} in its name"));
        }
    }
    None
}

/// What is wrong with a `cargo xtask`; the help of subcommands is asked for once.
fn xtask<'t>(words: &[&'t str], helps: &mut BTreeMap<&'t str, Option<String>>) -> Option<String> {
    let (name, arguments) = words.split_first()?;
    if name.starts_with('-') || PASSED_ON.contains(name) {
        return None;
    }
    let help = helps.entry(name).or_insert_with(|| {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args([name, "--help"]).output().unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    });
    let Some(help) = help else { return Some(format!("there is no subcommand {name}")) };
    let known = |option: &str| help.split_whitespace().any(|word| word.trim_end_matches(',') == option);
    let options = arguments.iter().filter(|word| word.starts_with("--"));
    options.filter(|option| !known(option)).map(|option| format!("{name} has no option {option}")).next()
}

#[test]
fn every_command_in_the_documents_exists() {
    let root = repository();
    let texts: Vec<_> = documents().into_iter().map(|path| (fs::read_to_string(&path).unwrap(), path)).collect();
    let (mut count, mut wrong, mut helps) = (0, Vec::new(), BTreeMap::new());
    for (text, path) in &texts {
        for words in commands(text) {
            let is_wrong = if words[0] == "test" { test(&words[1..], &root) } else { xtask(&words[1..], &mut helps) };
            wrong.extend(is_wrong.map(|what| format!("{}: cargo {}: {what}", path.display(), words.join(" "))));
            count += 1;
        }
    }
    println!("{count} commands in {} documents", texts.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 80, "only {count} commands: were the documents looked through?");
}

#[test]
fn a_command_that_does_not_exist_is_found() {
    let text = "By `cargo xtask bensh`, `cargo xtask bench --quik --all`, `cargo new x`.\n\ncargo test --test bits --test bats # all";
    let found = commands(text);
    assert_eq!(found.len(), 3);
    let mut helps = BTreeMap::new();
    assert_eq!(xtask(&found[0][1..], &mut helps).unwrap(), "there is no subcommand bensh");
    assert_eq!(xtask(&found[1][1..], &mut helps).unwrap(), "bench has no option --quik");
    assert_eq!(test(&found[2][1..], &repository()).unwrap(), "host-tests/tests has no test bats");
    assert!(test(&["--test", "pico", "shook"], &repository()).unwrap().contains("shook"));
    assert_eq!(test(&["--test", "bits", "--", "--nocapture"], &repository()), None);
}
