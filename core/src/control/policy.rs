//! Which action to take, and what row is learned from it.
//!
//! A policy does not explore: the agent draws the random actions. If several actions are equally good, the first one is
//! taken, on every target.

use crate::arithmetic::{Arithmetic, RowError};
use crate::sealed::Sealed;

/// A way to choose actions by weights and to turn steps into rows: [`LookAhead`](crate::LookAhead) or
/// [`ActionValues`](crate::ActionValues), or one of them [`Within`](crate::Within) an envelope. Sealed.
///
/// An [`Agent`](crate::Agent) calls its methods. Name it to write code for any agent:
///
/// ```
/// use osculate::features::{OneHot, PerAction};
/// use osculate::{ActionValues, Agent, Exploration, Learner, Policy, Space, Tracking, TrackingConfig};
/// fn first<L: Learner<Space = Space<f32, 4>>>(mut agent: Agent<L, impl Policy<f32, 4, Observation = usize>>) -> usize {
///     agent.begin(&1).unwrap_or(0)
/// }
/// let policy = ActionValues::new(2, PerAction::new(OneHot::<2>));
/// let agent = Agent::new(Tracking::new(TrackingConfig::TABLE), policy, Exploration::NONE, 1);
/// assert_eq!(first(agent.with_weights([0.0, 0.5, 0.0, 2.0])), 1);
/// ```
pub trait Policy<A: Arithmetic, const N: usize>: Sealed {
    /// The agent's observation of the world.
    type Observation;

    /// The action of a fallback rule, where one acts.
    fn fallback(&mut self, _: &Self::Observation, _: usize) -> Option<usize> {
        None
    }
    /// The number of actions, numbered from 0. With 0 or 1 there is no exploration.
    fn actions(&self, observation: &Self::Observation) -> usize;
    /// The greedy action, taken if none is drawn at random.
    fn decide(&self, observation: &Self::Observation, gamma: A::Scalar, weights: &[A::Weight; N]) -> usize;
    /// φ·w, the estimated value of the observation.
    fn value(
        &self,
        observation: &Self::Observation,
        gamma: A::Scalar,
        weights: &[A::Weight; N],
    ) -> Result<A::Number, RowError>;
    /// The number of the state, or of the state and the action, if only its first visit is a row.
    fn state_number(&self, observation: &Self::Observation, action: usize) -> Option<u32>;
    /// The features φ of that row.
    fn features(&self, observation: &Self::Observation, action: usize) -> Result<[f32; N], RowError>;
}

/// The first of the best actions; 0 if none has a value.
pub(super) fn first_best<T: PartialOrd>(actions: usize, worth: impl Fn(usize) -> Option<T>) -> usize {
    let mut best: Option<(usize, T)> = None;
    for action in 0..actions {
        if let Some(worth) = worth(action)
            && best.as_ref().is_none_or(|(_, most)| worth > *most)
        {
            best = Some((action, worth));
        }
    }
    best.map_or(0, |(action, _)| action)
}
