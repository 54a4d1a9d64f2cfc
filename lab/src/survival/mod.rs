//! What a device must survive, tried many times: the parts of `cargo xtask dev torture`. Counts, and does not judge.

pub mod bus_faults;
pub mod faults;
pub mod faulty_bus;
pub mod kills;
mod power_cuts;
pub mod resets;
pub mod room;
pub mod sensors;
pub mod soak;

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

pub use power_cuts::{bit_flips, power_cuts};

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

/// How far a part is; shown by whoever runs it, from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Begins a part with this many tries.
    pub fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Some more tries are over.
    pub fn add(&self, tries: u64) {
        self.done.fetch_add(tries, Ordering::Relaxed);
    }

    /// Tries that are over, and all of them.
    pub fn so_far(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }
}
