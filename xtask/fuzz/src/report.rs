//! The results of a run.

use std::any::Any;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{Display, Formatter, Result};
use std::ops::AddAssign;

/// Calls that kept all promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of calls.
    pub calls: u64,
    /// Their results, with counts.
    pub seen: BTreeMap<&'static str, u64>,
}

impl Report {
    /// How often a result was seen.
    pub fn seen(&self, what: &str) -> u64 {
        self.seen.get(what).copied().unwrap_or(0)
    }
}

impl AddAssign for Report {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        for (what, times) in other.seen {
            *self.seen.entry(what).or_default() += times;
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (i, (what, times)) in self.seen.iter().enumerate() {
            write!(f, "{}{what} {times}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The surface.
    pub surface: &'static str,
    /// The arithmetic.
    pub arithmetic: &'static str,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the call, from 1.
    pub call: u64,
    /// The panic message.
    pub said: String,
}

impl Display for Broken {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { surface, arithmetic, seed, call, said } = self;
        write!(
            f,
            "{surface} in {arithmetic} broke a promise: {said}\nto repeat it: cargo xtask dev fuzz --surface {surface} \
             --arith {arithmetic} --seed {seed} --calls {call}"
        )
    }
}

impl Error for Broken {}

/// The message of a panic.
pub(super) fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
}
