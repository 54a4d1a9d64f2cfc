//! The listings that a newcomer reads first: at most one screen each, with nothing spelled out twice.

use std::fs;
use std::sync::LazyLock;

use osculate_lab::repository::repository;
use syn::Item;

const MOST_LINES: usize = 25;
const EXAMPLES: [&str; 4] = ["predict_sensor", "control_with_model", "control_without_model", "save_and_restore"];
/// The traits for users to implement, and those that turn observations into features. None of them is needed to read a
/// value.
const TRAITS_OF_USERS: [&str; 5] = ["ActionMap", "Envelope", "FeatureMap", "Model", "World"];

/// The reasons why a listing is not suitable as a first one.
fn faults(listing: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines: Vec<&str> = listing.lines().map(str::trim).filter(|line| is_code(line)).collect();
    if lines.len() > MOST_LINES {
        faults.push(format!("{} lines of code", lines.len()));
    }
    let code = lines.join("\n");
    let turbofish = code.matches("::<").count();
    if turbofish > 1 {
        faults.push(format!("{turbofish} times ::<"));
    }
    for name in imports(&code).iter().filter(|name| TRAITS.contains(name) && !TRAITS_OF_USERS.contains(&&***name)) {
        faults.push(format!("the trait {name} is imported"));
    }
    faults
}

fn is_code(line: &str) -> bool {
    !line.is_empty() && !line.starts_with("//")
}

/// The last path segments of everything imported from the library.
fn imports(code: &str) -> Vec<String> {
    let uses = code.split("use osculate::").skip(1).filter_map(|rest| rest.split(';').next());
    let words = uses.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| word.starts_with(char::is_uppercase)).map(String::from).collect()
}

/// The names of all traits of the library, including hidden ones.
static TRAITS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of = |item: &Item| if let Item::Trait(item) = item { Some(item.ident.to_string()) } else { None };
    crate::library().all().iter().flat_map(|(_, module)| module.items.iter().filter_map(of)).collect()
});

#[test]
fn the_examples_are_short_and_plain() {
    for name in EXAMPLES {
        let file = repository().join("core/examples").join(name).with_extension("rs");
        let listing = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(faults(&listing), [""; 0], "{}", file.display());
    }
}

#[test]
fn the_first_listing_of_the_readme_is_short_and_plain() {
    let page = fs::read_to_string(repository().join("README.md")).unwrap();
    let listing = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(faults(listing.expect("a listing in Rust")), [""; 0]);
}

#[test]
fn what_is_wrong_with_a_listing_is_found() {
    let plain = "use osculate::{Predictor, Streaming};\n\n// A comment.\nlet p = Predictor::<A>::new();\n";
    assert_eq!(faults(plain), [""; 0]);
    assert_eq!(faults("use osculate::features::{FeatureMap, OneHot};\nimpl FeatureMap<2> for Mine {}\n"), [""; 0]);
    let wrong = format!("use osculate::{{Arithmetic, Q28}};\n{}", "let x = f::<A>(g::<B>());\n".repeat(25));
    assert_eq!(faults(&wrong), ["26 lines of code", "50 times ::<", "the trait Arithmetic is imported"]);
    assert_eq!(faults("use osculate::learn::{Learner, Space};"), ["the trait Learner is imported"]);
}
