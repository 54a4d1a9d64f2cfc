//! Promises: every public item of the library is used in an example that compiles, and there are few such items; the
//! introductory examples are short and plain.
//!
//! `cargo test --doc` checks that examples compile and pass. This checks that they exist. Any code block in the
//! documentation of a type or trait counts as an example of it. Every other item must be called, in its own
//! documentation or in that of its type, trait, `impl` or module. An item that takes no `self` must be called by the
//! name of its type.

mod examples;
mod library;
mod listings;
mod search;

use std::collections::BTreeMap;
use std::path::PathBuf;

use osculate_lab::repository::repository;

use crate::examples::examples;
use crate::library::Module;
use crate::search::{PublicItem, search};

fn library() -> Module {
    Module::load(&repository().join("core/src/lib.rs"))
}

#[test]
fn every_public_item_is_used_in_an_example() {
    let items = search(&library());
    let missing: Vec<_> = items.iter().filter(|item| !item.shown).map(PublicItem::to_string).collect();
    println!("public items in examples: {} of {}", items.len() - missing.len(), items.len());
    assert!(missing.is_empty(), "{} of {} are in no example:\n{}", missing.len(), items.len(), missing.join("\n"));
    assert!(items.len() > 100, "only {} items: was the library looked through?", items.len());
}

/// The number of items before the library was built around one call per sample, counted by this same code.
const ITEMS_BEFORE: usize = 228;

/// What the library could not do then, each with all that belongs to it: counted apart, so that what there was stays
/// small, and what is new is there to be seen.
const NEW_SINCE: [&str; 17] = [
    "Tracking",
    "TrackingConfig",
    "TrackingRows",
    "Band",
    "Predictor::band",
    "Predictor::learn_raw",
    "OnlineScaler",
    "Envelope",
    "Within",
    "ActionValues::within",
    "LookAhead::within",
    "LinearModel",
    "LeastSquares",
    "Agent::model",
    "Agent::model_mut",
    "Agent::map",
    "Agent::map_mut",
];

#[test]
fn there_are_at_most_60_percent_of_the_public_items_that_there_were() {
    let items = search(&library());
    let belongs = |item: &PublicItem, to: &str| {
        item.path.strip_prefix(to).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let (new, old): (Vec<_>, Vec<_>) = items.iter().partition(|item| NEW_SINCE.iter().any(|name| belongs(item, name)));
    for name in NEW_SINCE {
        assert!(new.iter().any(|item| item.path == name), "{name} is not there");
    }
    let mut kinds = BTreeMap::<&str, Vec<&str>>::new();
    for item in &old {
        kinds.entry(item.kind).or_default().push(&item.path);
    }
    let list = |(kind, paths): (&&str, &Vec<&str>)| format!("{} of kind {kind}: {}", paths.len(), paths.join(", "));
    let list: Vec<String> = kinds.iter().map(list).collect();
    println!("public items: {}, and {ITEMS_BEFORE} before; {} for what is new since", old.len(), new.len());
    assert!(old.len() * 100 <= ITEMS_BEFORE * 60, "{} public items:\n{}", old.len(), list.join("\n"));
}

#[test]
fn what_is_in_no_example_is_found() {
    let source = r#"
        /// ```
        /// use osculate::{Forgotten, Shown};
        /// let shown = Shown::<f32, 2>::new().grown(3);
        /// assert_eq!(Other::empty().shrunk, Shown::LEAST, "forgotten()");
        /// ```
        pub struct Shown;
        impl Shown {
            pub const LEAST: Self = Self;
            pub fn new() -> Self { Self }
            pub fn grown(self, by: u32) -> Self { self }
            pub fn empty() -> Self { Self }
            pub fn shrunk(self) -> Self { self }
            pub(crate) fn hidden(self) {}
        }
        /// ```compile_fail
        /// Forgotten;
        /// ```
        pub struct Forgotten;
        impl Default for Forgotten { fn default() -> Self { Self } }
        /// ```
        /// impl Habit for Shown { fn defined(&self) {} }
        /// Shown.called();
        /// ```
        pub trait Habit { fn called(&self); fn defined(&self); }
        mod private { pub fn inner() {} }
        #[cfg(test)]
        mod tests { pub fn helper() {} }
    "#;
    let found = search(&module(source));
    let missing = found.iter().filter(|item| !item.shown).map(|item| format!("{} {}", item.line, item.path));
    let expected = ["12 Shown::empty", "13 Shown::shrunk", "19 Forgotten", "25 Habit::defined"];
    assert_eq!((found.len(), missing.collect::<Vec<_>>()), (10, expected.map(String::from).to_vec()));
}

fn module(source: &str) -> Module {
    let file = syn::parse_file(source).unwrap();
    Module::new(PathBuf::from("lib.rs"), &PathBuf::new(), examples(&file.attrs), file.items)
}

#[test]
fn what_cannot_be_named_or_is_hidden_is_not_counted() {
    let source = r#"
        mod inner {
            pub struct Chosen;
            impl Chosen { pub fn kept() {} #[doc(hidden)] pub fn hidden() {} fn private() {} }
            pub struct Sealed;
            impl Sealed { pub fn sealed() {} }
            pub(crate) fn own() {}
            mod deep { pub fn renamed() {} }
            pub use deep::renamed as named;
            pub fn forgotten() {}
        }
        pub use inner::{Chosen, named};
        #[doc(hidden)]
        pub use inner::Sealed;
        #[doc(hidden)]
        pub mod backend { pub fn kernel() {} pub use super::inner::forgotten; }
        pub mod open { pub const ALSO: u8 = 1; impl super::Chosen { pub fn elsewhere() {} } }
    "#;
    let mut found: Vec<_> =
        search(&module(source)).into_iter().map(|item| format!("{} {}", item.kind, item.path)).collect();
    found.sort();
    assert_eq!(
        found,
        ["constant ALSO", "function renamed", "method Chosen::elsewhere", "method Chosen::kept", "struct Chosen"]
    );
}
