//! The interface between a learning rule and a predictor or an agent.

use core::fmt::Debug;

use super::state::EpisodicState;
use super::update::Update;
use crate::arithmetic::backend::Backend;
use crate::arithmetic::{Limit, RowError, Shape};
use crate::sealed::Sealed;
use crate::state::{Reader, StateError, Writer};

/// A learning rule: [`Tracking`](crate::Tracking), [`Streaming`](crate::Streaming) or [`Stored`](crate::Stored).
/// Sealed.
///
/// A [`Predictor`](crate::Predictor) or an [`Agent`](crate::Agent) calls its methods. Name it to write code for any rule:
///
/// ```
/// use osculate::{Learner, Predictor, Space, Streaming, StreamingConfig, Tracking, TrackingConfig};
/// fn first_guess(rule: impl Learner<Space = Space<f32, 3>>) -> f32 {
///     let mut predictor = Predictor::new(rule).with_weights([0.5, 0.0, 1.0]);
///     predictor.step(None, &[1.0, 2.0, 3.0]).unwrap()
/// }
/// assert_eq!(first_guess(Tracking::new(TrackingConfig::DEFAULT)), 3.5);
/// assert_eq!(first_guess(Streaming::new(StreamingConfig::DEFAULT)), 3.5);
/// ```
pub trait Learner: Sealed + Debug {
    /// The arithmetic and the number of features: a [`Space`](crate::Space).
    type Space: Shape;
    /// What it reports about the rows that it has learned from.
    type Report: Copy + Debug + PartialEq;
    /// The maximum size of its state in bytes.
    const MAX_BYTES: usize;

    /// γ.
    fn gamma(&self) -> Scalar<Self>;
    /// w, the weights that actions are chosen by.
    fn weights(&self) -> &Weights<Self>;
    /// The best estimate of w*: w, or its average for rules that keep one.
    fn estimate(&self) -> &Weights<Self>;
    /// Starts at these weights, with nothing known about them.
    fn set_weights(&mut self, weights: Weights<Self>);
    /// Takes large steps again, but keeps the learned weights.
    fn restart(&mut self);

    /// Begins a step; its reward comes with [`reward`](Self::reward). If the state has a number, only its first visit in
    /// an episode is a row; a rule without episodes does not ask for it.
    ///
    /// # Errors
    /// [`RowError`] if the features are unusable, or if there is no room.
    fn observe(&mut self, state: Option<u32>, features: &Features<Self>) -> Result<(), RowError>;
    /// The same, with features in the arithmetic's native format.
    ///
    /// # Errors
    /// As [`observe`](Self::observe).
    fn observe_raw(&mut self, state: Option<u32>, features: &Raw<Self>) -> Result<(), RowError>;
    /// φ·w̄ of the step that waits for its reward, computed from its row; `None` if it has no row.
    fn open_value(&self) -> Option<Number<Self>>;
    /// Ends the step that waits for its reward, if there is one. Without a usable reward it is dropped and counted.
    fn reward(&mut self, reward: Option<f32>);
    /// Adds a row with a known target.
    ///
    /// # Errors
    /// [`RowError`] if the row was dropped and counted, or if there is no room.
    fn learn(&mut self, target: f32, features: &Features<Self>) -> Result<(), RowError>;
    /// The same, with features in the arithmetic's native format.
    ///
    /// # Errors
    /// As [`learn`](Self::learn).
    fn learn_raw(&mut self, target: f32, features: &Raw<Self>) -> Result<(), RowError>;
    /// The limit that was reached, if any.
    fn full(&self) -> Option<Limit>;
    /// Whether an agent tells the value of the best action, by [`bootstrap`](Self::bootstrap), before it observes the
    /// next step: the max targets of Q-learning.
    fn greedy_targets(&self) -> bool {
        false
    }
    /// The value of the state that the last step has led to, where the episode is cut short or, with
    /// [`greedy_targets`](Self::greedy_targets), goes on. What cannot be learned without it is dropped if it is `None`.
    fn bootstrap(&mut self, value: Option<Number<Self>>);
    /// What was learned from since the last [`end`](Self::end). Changes nothing.
    fn report(&self) -> Self::Report;
    /// Ends the episode: what follows does not follow from it. A step without its reward is dropped.
    fn end(&mut self) -> Self::Report;
    /// Discards the episode.
    fn abandon(&mut self);

    /// The rule's number in a saved state.
    #[doc(hidden)]
    fn rule(&self) -> u8;
    /// Writes the complete state.
    #[doc(hidden)]
    fn write(&self, writer: &mut Writer<'_>);
    /// Reads it back, or changes nothing on an error.
    #[doc(hidden)]
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError>;
}

/// A rule that learns from whole episodes: [`Stored`](crate::Stored) or [`Streaming`](crate::Streaming). Its weights are
/// constant during an episode, and move when it ends.
///
/// ```
/// use osculate::{Episodic, Predictor, Space, Streaming, StreamingConfig};
/// fn updates(rule: impl Episodic<Space = Space<f32, 3>>) -> u32 {
///     let mut predictor = Predictor::new(rule);
///     predictor.close_rows();
///     assert_eq!(predictor.end().tau, 0);
///     predictor.learner().state().updates
/// }
/// assert_eq!(updates(Streaming::<f32, 3>::new(StreamingConfig::DEFAULT)), 0);
/// ```
pub trait Episodic: Learner<Report = Update> {
    /// What was learned: the weights, their velocity and their average, and the curvature of past episodes.
    fn state(&self) -> EpisodicState<'_, Self::Space>;
    /// From here to the end of the episode, no step becomes a new row.
    fn close_rows(&mut self);
}

type Numbers<L> = <<L as Learner>::Space as Shape>::Arithmetic;
pub(crate) type Scalar<L> = <Numbers<L> as Backend>::Scalar;
pub(crate) type Number<L> = <Numbers<L> as Backend>::Number;
pub(crate) type Features<L> = <<L as Learner>::Space as Shape>::Features;
pub(crate) type Raw<L> = <<L as Learner>::Space as Shape>::Raw;
pub(crate) type Weights<L> = <<L as Learner>::Space as Shape>::Weights;
