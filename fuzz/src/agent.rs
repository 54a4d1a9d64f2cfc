//! An agent, called in any order: unmappable observations, missed samples, invalid rewards, and a fallback rule.

use osculate::control::Policy;
use osculate::{Agent, End, RowError};

use super::check::{counted, finite};
use super::episode::{Course, Open};
use super::input::Fuzz;
use super::number::{Fuzzed, flaw};
use super::rules::{N, Rule};
use super::table::{Rows, STATES, Table, VisitAgent, any_agent};

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    any_agent::<A>(fuzz, Act);
}

/// The expected progress of an agent's episode.
struct Progress<C> {
    episode: C,
    steps: u32,
    opened: u32,
    fallbacks: u32,
    missed: u32,
    action: usize,
    /// The return in plain f64, the next discount, and the sum of the terms' magnitudes.
    discounted: Option<(f64, f64, f64)>,
}

impl<C: Course> Progress<C> {
    fn new(mut episode: C) -> Self {
        episode.begin();
        Self { episode, steps: 0, opened: 0, fallbacks: 0, missed: 0, action: 0, discounted: None }
    }

    fn last<A: Fuzzed>(&mut self, reward: Option<f32>, gamma: f64) {
        let usable = reward.filter(|reward| A::number(*reward).is_ok());
        if self.episode.waits() == Open::None {
            return;
        }
        self.steps += 1;
        self.episode.close(usable.is_some());
        if let Some(reward) = usable.map(f64::from) {
            let (sum, discount, size) = self.discounted.unwrap_or((0.0, 1.0, 0.0));
            self.discounted = Some((sum + discount * reward, discount * gamma, size + reward.abs()));
        }
    }

    /// Promises 4 and 5: the answer is one of the valid ones.
    fn acted(&mut self, fuzz: &mut Fuzz, rows: &Rows<'_>, actions: usize, state: u8, given: Result<usize, RowError>) {
        let fallback = rows.fallback(state, self.action).map(|action| action.min(actions.saturating_sub(1)));
        assert!(fallback.is_none() || given.is_err() || given.ok() == fallback, "{given:?} instead of {fallback:?}");
        let candidates = given.ok().or(fallback).map_or(0..actions.max(1), |action| action..action + 1);
        let mut answers = candidates.map(|action| {
            let (mut episode, features) = (self.episode.clone(), rows.features(state, action));
            let opened = episode.open(rows.key(state, action), features.map_or_else(Some, |phi| flaw(&phi)));
            // Without features there is no action, whether or not a row was wanted.
            (episode, opened.and(features.map(|_| ())))
        });
        let answer = answers.find(|(_, answer)| *answer == given.map(|_| ()));
        let (episode, _) = answer.unwrap_or_else(|| panic!("{given:?} is no answer to {state}: {:?}", self.episode));
        self.episode = episode;
        self.opened += u32::from(self.episode.waits() != Open::None);
        if self.episode.waits() != Open::None && fallback.is_some() {
            self.fallbacks += 1;
            fuzz.saw("fallback");
        }
        if let Ok(action) = given {
            assert!(action < actions.max(1), "{action} of {actions}");
            self.action = action;
        }
        fuzz.called(match given {
            Ok(_) => "acted",
            Err(RowError::Full(_)) => "full",
            Err(RowError::OutsideMap) => "not mapped",
            Err(_) => "bad features",
        });
    }
}

struct Act;

impl<A: Fuzzed> VisitAgent<A> for Act {
    fn visit<L, P>(self, fuzz: &mut Fuzz, table: &Table, rows: &Rows, mut agent: Agent<L, P>)
    where
        L: Rule<A, N>,
        P: Policy<A, N, Observation = u8>,
    {
        let mut progress = Progress::new(agent.learner().course());
        let (mut k, mut episodes) = (0, 0);
        let gamma: f64 = agent.learner().gamma().into();
        let actions = table.actions;
        while fuzz.goes_on() {
            let state = fuzz.below(u32::from(STATES) + 1) as u8;
            let state = if fuzz.one_in(128) { fuzz.any() } else { state };
            let reward = fuzz.reward();
            match fuzz.below(32) {
                0 => {
                    progress = Progress::new(progress.episode);
                    let given = agent.begin(&state);
                    progress.acted(fuzz, rows, actions, state, given);
                }
                1 | 2 => {
                    progress.missed += 1;
                    assert_eq!(agent.missed(), progress.action);
                    fuzz.called("missed");
                }
                3 => {
                    agent.finish_with(reward);
                    progress.last::<A>(reward, gamma);
                    fuzz.called("last");
                }
                4 if fuzz.one_in(4) => {
                    L::close_rows_of(&mut agent);
                    progress.episode.close_rows();
                    fuzz.called("rows closed");
                }
                5 if fuzz.one_in(4) => {
                    agent.restart();
                    (episodes, k) = (0, 0);
                    fuzz.called("restarted");
                }
                6..9 => {
                    let is_cut = fuzz.one_in(2);
                    let ended = if is_cut { agent.truncate(&state) } else { agent.end() };
                    let end = match (is_cut, progress.episode.is_full()) {
                        (false, _) => End::Terminal,
                        (true, true) => End::Full,
                        (true, false) => End::Truncated,
                    };
                    fuzz.saw(if is_cut { "cut" } else { "terminal" });
                    assert_eq!((ended.end, ended.steps, ended.missed), (end, progress.steps, progress.missed));
                    assert_eq!(ended.fallbacks, progress.fallbacks);
                    assert!(ended.explored + ended.fallbacks <= progress.opened, "{ended:?}");
                    assert!(actions > 1 || ended.explored == 0, "{ended:?}");
                    returned(ended.discounted_return, progress.discounted);
                    let (tau, dropped) = progress.episode.end();
                    let update = L::update(ended.report);
                    assert!(update.tau <= tau, "{ended:?} of {tau} rows");
                    assert_eq!(update.tau + update.dropped, tau + dropped, "{ended:?} of {tau} rows");
                    k = counted::<L::Course>(fuzz, &update, k);
                    episodes += 1;
                    progress = Progress::new(progress.episode);
                }
                _ => {
                    progress.last::<A>(reward, gamma);
                    let given = agent.step(reward, &state);
                    progress.acted(fuzz, rows, actions, state, given);
                }
            }
            assert_eq!(agent.episodes(), episodes);
            assert!(!L::Course::HAS_EPISODES || agent.learner().updates() == k);
            finite(&[agent.weights(), agent.estimate()]);
            let value = agent.value(&state);
            assert!(value.is_err() || value.is_ok_and(f32::is_finite), "{value:?}");
            fuzz.called(if value.is_ok() { "value" } else { "no value" });
            let greedy = agent.greedy(&state);
            assert!(greedy < actions.max(1), "{greedy} of {actions}");
            fuzz.called("greedy");
        }
    }
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
