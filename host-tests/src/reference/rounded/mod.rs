//! Every rule in 24-bit arithmetic made of f64: each + − × ÷ √ is computed in f64 and rounded to 24 significant bits at once.
//!
//! Rounding twice is harmless here, because 53 ≥ 2·24 + 2, so each result is the correctly rounded f32 result. Exponents
//! are left unbounded until a result has to be kept: this reading knows nothing of the scaling of rows and directions by
//! powers of two, and so proves that the scaling changes no bit. It does not model numbers below f32's normal range.
//!
//! | file | what it is |
//! | --- | --- |
//! | `number` | the operations, and sums in their order |
//! | `iterate` | w, w − w⁻ and w̄: what an update moves |
//! | `past` | ϑ from the lengths of past batches |
//! | `learner` | the rules that look at stored rows: `paper`, `plain`, `predictable` |
//! | `streaming` | the rule that looks at each step once |
//! | `episode` | from the steps of an episode to its rows |

mod episode;
mod iterate;
mod learner;
mod number;
mod past;
mod streaming;

pub use episode::Episode;
pub use iterate::Iterate;
pub use learner::Rounded;
pub use number::round24;
pub use streaming::Streaming;

use self::number::inner;
use super::Parameters;

/// Where ϑ comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The batch at hand.
    Paper,
    /// Nowhere: it is 1.
    Plain,
    /// Past batches.
    Predictable,
}

/// All that a rule can be told.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Where ϑ comes from.
    pub rule: Rule,
    /// η, β, and below which ‖c‖ nothing is done.
    pub parameters: Parameters,
    /// ϑ is at most this.
    pub theta_cap: Option<f64>,
    /// `Predictable` measures the curvature of every n-th episode, beginning with the first.
    pub curvature_every: u32,
}

impl Settings {
    /// The paper's rule, without a cap.
    pub fn paper(parameters: Parameters) -> Self {
        Self { rule: Rule::Paper, parameters, theta_cap: None, curvature_every: 1 }
    }
}

/// What became of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The weights have moved.
    Stepped,
    /// ‖c‖ was too small.
    Skipped,
    /// There was no row to learn from.
    Empty,
    /// A number would have left the range of f32.
    Refused,
}

/// What an update says of itself. Numbers that it did not get to are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// The update's number.
    pub k: u32,
    /// Rows that were learned from.
    pub tau: u32,
    /// Rows that were not.
    pub dropped: u32,
    /// ‖g‖ of the mean projection.
    pub g_norm: f64,
    /// ϑ.
    pub theta: f64,
    /// What became of it.
    pub fate: Fate,
}

/// φ·w.
pub fn value(phi: &[f32], w: &[f64]) -> f64 {
    inner(&number::widened(phi), w)
}

/// Whether there is anything to divide by in ‖φ‖².
fn has_direction(phi: &[f32]) -> bool {
    phi.iter().all(|x| x.is_finite()) && phi.iter().any(|&x| x != 0.0)
}
