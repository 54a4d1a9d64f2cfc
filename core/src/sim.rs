//! The outer loop: act, learn from the episode, act better.
//!
//! **Which gain.** Policies change while they are learned, and returns under an early one fade only as fast as η allows. With
//! η = 1/k that is slow for states that few episodes visit: k^−¾ ([`Schedule::ThreeQuarters`](crate::Schedule), and so
//! [`LearnerConfig::predictable`](crate::LearnerConfig::predictable)) gets there in far fewer episodes. A
//! [restart](crate::episodic::Episodic::restart) of the learner's schedule now and then helps, too.
//!
//! **Which targets.** One-step targets carry less noise than returns and need more episodes to carry values across many
//! steps. Without a model, where many actions are tried rarely, they are the better choice, with a small constant gain.

mod outcome;

use rand_core::Rng;

use crate::arithmetic::{Arithmetic, Scalar};
use crate::config::ConfigError;
use crate::episode::Recorded;
use crate::episodic::Episodic;
use crate::policy::Policy;
use crate::random;
use crate::schedule::Exploration;
use crate::stop::StopTest;
use crate::world::World;

pub use outcome::{End, EpisodeOutcome, Finished};

/// How the outer loop explores, and how long it lets an episode last.
///
/// ```
/// use osculate::SimConfig;
/// let config = SimConfig::<f32>::default();
/// assert_eq!((config.exploration.start, config.exploration.half_after, config.max_steps), (0.5, 100, 100));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SimConfig<S> {
    /// ε_k, the share of random actions.
    pub exploration: Exploration<S>,
    /// An episode is cut after this many steps: a policy that is not good yet may never come to an end.
    pub max_steps: u32,
}

impl<S: Scalar> Default for SimConfig<S> {
    /// ε from ½ on, half of that after 100 episodes; 100 steps at the most.
    fn default() -> Self {
        Self { exploration: Exploration { start: S::from_ratio(1, 2), half_after: 100 }, max_steps: 100 }
    }
}

/// The algorithm SIM of the paper: repeat { act ε-greedily by Φw; update w from the episode } with ε → 0.
///
/// What is learned and how actions are chosen is up to the [policy](crate::policy); where the rows are kept is up to the
/// [learner](crate::episodic).
///
/// ```
/// use osculate::episodic::{Episodic, Logged, Targets};
/// use osculate::policy::LookAhead;
/// use osculate::sim::End;
/// use osculate::stop::StopTest;
/// use osculate::world::{Model, Transition, World};
/// use osculate::{Learner, RowError, Sim, SimConfig};
/// use rand_xoshiro::{Xoshiro128PlusPlus, rand_core::SeedableRng};
///
/// /// A crumb here (action 0), or a step towards the loaf in the other room (action 1).
/// #[derive(Clone, Copy)]
/// struct Kitchen { room: usize }
///
/// impl Model<f32, 2> for Kitchen {
///     type State = usize;
///     fn actions(&self, _: &usize) -> usize {
///         2
///     }
///     fn outcomes(&self, room: &usize, action: usize) -> impl Iterator<Item = (f32, Transition<f32, usize>)> {
///         let (reward, next) = match (room, action) {
///             (_, 0) => (0.25, None),
///             (0, _) => (0.0, Some(1)),
///             _ => (1.0, None),
///         };
///         core::iter::once((1.0, Transition { reward, next }))
///     }
///     fn features(&self, room: &usize) -> Result<[f32; 2], RowError> {
///         Ok(if *room == 0 { [1.0, 0.0] } else { [0.0, 1.0] })
///     }
/// }
///
/// impl World<f32> for Kitchen {
///     type State = usize;
///     fn begin(&mut self) -> usize {
///         self.room = 0;
///         self.room
///     }
///     fn act(&mut self, action: usize) -> Transition<Option<f32>, usize> {
///         let (_, transition) = self.outcomes(&self.room, action).next().expect("there is always one");
///         self.room = transition.next.unwrap_or(0);
///         transition.observed()
///     }
/// }
///
/// let mut kitchen = Kitchen { room: 0 };
/// let policy = LookAhead(kitchen);
/// let mut rng = Xoshiro128PlusPlus::seed_from_u64(1);
/// let learner = Logged::<f32, usize, 2, 8, 2>::new(Learner::default(), 0.9, Targets::MonteCarlo)?;
/// let mut sim = Sim::new(learner, SimConfig::default())?;
/// let first = sim.run_episode(&mut kitchen, &policy, &mut rng);
/// assert!(first.end == End::Terminal && first.steps <= 2);
/// let finished = sim.until(&mut kitchen, &policy, &mut rng, &mut StopTest::new(1e-3, 50, 5), 2000);
/// assert!(finished.step_small);
/// assert_eq!((sim.greedy(&policy, &0), sim.greedy(&policy, &1)), (1, 1));
/// assert!(sim.value(&policy, &1).is_some_and(|value| value > 0.9));
/// assert_eq!(sim.episodes(), 1 + finished.episodes);
///
/// // The baker has moved: learn quickly again, but go on exploring as little as now.
/// sim.learner_mut().restart();
/// assert!(sim.learner().learner().steps() == 0 && sim.episodes() > 0);
/// // Or explore as at the start, too. In both cases what was learned stays.
/// sim.restart();
/// assert!(sim.episodes() == 0 && sim.weights()[1] > 0.9);
/// # Ok::<(), osculate::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sim<A: Arithmetic, L> {
    learner: L,
    config: SimConfig<A::Scalar>,
    episodes: u32,
}

impl<A: Arithmetic, L> Sim<A, L> {
    /// Before the first episode.
    ///
    /// # Errors
    /// [`ConfigError::Epsilon`] where ε₁ is not in [0, 1], or where it would halve after no episode at all.
    pub fn new(learner: L, config: SimConfig<A::Scalar>) -> Result<Self, ConfigError> {
        config.exploration.check()?;
        Ok(Self { learner, config, episodes: 0 })
    }

    /// The learner, and in it the weights.
    pub fn learner(&self) -> &L {
        &self.learner
    }

    /// The learner, to restart its schedule without that of the exploration, for instance.
    pub fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }

    /// How many episodes were run since the start or the last restart.
    pub fn episodes(&self) -> u32 {
        self.episodes
    }

    /// Runs one episode in the world and learns from it.
    ///
    /// The generator is drawn from only where there is more than one action: once per step to decide whether to explore,
    /// and once more for the action if so. It always ends: with the world's word, at the limit on steps, or where the log
    /// is full.
    pub fn run_episode<W, P, R, const N: usize>(
        &mut self,
        world: &mut W,
        policy: &P,
        rng: &mut R,
    ) -> EpisodeOutcome<A::Target, A::Scalar>
    where
        W: World<A>,
        P: Policy<A, W::State, N>,
        L: Episodic<A, P::Key, N>,
        R: Rng + ?Sized,
    {
        self.episodes = self.episodes.saturating_add(1);
        let epsilon = self.config.exploration.epsilon(self.episodes);
        let gamma = self.learner.gamma();
        let (mut steps, mut explored, mut discounted_return, mut discount) = (0, 0, None, A::Scalar::ONE);
        let mut state = world.begin();
        let end = loop {
            if steps >= self.config.max_steps {
                break End::StepLimit;
            }
            let actions = u32::try_from(policy.actions(&state)).unwrap_or(u32::MAX);
            let explores = actions > 1 && random::happens(rng, epsilon);
            let action = if explores {
                random::below(rng, actions) as usize
            } else {
                policy.decide(&state, gamma, self.learner.weights())
            };
            let (key, features) = policy.row(&state, action);
            let transition = world.act(action);
            // Features that are all zero make no row either, but the learner hears of the reward and counts the loss.
            if let Ok(features) = features.or_else(|_| A::features(&[0.0; N]))
                && self.learner.record(key, &features, transition.reward) == Recorded::Full
            {
                break End::LogFull;
            }
            steps += 1;
            explored += u32::from(explores);
            if let Some(reward) = transition.reward.filter(|reward| A::is_usable(*reward)) {
                discounted_return = Some(match discounted_return {
                    Some(sum) => A::backup(sum, discount, reward),
                    None => reward,
                });
                discount = discount * gamma;
            }
            match transition.next {
                Some(next) => state = next,
                None => break End::Terminal,
            }
        };
        if end.is_cut()
            && let Some(value) = policy.value(&state, gamma, self.learner.weights())
        {
            self.learner.cut(value);
        }
        let discounted_return = discounted_return.filter(|sum| A::is_usable(*sum));
        EpisodeOutcome { steps, explored, discounted_return, end, update: self.learner.end_episode() }
    }

    /// Runs episodes until the steps have become small, or until `episodes` are used up.
    pub fn until<W, P, R, const N: usize>(
        &mut self,
        world: &mut W,
        policy: &P,
        rng: &mut R,
        stop: &mut StopTest<A::Scalar>,
        episodes: u32,
    ) -> Finished
    where
        W: World<A>,
        P: Policy<A, W::State, N>,
        L: Episodic<A, P::Key, N>,
        R: Rng + ?Sized,
    {
        for episode in 1..=episodes {
            let outcome = self.run_episode(world, policy, rng);
            if stop.is_step_small(&outcome.update, self.learner.step_length()) {
                return Finished { episodes: episode, step_small: true };
            }
        }
        Finished { episodes, step_small: false }
    }

    /// w*, as far as it is known: what [`value`](Self::value) and [`greedy`](Self::greedy) go by.
    pub fn weights<K, const N: usize>(&self) -> &[A::Weight; N]
    where
        L: Episodic<A, K, N>,
    {
        self.learner.estimate()
    }

    /// V* of a state, φ·w*; `None` where its features cannot be used.
    pub fn value<S, P, const N: usize>(&self, policy: &P, state: &S) -> Option<A::Target>
    where
        P: Policy<A, S, N>,
        L: Episodic<A, P::Key, N>,
    {
        policy.value(state, self.learner.gamma(), self.learner.estimate())
    }

    /// The policy's action in a state by w*, without exploring.
    pub fn greedy<S, P, const N: usize>(&self, policy: &P, state: &S) -> usize
    where
        P: Policy<A, S, N>,
        L: Episodic<A, P::Key, N>,
    {
        policy.decide(state, self.learner.gamma(), self.learner.estimate())
    }

    /// Explores and learns as at the start, without forgetting what was learned: for a world that has changed.
    pub fn restart<K, const N: usize>(&mut self)
    where
        L: Episodic<A, K, N>,
    {
        self.learner.restart();
        self.episodes = 0;
    }
}
