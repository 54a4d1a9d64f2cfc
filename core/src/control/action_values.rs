//! Chooses by the values of actions, without a model.

use super::envelope::{Envelope, Within};
use super::policy::{Policy, first_best};
use crate::arithmetic::{Arithmetic, RowError};
use crate::features::ActionMap;
use crate::sealed::Sealed;

/// Chooses by action values, without a model: the greatest φ(s, a)·w. Each row is about a state *and* an action.
///
/// ```
/// use osculate::features::{OneHot, PerAction};
/// use osculate::{ActionValues, Agent, Exploration, Streaming, StreamingConfig};
/// // A table of 2 states with 2 actions each: the features of the states, once per action.
/// let policy = ActionValues::new(2, PerAction::new(OneHot::<2>));
/// let learner = Streaming::<f32, 4>::new(StreamingConfig::DEFAULT);
/// let agent = Agent::new(learner, policy, Exploration::NONE, 1).with_weights([0.5, 0.125, 0.25, 1.0]);
/// assert_eq!((agent.greedy(&0), agent.greedy(&1)), (0, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ActionValues<F, O> {
    actions: usize,
    map: F,
    state: Option<fn(&O) -> u32>,
}

impl<F, O> ActionValues<F, O> {
    /// The same number of actions in every state, and features of an observation with an action. Every step is a row.
    pub const fn new(actions: usize, map: F) -> Self {
        Self { actions, map, state: None }
    }

    /// Only the first time that an action is taken in a state in an episode is a row; `state` numbers the states from
    /// 0.
    ///
    /// ```
    /// use osculate::ActionValues;
    /// use osculate::features::{OneHot, PerAction};
    /// let policy = ActionValues::new(2, PerAction::<_, 2>::new(OneHot::<2>)).by_state(|place: &usize| *place as u32);
    /// # let _ = policy;
    /// ```
    #[must_use]
    pub fn by_state(self, state: fn(&O) -> u32) -> Self {
        Self { state: Some(state), ..self }
    }

    /// Leaves what is outside of an [`Envelope`] to its fallback rule: see [`Within`].
    ///
    /// ```
    /// use osculate::ActionValues;
    /// use osculate::features::{OneHot, PerAction};
    /// let guard = |place: &usize, _: usize| (*place > 6).then_some(0);
    /// let policy = ActionValues::new(2, PerAction::<_, 8>::new(OneHot::<8>)).within(guard);
    /// # let _ = policy;
    /// ```
    pub const fn within<E: Envelope<O>>(self, envelope: E) -> Within<Self, E> {
        Within::new(self, envelope)
    }
}

impl<F, O> Sealed for ActionValues<F, O> {}

impl<A, F, O, const N: usize> Policy<A, N> for ActionValues<F, O>
where
    A: Arithmetic,
    F: ActionMap<N, Observation = O>,
{
    type Observation = O;

    fn actions(&self, _: &O) -> usize {
        self.actions
    }

    fn decide(&self, observation: &O, _: A::Scalar, weights: &[A::Weight; N]) -> usize {
        first_best(self.actions, |action| A::value_of(&self.map.features(observation, action).ok()?, weights).ok())
    }

    /// The value of the best action.
    fn value(&self, observation: &O, gamma: A::Scalar, weights: &[A::Weight; N]) -> Result<A::Number, RowError> {
        let best = Policy::<A, N>::decide(self, observation, gamma, weights);
        A::value_of(&self.map.features(observation, best)?, weights)
    }

    fn state_number(&self, observation: &O, action: usize) -> Option<u32> {
        let state = self.state?(observation);
        Some(state.saturating_mul(self.actions as u32).saturating_add(action as u32))
    }

    fn features(&self, observation: &O, action: usize) -> Result<[f32; N], RowError> {
        self.map.features(observation, action)
    }
}
