//! Every public item of the library is used in an example of the file that it is in, and the introductory examples are
//! short and plain. That examples compile and pass is for `cargo test --doc` to say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use osculate_lab::repository::repository;

use crate::{defined, read, sources};

/// The code of the examples in a file's documentation, without imports: an import alone shows nothing.
fn examples(source: &str) -> String {
    let docs =
        source.lines().map(str::trim_start).filter_map(|line| line.strip_prefix("///").or(line.strip_prefix("//!")));
    let docs: String = docs.map(|line| format!("{line}\n")).collect();
    let blocks = docs.split("```").skip(1).step_by(2).filter(|block| {
        let language = block.lines().next().unwrap_or_default();
        language.split(',').all(|word| ["", "rust", "should_panic", "no_run"].contains(&word.trim()))
    });
    let statements = blocks.flat_map(|block| block.split_inclusive(';'));
    statements.filter(|statement| !statement.lines().any(|line| line.trim_start().starts_with("use "))).collect()
}

/// The words of a code, each with what is right before it.
fn words(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let ends = code.match_indices(is_name).map(|(at, _)| at).filter(move |at| !code[..*at].ends_with(is_name));
    ends.map(move |at| (&code[..at], code[at..].split(|c| !is_name(c)).next().unwrap_or_default()))
}

/// The names that a module gives to the outside: what it exports, and its own public items, unless they are hidden.
fn exported(module: &str) -> BTreeSet<&str> {
    let shown = module.split("\n\n").flat_map(|part| part.split_inclusive(";\n"));
    let shown = shown.filter(|item| !item.contains("#[doc(hidden)]") && !item.contains("pub(crate)"));
    let lists = shown.filter_map(|item| item.split_once("pub use ")).flat_map(|(_, list)| words(list));
    let own = module.split("\n\n").filter(|item| !item.contains("#[doc(hidden)]"));
    let own = own.flat_map(str::lines).filter(|line| is_item(line)).filter_map(defined);
    lists.map(|(_, word)| word).chain(own).collect()
}

fn is_item(line: &str) -> bool {
    let kind = line.strip_prefix("pub ").and_then(|rest| rest.split(' ').next());
    kind.is_some_and(|kind| ["const", "enum", "fn", "static", "struct", "trait", "type"].contains(&kind))
}

/// The public items of a source file, each with whether an example of the file shows it.
fn items(source: &str, public: &BTreeSet<&str>) -> Vec<(String, bool)> {
    let code = examples(source);
    // A member is used as in `x.name(…)` or `Type::name`; a type may be used without its name.
    let is_used = |name: &str| words(&code).any(|(before, word)| word == name && before.ends_with(['.', ':']));
    let is_shown = |name: &str| words(&code).any(|(_, word)| word == name || name.starts_with(char::is_uppercase));
    let (mut owner, mut is_hidden, mut items) = (None, false, Vec::new());
    for line in source.lines() {
        let (member, is_top) = (line.strip_prefix("    ").unwrap_or_default(), !line.starts_with([' ', '}']));
        if line.trim() == "#[doc(hidden)]" {
            is_hidden = true;
            continue;
        }
        if is_top && line.starts_with("impl") {
            let of = words(line.split(" {").next().unwrap_or(line)).map(|(_, word)| word);
            owner = of.filter(|word| public.contains(word)).next().filter(|_| !line.contains(" for "));
        } else if is_top && is_item(line) {
            let name = defined(line).filter(|name| public.contains(name) && !is_hidden);
            items.extend(name.map(|name| (name.to_owned(), is_shown(name))));
            // What is sealed is called by the library.
            owner = name.filter(|_| line.contains("trait ") && !line.contains("Sealed"));
        } else if let Some(owner) = owner
            && !is_hidden
            && (is_item(member) || source.contains(&format!("pub trait {owner}")) && member.starts_with("fn "))
        {
            let name = defined(member).expect("an item has a name");
            items.push((format!("{owner}::{name}"), is_used(name)));
        }
        is_hidden &= line.trim_start().starts_with(['#', '/']);
    }
    items
}

#[test]
fn every_public_item_is_used_in_an_example() {
    let root = repository().join("core/src");
    let files: Vec<_> = sources(&root).into_iter().map(|file| (fs::read_to_string(&file).unwrap(), file)).collect();
    // The root, and the rooms below it.
    let is_module = |file: &Path| file.ends_with("mod.rs") && file.iter().count() == root.iter().count() + 2;
    let modules = files.iter().filter(|(_, file)| file.ends_with("lib.rs") || is_module(file));
    let public: BTreeSet<&str> = modules.flat_map(|(source, _)| exported(source)).collect();
    let (mut count, mut missing) = (0, Vec::new());
    for (source, file) in &files {
        for (item, is_shown) in items(source, &public) {
            count += 1;
            if !is_shown {
                missing.push(format!("{}: {item}", file.display()));
            }
        }
    }
    println!("public items in examples: {} of {count}", count - missing.len());
    assert!(missing.is_empty(), "in no example of their files:\n{}", missing.join("\n"));
    assert!(count > 100, "only {count} items: was the library looked through?");
}

/// What makes a listing unsuitable as a first one: more than a screen, and what has to be spelled out.
fn faults(listing: &str) -> Vec<String> {
    let lines = listing.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    let turbofish = listing.matches("::<").count();
    let traits = ["Arithmetic", "Backend", "Learner", "Persist", "Policy", "Space"];
    let mut faults = Vec::new();
    faults.extend((lines > 25).then(|| format!("{lines} lines of code")));
    faults.extend((turbofish > 1).then(|| format!("{turbofish} times ::<")));
    faults.extend(
        traits
            .iter()
            .filter(|name| words(listing).any(|(_, word)| word == **name))
            .map(|name| format!("the trait {name}")),
    );
    faults
}

#[test]
fn the_first_listings_are_short_and_plain() {
    for name in ["predict_sensor", "control_with_model", "control_without_model", "save_and_restore"] {
        assert_eq!(faults(&read(&format!("core/examples/{name}.rs"))), [""; 0], "{name}");
    }
    let page = read("README.md");
    let listing = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(faults(listing.expect("a listing in Rust")), [""; 0]);
    let wrong =
        format!("use osculate::{{Arithmetic, Q28}};\n// A comment.\n{}", "let x = f::<A>(g::<B>());\n".repeat(25));
    assert_eq!(faults(&wrong), ["26 lines of code", "50 times ::<", "the trait Arithmetic"]);
}

#[test]
fn what_is_in_no_example_is_found() {
    let source = "/// ```\n/// use osculate::{Shown, forgotten};\n/// let shown = Shown::new();\n/// shown.grown(3, \"shrunk\");\n/// ```\n\
        pub struct Shown;\n\nimpl<A> Shown<A> {\n    pub fn new() -> Self {}\n    pub fn grown(self, by: u32) {}\n    pub fn shrunk(self) {}\n\
        \x20   #[doc(hidden)]\n    pub fn hidden() {}\n    fn private() {}\n}\n\nimpl Clone for Shown {\n    pub fn cloned() {}\n}\n\npub fn forgotten() {}\n";
    let module = "pub use inner::{Shown, forgotten};\n#[doc(hidden)]\npub use inner::Sealed;\n";
    let public = exported(module);
    assert!(public.contains("Shown") && !public.contains("Sealed"));
    let missing = items(source, &public).into_iter().filter(|(_, is_shown)| !is_shown).map(|(item, _)| item);
    assert_eq!(missing.collect::<Vec<_>>(), ["Shown::shrunk", "forgotten"]);
    assert_eq!(items(source, &public).len(), 5);
}
