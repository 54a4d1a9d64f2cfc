//! Acts and learns, one call per sample.

use super::episode::{End, Episode, Progress};
use super::exploration::Exploration;
use super::policy::Policy;
use super::predictor::finite;
use super::random::Random;
use crate::arithmetic::backend::{Persist, Scalar};
use crate::arithmetic::{Arithmetic, RowError, Shape, Space};
use crate::features::Rescale;
use crate::learn::{ConfigError, Episodic, Learner, check_exploration, expect_valid};
use crate::sealed::Sealed;
use crate::state::{Fingerprint, OVERHEAD, StateError, open, seal};

/// Chooses actions and learns from rewards, ε-greedy on Φw with ε → 0, one call per sample: the paper's algorithm SIM
/// with a rule of the paper, and Sarsa(λ) or TD(λ) with [`Tracking`](crate::Tracking).
///
/// It never blocks and owns no clock. Call it from an interrupt handler, an async task or a loop.
///
/// ```
/// use osculate::features::{OneHot, PerAction};
/// use osculate::{ActionValues, Agent, Exploration, Tracking, TrackingConfig};
/// // Two levers; the second one pays. There is no model, so the values are those of the levers.
/// let policy = ActionValues::new(2, PerAction::new(OneHot::<1>));
/// let exploration = Exploration { start: 0.5, half_after: 20 };
/// let mut agent = Agent::new(Tracking::<f32, 2>::new(TrackingConfig::CONTROL), policy, exploration, 42);
/// for _ in 0..100 {
///     let mut lever = agent.begin(&0)?;
///     for _ in 0..10 {
///         lever = agent.step(lever as f32, &0)?;
///     }
///     agent.end();
/// }
/// assert_eq!(agent.greedy(&0), 1);
/// // Ten rows an episode; the last sample of each has no reward.
/// assert_eq!((agent.learner().state().rows, agent.report().rows), (1000, 0));
/// # Ok::<(), osculate::RowError>(())
/// ```
///
/// Its weights and state can be set, read, saved and restored:
///
/// ```
/// use osculate::features::{OneHot, PerAction};
/// use osculate::{ActionValues, Agent, End, Exploration, Streaming, StreamingConfig};
/// type Table = Agent<Streaming<f32, 4>, ActionValues<PerAction<OneHot<2>, 2>, usize>>;
/// let new = |seed| -> Table {
///     let policy = ActionValues::new(2, PerAction::new(OneHot));
///     Agent::new(Streaming::new(StreamingConfig::DEFAULT), policy, Exploration::NONE, seed)
/// };
/// let mut agent = new(1).with_weights([0.5, 0.0, 0.0, 2.0]);
/// assert_eq!((agent.value(&1)?, agent.weights()), (2.0, agent.estimate()));
/// agent.begin(&0)?;
/// agent.step(0.25, &1)?;
/// agent.close_rows(); // the steps that follow only complete the returns
/// agent.finish_with(1.0);
/// assert_eq!(agent.truncate(&0).end, End::Truncated);
/// assert!(agent.episodes() == 1 && agent.step_length() > 0.0);
///
/// let mut bytes = vec![0; agent.saved_len()]; // without a heap: an array of `Table::BYTES`
/// let length = agent.save(&mut bytes)?;
/// let mut other = new(2);
/// other.restore(&bytes[..length])?;
/// assert_eq!((other.weights(), other.episodes()), (agent.weights(), 1));
///
/// // The world has changed: take large steps again, starting from the current estimate, and explore as at the start.
/// other.restart();
/// assert_eq!(other.episodes(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Agent<L: Learner, P> {
    learner: L,
    policy: P,
    exploration: Exploration,
    random: Random,
    progress: Progress<<L::Space as Shape>::Arithmetic>,
}

/// The code for agents in a saved state.
const OWNER: u8 = 2;

impl<L: Learner, P> Agent<L, P> {
    /// An agent that learns by a rule, a [`Learner`], and chooses by a policy ([`LookAhead`](crate::LookAhead) or [`ActionValues`](crate::ActionValues)). The same seed draws the same
    /// actions.
    ///
    /// # Panics
    /// If ε₁ is not in [0, 1], or if `half_after` is 0; in a constant that is an error of the compiler.
    ///
    /// ```compile_fail,E0080
    /// # use osculate::features::{OneHot, PerAction};
    /// use osculate::{ActionValues, Agent, Exploration, Tracking, TrackingConfig};
    /// const NEVER_LESS: Exploration = Exploration { start: 0.5, half_after: 0 };
    /// # const POLICY: ActionValues<PerAction<OneHot<1>, 1>, usize> = ActionValues::new(2, PerAction::new(OneHot));
    /// const LEARNER: Tracking<f32, 2> = Tracking::new(TrackingConfig::CONTROL);
    /// let agent = const { Agent::new(LEARNER, POLICY, NEVER_LESS, 42) };
    /// ```
    #[inline(always)]
    #[track_caller]
    pub const fn new(learner: L, policy: P, exploration: Exploration, seed: u64) -> Self {
        expect_valid(check_exploration(exploration.start, exploration.half_after));
        Self { learner, policy, exploration, random: Random::new(seed), progress: Progress::START }
    }

    /// The same with an exploration that is known only at run time.
    ///
    /// # Errors
    /// [`ConfigError`] if ε₁ is not in [0, 1], or if `half_after` is 0.
    ///
    /// ```
    /// # use osculate::features::{OneHot, PerAction};
    /// # use osculate::{ActionValues, Agent, ConfigError, Exploration, Tracking, TrackingConfig};
    /// # let learner = Tracking::<f32, 2>::new(TrackingConfig::CONTROL);
    /// # let policy: ActionValues<_, usize> = ActionValues::new(2, PerAction::new(OneHot::<1>));
    /// let start = 1.5; // from a command line
    /// let agent = Agent::try_new(learner, policy, Exploration { start, half_after: 20 }, 42);
    /// assert_eq!(agent.unwrap_err(), ConfigError::Epsilon);
    /// ```
    #[inline(always)]
    pub const fn try_new(learner: L, policy: P, exploration: Exploration, seed: u64) -> Result<Self, ConfigError> {
        if let Err(error) = check_exploration(exploration.start, exploration.half_after) {
            core::mem::forget(learner);
            core::mem::forget(policy);
            return Err(error);
        }
        Ok(Self { learner, policy, exploration, random: Random::new(seed), progress: Progress::START })
    }

    /// The learning rule.
    pub fn learner(&self) -> &L {
        &self.learner
    }

    pub(super) fn policy(&self) -> &P {
        &self.policy
    }

    pub(super) fn policy_mut(&mut self) -> &mut P {
        &mut self.policy
    }
}

impl<A: Arithmetic, L: Learner<Space = Space<A, N>>, P: Policy<A, N>, const N: usize> Agent<L, P> {
    /// The maximum number of bytes that [`save`](Self::save) needs.
    pub const BYTES: usize = Random::BYTES + Progress::<A>::BYTES + L::MAX_BYTES + OVERHEAD;

    /// [`BYTES`](Self::BYTES), without the name of the type.
    pub const fn saved_len(&self) -> usize {
        Self::BYTES
    }

    /// Begins an episode with its first observation and returns the action. Any unfinished episode is discarded.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn begin(&mut self, observation: &P::Observation) -> Result<usize, RowError> {
        self.forget_episode();
        self.act(observation)
    }

    /// Discards an unfinished episode.
    pub(super) fn forget_episode(&mut self) {
        self.learner.abandon();
        self.progress = Progress { episodes: self.progress.episodes, ..Progress::START };
    }

    /// One sample: the reward of the last action and the current observation. Returns the next action.
    ///
    /// If the reward is `None`, not finite or out of range, the last step is dropped and counted.
    ///
    /// The generator is used only if there is more than one action: one draw per step decides whether to explore, and a
    /// second draw picks the action if so. Where a [fallback rule](crate::Within) acts, its action is taken all the
    /// same.
    ///
    /// # Errors
    /// [`RowError`] if the observation cannot be learned from, because its features are unusable or there is no room.
    /// The last reward still counts. No action is returned: the application must pick a safe one, or repeat the last
    /// one with [`missed`](Self::missed). After [`RowError::Full`] the episode has to be [truncated](Self::truncate).
    pub fn step(&mut self, reward: impl Into<Option<f32>>, observation: &P::Observation) -> Result<usize, RowError> {
        self.finish_with(reward);
        self.act(observation)
    }

    /// No sample arrived: keep the last action. The step continues, and its reward comes with the next sample.
    ///
    /// ```
    /// # use osculate::features::{OneHot, PerAction};
    /// # use osculate::{ActionValues, Agent, Exploration, Streaming, StreamingConfig};
    /// # let policy = ActionValues::new(2, PerAction::new(OneHot::<2>));
    /// # let mut agent = Agent::new(Streaming::<f32, 4>::new(StreamingConfig::DEFAULT), policy, Exploration::NONE, 1);
    /// let action = agent.begin(&0).unwrap();
    /// assert_eq!(agent.missed(), action);
    /// ```
    pub fn missed(&mut self) -> usize {
        self.progress.missed = self.progress.missed.saturating_add(1);
        self.progress.action as usize
    }

    /// The reward of the last action, if no further observation follows: an episode's last reward.
    pub fn finish_with(&mut self, reward: impl Into<Option<f32>>) {
        self.close(reward.into());
    }

    // This function and two more below are not inlined: inlining them at every call would cost another kilobyte of
    // flash.
    #[inline(never)]
    fn close(&mut self, reward: Option<f32>) {
        if !core::mem::replace(&mut self.progress.acting, false) {
            return;
        }
        self.progress.steps = self.progress.steps.saturating_add(1);
        self.learner.reward(reward);
        if let Some(Ok(reward)) = reward.map(A::number) {
            let Progress { discounted_return, discount, rewarded, .. } = &mut self.progress;
            *discounted_return = if *rewarded { A::backup(*discounted_return, *discount, reward) } else { reward };
            *discount = *discount * self.learner.gamma();
            *rewarded = true;
        }
    }

    fn act(&mut self, observation: &P::Observation) -> Result<usize, RowError> {
        let (action, opened) = self.choose(observation);
        opened?;
        self.take(action);
        Ok(action)
    }

    pub(super) fn take(&mut self, action: usize) {
        self.progress.action = action as u32;
    }

    /// The action, and whether it can be learned from.
    #[inline(never)]
    pub(super) fn choose(&mut self, observation: &P::Observation) -> (usize, Result<(), RowError>) {
        // The step before leads to the best that can be done from here, whichever action is taken next.
        if self.learner.greedy_targets() && self.progress.steps > 0 {
            self.foresee(observation);
        }
        let epsilon = self.exploration.epsilon(self.progress.episodes.saturating_add(1));
        let actions = u32::try_from(self.policy.actions(observation)).unwrap_or(u32::MAX);
        let drawn = (actions > 1 && self.random.happens(epsilon)).then(|| self.random.below(actions) as usize);
        let fallback = self.policy.fallback(observation, self.progress.action as usize);
        let last = actions.saturating_sub(1) as usize;
        let action = fallback.map(|action| action.min(last)).or(drawn);
        let action =
            action.unwrap_or_else(|| self.policy.decide(observation, self.learner.gamma(), self.learner.weights()));
        let state = self.policy.state_number(observation, action);
        let features = self.policy.features(observation, action);
        // What is not a number makes no row either, but the learner counts the drop. Zeros would have a value.
        let opened = self.learner.observe(state, features.as_ref().unwrap_or(&[f32::NAN; N]));
        let opened = match (features, opened) {
            (_, Err(full @ RowError::Full(_))) => Err(full),
            (Err(error), _) => Err(error),
            (Ok(_), opened) => opened,
        };
        self.progress.acting = !matches!(opened, Err(RowError::Full(_)));
        let Progress { explored, fallbacks, acting, .. } = &mut self.progress;
        let count = if fallback.is_some() { fallbacks } else { explored };
        *count = count.saturating_add((*acting && (fallback.is_some() || drawn.is_some())).into());
        (action, opened)
    }

    /// Ends the episode and learns from it. An action without a reward is dropped.
    pub fn end(&mut self) -> Episode<L::Report> {
        self.finish(End::Terminal)
    }

    /// Ends an episode that is cut short at this observation. One-step targets include its value.
    pub fn truncate(&mut self, observation: &P::Observation) -> Episode<L::Report> {
        let end = self.bootstrap(observation);
        self.finish(end)
    }

    /// The last step leads to this observation: bootstraps from its value.
    #[inline(never)]
    pub(super) fn bootstrap(&mut self, observation: &P::Observation) -> End {
        self.foresee(observation);
        if self.learner.full().is_some() { End::Full } else { End::Truncated }
    }

    fn foresee(&mut self, observation: &P::Observation) {
        let value = self.policy.value(observation, self.learner.gamma(), self.learner.weights());
        self.learner.bootstrap(value.ok());
    }

    pub(super) fn finish(&mut self, end: End) -> Episode<L::Report> {
        let Progress { episodes, steps, explored, fallbacks, missed, rewarded, discounted_return, .. } = self.progress;
        self.progress = Progress { episodes: episodes.saturating_add(1), ..Progress::START };
        let discounted_return = rewarded.then(|| A::to_f32(discounted_return)).filter(|sum| sum.is_finite());
        Episode { steps, explored, fallbacks, missed, discounted_return, end, report: self.learner.end() }
    }

    /// V* of an observation, φ·w̄: the discounted sum of future rewards.
    ///
    /// # Errors
    /// [`RowError`] if its features or its value are unusable.
    pub fn value(&self, observation: &P::Observation) -> Result<f32, RowError> {
        finite(A::to_f32(self.policy.value(observation, self.learner.gamma(), self.learner.estimate())?))
    }

    /// The best action according to w̄, without exploring or learning, and without asking a fallback rule.
    pub fn greedy(&self, observation: &P::Observation) -> usize {
        self.policy.decide(observation, self.learner.gamma(), self.learner.estimate())
    }

    /// w, the weights that actions are chosen by.
    pub fn weights(&self) -> &[A::Weight; N] {
        self.learner.weights()
    }

    /// w̄: the average of all iterates, with later ones weighted more (as k³), or w itself for rules that keep no
    /// average.
    pub fn estimate(&self) -> &[A::Weight; N] {
        self.learner.estimate()
    }

    /// Starts from the given weights, for example weights learned elsewhere.
    #[must_use]
    pub fn with_weights(mut self, weights: [A::Weight; N]) -> Self {
        self.learner.set_weights(weights);
        self
    }

    /// The number of episodes finished since the start or the last restart.
    pub fn episodes(&self) -> u32 {
        self.progress.episodes
    }

    /// What was learned from since the last [`end`](Self::end). Changes nothing.
    pub fn report(&self) -> L::Report {
        self.learner.report()
    }

    /// Explores and learns as at the start, but keeps the learned weights: for a world that has changed.
    pub fn restart(&mut self) {
        self.learner.restart();
        self.progress.episodes = 0;
    }

    /// Writes the learned state, the unfinished episode and the generator to bytes. Returns their number.
    ///
    /// # Errors
    /// [`StateError::NoRoom`] if the buffer is too short; [`BYTES`](Self::BYTES) bytes are always enough.
    pub fn save(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        seal(bytes, self.fingerprint(), |writer| {
            self.random.write(writer);
            self.progress.write(writer);
            self.learner.write(writer);
        })
    }

    /// Continues from where [`save`](Self::save) was called, bit for bit.
    ///
    /// # Errors
    /// [`StateError`] says why the bytes were rejected; nothing has changed in that case.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let mut reader = open(bytes, self.fingerprint())?;
        let (mut random, mut progress) = (Random::new(0), Progress::START);
        random.read(&mut reader);
        progress.read(&mut reader);
        self.learner.read(&mut reader)?;
        (self.random, self.progress) = (random, progress);
        Ok(())
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint { owner: OWNER, rule: self.learner.rule(), arithmetic: A::ID, features: N as u16 }
    }
}

impl<A: Arithmetic, L: Episodic<Space = Space<A, N>>, P: Policy<A, N>, const N: usize> Agent<L, P> {
    /// From here to the end of the episode, steps only complete the returns of earlier steps and do not become rows.
    pub fn close_rows(&mut self) {
        self.learner.close_rows();
    }

    /// ‖w − w⁻‖, the length of the last step, for a [`StopTest`](crate::StopTest).
    pub fn step_length(&self) -> f32 {
        A::length(self.learner.state().velocity).to_f32()
    }
}

impl<L: Learner, P> Sealed for Agent<L, P> {}

impl<L: Learner + Rescale<N>, P, const N: usize> Rescale<N> for Agent<L, P> {
    fn rescale(&mut self, growth: &[u8; N]) {
        self.learner.rescale(growth);
    }
}

#[cfg(test)]
mod tests;
