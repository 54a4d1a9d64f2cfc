//! The cost of a part of the learner, as counted by a device.

use serde::{Deserialize, Serialize};

/// A separately measured part of the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// ‖φ‖², residual and accumulation of every row.
    Pass1,
    /// The same without ‖φ‖², as in an update.
    Pass1Cached,
    /// The curvature pass.
    Pass2,
    /// A whole update.
    Update,
    /// An episode: every step, and the update at its end.
    Episode,
    /// A step without a log.
    StreamStep,
    /// The end of an episode without a log.
    StreamEnd,
    /// A row with its target, learned by a tracking learner with γ = 0.
    TrackRow,
    /// A sample of a tracking learner with γ = 0: learns from the last one, and predicts.
    TrackPredict,
    /// The same with a trace.
    TrackStep,
    /// `Pass1Cached` of a learner that has nearly converged.
    Pass1Near,
    /// A whole update of a learner that has nearly converged.
    UpdateNear,
    /// One row with its target, from ‖φ‖² to the step.
    PlainRow,
    /// What `Pass1` does, as plain Rust: for comparison.
    NaivePass1,
}

impl Part {
    /// The name for people and for the files of counts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass1 => "pass1",
            Self::Pass1Cached => "pass1_cached",
            Self::Pass2 => "pass2",
            Self::Update => "update",
            Self::Episode => "episode",
            Self::StreamStep => "stream_step",
            Self::StreamEnd => "stream_end",
            Self::TrackRow => "track_row",
            Self::TrackPredict => "track_predict",
            Self::TrackStep => "track_step",
            Self::Pass1Near => "pass1_near",
            Self::UpdateNear => "update_near",
            Self::PlainRow => "plain_row",
            Self::NaivePass1 => "naive_pass1",
        }
    }
}

/// The measurement of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Which part.
    pub part: Part,
    /// The number of features.
    pub n: u32,
    /// The number of rows.
    pub tau: u32,
    /// Instructions.
    pub instructions: u32,
    /// Multiply-accumulates among them.
    pub macs: u32,
    /// Bytes of stack.
    pub stack: u32,
    /// The stretches that the instruction count is the sum of.
    pub stretches: [Stretch; 2],
}

/// Consecutive measurements, for use with a trace of the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The index of the first one, counted from the start of the binary.
    pub first: u32,
    /// The number of measurements.
    pub length: u32,
    /// The factor by which they count.
    pub times: u32,
}
