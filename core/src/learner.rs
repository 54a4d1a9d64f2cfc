//! One update after the other.

use crate::arithmetic::{Arithmetic, Overflow, Scalar};
use crate::batch::Rows;
use crate::config::{ConfigError, LearnerConfig, Rule};
use crate::curvature::{Curvature, PastCurvature};
use crate::momentum::Iterate;
use crate::outcome::{Outcome, Verdict};
use crate::projection::total_projection;

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
    past: PastCurvature<A::Scalar>,
}

impl<A: Arithmetic, const N: usize> Learner<A, N> {
    /// A learner at w = 0, at rest.
    ///
    /// ```
    /// use osculate::{ConfigError, Learner, LearnerConfig, Schedule};
    /// let drifting = LearnerConfig { schedule: Schedule::Constant(0.1), ..LearnerConfig::default() };
    /// assert_eq!(Learner::<f32, 2>::new(drifting).unwrap().weights(), &[0.0, 0.0]);
    /// let frozen = LearnerConfig { schedule: Schedule::Constant(0.0), ..drifting };
    /// assert_eq!(Learner::<f32, 2>::new(frozen).unwrap_err(), ConfigError::Gain);
    /// ```
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range.
    pub fn new(config: LearnerConfig<A::Scalar>) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self::at_rest(config))
    }

    fn at_rest(config: LearnerConfig<A::Scalar>) -> Self {
        Self { config, iterate: Iterate::new([A::Weight::default(); N]), past: PastCurvature::default() }
    }

    /// w, as the last update left it. [`estimate`](Self::estimate) is the one to report, unless the gain is constant.
    pub fn weights(&self) -> &[A::Weight; N] {
        self.iterate.weights()
    }

    /// w − w⁻, the momentum of the last step.
    ///
    /// ```
    /// use osculate::{Batch, Learner};
    /// let mut batch = Batch::<f32, 2, 1>::new();
    /// batch.push(&[3.0, 4.0], 50.0).unwrap();
    /// let mut learner = Learner::<f32, 2>::default();
    /// learner.update(&batch);
    /// assert_eq!(learner.velocity(), &[6.0, 8.0]); // along φ
    /// assert_eq!(learner.step_length(), 10.0);
    /// ```
    pub fn velocity(&self) -> &[A::Weight; N] {
        self.iterate.velocity()
    }

    /// The average of all iterates, the later ones weighing more (as k³): what `Predictable` reports.
    ///
    /// ```
    /// use osculate::{Batch, Learner};
    /// let mut learner = Learner::<f32, 1>::default();
    /// for (k, noisy) in [(1, 8.0), (2, 6.0)] {
    ///     let mut batch = Batch::<f32, 1, 1>::new();
    ///     batch.push(&[1.0], noisy).unwrap();
    ///     assert_eq!(learner.update(&batch).k, k);
    /// }
    /// // w is 8, then 8 − ½ · 2 + ½ · 8 = 11; of the average, the second is 4/5.
    /// assert_eq!((learner.weights(), learner.averaged()), (&[11.0], &[10.4]));
    /// ```
    pub fn averaged(&self) -> &[A::Weight; N] {
        self.iterate.averaged()
    }

    /// The weights to report: the average for `Predictable`, w itself for the other rules.
    ///
    /// ```
    /// use osculate::{Learner, LearnerConfig};
    /// let paper = Learner::<f32, 2>::default();
    /// assert_eq!(paper.estimate(), paper.weights());
    /// let predictable = Learner::<f32, 2>::new(LearnerConfig::predictable()).unwrap();
    /// assert_eq!(predictable.estimate(), predictable.averaged());
    /// ```
    pub fn estimate(&self) -> &[A::Weight; N] {
        match self.config.rule {
            Rule::Predictable => self.averaged(),
            Rule::Paper | Rule::Plain => self.weights(),
        }
    }

    /// How many updates had rows to learn from since the start or the last restart: the k of the last one. Those that were
    /// skipped or refused count, too.
    ///
    /// ```
    /// use osculate::{Batch, Learner};
    /// let mut batch = Batch::<f32, 1, 1>::new();
    /// let mut learner = Learner::<f32, 1>::default();
    /// learner.update(&batch); // nothing to learn from
    /// batch.push(&[1.0], 2.0).unwrap();
    /// learner.update(&batch);
    /// assert_eq!(learner.steps(), 1);
    /// ```
    pub fn steps(&self) -> u32 {
        self.iterate.steps()
    }

    /// ‖w − w⁻‖, the length of the last step: what a [`StopTest`](crate::stop::StopTest) asks for.
    ///
    /// ```
    /// use osculate::{Batch, Learner};
    /// let mut batch = Batch::<f32, 1, 1>::new();
    /// batch.push(&[2.0], 6.0).unwrap();
    /// let mut learner = Learner::<f32, 1>::default();
    /// assert_eq!(learner.step_length(), 0.0);
    /// learner.update(&batch);
    /// assert_eq!(learner.step_length(), 3.0);
    /// ```
    pub fn step_length(&self) -> A::Scalar {
        A::length(self.velocity())
    }

    /// Forgets how far the schedule has come, and the momentum, but not what was learned: for a world that has changed.
    /// Learning goes on from the [`estimate`](Self::estimate).
    ///
    /// ```
    /// use osculate::{Batch, Learner};
    /// let mut batch = Batch::<f32, 1, 1>::new();
    /// batch.push(&[2.0], 6.0).unwrap();
    /// let mut learner = Learner::<f32, 1>::default();
    /// learner.update(&batch);
    /// learner.restart();
    /// assert_eq!((learner.weights(), learner.velocity(), learner.steps()), (&[3.0], &[0.0], 0));
    /// ```
    pub fn restart(&mut self) {
        self.iterate = Iterate::new(*self.estimate());
    }

    /// One TP update from a batch: w⁺ = w − η_k ϑ g + β (w − w⁻).
    ///
    /// Takes 2n multiply-accumulates per row for g and, from two rows up and where the curvature is measured, 2n more for ϑ.
    pub fn update(&mut self, rows: &impl Rows<A, N>) -> Outcome<A::Scalar> {
        let mut outcome = Outcome::new(self.iterate.next(), rows.count() as u32, rows.dropped());
        if outcome.tau > 0 {
            self.iterate.count();
            outcome.verdict = self.step(rows, &mut outcome).unwrap_or(Verdict::Overflow);
        }
        outcome
    }

    fn step(&mut self, rows: &impl Rows<A, N>, outcome: &mut Outcome<A::Scalar>) -> Result<Verdict, Overflow> {
        let total = total_projection(rows, self.weights())?;
        let tau = A::Scalar::from_count(outcome.tau);
        let measures = match self.config.rule {
            Rule::Plain => false,
            Rule::Paper => true,
            Rule::Predictable => (outcome.k - 1) % self.config.curvature_every == 0,
        };
        let curvature = if measures {
            Curvature::measure(rows, &total)?
        } else {
            // As if there were none: ϑ comes from elsewhere.
            let length = A::norm(&total).scaled(A::exponent(&total));
            Curvature { total: length, change: length, ratio: A::Scalar::ONE / tau }
        };
        outcome.g_norm = curvature.total / tau;
        let theta = match self.config.rule {
            Rule::Plain => A::Scalar::ONE,
            Rule::Paper => at_least_one(tau * curvature.ratio),
            // Nothing divides by c here: what the past says is finite.
            Rule::Predictable => self.past.ratio(outcome.tau, self.config.theta_cap.unwrap_or(A::Scalar::MAX)),
        };
        let theta = match self.config.theta_cap {
            // Where c is zero and g is not, theta is infinite.
            Some(cap) if theta > cap || !theta.is_finite() => cap,
            _ => theta,
        };
        // ‖c‖ of the means, or ‖g‖ where there is no c.
        let compared = if measures { curvature.change / tau / tau } else { outcome.g_norm };
        if compared < self.config.skip_below || !theta.is_finite() {
            return Ok(Verdict::Skipped);
        }
        outcome.theta = theta;
        let gain = self.config.schedule.gain(outcome.k) * theta;
        // ϑ is a multiple of the mean g = G/τ, or of G itself.
        let gain = if self.config.rule == Rule::Predictable { gain } else { gain / tau };
        let stopped = self.iterate.advance(&total, gain, self.config.beta)?;
        outcome.saturated = A::saturated(&total).saturating_add(stopped);
        if self.config.rule == Rule::Predictable && measures {
            self.past.observe(curvature.total, curvature.change);
        }
        Ok(Verdict::Stepped)
    }
}

/// H ≤ I makes ϑ ≥ 1; rounding alone can say otherwise.
fn at_least_one<S: Scalar>(theta: S) -> S {
    if theta < S::ONE { S::ONE } else { theta }
}

impl<A: Arithmetic, const N: usize> Default for Learner<A, N> {
    /// The paper's rule with the paper's parameters.
    fn default() -> Self {
        Self::at_rest(LearnerConfig::default())
    }
}
