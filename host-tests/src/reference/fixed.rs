//! The inputs and outputs of the two fixed-point references: plain integers and floats, no arithmetic.

use super::Gain;

/// The widths of a fixed-point format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// P, the bits of a feature: 15.
    pub feature_bits: i32,
    /// F, the fraction bits of a weight: 28 or 24.
    pub fraction_bits: i32,
    /// The maximum number of rows in an episode.
    pub max_rows: usize,
}

/// The features φ passed to a learner.
#[derive(Clone, Debug)]
pub enum Phi {
    /// Floats, to be rounded to the format.
    Floats(Vec<f32>),
    /// mᵢ·2^−P, exact.
    Integers(Vec<i32>),
}

/// Features and target.
pub type Row = (Phi, f32);

/// One step of an episode.
#[derive(Clone, Debug)]
pub struct Step {
    /// The state that was left.
    pub key: u32,
    /// Its features.
    pub phi: Phi,
    /// The reward on leaving it.
    pub reward: f32,
}

/// The steps of an episode, and how it ends.
#[derive(Clone, Debug)]
pub struct Episode {
    /// In time order.
    pub steps: Vec<Step>,
    /// The value of the state in which the episode was cut, as a multiple of 2⁻³². Only one-step targets use it.
    pub cut: Option<i64>,
}

/// How the step size of a stored batch is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// From the batch itself.
    Paper,
    /// ϑ = 1.
    Plain,
    /// From earlier batches.
    Predictable,
}

/// The targets of an episode's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    /// The return.
    MonteCarlo,
    /// The next reward and the next state's value.
    OneStep,
}

/// The parameters of a fixed-point learner.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How ϑ is computed. Streaming always computes it from earlier episodes, regardless of this setting.
    pub rule: Rule,
    /// η_k.
    pub gain: Gain,
    /// β.
    pub beta: f32,
    /// The update is skipped if ‖c‖ is below this.
    pub skip_below: f32,
    /// The cap on ϑ.
    pub theta_cap: Option<f32>,
    /// `Predictable` measures the curvature in every n-th update.
    pub curvature_every: u32,
    /// γ.
    pub gamma: f32,
    /// The targets of a stored episode's rows.
    pub targets: Targets,
}

/// The result of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The weights moved.
    Stepped,
    /// ‖c‖ was below the threshold, or zero.
    Skipped,
    /// There were no rows.
    Empty,
    /// The step size is not finite.
    Overflow,
}

/// The report of an update; scalars as bit patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The update's number.
    pub k: u32,
    /// Rows learned from.
    pub tau: u32,
    /// Rows and steps refused.
    pub dropped: u32,
    /// How many numbers saturated.
    pub saturated: u32,
    /// ‖g‖.
    pub g_norm: u32,
    /// ϑ, or 0 if it was not computed.
    pub theta: u32,
    /// The result.
    pub fate: Fate,
}

/// The observable state of a learner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The number of updates that had rows.
    pub k: u32,
    /// w, in units of 2^−F.
    pub w: Vec<i32>,
    /// w − w⁻, in the same units.
    pub velocity: Vec<i32>,
    /// w̄, in the same units.
    pub averaged: Vec<i32>,
    /// ‖w − w⁻‖, as a bit pattern.
    pub step_length: u32,
}
