//! The cost of a part of the learner, as counted by a device.

use serde::{Deserialize, Serialize};

/// A separately measured part of the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// ‖φ‖², residual and accumulation of every row.
    Pass1,
    /// The same without ‖φ‖², as in an update.
    Pass1Cached,
    /// `Pass1Cached` of a learner that has nearly converged.
    Pass1Near,
    /// What `Pass1` does, as plain Rust: for comparison.
    NaivePass1,
    /// The curvature pass.
    Pass2,
    /// A whole update.
    Update,
    /// A whole update of one row less: the last one is added alone, which takes more stack.
    UpdateOdd,
    /// A whole update of a learner that has nearly converged.
    UpdateNear,
    /// An episode: every step, and the update at its end.
    Episode,
    /// One row with its target, from ‖φ‖² to the step.
    PlainRow,
    /// A sample without a log, by `Predictor::step` with features in f32.
    StreamStep,
    /// The same without the prediction, with features in the arithmetic's own numbers.
    StreamStepRaw,
    /// The end of an episode without a log.
    StreamEnd,
    /// A row with its target, by `Predictor::learn` of a tracking learner with γ = 0, with features in f32.
    TrackRow,
    /// The same with features in the arithmetic's own numbers.
    TrackRowRaw,
    /// A sample of a tracking learner with γ = 0, by `Predictor::step`: learns from the last one, and predicts.
    TrackPredict,
    /// The same with features in the arithmetic's own numbers.
    TrackPredictRaw,
    /// A sample of a tracking learner with a trace, by `Predictor::step`.
    TrackStep,
    /// The same with features in the arithmetic's own numbers.
    TrackStepRaw,
}

impl Part {
    /// The name for people and for the budget.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass1 => "pass1",
            Self::Pass1Cached => "pass1_cached",
            Self::Pass1Near => "pass1_near",
            Self::NaivePass1 => "naive_pass1",
            Self::Pass2 => "pass2",
            Self::Update => "update",
            Self::UpdateOdd => "update_odd",
            Self::UpdateNear => "update_near",
            Self::Episode => "episode",
            Self::PlainRow => "plain_row",
            Self::StreamStep => "stream_step",
            Self::StreamStepRaw => "stream_step_raw",
            Self::StreamEnd => "stream_end",
            Self::TrackRow => "track_row",
            Self::TrackRowRaw => "track_row_raw",
            Self::TrackPredict => "track_predict",
            Self::TrackPredictRaw => "track_predict_raw",
            Self::TrackStep => "track_step",
            Self::TrackStepRaw => "track_step_raw",
        }
    }

    /// The rows or samples that are counted together.
    pub const fn rows(self) -> u32 {
        match self {
            Self::PlainRow | Self::StreamStep | Self::StreamStepRaw | Self::StreamEnd => 1,
            Self::TrackRow | Self::TrackRowRaw | Self::TrackPredict | Self::TrackPredictRaw => 16,
            Self::TrackStep | Self::TrackStepRaw => 16,
            Self::UpdateOdd => 31,
            _ => 32,
        }
    }

    /// The multiply-accumulates of a row for each feature, where they are what takes the time.
    pub const fn macs(self) -> Option<u32> {
        match self {
            Self::Pass1 | Self::NaivePass1 => Some(3),
            Self::Pass1Cached | Self::Pass1Near | Self::Pass2 => Some(2),
            Self::Update | Self::UpdateOdd | Self::UpdateNear => Some(4),
            _ => None,
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
    /// Instructions.
    pub instructions: u32,
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
