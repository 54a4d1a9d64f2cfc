//! What every learner does, by a tracking one.

use super::{Next, Tracking, Waiting};
use crate::arithmetic::backend::{Empty, Features, Persist, Scalar};
use crate::arithmetic::{Arithmetic, Limit, RowError, Space};
use crate::features::Rescale;
use crate::learn::learner::Learner;
use crate::learn::outcome::{Outcome, Verdict};
use crate::rows::Key;
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
    const MAX_BYTES: usize = <Self as Persist>::BYTES;

    fn rule(&self) -> u8 {
        5
    }

    fn gamma(&self) -> A::Scalar {
        self.estimator.config.gamma.into()
    }

    fn weights(&self) -> &[A::Weight; N] {
        &self.estimator.weights
    }

    fn estimate(&self) -> &[A::Weight; N] {
        &self.estimator.weights
    }

    fn averaged(&self) -> &[A::Weight; N] {
        &self.estimator.slow
    }

    fn velocity(&self) -> &[A::Weight; N] {
        &self.estimator.mark
    }

    fn set_weights(&mut self, weights: [A::Weight; N]) {
        self.estimator.start_from(weights);
    }

    fn updates(&self) -> u32 {
        self.estimator.alarm.errors.rows
    }

    /// ‖w − w_p‖, the way since the last check.
    fn step_length(&self) -> f32 {
        A::way(&self.estimator.mark, &self.estimator.weights)
    }

    fn restart(&mut self) {
        self.estimator.start_from(self.estimator.weights);
    }

    fn open(&mut self, _: Key, features: &[f32; N]) -> Result<(), RowError> {
        self.open_with(Features::Floats(features))
    }

    fn open_raw(&mut self, _: Key, features: &A::Raw<N>) -> Result<(), RowError> {
        self.open_with(Features::Raw(features))
    }

    fn open_value(&self) -> Option<A::Number> {
        (self.waiting == Waiting::Signal).then(|| A::value(&self.row, &self.estimator.weights))
    }

    fn close(&mut self, reward: Option<f32>) {
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

    fn close_rows(&mut self) {
        self.resting = true;
    }

    fn full(&self) -> Option<Limit> {
        None
    }

    fn greedy_targets(&self) -> bool {
        self.estimator.config.greedy
    }

    fn cut(&mut self, value: A::Number) {
        if self.reward().is_some() {
            self.follow(value);
        }
    }

    fn cut_blind(&mut self) {
        if self.reward().is_some() {
            self.lose();
        }
    }

    fn end(&mut self) -> Outcome {
        self.follow(Empty::EMPTY);
        let mut outcome = Outcome::new(self.estimator.alarm.errors.rows, self.tau, self.dropped);
        outcome.saturated = self.estimator.saturated;
        outcome.g_norm = self.estimator.alarm.errors.mean.to_f32();
        outcome.theta = self.estimator.gain().to_f32();
        if self.tau > 0 {
            outcome.verdict = Verdict::Stepped;
        }
        (self.tau, self.dropped, self.estimator.saturated) = (0, 0, 0);
        self.abandon();
        outcome
    }

    fn abandon(&mut self) {
        self.waiting = Waiting::None;
        self.resting = false;
        self.estimator.chain.cut();
    }

    fn write(&self, writer: &mut Writer<'_>) {
        Persist::write(self, writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        self.read_checked(reader)
    }
}
