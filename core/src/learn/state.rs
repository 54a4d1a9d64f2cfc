//! What a rule knows, as values to look at: what a checkpoint holds, in numbers.

use crate::arithmetic::Shape;

/// What a rule with episodes has learned, by [`Episodic::state`](crate::Episodic::state). A checkpoint begins with it; what
/// follows there belongs to the unfinished episode.
///
/// ```
/// use osculate::{Episodic, Predictor, Streaming, StreamingConfig};
/// let mut predictor = Predictor::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT));
/// predictor.learn(4.0, &[2.0, 0.0]).unwrap();
/// predictor.end();
/// let state = predictor.learner().state();
/// assert_eq!((state.weights, state.velocity, state.updates), (&[2.0, 0.0], &[2.0, 0.0], 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(bound = ""))]
pub struct EpisodicState<'s, S: Shape> {
    /// w.
    #[cfg_attr(feature = "serde", serde(serialize_with = "numbers::<S, _>"))]
    pub weights: &'s S::Weights,
    /// w − w⁻.
    #[cfg_attr(feature = "serde", serde(serialize_with = "numbers::<S, _>"))]
    pub velocity: &'s S::Weights,
    /// w̄, the average of all iterates, with later ones weighted more (as k³).
    #[cfg_attr(feature = "serde", serde(serialize_with = "numbers::<S, _>"))]
    pub averaged: &'s S::Weights,
    /// k, the number of updates since the start or the last restart.
    pub updates: u32,
    /// The averages of ‖G‖ and ‖C‖ over past episodes; 0 if the rule does not need them.
    pub past_lengths: [f64; 2],
    /// The episodes in these averages.
    pub past_episodes: u32,
}

/// What a [`Tracking`](crate::Tracking) learner knows, by [`state`](crate::Tracking::state): all that is in a checkpoint but
/// for the trace and the row of the last sample.
///
/// ```
/// use osculate::{Predictor, Tracking, TrackingConfig};
/// let mut predictor = Predictor::new(Tracking::<f32, 1>::new(TrackingConfig::new(0.0)));
/// predictor.learn(8.0, &[2.0]).unwrap();
/// let state = predictor.learner().state();
/// assert_eq!((state.weights, state.slow, state.mean_error, state.rows), (&[2.0], &[0.0], 4.0, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(bound = ""))]
pub struct TrackingState<'s, S: Shape> {
    /// w.
    #[cfg_attr(feature = "serde", serde(serialize_with = "numbers::<S, _>"))]
    pub weights: &'s S::Weights,
    /// w̄, the slow average.
    #[cfg_attr(feature = "serde", serde(serialize_with = "numbers::<S, _>"))]
    pub slow: &'s S::Weights,
    /// w at the last check of the gain; while a probe is under way, the probe.
    #[cfg_attr(feature = "serde", serde(serialize_with = "numbers::<S, _>"))]
    pub mark: &'s S::Weights,
    /// v_old, the value that the last step expected of this one, rounded to an `f32`; `None` at the start of a chain.
    pub expected: Option<f32>,
    /// How far the gain is below its largest value, in 1/256 of an octave.
    pub gain_depth: u16,
    /// Rows since the last check of the gain.
    pub rows_since_check: u16,
    /// s̄, the mean error.
    pub mean_error: f64,
    /// C, the CUSUM of the errors.
    pub cusum: f64,
    /// s², the mean square of the errors, if γ = 0.
    pub mean_square: f64,
    /// j, the errors in the mean, at most 200.
    pub errors: u32,
    /// The probe's row, 0 if none is under way.
    pub probe_row: u16,
    /// E_v and E_w, the sums of the probe's errors and of those of w.
    pub probe_errors: [f64; 2],
    /// No value is smaller or larger, since no reward so far was.
    pub value_bounds: [f32; 2],
    /// Rows learned from since the start or the last restart.
    pub rows: u32,
}

/// Weights of any arithmetic as numbers, which is exact.
#[cfg(feature = "serde")]
fn numbers<S: Shape, Z: serde::Serializer>(weights: &&S::Weights, serializer: Z) -> Result<Z::Ok, Z::Error> {
    serializer.collect_seq(S::numbers(weights))
}
