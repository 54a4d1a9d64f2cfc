//! What a learner is told and what it says: plain numbers, no arithmetic.

use super::Gain;

/// The features φ passed to a learner.
#[derive(Clone, Debug, PartialEq)]
pub enum Phi {
    /// Floats.
    Floats(Vec<f32>),
    /// mᵢ·2^−P, exact: the own numbers of a fixed-point format.
    Integers(Vec<i32>),
}

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

/// Where ϑ of a stored episode comes from.
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

/// The parameters of a learner with episodes.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How ϑ is computed. Streaming computes it from earlier episodes, whatever is said here.
    pub rule: Rule,
    /// The targets of a stored episode's rows.
    pub targets: Targets,
    /// η_k.
    pub gain: Gain,
    /// β.
    pub beta: f32,
    /// γ.
    pub gamma: f32,
    /// A stored update is skipped if ‖c‖ is below this.
    pub skip_below: f32,
    /// The cap on ϑ.
    pub theta_cap: Option<f32>,
    /// `Predictable` measures the curvature in every n-th update.
    pub curvature_every: u32,
    /// The room for steps and for rows.
    pub room: [usize; 2],
}

/// The parameters of a tracking learner.
#[derive(Clone, Copy, Debug)]
pub struct TrackingSettings {
    /// γ.
    pub gamma: f32,
    /// λ.
    pub lambda: f32,
    /// The largest gain.
    pub gain: f32,
    /// The least gain.
    pub least_gain: f32,
    /// Rows from one check of the gain to the next.
    pub every: u16,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The first sample of an episode. What came before it is forgotten.
    Begin(Phi),
    /// The signal of the last sample, and the next one, in a numbered state if that matters.
    Step(Option<f32>, Option<u32>, Phi),
    /// The last signal of an episode.
    Last(Option<f32>),
    /// A true end.
    End,
    /// A cut before this sample.
    Cut(Phi),
    /// A row with its target.
    Learn(f32, Phi),
    /// A question: φ·w, and φ times the estimate.
    Ask(Phi),
    /// Starts anew from the estimate.
    Restart,
}

/// What a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing to say.
    Nothing,
    /// The bits of a prediction as f32, or none if there is no room or if the features are unusable.
    Prediction(Option<u32>),
    /// The bits of two values as f32, if they are finite.
    Values([Option<u32>; 2]),
    /// Whether a row was accepted.
    Learned(bool),
    /// The report at an end.
    Outcome(Report),
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
    /// A number would have left the range.
    Refused,
}

/// The report of an end. Numbers that were not reached are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The update's number; in tracking the rows since the start.
    pub k: u32,
    /// Rows learned from.
    pub tau: u32,
    /// Rows, steps and samples dropped.
    pub dropped: u32,
    /// How many numbers saturated.
    pub saturated: u32,
    /// The bits of ‖g‖ as f32; in tracking of s̄.
    pub g_norm: u32,
    /// The bits of ϑ as f32; in tracking of μ.
    pub theta: u32,
    /// The result.
    pub fate: Fate,
}

/// Everything that a learner knows between two calls, but for the samples that wait. Weights, traces and v_old as the
/// bits of their arithmetic, scalars as those of f64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// w, w̄, and the velocity; in tracking the mark or probe.
    pub vectors: [Vec<u64>; 3],
    /// The trace of tracking, and its exponent, if it has one.
    pub trace: Vec<u64>,
    /// v_old.
    pub expected: Option<u64>,
    /// k and the count of the past; in tracking the depth, the check count, j, the probe's row, and all rows.
    pub counts: Vec<u32>,
    /// Ḡ, K̄ and the step length; in tracking s̄, C, E_v, E_w, s² and the bounds.
    pub scalars: Vec<u64>,
}

/// What is compared: a reference, or the library behind the same calls.
pub trait Subject {
    /// One call.
    fn take(&mut self, event: &Event) -> Answer;
    /// Everything that it knows.
    fn state(&self) -> State;
    /// In tracking, how many rows were refused, and how many probes began, replaced w, and ended without that.
    fn findings(&self) -> [u32; 4] {
        [0; 4]
    }
}
