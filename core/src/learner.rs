//! One update after the other: config, state and what an update reports.

use crate::arithmetic::{Arithmetic, Overflow, Scalar};
use crate::batch::Batch;
use crate::curvature::Curvature;
use crate::momentum::Iterate;
use crate::projection::total_projection;
use crate::schedule::Schedule;

/// How a learner moves. The default is the paper's: η = 1/k, β = ½, no update where ‖c‖ < 10⁻⁶.
///
/// ```
/// use osculate::{LearnerConfig, Schedule};
/// let noise_free = LearnerConfig { schedule: Schedule::Constant(1.0), beta: 0.0, ..LearnerConfig::<f32>::default() };
/// assert_eq!(noise_free.skip_below, 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LearnerConfig<S> {
    /// The gain η_k.
    pub schedule: Schedule<S>,
    /// The momentum β, in [0, 1).
    pub beta: S,
    /// No update where ‖c‖ is below this. It is a length in the units of the weights, so it is *not* scale-invariant:
    /// 0 switches the test off.
    pub skip_below: S,
}

impl<S: Scalar> Default for LearnerConfig<S> {
    fn default() -> Self {
        Self { schedule: Schedule::Harmonic, beta: S::from_ratio(1, 2), skip_below: S::from_ratio(1, 1_000_000) }
    }
}

impl<S: Scalar> LearnerConfig<S> {
    fn check(&self) -> Result<(), ConfigError> {
        let in_range = |x: S| x.is_finite() && x >= S::ZERO;
        if !(in_range(self.beta) && self.beta < S::ONE) {
            return Err(ConfigError::Beta);
        }
        if !in_range(self.skip_below) {
            return Err(ConfigError::SkipBelow);
        }
        match self.schedule {
            Schedule::Constant(gain) if !(in_range(gain) && gain > S::ZERO) => Err(ConfigError::Gain),
            _ => Ok(()),
        }
    }
}

/// Which part of a [`LearnerConfig`] makes no sense.
///
/// ```
/// use osculate::{ConfigError, Learner, LearnerConfig};
/// let config = LearnerConfig { beta: 1.0, ..LearnerConfig::<f32>::default() };
/// assert_eq!(Learner::<f32, 2>::new(config).unwrap_err(), ConfigError::Beta);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ConfigError {
    /// β is not in [0, 1).
    Beta,
    /// The threshold for ‖c‖ is negative or not finite.
    SkipBelow,
    /// A constant η is not positive or not finite.
    Gain,
}

impl core::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Beta => "beta must be in [0, 1)",
            Self::SkipBelow => "the threshold for skipping must be finite and not negative",
            Self::Gain => "a constant gain must be finite and positive",
        })
    }
}

impl core::error::Error for ConfigError {}

/// What became of a batch. Whatever is not [`Stepped`](Self::Stepped) has left the learner bit-identical.
///
/// ```
/// use osculate::{Batch, Learner, Verdict};
/// let mut learner = Learner::<f32, 2>::default();
/// assert_eq!(learner.update(&Batch::<f32, 2, 4>::new()).verdict, Verdict::Empty);
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
/// use osculate::{Batch, Learner};
/// let mut batch = Batch::<f32, 1, 4>::new();
/// batch.push(&[2.0], 6.0).unwrap();
/// let outcome = Learner::<f32, 1>::default().update(&batch);
/// assert_eq!((outcome.k, outcome.tau, outcome.theta, outcome.g_norm), (1, 1, 1.0, 3.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome<S> {
    /// The update's number, from 1. An update that did not step does not use its number up.
    pub k: u32,
    /// Rows that were learned from.
    pub tau: u32,
    /// Rows that were dropped.
    pub dropped: u32,
    /// Quotients and weights that were cut to the range of a fixed-point format. Floats refuse such a step whole.
    pub saturated: u32,
    /// ‖g‖, the length of the mean projection; 0 where it was not computed.
    pub g_norm: S,
    /// The curvature step ϑ ≥ 1; 0 where it was not computed.
    pub theta: S,
    /// Whether the weights moved, and if not, why.
    pub verdict: Verdict,
}

/// Learns w such that φ·w ≈ V, minimising the distance to the hyperplanes: no row counts more for being larger.
///
/// ```
/// use osculate::{Batch, Learner};
/// let mut learner = Learner::<f32, 1>::default();
/// let mut batch = Batch::<f32, 1, 2>::new();
/// batch.push(&[1.0], 2.0).unwrap();
/// batch.push(&[2.0], 1.0).unwrap();
/// for _ in 0..100 {
///     learner.update(&batch);
/// }
/// assert_eq!(*learner.weights(), [1.25]); // least squares would say 4/5
/// ```
#[derive(Clone, Debug)]
pub struct Learner<A: Arithmetic, const N: usize> {
    config: LearnerConfig<A::Scalar>,
    iterate: Iterate<A, N>,
    steps: u32,
}

impl<A: Arithmetic, const N: usize> Learner<A, N> {
    /// A learner at w = 0, at rest.
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range.
    pub fn new(config: LearnerConfig<A::Scalar>) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self::at_rest(config))
    }

    fn at_rest(config: LearnerConfig<A::Scalar>) -> Self {
        Self { config, iterate: Iterate::new([A::Weight::default(); N]), steps: 0 }
    }

    /// w.
    pub fn weights(&self) -> &[A::Weight; N] {
        &self.iterate.weights
    }

    /// w − w⁻, the momentum of the last step.
    pub fn velocity(&self) -> &[A::Weight; N] {
        &self.iterate.velocity
    }

    /// How many updates have moved the weights.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// One TP update from a batch: w⁺ = w − η_k ϑ g + β (w − w⁻).
    ///
    /// Takes 2n multiply-accumulates per row for g and, from two rows up, 2n more for ϑ.
    pub fn update<const T: usize>(&mut self, batch: &Batch<A, N, T>) -> Outcome<A::Scalar> {
        let mut outcome = Outcome {
            k: self.steps.saturating_add(1),
            tau: batch.rows().len() as u32,
            dropped: batch.dropped(),
            saturated: 0,
            g_norm: A::Scalar::ZERO,
            theta: A::Scalar::ZERO,
            verdict: Verdict::Empty,
        };
        if outcome.tau > 0 {
            outcome.verdict = self.step(batch.rows(), &mut outcome).unwrap_or(Verdict::Overflow);
        }
        outcome
    }

    fn step(&mut self, rows: &[A::Row<N>], outcome: &mut Outcome<A::Scalar>) -> Result<Verdict, Overflow> {
        let total = total_projection::<A, N>(rows, &self.iterate.weights)?;
        let Curvature { g_norm, c_norm, theta } = Curvature::measure::<A, N>(rows, &total)?;
        outcome.g_norm = g_norm;
        if c_norm < self.config.skip_below || !theta.is_finite() {
            return Ok(Verdict::Skipped);
        }
        outcome.theta = theta;
        // G is τ·g.
        let gain = self.config.schedule.gain(outcome.k) * theta / A::Scalar::from_count(outcome.tau);
        outcome.saturated = A::saturated(&total) + self.iterate.advance(&total, gain, self.config.beta)?;
        self.steps = outcome.k;
        Ok(Verdict::Stepped)
    }
}

impl<A: Arithmetic, const N: usize> Default for Learner<A, N> {
    /// The paper's rule with the paper's parameters.
    fn default() -> Self {
        Self::at_rest(LearnerConfig::default())
    }
}
