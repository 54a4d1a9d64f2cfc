//! The weights of a tracking learner, and everything that moves with them.

use super::alarm::{self, Alarm, Finding};
use super::gain::Gain;
use crate::arithmetic::backend::{Empty, Features, Overflow, Persist, Scalar, TracedStep, Value};
use crate::arithmetic::{Arithmetic, RowError};
use crate::learn::config::TrackingConfig;

/// What a row's target is made of.
pub(super) enum Next<'r, A: Arithmetic, const N: usize> {
    /// Nothing follows: the target is given.
    Nothing,
    /// The next sample's row, whose value counts.
    Row(Value<'r, A, N>),
    /// A value.
    Value(A::Number),
}

/// The weights, their slow average, the trace, and the statistics that set the gain.
#[derive(Clone, Debug)]
pub(super) struct Estimator<A: Arithmetic, const N: usize> {
    /// w.
    pub(super) weights: [A::Weight; N],
    /// w̄.
    pub(super) slow: [A::Weight; N],
    /// w at the last check. While a probe is under way, the probe instead: there are no checks then.
    pub(super) mark: [A::Weight; N],
    trace: A::Eligibility<N>,
    /// v_old, the value that the last step expected of this one; `None` at the start of a chain.
    expected: Option<A::Number>,
    pub(super) gain: Gain,
    pub(super) alarm: Alarm<A::Scalar>,
    /// s², the mean square of the errors, if γ = 0.
    pub(super) spread: A::Scalar,
    /// No value is smaller or larger, since no reward so far was.
    bounds: [f32; 2],
    /// Rows learned from.
    pub(super) rows: u32,
    /// Weights that saturated since the last report.
    pub(super) saturated: u32,
    /// Not part of the state: what rows that need not be built are learned from with, and whether they can be: with
    /// γ = 0, no probe under way, and moderate weights.
    pub(super) units: A::Units,
    pub(super) moderate: bool,
}

impl<A: Arithmetic, const N: usize> Estimator<A, N> {
    pub(super) const fn new(weights: [A::Weight; N]) -> Self {
        Self {
            weights,
            slow: weights,
            mark: weights,
            trace: Empty::EMPTY,
            expected: None,
            gain: Gain::LARGEST,
            alarm: Alarm::START,
            spread: A::Scalar::ZERO,
            bounds: [0.0; 2],
            rows: 0,
            saturated: 0,
            units: Empty::EMPTY,
            moderate: false,
        }
    }

    /// The next row does not follow the last one.
    pub(super) fn break_chain(&mut self) {
        self.trace = Empty::EMPTY;
        self.expected = None;
    }

    /// Takes a reward into account for the limits of the values.
    pub(super) fn see_reward(&mut self, reward: f32, gamma: f32) {
        let forever = reward / (1.0 - gamma);
        let [low, high] = &mut self.bounds;
        // Not `min` and `max`: which zero they choose depends on the target, and they are calls on these cores.
        if forever < *low {
            *low = forever;
        } else if forever > *high {
            *high = forever;
        }
    }

    /// A value within the limits. Without them, bootstrapping can diverge.
    fn bounded(&self, value: A::Number, gamma: f32) -> A::Number {
        let [low, high] = self.bounds;
        // Before the first reward nothing is known, and weights that were learned elsewhere must not be lost.
        if gamma >= 1.0 || (low == 0.0 && high == 0.0) {
            return value;
        }
        // 0 is never beyond a limit, so one of them is enough.
        let negative = value < A::Number::EMPTY;
        match A::number(if negative { low } else { high }) {
            Ok(limit) if if negative { value < limit } else { value > limit } => limit,
            _ => value,
        }
    }

    /// The value that follows, by these weights.
    #[inline(never)]
    fn following(&self, weights: &[A::Weight; N], next: &mut Next<'_, A, N>, gamma: f32) -> Option<A::Number> {
        let value = match next {
            Next::Nothing => return None,
            Next::Row(value) => value(weights),
            Next::Value(value) => *value,
        };
        Some(self.bounded(value, gamma))
    }

    /// Learns from features and a target without building a row, if they are usual and no probe is under way. Returns
    /// whether it has; otherwise nothing has changed.
    #[inline(always)]
    pub(super) fn learn_row(
        &mut self,
        config: &TrackingConfig,
        features: u16,
        row: &Features<'_, A, N>,
        target: f32,
    ) -> bool {
        if !(self.moderate || self.is_moderate(config)) {
            return false;
        }
        let gain = self.gain.value(config);
        let Some((error, saturated)) = A::pull_row(&mut self.weights, row, target, gain, self.units) else {
            return false;
        };
        self.count(saturated);
        self.spread_to(error * error);
        self.learned(config, features, error);
        true
    }

    #[cold]
    fn is_moderate(&mut self, config: &TrackingConfig) -> bool {
        self.moderate = config.gamma == 0.0 && !self.alarm.probes() && A::is_moderate(&self.weights);
        self.moderate
    }

    fn count(&mut self, saturated: u32) {
        self.saturated = self.saturated.saturating_add(saturated);
        self.rows = self.rows.saturating_add(1);
    }

    /// Takes the finite error of a row into account, apart from its spread, with no probe under way.
    #[inline(always)]
    fn learned(&mut self, config: &TrackingConfig, features: u16, error: A::Scalar) {
        if self.alarm.observe(error) {
            let finding = self.alarm.suspect(features, self.rows);
            return self.act_on(finding, config, features);
        }
        self.usual(config, features);
    }

    /// The same where a call is cheap enough, also with the error of a probe, if one is under way.
    #[inline(never)]
    fn learned_far(&mut self, config: &TrackingConfig, features: u16, error: A::Scalar, probe: Option<A::Scalar>) {
        if config.gamma == 0.0 {
            self.spread_to(error * error);
        }
        let suspicious = self.alarm.observe(error);
        let finding = match probe {
            Some(probe) => self.alarm.compare(error, probe, features),
            None if suspicious => self.alarm.suspect(features, self.rows),
            None => return self.usual(config, features),
        };
        self.act_on(finding, config, features);
    }

    /// Learns from one row with its whole target, on an error nothing.
    #[inline(never)]
    pub(super) fn learn_target(
        &mut self,
        config: &TrackingConfig,
        features: u16,
        row: &mut A::Row<N>,
        target: A::Number,
    ) -> Result<(), RowError> {
        if self.alarm.probes() {
            return self.learn(config, features, row, target, Next::Nothing);
        }
        A::set_target(row, target)?;
        self.moderate = false;
        let residual = A::residual(row, &self.weights);
        let moved = A::pull(&mut self.weights, row, residual, self.gain.value(config));
        self.count(moved.map_err(|Overflow| RowError::TargetOutOfRange)?);
        let error = A::distance(row, residual);
        if error.is_finite() {
            self.learned_far(config, features, error, None);
        }
        Ok(())
    }

    /// Learns from one row. On an error, nothing has changed but the trace.
    #[inline(never)]
    pub(super) fn learn(
        &mut self,
        config: &TrackingConfig,
        features: u16,
        row: &mut A::Row<N>,
        reward: A::Number,
        mut next: Next<'_, A, N>,
    ) -> Result<(), RowError> {
        let gamma = config.gamma.into();
        let target = |following| match following {
            Some(value) => A::backup(reward, gamma, value),
            None => reward,
        };
        let following = self.following(&self.weights, &mut next, config.gamma);
        let goal = target(following);
        let gain = self.gain.value::<A::Scalar>(config);
        let decay = gamma * config.lambda.into();
        self.moderate = false;
        let (error, saturated) = if following.is_some() && decay > A::Scalar::ZERO {
            A::set_target(row, goal)?;
            let step = TracedStep { target: goal, expected: self.expected, decay, gain };
            self.expected = following;
            let moved = A::pull_traced(&mut self.weights, &mut self.trace, row, &step);
            let (residual, saturated) = moved.map_err(|Overflow| RowError::TargetOutOfRange)?;
            (A::distance(row, residual), saturated)
        } else {
            Self::pull_to(&mut self.weights, row, goal, gain)?
        };
        self.count(saturated);

        if !error.is_finite() {
            return Ok(());
        }
        let mut probe = None;
        if self.alarm.probes() {
            let goal = target(self.following(&self.mark, &mut next, config.gamma));
            // A probe that leaves the range has the largest error.
            probe = Some(self.probe(row, goal).unwrap_or(A::Scalar::MAX));
        }
        self.learned_far(config, features, error, probe);
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

    /// The error of the probe, which takes a step; `None` if it leaves the range.
    fn probe(&mut self, row: &mut A::Row<N>, goal: A::Number) -> Option<A::Scalar> {
        // With ½, a quarter of the true changes and more are taken for noise.
        let (error, _) = Self::pull_to(&mut self.mark, row, goal, A::Scalar::from(0.75)).ok()?;
        error.is_finite().then_some(error)
    }

    #[inline(always)]
    fn usual(&mut self, config: &TrackingConfig, features: u16) {
        // Without overflow, whatever state was read.
        let rows = u32::from(self.gain.rows) + 1;
        if rows < u32::from(config.every) {
            self.gain.rows = rows as u16;
        } else {
            self.gain.check::<A, N>(config, features, &self.weights, &mut self.slow, &mut self.mark);
        }
    }

    #[inline(never)]
    fn act_on(&mut self, finding: Finding, config: &TrackingConfig, features: u16) {
        match finding {
            Finding::Usual if self.alarm.probes() => {}
            Finding::Usual => self.usual(config, features),
            Finding::Suspicion => {
                self.mark = self.weights;
                self.moderate = false;
            }
            Finding::Change => {
                self.weights = self.mark;
                self.moderate = false;
                self.gain = Gain::LARGEST;
                self.break_chain();
            }
            Finding::FalseAlarm => {
                self.mark = self.weights;
                self.gain.rows = 0;
            }
        }
    }

    fn spread_to(&mut self, square: A::Scalar) {
        if square.is_finite() {
            let share = alarm::share::<A::Scalar>(self.rows, 100);
            self.spread = self.spread + share * (square - self.spread);
        }
    }

    /// Multiplies the weight of each column by 2^growth.
    pub(super) fn rescale(&mut self, growth: &[u8; N]) {
        self.moderate = false;
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
        all.all(|&w| A::is_weight(w))
            && A::is_eligibility(&self.trace)
            && self.expected.is_none_or(A::is_finite)
            && self.alarm.is_finite()
            && self.spread.is_finite()
    }
}

impl<A: Arithmetic, const N: usize> Persist for Estimator<A, N> {
    crate::state::persist!(fields weights: [A::Weight; N], slow: [A::Weight; N], mark: [A::Weight; N],
        trace: A::Eligibility<N>, expected: Option<A::Number>, gain: Gain, alarm: Alarm<A::Scalar>, spread: A::Scalar,
        bounds: [f32; 2], rows: u32, saturated: u32);
}
