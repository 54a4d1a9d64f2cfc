//! Replays recorded data through the learner, on this machine or on a board in QEMU, with every bit of every update.
//! What is shared with the device, how to learn and the bytes between the two, is in [`osculate_apps::replay`].

pub mod columns;
pub mod csv;
pub mod device;
pub mod host;
pub mod json;
pub mod prequential;
pub mod trace;

pub use osculate_apps::replay::*;

use self::format::Report;
use self::trace::Trace;

/// What to learn from, and how.
#[derive(Clone, Copy, Debug)]
pub struct Job<'t> {
    /// The data.
    pub trace: &'t Trace,
    /// The arithmetic.
    pub arith: Arith,
    /// The rule and its parameters.
    pub config: Config,
}

/// What was learned from an episode.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The rule's report.
    pub report: Report,
    /// The bits of the weights after it.
    pub weights: Vec<u64>,
    /// The bits of the best estimate: of their average, for rules that keep one.
    pub estimate: Vec<u64>,
    /// The value that was expected at each step, NaN where the step was refused; empty for rules that learn only at the
    /// end of an episode.
    pub expected: Vec<f32>,
}

/// Receives each update in turn.
pub type OnUpdate<'f> = &'f mut (dyn FnMut(Learned) + Send);
