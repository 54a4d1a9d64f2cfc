//! What a part of the learner costs, as a device counts it.

use serde::{Deserialize, Serialize};

/// A part of the learner that is measured by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// ‖φ‖², residual and accumulation of every row.
    Pass1,
    /// The same without ‖φ‖², as in an update.
    Pass1Cached,
    /// The curvature's pass.
    Pass2,
    /// A whole update.
    Update,
    /// An episode: every step, and the update at its end.
    Episode,
    /// A step without a log.
    StreamStep,
    /// The end of an episode without a log.
    StreamEnd,
}

impl Part {
    /// For people, and for the files of counts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass1 => "pass1",
            Self::Pass1Cached => "pass1_cached",
            Self::Pass2 => "pass2",
            Self::Update => "update",
            Self::Episode => "episode",
            Self::StreamStep => "stream_step",
            Self::StreamEnd => "stream_end",
        }
    }
}

/// A part, as it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Which part.
    pub part: Part,
    /// Features.
    pub n: u32,
    /// Rows.
    pub tau: u32,
    /// Instructions.
    pub instructions: u32,
    /// Multiply-accumulates among them.
    pub macs: u32,
    /// Bytes of stack.
    pub stack: u32,
    /// What the instructions are the sum of.
    pub stretches: [Stretch; 2],
}

/// Measurements that followed each other, for those who have a trace of the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The number of the first one, counted from the start of the binary.
    pub first: u32,
    /// How many they are.
    pub length: u32,
    /// How often they count.
    pub times: u32,
}
