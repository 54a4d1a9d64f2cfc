//! The report of a rule with episodes.

use core::fmt::{Display, Formatter, Result};

/// The result of an episode's update. Anything other than [`Stepped`](Self::Stepped) leaves weights, momentum and
/// averages bit-identical.
///
/// ```
/// use osculate::{Predictor, Streaming, StreamingConfig, Verdict};
/// let mut predictor = Predictor::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT));
/// assert_eq!(predictor.end().verdict, Verdict::Empty);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Verdict {
    /// The weights have moved.
    Stepped,
    /// ‖c‖ was below the threshold, or zero.
    Skipped,
    /// There were no rows to learn from, or the episode has not ended.
    Empty,
    /// The step would have left the format's range.
    Overflow,
}

/// The report of one update.
///
/// ```
/// use osculate::{Log, Predictor, Stored, StoredConfig};
/// let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 1, 1, 4>::NEW));
/// predictor.learn(6.0, &[2.0]).unwrap();
/// let update = predictor.end();
/// assert_eq!((update.k, update.tau, update.theta, update.g_norm), (1, 1, 1.0, 3.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Update {
    /// The update's number, from 1. A skipped or refused update also takes a number; an empty one does not.
    pub k: u32,
    /// Rows that were learned from.
    pub tau: u32,
    /// Rows and rewards that were dropped.
    pub dropped: u32,
    /// Quotients and weights that saturated in a fixed-point format. With floats, such a step is refused as a whole.
    pub saturated: u32,
    /// ‖g‖, the length of the mean projection; 0 if it was not computed.
    pub g_norm: f32,
    /// The step ϑ that was taken; 0 if it was not computed. With [`Theta::SameBatch`](crate::Theta::SameBatch), ϑ ≥ 1
    /// is a multiple of the mean g. With past curvature, it is a multiple of the sum of projections, and 1/τ before
    /// there is a past.
    pub theta: f32,
    /// Whether the weights moved, and if not, why.
    pub verdict: Verdict,
}

impl Update {
    /// An update that has not done anything yet.
    pub(crate) fn new(k: u32, tau: u32, dropped: u32) -> Self {
        Self { k, tau, dropped, saturated: 0, g_norm: 0.0, theta: 0.0, verdict: Verdict::Empty }
    }
}

/// `update 3: 12 rows, theta 4.5, |g| 0.25`, and what else there is to say.
impl Display for Update {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { k, tau, dropped, saturated, g_norm, theta, verdict } = self;
        match verdict {
            Verdict::Stepped => write!(f, "update {k}: {tau} rows, theta {theta}, |g| {g_norm}")?,
            Verdict::Skipped => write!(f, "update {k}: {tau} rows, skipped")?,
            Verdict::Empty => write!(f, "no update: {tau} rows")?,
            Verdict::Overflow => write!(f, "update {k}: {tau} rows, refused: out of range")?,
        }
        counts(f, *dropped, *saturated)
    }
}

/// What was dropped and what saturated, if anything.
pub(super) fn counts(f: &mut Formatter<'_>, dropped: u32, saturated: u32) -> Result {
    for (count, what) in [(dropped, "dropped"), (saturated, "saturated")] {
        if count > 0 {
            write!(f, ", {count} {what}")?;
        }
    }
    Ok(())
}
