//! Feeds arbitrary bits to the public API, one target at a time: a function of [`Unstructured`] bytes, which come from
//! libFuzzer (`fuzz_targets/any.rs`) or from a seed ([`run`]).
//!
//! Inputs: every bit pattern of a number; every field of a configuration, valid or not; observations outside every map,
//! models with invalid probabilities, actions that there are not, worlds that fail; damaged and forged bytes; memories
//! whose power fails; calls in any order, twice, and without room left; files, messages, frames, lines of a bus and
//! sensors with anything in them.
//!
//! Promises, checked at every call:
//! 1. Nothing panics; overflow checks and debug assertions are on in this build.
//! 2. Weights, velocity, averages and returned values are finite.
//! 3. Refused input (a sample, a row, an update, a state) leaves everything else bit-identical, compared by the bytes
//!    that `save` writes. The only exceptions are the count of dropped rows, the full flag, and which step is open.
//! 4. Counts are exact. k counts skipped and refused updates, but not empty ones. A row is either learned from or
//!    dropped.
//! 5. `Full` stays until the episode ends, and a step that was answered with it is not learned from.
//! 6. A configuration is refused if and only if a field is out of range, and the error names such a field.
//! 7. φ·w matches plain f64 within bounds that follow from the format, including saturation.
//! 8. Rewards of one sign move the weights of positive features in that direction, however huge they are.
//! 9. A feature map gives finite features for every observation inside it, and an error with the reason otherwise.
//! 10. A state continues bit for bit from where it was saved, also in a log of another size. A damaged one is refused. A
//!     forged one is refused, or is a state like any other. (Foreign states: `state` of the host tests.)
//! 11. Whatever a memory holds, a checkpoint that boots from it is there with an intact CRC; a call takes a bounded
//!     number of transactions, and what it has stored boots next.
//! 12. A file is read as it was written, or refused with the line or with what is missing. What is read is complete,
//!     and weather is always within a thermometer's range.
//! 13. Bytes begin with at most one message. Every message comes back with all its bits, and a frame that follows a zero
//!     is found whatever came before it.
//! 14. A transaction on the bus ends within its bound and lets go of both lines, whatever the levels.
//! 15. A reading is believed if and only if it is a number within its limits, not frozen, and no jump or a confirmed one.
//!     Every fault is counted, and reading sensors is bounded.
//!
//! A run is a sequence of lives: bytes make an object, call it, and drop it, until they are used up. Each life has a seed
//! of its own, which tells all of it.

/// A life in every arithmetic.
macro_rules! each {
    ($($life:ident)::+) => {
        &[$($life)::+::<f32>, $($life)::+::<f64>, $($life)::+::<osculate::Q28>, $($life)::+::<osculate::Q24>]
    };
}

mod agent;
mod bus;
mod config;
mod direction;
mod episode;
mod files;
mod input;
mod life;
mod maps;
mod messages;
mod models;
mod number;
mod plain;
mod predictor;
mod rules;
mod sensors;
mod store;
mod table;

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arbitrary::Unstructured;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use input::Fuzz;

/// The arithmetics, in the order of [`Target::lives`].
pub const ARITHMETICS: [&str; 4] = ["f32", "f64", "q28", "q24"];

/// A part of the public API.
#[derive(Debug)]
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// In each arithmetic, or one for all of them.
    lives: &'static [fn(&mut Fuzz)],
}

/// All targets.
pub fn targets() -> Vec<&'static Target> {
    rules::TARGETS.iter().chain(&OTHERS).collect()
}

/// What is no rule. (A static, so that the code is instantiated in this crate, with its optimisation level.)
static OTHERS: [Target; 10] = [
    Target { name: "direction", lives: each!(direction::live) },
    Target { name: "agent", lives: each!(table::live) },
    Target { name: "maps", lives: &[maps::live] },
    Target { name: "models", lives: &[models::live] },
    Target { name: "store", lives: &[store::live] },
    Target { name: "replay-csv", lives: &[files::replay] },
    Target { name: "weather-csv", lives: &[files::weather] },
    Target { name: "messages", lives: &[messages::live] },
    Target { name: "bus", lives: &[bus::live] },
    Target { name: "sensors", lives: &[sensors::live] },
];

impl Target {
    /// Whether it has something of its own in the arithmetic with this index.
    pub fn is_in(&self, arithmetic: usize) -> bool {
        arithmetic < self.lives.len()
    }

    /// One life, from these bytes. Panics if a promise is broken.
    pub fn live(&self, arithmetic: usize, bytes: &mut Unstructured) -> Report {
        let mut fuzz = Fuzz::new(bytes);
        while fuzz.goes_on() {
            fuzz.begin();
            self.lives[arithmetic % self.lives.len()](&mut fuzz);
        }
        fuzz.report
    }
}

/// The calls that kept all promises, and how they ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of calls.
    pub calls: u64,
    /// Their results, and how often each of them was seen.
    pub seen: BTreeMap<Cow<'static, str>, u64>,
}

impl Report {
    /// Adds the calls of another run.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        for (what, times) in &other.seen {
            *self.seen.entry(what.clone()).or_default() += times;
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen: Vec<_> = self.seen.iter().map(|(what, times)| format!("{what} {times}")).collect();
        f.write_str(&seen.join(", "))
    }
}

/// The longest life in bytes.
const LONGEST: usize = 1 << 14;

/// At least this many calls of a target, in the arithmetic with this index; each life takes the next seed, and then says
/// how many calls it has made.
///
/// # Errors
/// A broken promise: what was said, and the command that repeats it.
pub fn run(target: &Target, arithmetic: usize, seed: u64, calls: u64, done: impl Fn(u64)) -> Result<Report, String> {
    let mut report = Report::default();
    let mut bytes = vec![0; LONGEST];
    let mut life = seed;
    while report.calls < calls {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(life);
        let bytes = &mut bytes[..LONGEST >> (random.next_u32() % 8)];
        random.fill_bytes(bytes);
        let lived = catch_unwind(AssertUnwindSafe(|| target.live(arithmetic, &mut Unstructured::new(bytes))));
        let lived = lived.map_err(|panic| {
            let (name, said) = (target.name, said(panic.as_ref()));
            let repeat = format!("--calls 1 --seed {life} --arithmetic {} {name}", ARITHMETICS[arithmetic]);
            format!("{name} broke a promise: {said}\nto repeat it: cargo run -p osculate-fuzz -- {repeat}")
        })?;
        done(lived.calls);
        report.add(&lived);
        life = life.wrapping_add(1);
    }
    Ok(report)
}

/// The message of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}
