//! Every rule in 24-bit arithmetic built on f64: each + − × ÷ √ is computed in f64 and immediately rounded to 24
//! significant bits.
//!
//! Double rounding is harmless here: 53 ≥ 2·24 + 2, so each result is the correctly rounded f32 result. Exponents are
//! unbounded until a result has to be stored. This reference does not scale rows and directions by powers of two, so
//! agreement with it proves that the scaling changes no bit. It does not model numbers below f32's normal range.
//!
//! | file | what it is |
//! | --- | --- |
//! | `number` | the operations, and sums in their order |
//! | `iterate` | w, w − w⁻ and w̄: what an update moves |
//! | `past` | ϑ from the lengths of past batches |
//! | `learner` | the rules that look at stored rows: `paper`, `plain`, `predictable` |
//! | `streaming` | the rule that looks at each step once |
//! | `tracking` | the rule that learns at every sample, in 24 bits or in all 53 |
//! | `episode` | from the steps of an episode to its rows |
//! | `linear_model`, `least_squares` | models learned on the device; these do model the whole range |

mod episode;
mod iterate;
mod learner;
mod least_squares;
mod linear_model;
mod number;
mod past;
mod streaming;
mod tracking;

pub use episode::Episode;
pub use iterate::Iterate;
pub use learner::Rounded;
pub use least_squares::LeastSquares;
pub use linear_model::{Flaw, LinearModel};
pub use number::round24;
pub use streaming::Streaming;
pub use tracking::TrackingFloats;

use self::number::inner;
use super::Parameters;

/// How ϑ is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// From the current batch.
    Paper,
    /// It is always 1.
    Plain,
    /// From past batches.
    Predictable,
}

/// The settings of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How ϑ is computed.
    pub rule: Rule,
    /// η, β, and the threshold on ‖c‖ below which updates are skipped.
    pub parameters: Parameters,
    /// The cap on ϑ.
    pub theta_cap: Option<f64>,
    /// `Predictable` measures the curvature of every n-th episode, starting with the first.
    pub curvature_every: u32,
}

impl Settings {
    /// The paper's rule, uncapped.
    pub fn paper(parameters: Parameters) -> Self {
        Self { rule: Rule::Paper, parameters, theta_cap: None, curvature_every: 1 }
    }
}

/// The result of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The weights have moved.
    Stepped,
    /// ‖c‖ was too small.
    Skipped,
    /// There were no rows to learn from.
    Empty,
    /// A number would have left the range of f32.
    Refused,
}

/// The report of an update. Numbers that it did not reach are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// The update's number.
    pub k: u32,
    /// Rows learned from.
    pub tau: u32,
    /// Rows dropped.
    pub dropped: u32,
    /// ‖g‖ of the mean projection.
    pub g_norm: f64,
    /// ϑ.
    pub theta: f64,
    /// The result.
    pub fate: Fate,
}

/// φ·w.
pub fn value(phi: &[f32], w: &[f64]) -> f64 {
    inner(&number::widened(phi), w)
}

/// Whether φ is finite and nonzero, so that ‖φ‖² is a usable divisor.
fn has_direction(phi: &[f32]) -> bool {
    phi.iter().all(|x| x.is_finite()) && phi.iter().any(|&x| x != 0.0)
}
