//! What decays: the gain η_k of the k-th update, and the share ε_k of random actions in the k-th episode.

use crate::arithmetic::Scalar;
use crate::config::ConfigError;

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
    ///
    /// Take `weights()` with it, not `averaged()` or `estimate()`: whatever the gain, the average forgets as slowly as 4/(k + 3),
    /// and lags further and further behind a world that changes.
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

/// How often the k-th episode takes a random action, k = 1, 2, …: ε_k = ε₁ · c/(c + k − 1).
///
/// It is half of ε₁ after c episodes and falls as 1/k in the end, so that the policy becomes greedy but never stops trying.
///
/// ```
/// use osculate::schedule::Exploration;
/// let exploration = Exploration { start: 0.5_f32, half_after: 100 };
/// assert_eq!((exploration.epsilon(1), exploration.epsilon(101)), (0.5, 0.25));
/// assert_eq!(Exploration::<f32>::NONE.epsilon(1), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Exploration<S> {
    /// ε₁, in [0, 1].
    pub start: S,
    /// c, at least 1: the number of episodes after which ε has halved. `u32::MAX` keeps it where it is.
    pub half_after: u32,
}

impl<S: Scalar> Exploration<S> {
    /// No random actions at all.
    pub const NONE: Self = Self { start: S::ZERO, half_after: u32::MAX };

    /// ε_k.
    pub fn epsilon(&self, k: u32) -> S {
        self.start * S::from_ratio(self.half_after, self.half_after.saturating_add(k.saturating_sub(1)))
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if !(self.start >= S::ZERO && self.start <= S::ONE) {
            return Err(ConfigError::Epsilon);
        }
        if self.half_after > 0 { Ok(()) } else { Err(ConfigError::HalfAfter) }
    }
}
