//! What every learner does, by a tracking one.

use super::estimator::Estimator;
use super::report::TrackingReport;
use super::{Next, Tracking, Waiting};
use crate::arithmetic::backend::{Empty, Features, Persist, Scalar};
use crate::arithmetic::{Arithmetic, Limit, RowError, Space};
use crate::features::Rescale;
use crate::learn::learner::Learner;
use crate::sealed::Sealed;
use crate::state::{Reader, StateError, Writer};

impl<A: Arithmetic, const N: usize> Sealed for Tracking<A, N> {}

impl<A: Arithmetic, const N: usize> Rescale<N> for Tracking<A, N> {
    fn rescale(&mut self, growth: &[u8; N]) {
        // Its row has the old units, and so has the trace.
        self.lose();
        self.estimator.chain.cut();
        self.estimator.rescale(growth);
    }
}

impl<A: Arithmetic, const N: usize> Learner for Tracking<A, N> {
    type Space = Space<A, N>;
    type Report = TrackingReport;
    const MAX_BYTES: usize = <Self as Persist>::BYTES;

    fn gamma(&self) -> A::Scalar {
        self.estimator.config.gamma.into()
    }

    fn weights(&self) -> &[A::Weight; N] {
        &self.estimator.weights
    }

    fn estimate(&self) -> &[A::Weight; N] {
        &self.estimator.weights
    }

    fn set_weights(&mut self, weights: [A::Weight; N]) {
        self.estimator.start_from(weights);
    }

    fn restart(&mut self) {
        self.estimator.start_from(self.estimator.weights);
    }

    fn observe(&mut self, _: Option<u32>, features: &[f32; N]) -> Result<(), RowError> {
        self.open_with(Features::Floats(features))
    }

    fn observe_raw(&mut self, _: Option<u32>, features: &A::Raw<N>) -> Result<(), RowError> {
        self.open_with(Features::Raw(features))
    }

    fn open_value(&self) -> Option<A::Number> {
        (self.waiting == Waiting::Signal).then(|| A::value(&self.row, &self.estimator.weights))
    }

    fn reward(&mut self, reward: Option<f32>) {
        if self.waiting != Waiting::Signal {
            return;
        }
        let Some((signal, number)) = reward.and_then(|reward| Some((reward, A::number(reward).ok()?))) else {
            return self.lose();
        };
        self.waiting = Waiting::None;
        let gamma = self.estimator.config.gamma;
        if gamma > 0.0 {
            self.estimator.chain.see_reward(signal, gamma);
            self.estimator.chain.reward = number;
            self.waiting = Waiting::Value;
        } else {
            self.complete(number, Next::Nothing);
        }
    }

    fn learn(&mut self, target: f32, features: &[f32; N]) -> Result<(), RowError> {
        self.learn_from(target, Features::Floats(features))
    }

    fn learn_raw(&mut self, target: f32, features: &A::Raw<N>) -> Result<(), RowError> {
        self.learn_from(target, Features::Raw(features))
    }

    fn full(&self) -> Option<Limit> {
        None
    }

    fn greedy_targets(&self) -> bool {
        self.estimator.config.greedy
    }

    fn bootstrap(&mut self, value: Option<A::Number>) {
        match value {
            _ if self.waiting_reward().is_none() => {}
            Some(value) => self.follow(value),
            None => self.lose(),
        }
    }

    fn report(&self) -> TrackingReport {
        let Estimator { alarm, saturated, .. } = &self.estimator;
        TrackingReport {
            rows: self.tau,
            all_rows: alarm.errors.rows,
            dropped: self.dropped,
            saturated: *saturated,
            error: alarm.errors.mean.to_f32(),
            gain: self.estimator.gain().to_f32(),
            changes: alarm.changes.into(),
        }
    }

    fn end(&mut self) -> TrackingReport {
        self.follow(Empty::EMPTY);
        let report = self.report();
        (self.tau, self.dropped, self.estimator.saturated, self.estimator.alarm.changes) = (0, 0, 0, 0);
        self.abandon();
        report
    }

    fn abandon(&mut self) {
        self.waiting = Waiting::None;
        self.estimator.chain.cut();
    }

    fn rule(&self) -> u8 {
        5
    }

    fn write(&self, writer: &mut Writer<'_>) {
        Persist::write(self, writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        self.read_checked(reader)
    }
}
