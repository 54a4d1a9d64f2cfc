//! The gain η_k of the k-th update.

use crate::arithmetic::backend::Scalar;

/// The fraction of the curvature step that the k-th update takes, k = 1, 2, …
///
/// Policies change while they are learned, and returns under an early policy fade only as fast as η allows. With η =
/// 1/k that is slow for rarely visited states; k^−¾ converges in far fewer episodes.
///
/// ```
/// use osculate::{Schedule, StoredConfig};
/// let follows_a_drift = StoredConfig { schedule: Schedule::Constant(0.1), ..StoredConfig::PAPER };
/// assert_eq!(StoredConfig::PAPER.schedule, Schedule::Harmonic);
/// # let _ = follows_a_drift;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Schedule {
    /// η = 1/k, as in the paper.
    Harmonic,
    /// η = k^−¾, as 1/(√k · √√k).
    ThreeQuarters,
    /// A constant η: fast on data without noise, and able to follow a drift. Not covered by the paper's theorem.
    ///
    /// Use `weights()` with it, not `estimate()`: whatever the gain, the average forgets only as fast as 4/(k + 3), and
    /// lags further and further behind a changing world.
    Constant(f32),
}

impl Schedule {
    /// η_k. It uses only √ and ÷, never a power function, because those differ between targets.
    pub(crate) fn gain<S: Scalar>(self, k: u32) -> S {
        match self {
            Self::Harmonic => S::ONE / S::from_count(k),
            Self::ThreeQuarters => {
                let root = S::from_count(k).sqrt();
                S::ONE / (root * root.sqrt())
            }
            Self::Constant(gain) => gain.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    #[test]
    fn gains_fall_as_they_should() {
        assert_eq!(Schedule::Harmonic.gain::<f32>(4), 0.25);
        assert_eq!(Schedule::ThreeQuarters.gain::<f32>(16), 0.125);
        assert_eq!(Schedule::Constant(1.0).gain::<f64>(1_000), 1.0);
    }
}
