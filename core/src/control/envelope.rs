//! Where a simple rule acts instead of the agent.

use super::look_ahead::OneStep;
use super::policy::Policy;
use crate::arithmetic::{Arithmetic, RowError};
use crate::sealed::Sealed;

/// A fallback rule, and where it acts: outside of the envelope, in which the agent is free to choose and to explore.
///
/// Functions and closures of this shape are envelopes.
///
/// ```
/// use osculate::Envelope;
/// /// Farther than one degree from 21 °C a thermostat acts: 0 is off, 1 is on.
/// struct Thermostat;
/// impl Envelope<f32> for Thermostat {
///     fn fallback(&mut self, celsius: &f32, _: usize) -> Option<usize> {
///         if (celsius - 21.0).abs() <= 1.0 { None } else { Some(usize::from(*celsius < 21.0)) }
///     }
/// }
/// assert_eq!([19.5, 21.5, 22.5].map(|celsius| Thermostat.fallback(&celsius, 0)), [Some(1), None, Some(0)]);
///
/// // As a closure: a sensor has failed, so things stay as they are.
/// let mut hold = |reading: &Option<f32>, last: usize| if reading.is_some() { None } else { Some(last) };
/// assert_eq!(hold.fallback(&None, 1), Some(1));
/// ```
pub trait Envelope<O> {
    /// The action that the fallback takes, or `None` where the agent is free. Asked once per observation.
    ///
    /// `last_action` is the agent's action before, 0 at the beginning of an episode: all that most rules with hysteresis
    /// have to remember. It is part of an agent's saved state; what the envelope itself remembers is not.
    fn fallback(&mut self, observation: &O, last_action: usize) -> Option<usize>;
}

impl<O, F: FnMut(&O, usize) -> Option<usize>> Envelope<O> for F {
    fn fallback(&mut self, observation: &O, last_action: usize) -> Option<usize> {
        self(observation, last_action)
    }
}

/// A policy that leaves some observations to a fallback rule: [`LookAhead::within`](crate::LookAhead::within) or
/// [`ActionValues::within`](crate::ActionValues::within) an [`Envelope`].
///
/// Where the fallback acts, its action is taken instead of the agent's, and the agent learns from what happened. An
/// action number that is too large saturates to the last action. [`Episode::fallbacks`](crate::Episode::fallbacks)
/// counts these steps. The generator draws as if the agent were free, so the fallback has no influence on later draws.
///
/// ```
/// use osculate::features::{OneHot, PerAction};
/// use osculate::{ActionValues, Agent, Exploration, Streaming, StreamingConfig};
/// // Seven levels of a tank; action 1 pumps. Whatever the agent wants to try, it runs neither dry nor over.
/// let guard = |level: &usize, _: usize| match level {
///     0..=1 => Some(1),
///     5.. => Some(0),
///     _ => None,
/// };
/// let policy = ActionValues::new(2, PerAction::new(OneHot::<7>)).within(guard);
/// let learner = Streaming::<f32, 14>::new(StreamingConfig::DEFAULT);
/// let mut agent = Agent::new(learner, policy, Exploration { start: 1.0, half_after: 9 }, 1);
/// let (mut level, mut action) = (3, agent.begin(&3)?);
/// for _ in 0..200 {
///     level = if action == 1 { level + 1 } else { level - 1 };
///     assert!((1..=5).contains(&level));
///     action = agent.step(-1.0, &level)?;
/// }
/// let episode = agent.end();
/// assert!(episode.fallbacks > 0 && episode.fallbacks + episode.explored == 201);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Within<P, E> {
    policy: P,
    envelope: E,
}

impl<P, E> Within<P, E> {
    pub(super) const fn new(policy: P, envelope: E) -> Self {
        Self { policy, envelope }
    }
}

impl<P, E> Sealed for Within<P, E> {}

impl<A, P, E, const N: usize> Policy<A, N> for Within<P, E>
where
    A: Arithmetic,
    P: Policy<A, N>,
    E: Envelope<P::Observation>,
{
    type Observation = P::Observation;

    fn fallback(&mut self, observation: &P::Observation, last_action: usize) -> Option<usize> {
        self.envelope.fallback(observation, last_action)
    }

    fn actions(&self, observation: &P::Observation) -> usize {
        self.policy.actions(observation)
    }

    fn decide(&self, observation: &P::Observation, gamma: A::Scalar, weights: &[A::Weight; N]) -> usize {
        self.policy.decide(observation, gamma, weights)
    }

    fn value(
        &self,
        observation: &P::Observation,
        gamma: A::Scalar,
        weights: &[A::Weight; N],
    ) -> Result<A::Number, RowError> {
        self.policy.value(observation, gamma, weights)
    }

    fn state_number(&self, observation: &P::Observation, action: usize) -> Option<u32> {
        self.policy.state_number(observation, action)
    }

    fn features(&self, observation: &P::Observation, action: usize) -> Result<[f32; N], RowError> {
        self.policy.features(observation, action)
    }
}

impl<P: OneStep, E> OneStep for Within<P, E> {
    type Model = P::Model;
    type Map = P::Map;

    fn parts(&self) -> (&P::Model, &P::Map) {
        self.policy.parts()
    }

    fn parts_mut(&mut self) -> (&mut P::Model, &mut P::Map) {
        self.policy.parts_mut()
    }
}
