//! What a predictor or an agent asks of the rule that it learns by.

use core::fmt::Debug;
use core::marker::PhantomData;

use super::iterate::Iterate;
use super::outcome::Outcome;
use crate::arithmetic::backend::{Backend, Data};
use crate::arithmetic::{Arithmetic, Limit, RowError};
use crate::rows::Key;
use crate::state::{Reader, StateError, Writer};

/// `N` features and weights in the numbers of `A`.
#[derive(Clone, Copy, Debug)]
pub struct Space<A, const N: usize>(PhantomData<A>);

/// The types that a [`Space`] has.
pub trait Shape: Clone + Debug {
    /// The numbers.
    type Arithmetic: Arithmetic;
    /// φ.
    type Features;
    /// φ in the arithmetic's own numbers.
    type Raw;
    /// w.
    type Weights: Data;
    /// w, its momentum and its average.
    type Iterate: Clone + Debug;
    /// N.
    const FEATURES: usize;
}

impl<A: Arithmetic, const N: usize> Shape for Space<A, N> {
    type Arithmetic = A;
    type Features = [f32; N];
    type Raw = A::Raw<N>;
    type Weights = [A::Weight; N];
    type Iterate = Iterate<A, N>;
    const FEATURES: usize = N;
}

/// A rule to learn by: [`Stored`](crate::Stored) or [`Streaming`](crate::Streaming). Sealed.
pub trait Learner: Debug {
    /// What it learns in.
    type Space: Shape;
    /// Bytes of its state at the most.
    const MAX_BYTES: usize;

    /// The rule's number in a saved state.
    fn rule(&self) -> u8;
    /// γ.
    fn gamma(&self) -> Scalar<Self>;
    /// w, which actions are chosen by. Constant during an episode.
    fn weights(&self) -> &Weights<Self>;
    /// The best estimate of w*: w, or its average for the rules that keep one.
    fn estimate(&self) -> &Weights<Self>;
    /// The average of all iterates.
    fn averaged(&self) -> &Weights<Self>;
    /// w − w⁻.
    fn velocity(&self) -> &Weights<Self>;
    /// Starts at these weights, at rest.
    fn set_weights(&mut self, weights: Weights<Self>);
    /// The number of updates since the start or the last restart.
    fn updates(&self) -> u32;
    /// ‖w − w⁻‖.
    fn step_length(&self) -> f32;
    /// Forgets how far the schedule has come, and the momentum, but not what was learned.
    fn restart(&mut self);

    /// Begins a step; its reward comes with [`close`](Self::close).
    fn open(&mut self, key: Key, features: &Features<Self>) -> Result<(), RowError>;
    /// The same, of features in the arithmetic's own numbers.
    fn open_raw(&mut self, key: Key, features: &Raw<Self>) -> Result<(), RowError>;
    /// φ·w̄ of the step that was opened, from its row where it has one; `None` where it has none.
    fn open_value(&self) -> Option<Number<Self>>;
    /// Ends the open step, if there is one. Without a usable reward it is left out, and counted.
    fn close(&mut self, reward: Option<f32>);
    /// Adds a row that has its target.
    fn learn(&mut self, target: f32, features: &Features<Self>) -> Result<(), RowError>;
    /// From here on, no step is a new row, until the episode ends.
    fn close_rows(&mut self);
    /// What there was no room for.
    fn full(&self) -> Option<Limit>;
    /// The episode was cut before its end, in a state worth `value`.
    fn cut(&mut self, value: Number<Self>);
    /// Ends the episode with one update. A step without its reward is left out.
    fn end(&mut self) -> Outcome;
    /// Forgets the episode.
    fn abandon(&mut self);

    /// Writes everything.
    fn write(&self, writer: &mut Writer<'_>);
    /// Reads it back, or changes nothing.
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError>;
}

type Numbers<L> = <<L as Learner>::Space as Shape>::Arithmetic;
pub(crate) type Scalar<L> = <Numbers<L> as Backend>::Scalar;
pub(crate) type Number<L> = <Numbers<L> as Backend>::Number;
pub(crate) type Features<L> = <<L as Learner>::Space as Shape>::Features;
pub(crate) type Raw<L> = <<L as Learner>::Space as Shape>::Raw;
pub(crate) type Weights<L> = <<L as Learner>::Space as Shape>::Weights;

/// What every rule says of its iterate.
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
