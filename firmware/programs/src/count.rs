//! The cost of a part of the learner, as counted by a device.

use serde::{Deserialize, Serialize};

/// Each part with its name, the rows or samples that are counted together, and the multiply-accumulates of a row for each
/// feature, where they are what takes the time.
macro_rules! parts {
    ($($(#[$what:meta])* $part:ident: $name:literal, $rows:literal, $macs:expr;)*) => {
        /// A separately measured part of the learner.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Part {
            $($(#[$what])* $part,)*
        }

        impl Part {
            /// The name for people and for the budget.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$part => $name,)* }
            }

            /// The rows or samples that are counted together.
            pub const fn rows(self) -> u32 {
                match self { $(Self::$part => $rows,)* }
            }

            /// The multiply-accumulates of a row for each feature, where they are what takes the time.
            pub const fn macs(self) -> Option<u32> {
                match self { $(Self::$part => $macs,)* }
            }
        }
    };
}

parts! {
    /// ‖φ‖², residual and accumulation of every row.
    Pass1: "pass1", 32, Some(3);
    /// The same without ‖φ‖², as in an update.
    Pass1Cached: "pass1_cached", 32, Some(2);
    /// `Pass1Cached` of a learner that has nearly converged.
    Pass1Near: "pass1_near", 32, Some(2);
    /// What `Pass1` does, as plain Rust: for comparison.
    NaivePass1: "naive_pass1", 32, Some(3);
    /// The curvature pass.
    Pass2: "pass2", 32, Some(2);
    /// A whole update.
    Update: "update", 32, Some(4);
    /// A whole update of one row less: the last one is added alone, which takes more stack.
    UpdateOdd: "update_odd", 31, Some(4);
    /// A whole update of a learner that has nearly converged.
    UpdateNear: "update_near", 32, Some(4);
    /// An episode: every step, and the update at its end.
    Episode: "episode", 32, None;
    /// One row with its target, from ‖φ‖² to the step.
    PlainRow: "plain_row", 1, None;
    /// A sample without a log, by `Predictor::step` with features in f32.
    StreamStep: "stream_step", 1, None;
    /// The same without the prediction, with features in the arithmetic's own numbers.
    StreamStepRaw: "stream_step_raw", 1, None;
    /// The end of an episode without a log.
    StreamEnd: "stream_end", 1, None;
    /// A row with its target, by `Predictor::learn` of a tracking learner with γ = 0, with features in f32.
    TrackRow: "track_row", 16, None;
    /// The same with features in the arithmetic's own numbers.
    TrackRowRaw: "track_row_raw", 16, None;
    /// A sample of a tracking learner with γ = 0, by `Predictor::step`: learns from the last one, and predicts.
    TrackPredict: "track_predict", 16, None;
    /// The same with features in the arithmetic's own numbers.
    TrackPredictRaw: "track_predict_raw", 16, None;
    /// A sample of a tracking learner with a trace, by `Predictor::step`.
    TrackStep: "track_step", 16, None;
    /// The same with features in the arithmetic's own numbers.
    TrackStepRaw: "track_step_raw", 16, None;
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
