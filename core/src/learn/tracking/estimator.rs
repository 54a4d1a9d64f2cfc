//! The weights of a tracking learner, and everything that moves with them.

use super::alarm::{Alarm, Finding};
use super::chain::{Chain, Next};
use super::config::TrackingConfig;
use super::gain::Gain;
use crate::arithmetic::backend::{Overflow, Persist, Scalar, TracedStep};
use crate::arithmetic::{Arithmetic, RowError};

/// The weights, their slow average, and the statistics that set the gain.
#[derive(Clone, Debug)]
pub(super) struct Estimator<A: Arithmetic, const N: usize> {
    pub(super) config: TrackingConfig,
    /// The features in use.
    pub(super) features: u16,
    pub(super) gain: Gain,
    /// w.
    pub(super) weights: [A::Weight; N],
    /// w̄.
    pub(super) slow: [A::Weight; N],
    /// w at the last check. While a probe is under way, the probe instead: there are no checks then.
    pub(super) mark: [A::Weight; N],
    /// What connects a row with those before it.
    pub(super) chain: Chain<A, N>,
    pub(super) alarm: Alarm<A::Scalar>,
    /// Weights that saturated since the last report.
    pub(super) saturated: u32,
}

impl<A: Arithmetic, const N: usize> Estimator<A, N> {
    pub(super) const fn new(config: TrackingConfig, features: u16, weights: [A::Weight; N]) -> Self {
        Self {
            config,
            features,
            weights,
            slow: weights,
            mark: weights,
            chain: Chain::START,
            gain: Gain::LARGEST,
            alarm: Alarm::START,
            saturated: 0,
        }
    }

    /// With other weights, and nothing known about them.
    pub(super) fn start_from(&mut self, weights: [A::Weight; N]) {
        let reward = self.chain.reward;
        *self = Self::new(self.config, self.features, weights);
        self.chain.reward = reward;
    }

    /// μ.
    #[inline(always)]
    pub(super) fn gain(&self) -> A::Scalar {
        self.gain.value(&self.config)
    }

    pub(super) fn bootstraps(&self) -> bool {
        self.config.gamma > 0.0
    }

    /// Learns from one row and what follows it. On an error, nothing has changed but the trace.
    #[inline(never)]
    pub(super) fn learn(
        &mut self,
        row: &mut A::Row<N>,
        reward: A::Number,
        next: Next<'_, A, N>,
    ) -> Result<(), RowError> {
        let (gamma, gain) = (self.config.gamma, self.gain());
        let (mut goal, mut moved) = (reward, None);
        let followed = !matches!(next, Next::Nothing);
        if followed {
            let decay = A::Scalar::from(gamma).times(self.config.lambda.into());
            let following = self.chain.following(&self.weights, &next, gamma);
            goal = A::backup(reward, gamma.into(), following);
            if A::Scalar::ZERO.below(decay) {
                A::set_target(row, goal)?;
                let step = TracedStep { target: goal, expected: self.chain.expected, decay, gain };
                self.chain.expected = Some(following);
                let stepped = A::traced_step(&mut self.weights, &mut self.chain.trace, row, &step);
                let (error, saturated) = stepped.map_err(|Overflow| RowError::TargetOutOfRange)?;
                self.saturated = self.saturated.saturating_add(saturated);
                moved = Some(error);
            }
        }
        let error = match moved {
            Some(error) => error,
            None => {
                let stepped = Self::nlms_step(&mut self.weights, row, goal, gain, &mut self.saturated);
                stepped.ok_or(RowError::TargetOutOfRange)?
            }
        };
        if !error.is_finite() {
            self.alarm.errors.pass();
            return Ok(());
        }
        let probe = self.alarm.probes().then(|| {
            // It has a value of its own for what follows.
            if followed {
                goal = A::backup(reward, gamma.into(), self.chain.following(&self.mark, &next, gamma));
            }
            // With ½, a quarter of the true changes and more are taken for noise.
            let error = Self::nlms_step(&mut self.mark, row, goal, A::Scalar::from(0.75), &mut 0);
            // A probe that leaves the range has the largest error.
            error.unwrap_or(A::Scalar::MAX)
        });
        let suspicious = self.alarm.errors.observe(error, !self.bootstraps());
        let finding = match probe {
            Some(probe) => self.alarm.compare(error, probe, self.features),
            None if suspicious => self.alarm.suspect(self.features),
            None => Finding::Usual,
        };
        self.act_on(finding);
        Ok(())
    }

    /// Moves the weights towards a row with a target, and counts those that saturate. Returns the error before, or nothing
    /// if they have not moved.
    #[inline(never)]
    fn nlms_step(
        weights: &mut [A::Weight; N],
        row: &mut A::Row<N>,
        goal: A::Number,
        gain: A::Scalar,
        saturated: &mut u32,
    ) -> Option<A::Scalar> {
        A::set_target(row, goal).ok()?;
        let (error, clipped) = A::nlms_step(weights, row, gain).ok()?;
        *saturated = saturated.saturating_add(clipped);
        Some(error)
    }

    fn usual(&mut self) {
        // Without overflow, whatever state was read.
        let rows = u32::from(self.gain.rows) + 1;
        if rows < u32::from(self.config.every) {
            self.gain.rows = rows as u16;
        } else {
            self.check();
        }
    }

    /// Compares what w did since the last check with where it had been relative to w̄, and takes both along.
    #[inline(never)]
    fn check(&mut self) {
        let cosine = A::cosine([&self.slow, &self.mark, &self.weights]).to_f32();
        self.gain.adapt(cosine, &self.config);
        let share = self.gain() * A::Scalar::from_ratio(self.config.every.into(), 2 * u32::from(self.features));
        let half = A::Scalar::from(0.5);
        // At most a half: an average that is w itself has no direction to compare with.
        A::average(&mut self.slow, &self.weights, if share < half { share } else { half });
        self.mark = self.weights;
        self.gain.rows = 0;
    }

    #[inline(never)]
    fn act_on(&mut self, finding: Finding) {
        match finding {
            Finding::Usual => self.usual(),
            Finding::Probing => {}
            Finding::Suspicion | Finding::FalseAlarm => {
                self.mark = self.weights;
                self.gain.rows = 0;
            }
            Finding::Change => {
                self.weights = self.mark;
                self.gain = Gain::LARGEST;
                self.chain.cut();
            }
        }
    }

    /// Multiplies the weight of each column by 2^growth.
    pub(super) fn rescale(&mut self, growth: &[u8; N]) {
        for vector in [&mut self.weights, &mut self.slow, &mut self.mark] {
            for (weight, &by) in vector.iter_mut().zip(growth).filter(|(_, by)| **by > 0) {
                let (scaled, saturated) = A::scale_weight(*weight, by);
                *weight = scaled;
                self.saturated = self.saturated.saturating_add(saturated.into());
            }
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        let mut vectors = [&self.weights, &self.slow, &self.mark].into_iter();
        vectors.all(Persist::is_valid) && self.chain.is_finite() && self.alarm.is_finite()
    }
}
