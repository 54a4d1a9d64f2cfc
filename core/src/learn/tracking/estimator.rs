//! The weights of a tracking learner, and everything that moves with them.

use super::alarm::{Alarm, Finding};
use super::gain::Gain;
use crate::arithmetic::backend::{Empty, Overflow, Persist, Scalar, TracedStep, Value};
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
    fn following(&self, weights: &[A::Weight; N], next: &mut Next<'_, A, N>, gamma: f32) -> Option<A::Number> {
        match next {
            Next::Nothing => None,
            Next::Row(value) => Some(self.bounded(value(weights), gamma)),
            Next::Value(value) => Some(self.bounded(*value, gamma)),
        }
    }

    /// Learns from one row. On an error, nothing has changed but the trace.
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
        A::set_target(row, goal)?;
        let gain = self.gain.value::<A::Scalar>(config);
        let decay = gamma * config.lambda.into();
        let moved = if following.is_some() && decay > A::Scalar::ZERO {
            let step = TracedStep { target: goal, expected: self.expected, decay, gain };
            self.expected = following;
            A::pull_traced(&mut self.weights, &mut self.trace, row, &step)
        } else {
            let residual = A::residual(row, &self.weights);
            A::pull(&mut self.weights, row, residual, gain).map(|saturated| (residual, saturated))
        };
        let (residual, saturated) = moved.map_err(|Overflow| RowError::TargetOutOfRange)?;
        self.saturated = self.saturated.saturating_add(saturated);
        self.rows = self.rows.saturating_add(1);

        let error = A::distance(row, residual);
        if error.is_finite() {
            if config.gamma == 0.0 {
                self.spread_to(error * error);
            }
            let probe = self.alarm.probes().then(|| {
                // A probe that leaves the range has the largest error.
                let goal = target(self.following(&self.mark, &mut next, config.gamma));
                self.probe(row, goal).unwrap_or(A::Scalar::MAX)
            });
            let finding = self.alarm.observe(error, probe, features, self.rows);
            self.act_on(finding, config, features);
        }
        Ok(())
    }

    fn probe(&mut self, row: &mut A::Row<N>, goal: A::Number) -> Option<A::Scalar> {
        A::set_target(row, goal).ok()?;
        let residual = A::residual(row, &self.mark);
        // With ½, a quarter of the true changes and more are taken for noise.
        A::pull(&mut self.mark, row, residual, A::Scalar::from(0.75)).ok()?;
        Some(A::distance(row, residual)).filter(|error| error.is_finite())
    }

    fn act_on(&mut self, finding: Finding, config: &TrackingConfig, features: u16) {
        match finding {
            Finding::Usual if self.alarm.probes() => {}
            Finding::Usual => {
                self.gain.rows = self.gain.rows.saturating_add(1);
                if self.gain.rows >= config.every {
                    self.gain.check::<A, N>(config, features, &self.weights, &mut self.slow, &mut self.mark);
                }
            }
            Finding::Suspicion => self.mark = self.weights,
            Finding::Change => {
                self.weights = self.mark;
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
            // Known at compile time in the long run.
            let share =
                if self.rows < 100 { A::Scalar::from_ratio(1, self.rows) } else { A::Scalar::from_ratio(1, 100) };
            self.spread = self.spread + share * (square - self.spread);
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
