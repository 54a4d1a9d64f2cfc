//! Counts how often a promise was tried.

use serde::Serialize;

/// How often a promise was put to the test, and how often it was broken.
#[derive(Clone, Debug, Serialize)]
pub struct Tally {
    /// The promise.
    pub promise: &'static str,
    /// How often it was tried.
    pub tries: u64,
    /// How often it was broken.
    pub failures: u64,
    /// What happened the first time.
    #[serde(skip)]
    pub first: Option<String>,
}

impl Tally {
    /// Not tried yet.
    pub fn new(promise: &'static str) -> Self {
        Self { promise, tries: 0, failures: 0, first: None }
    }

    /// Counts a try.
    pub fn count(&mut self, tried: Result<(), impl ToString>) {
        self.tries += 1;
        if let Err(why) = tried {
            self.failures += 1;
            self.first.get_or_insert_with(|| why.to_string());
        }
    }
}
