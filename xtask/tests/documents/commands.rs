//! Every command that a page names exists: the tests that it runs, its subcommand, and its options.

use std::collections::BTreeMap;
use std::process::Command;
use std::{fs, iter};

use osculate_lab::repository::repository;

use crate::pages;

/// These are built when they are asked for.
const PASSED_ON: [&str; 4] = ["compare", "fuzz", "paper", "rivals"];

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

/// Packages whose tests run where none is named.
const DEFAULT: [&str; 2] = ["osculate", "osculate-host-tests"];

/// What is in the folder `tests` or `src` of a package or, without its name, of those whose tests run then: names and texts.
fn sources(package: Option<&str>, folder: &str) -> Vec<(String, String)> {
    let root = repository();
    let folders = [root.clone(), root.join("crates"), root.join("host-tests")];
    let folders = folders.into_iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
    let names = package.as_slice();
    let names = if names.is_empty() { &DEFAULT } else { names };
    let is_named = |text: &str| names.iter().any(|name| text.contains(&format!("name = \"{name}\"\n")));
    let named = (folders.map(|entry| entry.unwrap().path()))
        .filter(|folder| fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| is_named(&text)));
    let files = named.flat_map(|package| fs::read_dir(package.join(folder)).into_iter().flatten());
    let with_text = |path: std::path::PathBuf| {
        let name = path.file_stem()?.to_str()?.to_owned();
        let texts = if path.is_dir() { crate::sources(&path) } else { vec![path] };
        Some((name, texts.iter().map(|file| fs::read_to_string(file).unwrap()).collect()))
    };
    files.filter_map(|entry| with_text(entry.unwrap().path())).collect()
}

/// What is wrong with a `cargo test`.
fn test(words: &[&str]) -> Option<String> {
    let (mut words, mut package, mut names, mut filters) = (words.iter(), None, Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        match *word {
            "--" => break,
            "-p" => package = words.next().copied(),
            "--test" => names.push(*words.next()?),
            "--doc" | "--bin" => return None,
            option if option.starts_with('-') => (),
            filter => filters.push(filter),
        }
    }
    let tests = sources(package, "tests");
    // Some packages have theirs beside the code.
    if tests.is_empty() && !sources(package, "src").iter().any(|(_, text)| text.contains("#[test]")) {
        return Some(format!("{package:?} has no tests"));
    }
    for name in names.into_iter().filter(|name| *name != "NAME") {
        let Some((_, text)) = tests.iter().find(|(test, _)| test == name) else {
            return Some(format!("there is no test {name}"));
        };
        let has = |filter: &&str| text.lines().any(|line| line.trim().starts_with("fn ") && line.contains(*filter));
        if let Some(filter) = filters.iter().find(|filter| !has(filter)) {
            return Some(format!("no test of {name} has {filter} in its name"));
        }
    }
    None
}

/// The help of subcommands, asked for once.
type Helps = BTreeMap<Vec<String>, Option<String>>;

/// What is wrong with a `cargo xtask`.
fn xtask(words: &[&str], helps: &mut Helps) -> Option<String> {
    let length = if words.first() == Some(&"dev") { 2 } else { 1 };
    let (name, arguments) = words.split_at(length.min(words.len()));
    if name.iter().any(|word| word.starts_with('-') || PASSED_ON.contains(word) || *word == "…") {
        return None;
    }
    let help = helps.entry(name.iter().map(|word| (*word).to_owned()).collect()).or_insert_with(|| {
        let output = Command::new(env!("CARGO_BIN_EXE_lab")).args(name).arg("--help").output().unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    });
    let name = name.join(" ");
    let Some(help) = help else { return Some(format!("there is no subcommand {name}")) };
    let known = |option: &str| help.split_whitespace().any(|word| word.trim_end_matches(',') == option);
    let unknown = arguments.iter().find(|word| word.starts_with("--") && !known(word))?;
    Some(format!("{name} has no option {unknown}"))
}

#[test]
fn every_command_on_the_pages_exists() {
    let (mut count, mut wrong, mut helps) = (0, Vec::new(), Helps::new());
    for (page, text) in pages().iter().filter(|(page, _)| page != "CHANGELOG.md") {
        for words in commands(text) {
            let what = if words[0] == "test" { test(&words[1..]) } else { xtask(&words[1..], &mut helps) };
            wrong.extend(what.map(|what| format!("{page}: cargo {}: {what}", words.join(" "))));
            count += 1;
        }
    }
    println!("{count} commands on the pages");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 80, "only {count} commands: were the pages looked through?");
}

#[test]
fn a_command_that_does_not_exist_is_found() {
    let text = "By `cargo xtask bensh`, `cargo xtask dev bench --quik --all`, `cargo new x`.\n\ncargo test --test bits --test bats # all";
    let found = commands(text);
    let what = found
        .iter()
        .map(|words| if words[0] == "test" { test(&words[1..]) } else { xtask(&words[1..], &mut Helps::new()) });
    let wrong = ["there is no subcommand bensh", "dev bench has no option --quik", "there is no test bats"];
    assert_eq!(what.map(Option::unwrap).collect::<Vec<_>>(), wrong);
    assert!(test(&["--test", "golden", "no_byte"]).unwrap().contains("no_byte"));
    // It needs boards.
    assert!(test(&["--test", "pico"]).is_some());
    assert_eq!(test(&["-p", "xtask", "--test", "documents", "every_command", "--", "--nocapture"]), None);
    assert!(test(&["-p", "nobody"]).is_some());
}
