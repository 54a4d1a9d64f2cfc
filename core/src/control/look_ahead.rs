//! Chooses one step ahead, by a model and the values of states.

use super::agent::Agent;
use super::envelope::{Envelope, Within};
use super::model::Model;
use super::policy::{Policy, first_best};
use crate::arithmetic::backend::Persist;
use crate::arithmetic::{Arithmetic, RowError};
use crate::features::FeatureMap;
use crate::learn::Learner;
use crate::sealed::Sealed;

/// Chooses by state values, one step ahead: the greatest Σ p·(reward + γ φ(next)·w) over a model's outcomes.
///
/// ```
/// use osculate::features::OneHot;
/// use osculate::{Agent, Exploration, Branch, LookAhead, Model, Streaming, StreamingConfig};
/// /// A crumb here (action 0), or a step towards the loaf (action 1).
/// struct Kitchen;
/// impl Model for Kitchen {
///     type State = usize;
///     fn actions(&self, _: &usize) -> usize {
///         2
///     }
///     fn outcomes(&self, place: &usize, action: usize) -> impl Iterator<Item = Branch<usize>> {
///         let (reward, next) = match (place, action) {
///             (_, 0) => (0.25, None),
///             (0, _) => (0.0, Some(1)),
///             _ => (1.0, None),
///         };
///         core::iter::once(Branch { probability: 1.0, reward, next })
///     }
/// }
/// let learner = Streaming::<f32, 2>::new(StreamingConfig::DEFAULT);
/// let agent = Agent::new(learner, LookAhead::new(Kitchen, OneHot::<2>), Exploration::NONE, 1);
/// assert_eq!(agent.greedy(&0), 0); // knows nothing, takes the crumb
/// assert_eq!(agent.with_weights([0.0, 1.0]).greedy(&0), 1);
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
    /// use osculate::{Branch, LookAhead, Model};
    /// struct Line;
    /// impl Model for Line {
    ///     type State = usize;
    ///     fn actions(&self, _: &usize) -> usize {
    ///         1
    ///     }
    ///     fn outcomes(&self, place: &usize, _: usize) -> impl Iterator<Item = Branch<usize>> {
    ///         core::iter::once(Branch { probability: 1.0, reward: 1.0, next: place.checked_sub(1) })
    ///     }
    /// }
    /// let policy = LookAhead::new(Line, OneHot::<8>).by_state(|place| *place as u32);
    /// # let _ = policy;
    /// ```
    #[must_use]
    pub fn by_state(self, state: fn(&M::State) -> u32) -> Self {
        Self { state: Some(state), ..self }
    }

    /// Leaves what is outside of an [`Envelope`] to its fallback rule.
    ///
    /// ```
    /// # use osculate::features::OneHot;
    /// # use osculate::{Branch, LookAhead, Model};
    /// # struct Line;
    /// # impl Model for Line {
    /// #     type State = usize;
    /// #     fn actions(&self, _: &usize) -> usize {
    /// #         2
    /// #     }
    /// #     fn outcomes(&self, place: &usize, _: usize) -> impl Iterator<Item = Branch<usize>> {
    /// #         core::iter::once(Branch { probability: 1.0, reward: 1.0, next: place.checked_sub(1) })
    /// #     }
    /// # }
    /// let policy = LookAhead::new(Line, OneHot::<8>).within(|place: &usize, _: usize| (*place > 6).then_some(0));
    /// # let _ = policy;
    /// ```
    pub const fn within<E: Envelope<M::State>>(self, envelope: E) -> Within<Self, E> {
        Within::new(self, envelope)
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
        outlook.filter(A::Number::is_valid)
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

    fn state_number(&self, state: &M::State, _: usize) -> Option<u32> {
        self.state.map(|number| number(state))
    }

    fn features(&self, state: &M::State, _: usize) -> Result<[f32; N], RowError> {
        self.map.features(state)
    }
}

/// A policy with a model and a map: [`LookAhead`], [`Within`] an envelope or not. Sealed.
pub trait OneStep: Sealed {
    /// The application's model.
    type Model;
    /// The features of its states.
    type Map;
    /// Both.
    fn parts(&self) -> (&Self::Model, &Self::Map);
    /// Both, to be changed.
    fn parts_mut(&mut self) -> (&mut Self::Model, &mut Self::Map);
}

impl<M: Model, F> OneStep for LookAhead<M, F> {
    type Model = M;
    type Map = F;

    fn parts(&self) -> (&M, &F) {
        (&self.model, &self.map)
    }

    fn parts_mut(&mut self) -> (&mut M, &mut F) {
        (&mut self.model, &mut self.map)
    }
}

/// What the application knows about the world, if the agent looks ahead. It can be learned as well: see
/// [`LinearModel`](crate::LinearModel). None of it is part of the agent's saved state.
///
/// ```
/// use osculate::features::FeatureMap;
/// use osculate::{Agent, Exploration, Branch, LookAhead, Model, RowError, Streaming, StreamingConfig};
/// struct Slide(f32); // metres per step
/// impl Model for Slide {
///     type State = f32;
///     fn actions(&self, _: &f32) -> usize {
///         2
///     }
///     fn outcomes(&self, place: &f32, action: usize) -> impl Iterator<Item = Branch<f32>> {
///         core::iter::once(Branch { probability: 1.0, reward: 0.0, next: Some(place + action as f32 * self.0) })
///     }
/// }
/// struct Near(f32); // the goal
/// impl FeatureMap<1> for Near {
///     type Observation = f32;
///     fn features(&self, place: &f32) -> Result<[f32; 1], RowError> {
///         Ok([(place - self.0).abs()])
///     }
/// }
/// let learner = Streaming::<f32, 1>::new(StreamingConfig::DEFAULT);
/// let agent = Agent::new(learner, LookAhead::new(Slide(1.0), Near(4.0)), Exploration::NONE, 1);
/// let mut agent = agent.with_weights([-1.0]);
/// assert_eq!((agent.greedy(&3.0), agent.model().0, agent.map().0), (1, 1.0, 4.0));
/// agent.model_mut().0 = 4.0; // it slides farther than the data sheet says: past the goal
/// assert_eq!(agent.greedy(&3.0), 0);
/// agent.map_mut().0 = 8.0;
/// assert_eq!(agent.greedy(&3.0), 1);
/// ```
impl<L: Learner, P: OneStep> Agent<L, P> {
    /// The model that it looks ahead with.
    pub fn model(&self) -> &P::Model {
        self.policy().parts().0
    }

    /// The model, to be changed: decisions from the next one on use it.
    pub fn model_mut(&mut self) -> &mut P::Model {
        self.policy_mut().parts_mut().0
    }

    /// The features of states.
    pub fn map(&self) -> &P::Map {
        self.policy().parts().1
    }

    /// The features of states, to be changed. Rows learned from before keep their features, so change little at a
    /// time, or between episodes.
    pub fn map_mut(&mut self) -> &mut P::Map {
        self.policy_mut().parts_mut().1
    }
}
