//! For simulations: a world, and a loop that runs an agent in it.

use super::agent::Agent;
use super::episode::{End, Episode};
use super::policy::Policy;
use crate::arithmetic::{Arithmetic, RowError, Space};
use crate::learn::{Episodic, Learner, StopTest};

/// The result of an action.
///
/// ```
/// use osculate::Transition;
/// let onward = Transition { reward: Some(-0.5), next: Some('b') };
/// let the_end = Transition::<char> { reward: Some(2.0), next: None };
/// assert!(onward.next.is_some() && the_end.next.is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Transition<O> {
    /// The reward; `None` if it is unknown.
    pub reward: Option<f32>,
    /// The next observation; `None` if the episode has ended.
    pub next: Option<O>,
}

/// An environment: a simulation, or sensors and actuators that may fail.
///
/// ```
/// use core::convert::Infallible;
/// use osculate::{Transition, World};
/// /// A coin machine: action 0 leaves, action 1 pays 1 for the chance to go on, at most three times.
/// struct Machine(u8);
/// impl World for Machine {
///     type Observation = u8;
///     type Error = Infallible;
///     fn begin(&mut self) -> Result<u8, Infallible> {
///         self.0 = 3;
///         Ok(self.0)
///     }
///     fn act(&mut self, action: usize) -> Result<Transition<u8>, Infallible> {
///         self.0 -= 1;
///         let goes_on = action == 1 && self.0 > 0;
///         Ok(Transition { reward: Some(-(action as f32)), next: goes_on.then_some(self.0) })
///     }
/// }
/// let mut machine = Machine(0);
/// assert_eq!(machine.begin(), Ok(3));
/// assert_eq!(machine.act(1), Ok(Transition { reward: Some(-1.0), next: Some(2) }));
/// ```
pub trait World {
    /// The agent's observation of the world.
    type Observation;
    /// Why the world may fail.
    type Error;

    /// Begins an episode. Starting in different states lets the agent see more of them.
    ///
    /// # Errors
    /// The world's error.
    fn begin(&mut self) -> Result<Self::Observation, Self::Error>;

    /// Takes the action, numbered from 0.
    ///
    /// # Errors
    /// The world's error.
    fn act(&mut self, action: usize) -> Result<Transition<Self::Observation>, Self::Error>;
}

/// Lends a world to a [`Sim`], so that it can be inspected afterwards.
impl<W: World> World for &mut W {
    type Observation = W::Observation;
    type Error = W::Error;

    fn begin(&mut self) -> Result<W::Observation, W::Error> {
        W::begin(self)
    }

    fn act(&mut self, action: usize) -> Result<Transition<W::Observation>, W::Error> {
        W::act(self, action)
    }
}

/// Runs an agent in a world, episode after episode.
///
/// ```
/// use core::convert::Infallible;
/// use osculate::features::{OneHot, PerAction};
/// use osculate::{ActionValues, Agent, Exploration, Sim, StopTest, Streaming, StreamingConfig, Transition, World};
/// /// Two levers. The second one pays.
/// struct Levers;
/// impl World for Levers {
///     type Observation = usize;
///     type Error = Infallible;
///     fn begin(&mut self) -> Result<usize, Infallible> {
///         Ok(0)
///     }
///     fn act(&mut self, action: usize) -> Result<Transition<usize>, Infallible> {
///         Ok(Transition { reward: Some(action as f32), next: None })
///     }
/// }
/// let policy = ActionValues::new(2, PerAction::new(OneHot::<1>));
/// let exploration = Exploration { start: 0.5, half_after: 20 };
/// let mut agent = Agent::new(Streaming::<f32, 2>::new(StreamingConfig::DEFAULT), policy, exploration, 42);
/// let mut sim = Sim::new(&mut agent, Levers, 100);
/// assert_eq!(sim.episode()?.steps, 1);
/// assert!(sim.until(&mut StopTest::new(1e-3, 50, 5), 2000)?.is_some());
/// assert_eq!(agent.greedy(&0), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sim<'a, L: Learner, P, W> {
    agent: &'a mut Agent<L, P>,
    world: W,
    max_steps: u32,
}

impl<'a, L: Learner, P, W: World> Sim<'a, L, P, W> {
    /// Episodes are cut after `max_steps`, because a poor policy may never reach the end.
    pub fn new(agent: &'a mut Agent<L, P>, world: W, max_steps: u32) -> Self {
        Self { agent, world, max_steps }
    }

    /// Runs one episode and learns from it. It always ends: when the world says so, at the step limit, or when the
    /// learner runs out of room.
    ///
    /// # Errors
    /// The world's error. The unfinished episode is not learned from.
    pub fn episode<A: Arithmetic, const N: usize>(&mut self) -> Result<Episode<L::Report>, W::Error>
    where
        L: Learner<Space = Space<A, N>>,
        P: Policy<A, N, Observation = W::Observation>,
    {
        let mut observation = self.world.begin()?;
        self.agent.forget_episode();
        let mut steps = 0;
        let end = loop {
            // Observations that cannot be learned from are acted on all the same.
            if steps >= self.max_steps {
                break None;
            }
            let (action, opened) = self.agent.choose(&observation);
            if let Err(RowError::Full(_)) = opened {
                break None;
            }
            steps += 1;
            self.agent.take(action);
            let Transition { reward, next } = self.world.act(action)?;
            self.agent.finish_with(reward);
            match next {
                Some(next) => observation = next,
                None => break Some(End::Terminal),
            }
        };
        // One call site each: this is most of the code.
        let end = end.unwrap_or_else(|| self.agent.bootstrap(&observation));
        Ok(self.agent.finish(end))
    }

    /// Runs episodes until the steps are small. Returns how many were run, or `None` if `episodes` were not enough.
    ///
    /// # Errors
    /// The world's error.
    pub fn until<A: Arithmetic, const N: usize>(
        &mut self,
        stop: &mut StopTest,
        episodes: u32,
    ) -> Result<Option<u32>, W::Error>
    where
        L: Episodic<Space = Space<A, N>>,
        P: Policy<A, N, Observation = W::Observation>,
    {
        for episode in 1..=episodes {
            let Episode { report, .. } = self.episode()?;
            if stop.observe(&report, self.agent.step_length()) {
                return Ok(Some(episode));
            }
        }
        Ok(None)
    }
}
