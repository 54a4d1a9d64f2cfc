//! Arbitrary bits for whatever people call, surface by surface.
//!
//! What goes in: every pattern of a float (NaN, infinities, subnormals), features from floats and in a format's own
//! numbers; rewards that are huge, tiny, negative or missing; γ inside and outside of [0, 1]; every field of a
//! configuration, valid or not; observations that no map knows, models whose probabilities are none, worlds that fail;
//! bytes that are damaged or forged; calls in any order, twice, and when there is no room.
//!
//! What is promised, and checked at every call:
//! 1. Nothing panics; overflow checks and debug assertions are on in this build.
//! 2. Weights, velocity, averages and values that are handed out are finite.
//! 3. What is refused (a sample, a row, an update, a state) leaves everything else bit-identical, by the bytes that `save`
//!    writes. What moves is said: the count of what was dropped, the mark of what is full, and which step is open.
//! 4. Counts are exact. k counts updates that were skipped or refused, but not empty ones; a row is learned from or dropped.
//! 5. `Full` stays until the episode ends, and nothing is learned from a step that it was the answer to.
//! 6. A configuration is refused if and only if a field is out of range, and the error names one that is.
//! 7. φ·w and R + γV are those of plain f64, within bounds that follow from the format: also where they saturate.
//! 8. Rewards of one sign move the weights of positive features towards it, however huge they are.
//! 9. A feature map gives finite features for all that lies in it, and the reason for what does not.
//! 10. A state goes on bit for bit where it was saved, in a log of another size too; one that is damaged, or somebody
//!     else's, is refused with the reason; one that is forged does no harm.
//!
//! A run is a sequence of lives: something is made, called until it has had enough, and dropped. The same seed gives the
//! same lives, so a broken promise is found again by its seed and the number of the call.

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

/// Something that people call.
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

/// All of them. (A static, so that the code is this crate's, optimised as it is.)
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

/// A run under way: where its input comes from, and what it has seen.
#[derive(Debug)]
pub struct Fuzz {
    dice: Dice,
    /// How many numbers in 8 are wild, in the life at hand.
    wild: u32,
    limit: u64,
    report: Report,
}

impl Fuzz {
    /// Whether there are calls left to be made.
    fn goes_on(&self) -> bool {
        self.report.calls < self.limit
    }

    /// Counts a call, and what became of it.
    fn called(&mut self, what: &'static str) {
        self.report.calls += 1;
        self.saw(what);
    }

    /// Counts something worth knowing about the last call.
    fn saw(&mut self, what: &'static str) {
        *self.report.seen.entry(what).or_default() += 1;
    }
}

/// This many calls of a surface, in the arithmetic with this index.
///
/// # Errors
/// [`Broken`] where a promise is broken: which call it was, and what it said.
pub fn run(surface: &'static Surface, arithmetic: usize, seed: u64, calls: u64) -> Result<Report, Broken> {
    // Other arithmetics see other numbers.
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
