//! Feeds arbitrary bits to every public call, surface by surface.
//!
//! Inputs: every pattern of a float (NaN, infinities, subnormals), features from floats and in a format's own numbers;
//! rewards that are huge, tiny, negative or missing; γ inside and outside of [0, 1]; every field of a configuration,
//! valid or not; observations that no map knows, models with invalid probabilities, worlds that fail; bytes that are
//! damaged or forged; calls in any order, twice, and when there is no room.
//!
//! The promises, checked at every call:
//! 1. Nothing panics; overflow checks and debug assertions are on in this build.
//! 2. Weights, velocity, averages and returned values are finite.
//! 3. A refusal (of a sample, a row, an update, a state) leaves everything else bit-identical, by the bytes that `save`
//!    writes. Only these may change: the count of drops, the mark for full, and the open step.
//! 4. Counts are exact. k counts updates that were skipped or refused, but not empty ones; a row is learned from or dropped.
//! 5. `Full` stays until the episode ends, and nothing is learned from a step that was answered with it.
//! 6. A configuration is refused if and only if a field is out of range, and the error names one that is.
//! 7. φ·w and R + γV match plain f64 within bounds that follow from the format, even if they saturate.
//! 8. Rewards of one sign move the weights of positive features towards it, however huge they are.
//! 9. A feature map gives finite features for every input in its domain, and the reason for any other.
//! 10. A restored state continues bit-exact, even in a log of another size. A state that is damaged or belongs to
//!     another owner is refused with the reason, and a forged one does no harm.
//!
//! A run is a sequence of lives: something is made, called a number of times, and dropped. The same seed gives the same
//! lives, so a broken promise can be reproduced from its seed and the number of the call.

mod agent;
mod check;
mod huge_rewards;
mod input;
mod layout;
mod maps;
mod model;
mod number;
mod plain;
mod predictor;
mod report;
mod schedules;
mod sim;
mod states;
mod stored;
mod streaming;
mod table;
mod values;

use std::panic::{AssertUnwindSafe, catch_unwind};

use osculate::{Q24, Q24Wide, Q28, Q28Wide};

use osculate_lab::dice::Dice;

pub use report::{Broken, Report};

/// The arithmetics, in the order of [`Surface::lives`].
pub const ARITHMETICS: [&str; 6] = ["f32", "f64", "q28", "q24", "q28wide", "q24wide"];

/// A part of the public interface.
#[derive(Debug)]
pub struct Surface {
    /// Its name on the command line.
    pub name: &'static str,
    lives: [fn(&mut Fuzz); ARITHMETICS.len()],
}

macro_rules! surfaces {
    ($($name:literal: $module:ident,)*) => {
        [$(Surface {
            name: $name,
            lives: [
                $module::live::<f32>,
                $module::live::<f64>,
                $module::live::<Q28>,
                $module::live::<Q24>,
                $module::live::<Q28Wide>,
                $module::live::<Q24Wide>,
            ],
        }),*]
    };
}

/// All surfaces. (A static, so that the code is generated in this crate, with its optimisation level.)
pub static SURFACES: [Surface; 9] = surfaces! {
    "stored": stored,
    "streaming": streaming,
    "huge-rewards": huge_rewards,
    "agent": agent,
    "sim": sim,
    "states": states,
    "values": values,
    "maps": maps,
    "schedules": schedules,
};

/// A run in progress: its input and its statistics.
#[derive(Debug)]
pub struct Fuzz {
    dice: Dice,
    /// How many numbers in 8 are wild, in the current life.
    wild: u32,
    limit: u64,
    report: Report,
}

impl Fuzz {
    /// Whether there are calls left to make.
    fn goes_on(&self) -> bool {
        self.report.calls < self.limit
    }

    /// Counts a call and its outcome.
    fn called(&mut self, what: &'static str) {
        self.report.calls += 1;
        self.saw(what);
    }

    /// Counts a notable fact about the last call.
    fn saw(&mut self, what: &'static str) {
        *self.report.seen.entry(what).or_default() += 1;
    }
}

/// Makes this many calls of a surface, in the arithmetic with this index.
///
/// # Errors
/// [`Broken`] if a promise is broken: which call it was, and its message.
pub fn run(surface: &'static Surface, arithmetic: usize, seed: u64, calls: u64) -> Result<Report, Broken> {
    // Each arithmetic gets different numbers.
    let dice = Dice::new(seed.wrapping_mul(ARITHMETICS.len() as u64).wrapping_add(arithmetic as u64));
    let mut fuzz = Fuzz { dice, wild: 0, limit: calls, report: Report::default() };
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        while fuzz.goes_on() {
            fuzz.wild = fuzz.pick(&[0, 0, 1, 1, 2, 4, 8]);
            surface.lives[arithmetic](&mut fuzz);
        }
    }));
    match outcome {
        Ok(()) => Ok(fuzz.report),
        Err(panic) => {
            let (surface, arithmetic, call) = (surface.name, ARITHMETICS[arithmetic], fuzz.report.calls + 1);
            Err(Broken { surface, arithmetic, seed, call, said: report::said(panic.as_ref()) })
        }
    }
}
