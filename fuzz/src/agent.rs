//! An agent, called in any order: unmappable observations, missed samples, invalid rewards, a fallback rule, and worlds
//! that fail.

use std::marker::PhantomData;

use osculate::{Agent, End, Episode, RowError, Sim, StateError, Update};

use super::episode::{Course, Open};
use super::input::Fuzz;
use super::life::{self, Life};
use super::number::{Fuzzed, flaw};
use super::rules::Rule;
use super::table::{AnyPolicy, N, STATES, Table, Walker};

pub(super) fn live<A: Fuzzed, L: Rule<A, N>, P: AnyPolicy<A>>(fuzz: &mut Fuzz, table: &Table, policy: P) {
    let Some(learner) = L::any(fuzz) else { return };
    let progress = Progress::new(learner.course());
    let (exploration, checks) = fuzz.exploration();
    let agent = Agent::try_new(learner, policy, exploration, fuzz.any());
    if let Some(agent) = fuzz.made(agent, &checks) {
        life::live(fuzz, Acting { agent, table, progress: Some(progress), arithmetic: PhantomData });
    }
}

/// The expected progress of an agent.
#[derive(Clone)]
struct Progress {
    k: u32,
    episodes: u32,
    course: Course,
    steps: u32,
    opened: u32,
    fallbacks: u32,
    missed: u32,
    action: usize,
    /// The return in plain f64, the next discount, and the sum of the terms' magnitudes.
    discounted: Option<(f64, f64, f64)>,
}

impl Progress {
    fn new(course: Course) -> Self {
        Self { k: 0, episodes: 0, course, steps: 0, opened: 0, fallbacks: 0, missed: 0, action: 0, discounted: None }
    }

    fn begin(&mut self) {
        self.course.begin();
        *self = Self { k: self.k, episodes: self.episodes, ..Self::new(self.course.clone()) };
    }

    fn last<A: Fuzzed>(&mut self, reward: Option<f32>, gamma: f64) {
        let usable = reward.filter(|reward| A::number(*reward).is_ok());
        if self.course.waits() == Open::None {
            return;
        }
        self.steps += 1;
        self.course.close(usable.is_some());
        if let Some(reward) = usable.map(f64::from) {
            let (sum, discount, size) = self.discounted.unwrap_or((0.0, 1.0, 0.0));
            self.discounted = Some((sum + discount * reward, discount * gamma, size + reward.abs()));
        }
    }

    /// Promises 4 and 5: the answer is one of the valid ones.
    fn acted(&mut self, fuzz: &mut Fuzz, table: &Table, state: u8, given: Result<usize, RowError>) {
        let actions = table.actions.max(1);
        let fallback = table.fallback(state, self.action).map(|action| action.min(actions - 1));
        assert!(fallback.is_none() || given.is_err() || given.ok() == fallback, "{given:?} instead of {fallback:?}");
        let candidates = given.ok().or(fallback).map_or(0..actions, |action| action..action + 1);
        let mut answers = candidates.map(|action| {
            let (mut course, features) = (self.course.clone(), table.row(state, action));
            let opened = course.open(table.key(state, action), features.map_or_else(Some, |phi| flaw(&phi)));
            // Without features there is no action, whether or not a row was wanted.
            (course, opened.and(features.map(|_| ())))
        });
        let answer = answers.find(|(_, answer)| *answer == given.map(|_| ()));
        let (course, _) = answer.unwrap_or_else(|| panic!("{given:?} is no answer to {state}: {:?}", self.course));
        self.course = course;
        let is_open = self.course.waits() != Open::None;
        self.opened += u32::from(is_open);
        if is_open && fallback.is_some() {
            self.fallbacks += 1;
            fuzz.saw("fallback");
        }
        if let Ok(action) = given {
            assert!(action < actions, "{action} of {actions}");
            self.action = action;
        }
    }
}

/// An agent, and what it should answer.
#[derive(Clone)]
struct Acting<'t, A: Fuzzed, L: Rule<A, N>, P> {
    agent: Agent<L, P>,
    table: &'t Table,
    /// None for a forged state.
    progress: Option<Progress>,
    arithmetic: PhantomData<A>,
}

impl<A: Fuzzed, L: Rule<A, N>, P: AnyPolicy<A>> Life for Acting<'_, A, L, P> {
    const BYTES: usize = Agent::<L, P>::BYTES;

    fn call(&mut self, fuzz: &mut Fuzz) {
        let state = fuzz.below(u32::from(STATES) + 1) as u8;
        let state = if fuzz.one_in(128) { fuzz.any() } else { state };
        let reward = fuzz.reward();
        match fuzz.below(128) {
            0..4 => self.begin(fuzz, state),
            4..12 => {
                let action = self.agent.missed();
                fuzz.hear(&action);
                fuzz.called("missed");
                let Some(progress) = &mut self.progress else { return };
                progress.missed += 1;
                assert_eq!(action, progress.action);
            }
            12..16 => {
                self.agent.finish_with(reward);
                self.last(reward);
                fuzz.called("last");
            }
            16 => {
                L::close_rows_of(&mut self.agent);
                self.progress.iter_mut().for_each(|progress| progress.course.close_rows());
                fuzz.called("rows closed");
            }
            17 => {
                self.agent.restart();
                self.progress.iter_mut().for_each(|progress| (progress.episodes, progress.k) = (0, 0));
                fuzz.called("restarted");
            }
            18..30 => self.end(fuzz, state),
            30..34 => self.simulate(fuzz),
            _ => {
                self.last(reward);
                let given = self.agent.step(reward, &state);
                self.acted(fuzz, state, given);
            }
        }
        self.look(fuzz, state);
    }

    fn save(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        self.agent.save(bytes)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        self.agent.restore(bytes)
    }

    fn expect_as(&mut self, other: Option<&Self>) {
        self.progress = other.and_then(|other| other.progress.clone());
    }
}

impl<A: Fuzzed, L: Rule<A, N>, P: AnyPolicy<A>> Acting<'_, A, L, P> {
    fn begin(&mut self, fuzz: &mut Fuzz, state: u8) {
        let given = self.agent.begin(&state);
        self.progress.iter_mut().for_each(Progress::begin);
        self.acted(fuzz, state, given);
    }

    fn last(&mut self, reward: Option<f32>) {
        let gamma = self.agent.learner().gamma().into();
        self.progress.iter_mut().for_each(|progress| progress.last::<A>(reward, gamma));
    }

    fn acted(&mut self, fuzz: &mut Fuzz, state: u8, given: Result<usize, RowError>) {
        fuzz.hear(&given);
        fuzz.answered("acted", &given);
        self.progress.iter_mut().for_each(|progress| progress.acted(fuzz, self.table, state, given));
    }

    /// Promise 4.
    fn end(&mut self, fuzz: &mut Fuzz, state: u8) {
        let is_cut = fuzz.one_in(2);
        let ended = ended::<A, L>(if is_cut { self.agent.truncate(&state) } else { self.agent.end() });
        fuzz.hear(&ended);
        let Some(progress) = &mut self.progress else { return fuzz.called("end of a forgery") };
        let end = match (is_cut, progress.course.is_full()) {
            (false, _) => End::Terminal,
            (true, true) => End::Full,
            (true, false) => End::Truncated,
        };
        assert_eq!((ended.end, ended.steps, ended.missed), (end, progress.steps, progress.missed));
        assert_eq!(ended.fallbacks, progress.fallbacks);
        assert!(ended.explored + ended.fallbacks <= progress.opened, "{ended:?}");
        assert!(self.table.actions > 1 || ended.explored == 0, "{ended:?}");
        returned(ended.discounted_return, progress.discounted);
        progress.k = progress.course.ended(fuzz, &ended.report, progress.k);
        progress.episodes += 1;
        progress.begin();
        fuzz.saw(format!("{end:?}"));
    }

    /// An episode in a world.
    fn simulate(&mut self, fuzz: &mut Fuzz) {
        let max_steps = fuzz.pick(&[0, 1, 5, 20, 40]);
        let fails_one_in = fuzz.pick(&[10, 100, 0]);
        let before = self.agent.learner().finite();
        let world = Walker { table: self.table, fuzz, state: 0, fails_one_in };
        let simulated = Sim::new(&mut self.agent, world, max_steps).episode().map(ended::<A, L>);
        fuzz.hear(&simulated);
        let Some(progress) = &mut self.progress else { return fuzz.answered("forgery simulated", &simulated) };
        progress.episodes += 1;
        progress.course.end();
        progress.begin();
        let Ok(episode) = simulated else {
            let after = self.agent.learner().finite();
            assert!(!L::HAS_EPISODES || before == after, "an episode that failed was learned from");
            assert!(fails_one_in > 0);
            // It may have failed at any step: this ends whatever is under way.
            self.agent.end();
            progress.k = self.agent.learner().updates();
            return fuzz.called("failed");
        };
        progress.k = progress.course.counted(fuzz, &episode.report, progress.k);
        assert!(episode.steps <= max_steps, "{episode:?}");
        assert!(episode.explored + episode.fallbacks <= episode.steps, "{episode:?}");
        assert!(episode.end != End::Truncated || episode.steps == max_steps, "{episode:?}");
        assert!(episode.discounted_return.is_none_or(f32::is_finite), "{episode:?}");
        assert!(!L::HAS_EPISODES || episode.report.tau <= episode.steps, "{episode:?}");
        assert_eq!(episode.missed, 0);
        fuzz.saw("simulated");
    }

    /// What can be asked at any time.
    fn look(&self, fuzz: &mut Fuzz, state: u8) {
        self.agent.learner().finite();
        let (value, greedy) = (self.agent.value(&state), self.agent.greedy(&state));
        fuzz.hear(&(value, greedy));
        let actions = self.table.actions;
        assert!(greedy < actions.max(1), "{greedy} of {actions}");
        assert!(value.is_err() || value.is_ok_and(f32::is_finite), "{value:?}");
        fuzz.answered("value", &value);
        if let Some(progress) = &self.progress {
            assert_eq!(self.agent.episodes(), progress.episodes);
            assert!(!L::HAS_EPISODES || self.agent.learner().updates() == progress.k);
        }
    }
}

/// With the report of an update: a state holds no more.
fn ended<A: Fuzzed, L: Rule<A, N>>(episode: Episode<L::Report>) -> Episode<Update> {
    let Episode { steps, explored, fallbacks, missed, discounted_return, end, report } = episode;
    Episode { steps, explored, fallbacks, missed, discounted_return, end, report: L::update(report) }
}

/// A return matches plain f64, or is `None` if there was no reward or it does not fit.
fn returned(given: Option<f32>, expected: Option<(f64, f64, f64)>) {
    match (given, expected) {
        (None, None) => {}
        // Beyond the saturation limit of a format, or the range of f32.
        (_, Some((.., size))) if size > 1e9 => assert!(given.is_none_or(f32::is_finite)),
        (Some(given), Some((expected, _, size))) => {
            let bound = 1e-5 * size + 1e-7;
            assert!((f64::from(given) - expected).abs() <= bound, "{given} instead of {expected}");
        }
        _ => panic!("{given:?} instead of {expected:?}"),
    }
}
