//! Tracking, as far as no arithmetic is involved: which sample waits for what, what is dropped, and what is seen.
//!
//! The arithmetic is that of [`rounded`](super::rounded), [`fixed_model`](super::fixed_model) and
//! [`fixed_oracle`](super::fixed_oracle), each behind [`Numbers`].

mod samples;
mod statistics;

pub use samples::Tracking;
pub use statistics::Precision;
pub(super) use statistics::{Alarm, Finding, Ladder};

use std::fmt::Debug;

use super::fixed::Phi;

/// The parameters of a tracking learner.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// γ.
    pub gamma: f32,
    /// λ.
    pub lambda: f32,
    /// The largest gain.
    pub gain: f32,
    /// The least gain.
    pub least_gain: f32,
    /// M.
    pub every: u16,
}

/// A call.
#[derive(Clone, Debug)]
pub enum Event {
    /// The first sample of an episode.
    Begin(Phi),
    /// The signal of the last sample, and the next one.
    Step(Option<f32>, Phi),
    /// The last signal of an episode.
    Last(Option<f32>),
    /// A true end.
    End,
    /// A cut before this sample.
    Cut(Phi),
    /// A row with its target.
    Learn(f32, Phi),
    /// Forgets all but w.
    Restart,
}

/// What a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing to say.
    Nothing,
    /// The bits of a prediction as f32, or none if the features are unusable.
    Prediction(Option<u32>),
    /// Whether a row was learned from.
    Learned(bool),
    /// The report at an end.
    Outcome(Report),
}

/// The report of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Rows learned from since the start.
    pub k: u32,
    /// Rows learned from since the last report.
    pub tau: u32,
    /// Samples dropped since then.
    pub dropped: u32,
    /// How many numbers saturated since then.
    pub saturated: u32,
    /// The bits of s̄ as f32.
    pub mean_error: u32,
    /// The bits of μ as f32.
    pub gain: u32,
}

/// Everything that a learner knows, as bit patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// w.
    pub w: Vec<u64>,
    /// w̄.
    pub slow: Vec<u64>,
    /// p.
    pub mark: Vec<u64>,
    /// z; in fixed point the mantissas, then the exponent.
    pub trace: Vec<u64>,
    /// v_old.
    pub expected: Option<u64>,
    /// The depth, the check count, j and the row of the probe.
    pub counts: [u16; 4],
    /// s̄, C, E_v, E_w and s².
    pub scalars: [u64; 5],
    /// The bounds of the values.
    pub bounds: [u32; 2],
    /// Rows learned from.
    pub rows: u32,
}

/// Features that make no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// Only zeros: their value is 0.
    Zeros,
    /// NaN or infinite.
    NotFinite,
}

/// What follows a row.
#[derive(Debug)]
pub enum Next<'r, R, T> {
    /// Nothing: the target is given.
    Nothing,
    /// The next sample's row.
    Row(&'r R),
    /// This value.
    Value(T),
}

/// What a row has caused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// It was refused.
    Refused,
    /// It was learned from.
    Usual,
    /// A probe began.
    Suspicion,
    /// A probe has replaced w.
    Change,
    /// A probe has ended without that.
    FalseAlarm,
}

/// The arithmetic of a tracking learner.
pub trait Numbers: Debug {
    /// An encoded row.
    type Row: Clone + Debug;
    /// A reward or a value.
    type Number: Copy + Debug;

    /// Encodes features.
    fn encode(&self, phi: &Phi) -> Result<Self::Row, Unusable>;
    /// A reward, if it fits.
    fn number(&self, x: f32) -> Option<Self::Number>;
    /// The nearest f32.
    fn to_f32(&self, number: Self::Number) -> f32;
    /// φ·w.
    fn value(&self, row: &Self::Row) -> Self::Number;
    /// 16. Bounds the values by a reward.
    fn see(&mut self, reward: f32);
    /// 16 to 21. Learns from a row.
    fn learn(&mut self, row: &Self::Row, reward: Self::Number, next: Next<'_, Self::Row, Self::Number>) -> Learned;
    /// 18. The next row does not follow the last one.
    fn break_chain(&mut self);
    /// Keeps w, and nothing else.
    fn restart(&mut self);
    /// k, s̄ and μ, and how many numbers saturated since the last call.
    fn report(&mut self) -> (u32, f32, f32, u32);
    /// Everything.
    fn state(&self) -> State;
}
