//! The report of a tracking learner.

use core::fmt::{Display, Formatter, Result};

use crate::learn::update::counts;

/// What a [`Tracking`](crate::Tracking) learner has learned from, and how it is doing.
///
/// ```
/// use osculate::{Predictor, Tracking, TrackingConfig};
/// let config = TrackingConfig::new(0.0);
/// let mut predictor = Predictor::new(Tracking::<f32, 1>::new(config));
/// predictor.learn(8.0, &[2.0]).unwrap();
/// let report = predictor.report();
/// // The weight moved by half of its distance 4 to the row.
/// assert_eq!((report.rows, report.gain, report.error), (1, 0.5, 4.0));
/// assert_eq!(report.to_string(), "1 rows, gain 0.5, error 4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TrackingReport {
    /// Rows that were learned from since the last [`end`](crate::Predictor::end), as the other counts.
    pub rows: u32,
    /// Rows since the start or the last restart.
    pub all_rows: u32,
    /// Rows and signals that were dropped.
    pub dropped: u32,
    /// Weights that saturated in a fixed-point format. With floats, such a row is dropped.
    pub saturated: u32,
    /// The mean error |φ·w − V|/‖φ‖ of recent rows: a distance in the space of the weights.
    pub error: f32,
    /// The gain μ of the next row.
    pub gain: f32,
    /// Abrupt changes of the world that were found. This count is not part of a saved state.
    pub changes: u32,
}

/// `120 rows, gain 0.05, error 0.25`, and what else there is to say.
impl Display for TrackingReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { rows, dropped, saturated, error, gain, changes, .. } = self;
        write!(f, "{rows} rows, gain {gain}, error {error}")?;
        if *changes > 0 {
            write!(f, ", {changes} changes")?;
        }
        counts(f, *dropped, *saturated)
    }
}
