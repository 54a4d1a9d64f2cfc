//! The gain η_k of the k-th update.

use crate::arithmetic::Scalar;

/// How much of the curvature step the k-th update takes, k = 1, 2, …
///
/// Only √ and ÷ are used, never a power function: those differ between targets.
///
/// ```
/// use osculate::Schedule;
/// assert_eq!(Schedule::<f32>::Harmonic.gain(4), 0.25);
/// assert_eq!(Schedule::<f32>::ThreeQuarters.gain(16), 0.125);
/// assert_eq!(Schedule::Constant(1.0_f32).gain(1_000), 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Schedule<S> {
    /// η = 1/k, the paper's.
    Harmonic,
    /// η = k^−¾, as 1/(√k · √√k).
    ThreeQuarters,
    /// The same η always: fast on data without noise, and able to follow a drift. Outside the paper's theorem.
    Constant(S),
}

impl<S: Scalar> Schedule<S> {
    /// η_k.
    pub fn gain(&self, k: u32) -> S {
        match *self {
            Self::Harmonic => S::ONE / S::from_count(k),
            Self::ThreeQuarters => {
                let root = S::from_count(k).sqrt();
                S::ONE / (root * root.sqrt())
            }
            Self::Constant(gain) => gain,
        }
    }
}
