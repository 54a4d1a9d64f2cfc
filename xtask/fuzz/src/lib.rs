//! Feeds arbitrary bits to the public API, one surface at a time.
//!
//! Inputs: every bit pattern of a float (NaN, infinities, subnormals); features from floats and in a format's own
//! numbers; rewards that are huge, tiny, negative or missing; γ inside and outside [0, 1]; every field of a
//! configuration, valid or not; observations outside every map, models with invalid probabilities, fallback rules with
//! actions that there are not, worlds that fail;
//! damaged and forged bytes; memories with any contents, whose power fails; calls in any order, twice, and without room
//! left; files with anything in them, messages and frames of any bytes, lines of a bus with any levels, sensors that
//! answer anything.
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
//! 7. φ·w and R + γV match plain f64 within bounds that follow from the format, including saturation.
//! 8. Rewards of one sign move the weights of positive features in that direction, however huge they are.
//! 9. A feature map gives finite features for every observation inside it, and an error with the reason otherwise.
//! 10. A state continues bit for bit from where it was saved, also in a log of another size. A damaged or foreign
//!     state is refused with the reason. A forged one does no harm.
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
//! A run is a sequence of lives: an object is created, called for a while, and dropped. The same seed gives the same
//! lives, so a broken promise can be reproduced from its seed and the number of the call.

mod agent;
mod bus;
mod check;
mod files;
mod huge_rewards;
mod input;
mod layout;
mod maps;
mod messages;
mod model;
mod models;
mod number;
mod plain;
mod predictor;
mod replay_csv;
mod report;
mod schedules;
mod sensors;
mod sim;
mod states;
mod store;
mod stored;
mod streaming;
mod table;
mod tracking;
mod values;
mod weather_csv;

use std::panic::{AssertUnwindSafe, catch_unwind};

use osculate::{Q24, Q28};

use osculate_lab::dice::Dice;

pub use report::{Broken, Report};

/// The arithmetics, in the order of [`Surface::lives`].
pub const ARITHMETICS: [&str; 4] = ["f32", "f64", "q28", "q24"];

/// A part of the public API.
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
            ],
        }),*]
    };
}

/// All surfaces. (A static, so that the code is instantiated in this crate, with its optimisation level.)
pub static SURFACES: [Surface; 17] = surfaces! {
    "stored": stored,
    "streaming": streaming,
    "tracking": tracking,
    "huge-rewards": huge_rewards,
    "agent": agent,
    "sim": sim,
    "states": states,
    "values": values,
    "maps": maps,
    "schedules": schedules,
    "models": models,
    "store": store,
    "replay-csv": replay_csv,
    "weather-csv": weather_csv,
    "messages": messages,
    "bus": bus,
    "sensors": sensors,
};

/// A run in progress: its source of input, and its counts.
#[derive(Debug)]
pub struct Fuzz {
    dice: Dice,
    /// How many numbers in 8 are wild in the current life.
    wild: u32,
    limit: u64,
    report: Report,
}

impl Fuzz {
    /// Whether there are calls left to make.
    fn goes_on(&self) -> bool {
        self.report.calls < self.limit
    }

    /// Counts a call and its result.
    fn called(&mut self, what: &'static str) {
        self.report.calls += 1;
        self.saw(what);
    }

    /// Counts something notable about the last call.
    fn saw(&mut self, what: &'static str) {
        *self.report.seen.entry(what).or_default() += 1;
    }
}

/// Makes this many calls of a surface, in the arithmetic with this index.
///
/// # Errors
/// [`Broken`] if a promise is broken: which call it was, and the message.
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
