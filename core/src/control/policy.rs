//! Which action to take, and what row is learned from it.
//!
//! A policy does not explore: the agent draws the random actions. If several actions are equally good, the first one is
//! taken, on every target.

use super::model::Model;
use crate::arithmetic::{Arithmetic, RowError};
use crate::features::{ActionMap, FeatureMap};
use crate::rows::Key;
use crate::sealed::Sealed;

/// A way to choose actions by weights and to turn steps into rows: [`LookAhead`] or [`ActionValues`]. Sealed.
pub trait Policy<A: Arithmetic, const N: usize>: Sealed {
    /// The agent's observation of the world.
    type Observation;

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
    /// The key of the row for this action.
    fn key(&self, observation: &Self::Observation, action: usize) -> Key;
    /// The features φ of that row.
    fn features(&self, observation: &Self::Observation, action: usize) -> Result<[f32; N], RowError>;
}

/// Chooses by state values, one step ahead: the greatest Σ p·(reward + γ φ(next)·w) over a model's outcomes.
///
/// ```
/// use osculate::features::OneHot;
/// use osculate::{Agent, Exploration, Likely, LookAhead, Model, Streaming, StreamingConfig};
/// /// A crumb here (action 0), or a step towards the loaf (action 1).
/// struct Kitchen;
/// impl Model for Kitchen {
///     type State = usize;
///     fn actions(&self, _: &usize) -> usize {
///         2
///     }
///     fn outcomes(&self, place: &usize, action: usize) -> impl Iterator<Item = Likely<usize>> {
///         let (reward, next) = match (place, action) {
///             (_, 0) => (0.25, None),
///             (0, _) => (0.0, Some(1)),
///             _ => (1.0, None),
///         };
///         core::iter::once(Likely { probability: 1.0, reward, next })
///     }
/// }
/// let learner = Streaming::<f32, 2>::new(StreamingConfig::DEFAULT)?;
/// let agent = Agent::new(learner, LookAhead::new(Kitchen, OneHot::<2>), Exploration::NONE, 1)?;
/// assert_eq!(agent.greedy(&0), 0); // knows nothing, takes the crumb
/// assert_eq!(agent.with_weights([0.0, 1.0]).greedy(&0), 1);
/// # Ok::<(), osculate::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LookAhead<M: Model, F> {
    model: M,
    map: F,
    state: Option<fn(&M::State) -> u32>,
}

impl<M: Model, F> LookAhead<M, F> {
    /// From a model and features of its states. Every step is a row.
    pub const fn new(model: M, map: F) -> Self {
        Self { model, map, state: None }
    }

    /// Only the first visit to a state in an episode is a row; `state` numbers the states from 0.
    ///
    /// ```
    /// use osculate::features::OneHot;
    /// use osculate::{Likely, LookAhead, Model};
    /// struct Line;
    /// impl Model for Line {
    ///     type State = usize;
    ///     fn actions(&self, _: &usize) -> usize {
    ///         1
    ///     }
    ///     fn outcomes(&self, place: &usize, _: usize) -> impl Iterator<Item = Likely<usize>> {
    ///         core::iter::once(Likely { probability: 1.0, reward: 1.0, next: place.checked_sub(1) })
    ///     }
    /// }
    /// let policy = LookAhead::new(Line, OneHot::<8>).by_state(|place| *place as u32);
    /// # let _ = policy;
    /// ```
    #[must_use]
    pub fn by_state(self, state: fn(&M::State) -> u32) -> Self {
        Self { state: Some(state), ..self }
    }

    /// Σ p·(reward + γ φ(next)·w), with value 0 after the end of an episode; `None` if it is unknown or not finite.
    fn outlook<A: Arithmetic, const N: usize>(
        &self,
        state: &M::State,
        action: usize,
        gamma: A::Scalar,
        weights: &[A::Weight; N],
    ) -> Option<A::Number>
    where
        F: FeatureMap<N, Observation = M::State>,
    {
        let nothing = A::number(0.0).ok()?;
        let outlook = self.model.outcomes(state, action).try_fold(nothing, |sum, outcome| {
            let reward = A::number(outcome.reward).ok()?;
            let worth = match outcome.next {
                Some(next) => A::backup(reward, gamma, A::value_of(&self.map.features(&next).ok()?, weights).ok()?),
                None => reward,
            };
            Some(A::backup(sum, outcome.probability.into(), worth))
        });
        outlook.filter(|outlook| A::is_finite(*outlook))
    }
}

impl<M: Model, F> Sealed for LookAhead<M, F> {}

impl<A, M, F, const N: usize> Policy<A, N> for LookAhead<M, F>
where
    A: Arithmetic,
    M: Model,
    F: FeatureMap<N, Observation = M::State>,
{
    type Observation = M::State;

    fn actions(&self, state: &M::State) -> usize {
        self.model.actions(state)
    }

    fn decide(&self, state: &M::State, gamma: A::Scalar, weights: &[A::Weight; N]) -> usize {
        first_best(self.model.actions(state), |action| self.outlook::<A, N>(state, action, gamma, weights))
    }

    fn value(&self, state: &M::State, _: A::Scalar, weights: &[A::Weight; N]) -> Result<A::Number, RowError> {
        A::value_of(&self.map.features(state)?, weights)
    }

    fn key(&self, state: &M::State, _: usize) -> Key {
        self.state.map_or(Key::Step, |number| Key::State(number(state)))
    }

    fn features(&self, state: &M::State, _: usize) -> Result<[f32; N], RowError> {
        self.map.features(state)
    }
}

/// Chooses by action values, without a model: the greatest φ(s, a)·w. Each row is about a state *and* an action.
///
/// ```
/// use osculate::features::{OneHot, PerAction};
/// use osculate::{ActionValues, Agent, Exploration, Streaming, StreamingConfig};
/// // A table of 2 states with 2 actions each: the features of the states, once per action.
/// let policy = ActionValues::new(2, PerAction::new(OneHot::<2>));
/// let learner = Streaming::<f32, 4>::new(StreamingConfig::DEFAULT)?;
/// let agent = Agent::new(learner, policy, Exploration::NONE, 1)?.with_weights([0.5, 0.125, 0.25, 1.0]);
/// assert_eq!((agent.greedy(&0), agent.greedy(&1)), (0, 1));
/// # Ok::<(), osculate::ConfigError>(())
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

    fn key(&self, observation: &O, action: usize) -> Key {
        self.state.map_or(Key::Step, |number| {
            let pair = number(observation).saturating_mul(self.actions as u32).saturating_add(action as u32);
            Key::State(pair)
        })
    }

    fn features(&self, observation: &O, action: usize) -> Result<[f32; N], RowError> {
        self.map.features(observation, action)
    }
}

/// The first of the best actions; 0 if none has a value.
fn first_best<T: PartialOrd>(actions: usize, worth: impl Fn(usize) -> Option<T>) -> usize {
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
