//! The weights of a tracking learner, and everything that moves with them.

use super::alarm::{Alarm, Finding};
use super::chain::{Chain, Next};
use super::gain::Gain;
use crate::arithmetic::backend::{Empty, Features, Overflow, Scalar, TracedStep};
use crate::arithmetic::{Arithmetic, RowError};
use crate::learn::config::TrackingConfig;

/// The weights, their slow average, and the statistics that set the gain.
#[derive(Clone, Debug)]
pub(super) struct Estimator<A: Arithmetic, const N: usize, C> {
    pub(super) config: TrackingConfig,
    /// The features in use.
    pub(super) features: u16,
    /// w.
    pub(super) weights: [A::Weight; N],
    /// w̄.
    pub(super) slow: [A::Weight; N],
    /// w at the last check. While a probe is under way, the probe instead: there are no checks then.
    pub(super) mark: [A::Weight; N],
    /// What connects a row with those before it.
    pub(super) chain: C,
    pub(super) gain: Gain,
    pub(super) alarm: Alarm<A::Scalar>,
    /// Weights that saturated since the last report.
    pub(super) saturated: u32,
    /// Not part of the state: what rows that need not be built are learned from with. Empty while rows must be built: with
    /// γ > 0, in a probe, or with huge weights.
    pub(super) units: A::Units,
}

impl<A: Arithmetic, const N: usize, C: Chain<A, N>> Estimator<A, N, C> {
    pub(super) const fn new(config: TrackingConfig, features: u16, weights: [A::Weight; N]) -> Self {
        Self {
            config,
            features,
            weights,
            slow: weights,
            mark: weights,
            chain: C::START,
            gain: Gain::LARGEST,
            alarm: Alarm::START,
            saturated: 0,
            units: Empty::EMPTY,
        }
    }

    /// With other weights, and nothing known about them.
    pub(super) fn start_from(&mut self, weights: [A::Weight; N]) {
        *self = Self::new(self.config, self.features, weights);
    }

    /// μ.
    #[inline(always)]
    pub(super) fn gain(&self) -> A::Scalar {
        self.gain.value(&self.config)
    }

    /// Learns from features and a target without building a row, if they are usual and no probe is under way. Returns
    /// whether it has; otherwise nothing has changed.
    #[inline(always)]
    pub(super) fn learn_row(&mut self, row: &Features<'_, A, N>, target: f32) -> bool {
        let gain = self.gain();
        let Some((error, saturated)) = A::pull_row(&mut self.weights, row, target, gain, self.units) else {
            return false;
        };
        self.saturate(saturated);
        if self.alarm.errors.observe(error) {
            let finding = self.alarm.suspect(self.features);
            self.act_on(finding);
        } else {
            self.usual();
        }
        true
    }

    /// From here on, rows like this one need not be built, if that is possible.
    pub(super) fn expect(&mut self, row: &A::Row<N>) {
        if self.config.gamma == 0.0 && !self.alarm.probes() && A::is_moderate(&self.weights) {
            self.units = A::units(row);
        }
    }

    fn saturate(&mut self, weights: u32) {
        self.saturated = self.saturated.saturating_add(weights);
    }

    /// Learns from one row with its whole target, on an error nothing.
    #[inline(never)]
    pub(super) fn learn_target(&mut self, row: &mut A::Row<N>, target: A::Number) -> Result<(), RowError> {
        let gain = self.gain();
        let moved = Self::pull_to(&mut self.weights, row, target, gain)?;
        self.learned(row, moved, target);
        Ok(())
    }

    /// Learns from one row and what follows it. On an error, nothing has changed but the trace.
    #[inline(never)]
    pub(super) fn learn(
        &mut self,
        row: &mut A::Row<N>,
        reward: A::Number,
        mut next: Next<'_, A, N>,
    ) -> Result<(), RowError> {
        let Some(chain) = self.chain.traced() else { return self.learn_target(row, reward) };
        let (gamma, gain) = (self.config.gamma, self.gain.value(&self.config));
        let decay = A::Scalar::from(gamma) * self.config.lambda.into();
        let following = chain.following(&self.weights, &mut next, gamma);
        let goal = A::backup(reward, gamma.into(), following);
        let moved = if decay > A::Scalar::ZERO {
            A::set_target(row, goal)?;
            let step = TracedStep { target: goal, expected: chain.expected, decay, gain };
            chain.expected = Some(following);
            let moved = A::pull_traced(&mut self.weights, &mut chain.trace, row, &step);
            let (residual, saturated) = moved.map_err(|Overflow| RowError::TargetOutOfRange)?;
            (A::distance(row, residual), saturated)
        } else {
            Self::pull_to(&mut self.weights, row, goal, gain)?
        };
        // The probe has a value of its own for what follows.
        let goal = if self.alarm.probes() {
            A::backup(reward, gamma.into(), chain.following(&self.mark, &mut next, gamma))
        } else {
            goal
        };
        self.learned(row, moved, goal);
        Ok(())
    }

    /// Pulls the weights towards a row with a target. Returns the error before, and how many weights saturated.
    #[inline(never)]
    fn pull_to(
        weights: &mut [A::Weight; N],
        row: &mut A::Row<N>,
        goal: A::Number,
        gain: A::Scalar,
    ) -> Result<(A::Scalar, u32), RowError> {
        A::set_target(row, goal)?;
        let residual = A::residual(row, weights);
        let moved = A::pull(weights, row, residual, gain);
        Ok((A::distance(row, residual), moved.map_err(|Overflow| RowError::TargetOutOfRange)?))
    }

    /// Takes the error of a row into account, and lets a probe that is under way learn from it, too.
    #[inline(never)]
    fn learned(&mut self, row: &mut A::Row<N>, (error, saturated): (A::Scalar, u32), goal: A::Number) {
        self.units = Empty::EMPTY;
        self.saturate(saturated);
        if !error.is_finite() {
            return self.alarm.errors.pass();
        }
        // A probe that leaves the range has the largest error.
        let probe = self.alarm.probes().then(|| self.probe(row, goal).unwrap_or(A::Scalar::MAX));
        let suspicious = self.alarm.errors.observe_any(error, self.config.gamma == 0.0);
        let finding = match probe {
            Some(probe) => self.alarm.compare(error, probe, self.features),
            None if suspicious => self.alarm.suspect(self.features),
            None => return self.usual(),
        };
        self.act_on(finding);
    }

    /// The error of the probe, which takes a step; `None` if it leaves the range.
    fn probe(&mut self, row: &mut A::Row<N>, goal: A::Number) -> Option<A::Scalar> {
        // With ½, a quarter of the true changes and more are taken for noise.
        let (error, _) = Self::pull_to(&mut self.mark, row, goal, A::Scalar::from(0.75)).ok()?;
        error.is_finite().then_some(error)
    }

    #[inline(always)]
    fn usual(&mut self) {
        // Without overflow, whatever state was read.
        let rows = u32::from(self.gain.rows) + 1;
        if rows < u32::from(self.config.every) {
            self.gain.rows = rows as u16;
        } else {
            self.check();
        }
    }

    #[inline(never)]
    fn check(&mut self) {
        self.gain.check::<A, N>(&self.config, self.features, &self.weights, &mut self.slow, &mut self.mark);
    }

    #[inline(never)]
    fn act_on(&mut self, finding: Finding) {
        match finding {
            Finding::Usual if self.alarm.probes() => {}
            Finding::Usual => self.usual(),
            Finding::Suspicion => {
                self.mark = self.weights;
                self.units = Empty::EMPTY;
            }
            Finding::Change => {
                self.weights = self.mark;
                self.gain = Gain::LARGEST;
                self.chain.cut();
            }
            Finding::FalseAlarm => {
                self.mark = self.weights;
                self.gain.rows = 0;
            }
        }
    }

    /// Multiplies the weight of each column by 2^growth.
    pub(super) fn rescale(&mut self, growth: &[u8; N]) {
        self.units = Empty::EMPTY;
        for vector in [&mut self.weights, &mut self.slow, &mut self.mark] {
            for (weight, &by) in vector.iter_mut().zip(growth).filter(|(_, by)| **by > 0) {
                let (scaled, saturated) = A::scale_weight(*weight, by);
                *weight = scaled;
                self.saturated = self.saturated.saturating_add(saturated.into());
            }
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        let mut all = [&self.weights, &self.slow, &self.mark].into_iter().flatten();
        all.all(|&w| A::is_weight(w)) && self.chain.is_finite() && self.alarm.is_finite()
    }
}
