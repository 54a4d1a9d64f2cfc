//! Every public function and constant of the library is used in an example of the file that it is in, and the introductory
//! examples are short and plain. That all have documentation is for rustc to say, that examples pass for `cargo test --doc`.

use std::fs;
use std::path::Path;

use osculate_lab::repository::repository;

use crate::{defined, read, sources};

/// The code of the examples in a file's documentation.
fn examples(source: &str) -> String {
    let docs =
        source.lines().map(str::trim_start).filter_map(|line| line.strip_prefix("///").or(line.strip_prefix("//!")));
    let docs: String = docs.map(|line| format!("{line}\n")).collect();
    let blocks = docs.split("```").skip(1).step_by(2).filter(|block| {
        let language = block.lines().next().unwrap_or_default();
        language.split(',').all(|word| ["", "rust", "should_panic", "no_run"].contains(&word.trim()))
    });
    blocks.collect()
}

/// The words of a code, each with what is right before it.
fn words(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let ends = code.match_indices(is_name).map(|(at, _)| at).filter(move |at| !code[..*at].ends_with(is_name));
    ends.map(move |at| (&code[..at], code[at..].split(|c| !is_name(c)).next().unwrap_or_default()))
}

/// What users implement. Methods of sealed traits are the library's own.
const TRAITS: [&str; 5] = ["ActionMap", "Envelope", "FeatureMap", "Model", "World"];

/// The functions and constants of a source file that are public, unless they are hidden.
fn items(source: &str) -> Vec<&str> {
    let (mut is_hidden, mut is_in_trait, mut items) = (false, false, Vec::new());
    for line in source.lines() {
        if line.trim() == "#[doc(hidden)]" {
            is_hidden = true;
            continue;
        }
        if line.starts_with("pub trait ") {
            is_in_trait = defined(line).is_some_and(|name| TRAITS.contains(&name));
        }
        is_in_trait &= line != "}";
        let item = line.trim_start();
        let is_item = ["pub fn ", "pub const ", "pub unsafe fn "].iter().any(|kind| item.starts_with(kind));
        let is_method = is_in_trait && line.starts_with("    fn ");
        items.extend(defined(item).filter(|_| (is_item || is_method) && !is_hidden));
        is_hidden &= item.starts_with(['#', '/']);
    }
    items
}

/// Those that no example of the file uses: as in `name(…)`, `x.name(…)` or `Type::name`, but not as in an import.
fn forgotten(source: &str) -> Vec<&str> {
    let code: String = examples(source).lines().filter(|line| !line.trim_start().starts_with("use ")).collect();
    let is_called = |name: &str| code.contains(&format!("{name}("));
    let is_used = |name: &str| words(&code).any(|(before, word)| word == name && before.ends_with(['.', ':']));
    items(source).into_iter().filter(|name| !is_used(name) && !is_called(name)).collect()
}

/// Whether all of a file is hidden: the vectors of an arithmetic.
fn is_inside(file: &Path) -> bool {
    let place = file.strip_prefix(repository().join("core/src/arithmetic"));
    place.is_ok_and(|place| !["mod.rs", "error.rs", "fixed/mod.rs"].iter().any(|shown| place == Path::new(shown)))
}

#[test]
fn every_public_item_is_used_in_an_example() {
    let (mut count, mut missing) = (0, Vec::new());
    for file in sources(&repository().join("core/src")).into_iter().filter(|file| !is_inside(file)) {
        let source = fs::read_to_string(&file).unwrap();
        count += items(&source).len();
        missing.extend(forgotten(&source).iter().map(|name| format!("{}: {name}", file.display())));
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
        \x20   #[doc(hidden)]\n    pub fn hidden() {}\n    fn private() {}\n}\n\npub trait World {\n    fn act();\n}\n\npub fn forgotten() {}\n";
    assert_eq!(items(source), ["new", "grown", "shrunk", "act", "forgotten"]);
    assert_eq!(forgotten(source), ["shrunk", "act", "forgotten"]);
}
