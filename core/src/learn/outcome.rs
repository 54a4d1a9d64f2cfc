//! What an update reports.

/// What became of an episode. Whatever is not [`Stepped`](Self::Stepped) has left weights, momentum and averages
/// bit-identical.
///
/// ```
/// use osculate::{Predictor, Streaming, StreamingConfig, Verdict};
/// let mut predictor = Predictor::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT)?);
/// assert_eq!(predictor.end().verdict, Verdict::Empty);
/// # Ok::<(), osculate::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Verdict {
    /// The weights have moved.
    Stepped,
    /// ‖c‖ was below the threshold, or zero.
    Skipped,
    /// No row was left to learn from.
    Empty,
    /// The step would have left the format's range.
    Overflow,
}

/// What one update did.
///
/// ```
/// use osculate::{Log, Predictor, Stored, StoredConfig};
/// let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 1, 1, 4>::new())?);
/// predictor.learn(6.0, &[2.0]).unwrap();
/// let outcome = predictor.end();
/// assert_eq!((outcome.k, outcome.tau, outcome.theta, outcome.g_norm), (1, 1, 1.0, 3.0));
/// # Ok::<(), osculate::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome {
    /// The update's number, from 1. One that was skipped or refused uses its number up; an empty one does not.
    pub k: u32,
    /// Rows that were learned from.
    pub tau: u32,
    /// Rows and rewards that were dropped.
    pub dropped: u32,
    /// Quotients and weights that were saturated in a fixed-point format. Floats refuse such a step whole.
    pub saturated: u32,
    /// ‖g‖, the length of the mean projection; 0 where it was not computed.
    pub g_norm: f32,
    /// The step ϑ that was taken; 0 where it was not computed. [`Theta::SameBatch`](crate::Theta::SameBatch): ϑ ≥ 1, a multiple
    /// of the mean g. From past curvature: a multiple of the sum of projections, 1/τ before there is a past.
    pub theta: f32,
    /// Whether the weights moved, and if not, why.
    pub verdict: Verdict,
}

impl Outcome {
    /// Of an update that has not done anything yet.
    pub(crate) fn new(k: u32, tau: u32, dropped: u32) -> Self {
        Self { k, tau, dropped, saturated: 0, g_norm: 0.0, theta: 0.0, verdict: Verdict::Empty }
    }
}
