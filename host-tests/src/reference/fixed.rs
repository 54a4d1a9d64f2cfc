//! What the two fixed-point references are asked and what they answer: plain integers and floats, and no arithmetic.

use super::Gain;

/// The widths of a fixed-point format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// P, the bits of a feature: 15 (`i16` rows) or 24 (`i32` rows).
    pub feature_bits: i32,
    /// F, the fraction bits of a weight: 28 or 24.
    pub fraction_bits: i32,
    /// How many rows an episode may have.
    pub max_rows: usize,
}

/// Features φ as they are handed over.
#[derive(Clone, Debug)]
pub enum Phi {
    /// To be rounded to the format.
    Floats(Vec<f32>),
    /// mᵢ·2^−P, as they are.
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

/// The steps of an episode, and what it ends in.
#[derive(Clone, Debug)]
pub struct Episode {
    /// In the order of time.
    pub steps: Vec<Step>,
    /// The value of the state that the episode was saturated in, as a multiple of 2⁻³²: only one-step targets ask for it.
    pub cut: Option<i64>,
}

/// Where the step size of a stored batch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// From the batch itself.
    Paper,
    /// ϑ = 1.
    Plain,
    /// From earlier batches.
    Predictable,
}

/// What the rows of an episode are learned towards.
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
    /// Where ϑ comes from; streaming takes it from earlier episodes, whatever this says.
    pub rule: Rule,
    /// η_k.
    pub gain: Gain,
    /// β.
    pub beta: f32,
    /// No update where ‖c‖ is below this.
    pub skip_below: f32,
    /// The largest ϑ.
    pub theta_cap: Option<f32>,
    /// `Predictable` measures the curvature in every n-th update.
    pub curvature_every: u32,
    /// γ.
    pub gamma: f32,
    /// What the rows of a stored episode are learned towards.
    pub targets: Targets,
}

/// What became of an update.
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

/// What an update reports; scalars by their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The update's number.
    pub k: u32,
    /// Rows that were learned from.
    pub tau: u32,
    /// Rows and steps that were refused.
    pub dropped: u32,
    /// How often a number was saturated.
    pub saturated: u32,
    /// ‖g‖.
    pub g_norm: u32,
    /// ϑ, or 0 where it was not settled.
    pub theta: u32,
    /// What became of it.
    pub fate: Fate,
}

/// All that can be seen of a learner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// How many updates had rows.
    pub k: u32,
    /// w, in units of 2^−F.
    pub w: Vec<i32>,
    /// w − w⁻, in the same units.
    pub velocity: Vec<i32>,
    /// w̄, in the same units.
    pub averaged: Vec<i32>,
    /// ‖w − w⁻‖, by its bits.
    pub step_length: u32,
}
