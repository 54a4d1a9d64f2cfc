//! The interface between a learning rule and a predictor or an agent.

use core::fmt::Debug;

use super::outcome::Outcome;
use crate::arithmetic::backend::Backend;
use crate::arithmetic::{Limit, RowError, Shape};
use crate::rows::Key;
use crate::sealed::Sealed;
use crate::state::{Reader, StateError, Writer};

/// A learning rule: [`Stored`](crate::Stored) or [`Streaming`](crate::Streaming). Sealed.
pub trait Learner: Sealed + Debug {
    /// The arithmetic and the number of features.
    type Space: Shape;
    /// The maximum size of its state in bytes.
    const MAX_BYTES: usize;

    /// The rule's number in a saved state.
    fn rule(&self) -> u8;
    /// γ.
    fn gamma(&self) -> Scalar<Self>;
    /// w, the weights that actions are chosen by. Constant during an episode.
    fn weights(&self) -> &Weights<Self>;
    /// The best estimate of w*: w, or its average for rules that keep one.
    fn estimate(&self) -> &Weights<Self>;
    /// The average of all iterates.
    fn averaged(&self) -> &Weights<Self>;
    /// w − w⁻.
    fn velocity(&self) -> &Weights<Self>;
    /// Starts at these weights with zero velocity.
    fn set_weights(&mut self, weights: Weights<Self>);
    /// The number of updates since the start or the last restart.
    fn updates(&self) -> u32;
    /// ‖w − w⁻‖.
    fn step_length(&self) -> f32;
    /// Resets the schedule and the momentum, but keeps the learned weights.
    fn restart(&mut self);

    /// Begins a step; its reward comes with [`close`](Self::close).
    fn open(&mut self, key: Key, features: &Features<Self>) -> Result<(), RowError>;
    /// The same, with features in the arithmetic's native format.
    fn open_raw(&mut self, key: Key, features: &Raw<Self>) -> Result<(), RowError>;
    /// φ·w̄ of the open step, computed from its row; `None` if it has no row.
    fn open_value(&self) -> Option<Number<Self>>;
    /// Ends the open step, if there is one. Without a usable reward it is dropped and counted.
    fn close(&mut self, reward: Option<f32>);
    /// Adds a row with a known target.
    fn learn(&mut self, target: f32, features: &Features<Self>) -> Result<(), RowError>;
    /// The same, with features in the arithmetic's native format.
    fn learn_raw(&mut self, target: f32, features: &Raw<Self>) -> Result<(), RowError>;
    /// From here to the end of the episode, no step becomes a new row.
    fn close_rows(&mut self);
    /// The limit that was reached, if any.
    fn full(&self) -> Option<Limit>;
    /// Whether an agent tells the value of the best action, by [`cut`](Self::cut), before it opens the next step: the
    /// max targets of Q-learning.
    fn greedy_targets(&self) -> bool {
        false
    }
    /// The episode was cut short in a state of value `value`, or goes on there under
    /// [`greedy_targets`](Self::greedy_targets). Without a step that has its reward and waits for this, it does nothing.
    fn cut(&mut self, value: Number<Self>);
    /// The same in a state of unknown value: what cannot be learned without it is dropped.
    fn cut_blind(&mut self) {}
    /// Ends the episode with one update. A step without its reward is dropped.
    fn end(&mut self) -> Outcome;
    /// Discards the episode.
    fn abandon(&mut self);

    /// Writes the complete state.
    fn write(&self, writer: &mut Writer<'_>);
    /// Reads it back, or changes nothing on an error.
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError>;
}

type Numbers<L> = <<L as Learner>::Space as Shape>::Arithmetic;
pub(crate) type Scalar<L> = <Numbers<L> as Backend>::Scalar;
pub(crate) type Number<L> = <Numbers<L> as Backend>::Number;
pub(crate) type Features<L> = <<L as Learner>::Space as Shape>::Features;
pub(crate) type Raw<L> = <<L as Learner>::Space as Shape>::Raw;
pub(crate) type Weights<L> = <<L as Learner>::Space as Shape>::Weights;

/// The accessors that every rule forwards to its iterate.
macro_rules! of_the_iterate {
    () => {
        fn weights(&self) -> &[A::Weight; N] {
            self.iterate.weights()
        }
        fn averaged(&self) -> &[A::Weight; N] {
            self.iterate.averaged()
        }
        fn velocity(&self) -> &[A::Weight; N] {
            self.iterate.velocity()
        }
        fn set_weights(&mut self, weights: [A::Weight; N]) {
            self.iterate = Iterate::new(weights);
        }
        fn updates(&self) -> u32 {
            self.iterate.steps()
        }
        fn step_length(&self) -> f32 {
            A::length(self.iterate.velocity()).to_f32()
        }
        fn restart(&mut self) {
            self.iterate = Iterate::new(*self.estimate());
        }
        fn gamma(&self) -> A::Scalar {
            self.config.gamma.into()
        }
    };
}
pub(super) use of_the_iterate;
