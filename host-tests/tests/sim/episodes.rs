//! How episodes end, explore and report, and when to stop.

use std::convert::Infallible;

use osculate::features::{ActionMap, FeatureMap};
use osculate::{
    ActionValues, Agent, Branch, ConfigError, End, Exploration, Log, LookAhead, Model, Predictor, Q28, RowError,
    Schedule, Sim, StopTest, Stored, StoredConfig, Streaming, StreamingConfig, Targets, Transition, Verdict, World,
};
use osculate::{Episodic, Space};

use crate::grid::{CELLS, MAX_STEPS, Walk, number};
use crate::{PAPER, exploring, logged, streaming, table};

/// One state, reward 1, and no end.
struct Treadmill;

impl World for Treadmill {
    type Observation = usize;
    type Error = Infallible;
    fn begin(&mut self) -> Result<usize, Infallible> {
        Ok(0)
    }
    fn act(&mut self, _: usize) -> Result<Transition<usize>, Infallible> {
        Ok(Transition { reward: Some(1.0), next: Some(0) })
    }
}

impl Model for Treadmill {
    type State = usize;
    fn actions(&self, _: &usize) -> usize {
        1
    }
    fn outcomes(&self, _: &usize, _: usize) -> impl Iterator<Item = Branch<usize>> {
        [Branch { probability: 1.0, reward: 1.0, next: Some(0) }].into_iter()
    }
}

impl FeatureMap<1> for Treadmill {
    type Observation = usize;
    fn features(&self, _: &usize) -> Result<[f32; 1], RowError> {
        Ok([1.0])
    }
}

#[test]
fn an_episode_that_is_cut_says_so() {
    let value_after_cuts = |targets, max_steps: u32, end| {
        let config = StoredConfig { gamma: 0.5, targets, schedule: Schedule::Constant(0.5), ..StoredConfig::PAPER };
        let learner = Stored::new(config, Log::<f32, 1, 2, 1>::NEW);
        let policy = LookAhead::new(Treadmill, Treadmill).by_state(number);
        let mut agent = Agent::new(learner, policy, Exploration::NONE, 0);
        let mut sim = Sim::new(&mut agent, Treadmill, max_steps);
        for _ in 0..100 {
            let Ok(episode) = sim.episode();
            assert_eq!((episode.end, episode.steps, episode.report.tau), (end, max_steps.min(2), 1));
            assert_eq!(episode.discounted_return, Some(if max_steps == 1 { 1.0 } else { 1.5 }));
        }
        agent.value(&0).unwrap()
    };
    // Monte Carlo sees only the rewards received. With one-step targets the value includes the future, 1/(1 − γ) in
    // total.
    let near = |value: f32, truth: f32| (value - truth).abs() < 1e-3;
    assert!(near(value_after_cuts(Targets::MonteCarlo, 1, End::Truncated), 1.0));
    assert!(near(value_after_cuts(Targets::MonteCarlo, 9, End::Full), 1.5));
    assert!(near(value_after_cuts(Targets::OneStep, 1, End::Truncated), 2.0));
    assert!(near(value_after_cuts(Targets::OneStep, 9, End::Full), 2.0));
}

#[test]
fn a_full_log_ends_the_episode_and_the_next_one_begins_anew() {
    // Room for two states only.
    let mut agent = Agent::new(logged::<Q28, CELLS, 2>(PAPER), table(), exploring(100), 5);
    let mut sim = Sim::new(&mut agent, Walk::new(5), MAX_STEPS as u32);
    let episodes: Vec<_> = (0..1000).map(|_| sim.episode().unwrap()).collect();
    let full = episodes.iter().filter(|episode| episode.end == End::Full);
    assert!(full.clone().count() > 100 && full.clone().all(|episode| episode.report.tau == 2));
    assert!(episodes.iter().all(|episode| episode.report.verdict == Verdict::Stepped && episode.report.dropped == 0));
    assert!(episodes.iter().any(|episode| episode.end == End::Terminal));
}

#[test]
fn exploring_is_as_frequent_as_epsilon_and_fades() {
    let shares = |start: f32, half_after| {
        let exploration = Exploration { start, half_after };
        let mut agent = Agent::new(logged::<f32, CELLS, CELLS>(PAPER), table(), exploration, 2);
        let mut sim = Sim::new(&mut agent, Walk::new(1), MAX_STEPS as u32);
        [0, 1].map(|_| {
            let episodes: Vec<_> = (0..2000).map(|_| sim.episode().unwrap()).collect();
            let sum = |part: fn((u32, u32)) -> u32| -> u32 {
                episodes.iter().map(|episode| part((episode.explored, episode.steps))).sum()
            };
            f64::from(sum(|(explored, _)| explored)) / f64::from(sum(|(_, steps)| steps))
        })
    };
    assert_eq!((shares(0.0, 1), shares(1.0, u32::MAX)), ([0.0; 2], [1.0; 2]));
    assert!(shares(0.25, u32::MAX).iter().all(|share| (share - 0.25).abs() < 0.02));
    let [early, late] = shares(0.5, 200);
    assert!(late < early / 3.0, "{early} {late}");
}

/// Every second reward is invalid or missing. State 4 has no features.
struct Broken(usize);

impl World for Broken {
    type Observation = usize;
    type Error = Infallible;
    fn begin(&mut self) -> Result<usize, Infallible> {
        self.0 = 0;
        Ok(0)
    }
    fn act(&mut self, _: usize) -> Result<Transition<usize>, Infallible> {
        self.0 += 1;
        let reward = [Some(1.0), Some(f32::NAN), Some(1.0), None][(self.0 - 1) % 4];
        Ok(Transition { reward, next: (self.0 < 6).then_some(self.0) })
    }
}

impl ActionMap<1> for Broken {
    type Observation = usize;
    fn features(&self, state: &usize, _: usize) -> Result<[f32; 1], RowError> {
        if *state == 4 { Err(RowError::NonFiniteFeature) } else { Ok([1.0]) }
    }
}

#[test]
fn what_cannot_be_learned_from_is_counted_and_harms_nothing() {
    let policy = ActionValues::new(3, Broken(0)).by_state(number);
    let mut agent = Agent::new(logged::<f32, 1, 8>(PAPER), policy, exploring(100), 0);
    let mut sim = Sim::new(&mut agent, Broken(0), MAX_STEPS as u32);
    for _ in 0..50 {
        let Ok(episode) = sim.episode();
        // Steps 2, 4 and 6 have no reward; step 5 has one, but its state has no features.
        assert_eq!((episode.report.tau, episode.report.dropped, episode.end), (2, 4, End::Terminal));
        assert_eq!(episode.discounted_return, Some(1.0 + 0.9375 + 0.9375 * 0.9375));
    }
    assert!(agent.weights()[0].is_finite() && agent.value(&0).is_ok());
    assert_eq!((agent.value(&4), agent.greedy(&4)), (Err(RowError::NonFiniteFeature), 0));
}

/// Fails after this many calls.
struct Fragile(u32);

impl Fragile {
    fn call(&mut self) -> Result<(), &'static str> {
        self.0 = self.0.checked_sub(1).ok_or("worn out")?;
        Ok(())
    }
}

impl World for Fragile {
    type Observation = usize;
    type Error = &'static str;
    fn begin(&mut self) -> Result<usize, &'static str> {
        self.call().map(|()| 0)
    }
    fn act(&mut self, _: usize) -> Result<Transition<usize>, &'static str> {
        self.call().map(|()| Transition { reward: Some(1.0), next: Some(0) })
    }
}

#[test]
fn what_a_world_fails_with_comes_out_and_nothing_is_learned_from_the_episode() {
    let policy = LookAhead::new(Treadmill, Treadmill);
    let mut agent = Agent::new(logged::<f32, 1, 8>(PAPER), policy, Exploration::NONE, 0);
    for calls in [0, 1, 3] {
        assert_eq!(Sim::new(&mut agent, Fragile(calls), 4).episode(), Err("worn out"), "after {calls} calls");
        assert_eq!((agent.episodes(), agent.weights()), (0, &[0.0]));
    }
    // The failed episodes leave nothing in the log, either.
    let episode = Sim::new(&mut agent, Fragile(5), 4).episode().unwrap();
    assert_eq!((episode.steps, episode.report.tau, episode.end), (4, 4, End::Truncated));
    assert_eq!(Sim::new(&mut agent, Fragile(7), 4).until(&mut StopTest::new(0.0, 9, 9), 9), Err("worn out"));
}

#[test]
fn nonsense_is_refused() {
    let refused = |start, half_after| {
        let learner = logged::<f32, CELLS, CELLS>(PAPER);
        Agent::try_new(learner, table(), Exploration { start, half_after }, 0).unwrap_err()
    };
    assert_eq!([1.5, -0.5, f32::NAN].map(|start| refused(start, 1)), [ConfigError::Epsilon; 3]);
    assert_eq!(refused(0.5, 0), ConfigError::HalfAfter);
    for gamma in [-0.5, 1.5, f32::NAN] {
        let stored = Stored::try_new(StoredConfig { gamma, ..PAPER }, Log::<f32, 1, 1, 1>::NEW);
        let streaming = Streaming::<f32, 1>::try_new(StreamingConfig { gamma, ..StreamingConfig::DEFAULT });
        assert_eq!((stored.unwrap_err(), streaming.unwrap_err()), (ConfigError::Gamma, ConfigError::Gamma));
    }
    let config = StreamingConfig { gamma: 0.5, ..StreamingConfig::DEFAULT };
    let mut predictor = Predictor::new(Streaming::<f32, 1, 1>::by_state(config));
    predictor.step_at(0, None, &[1.0]).unwrap();
    predictor.step_at(0, f32::NAN, &[1.0]).unwrap();
    predictor.finish_with(1.0);
    let outcome = predictor.end();
    assert_eq!((outcome.tau, outcome.dropped), (1, 1), "the first that counted is a row");
    assert_eq!(predictor.step_length(), 1.0);
}

fn stops_early_or_at_the_bound<L: Episodic<Space = Space<f32, CELLS>>>(learner: impl Fn() -> L) {
    let finish = |tolerance| {
        let mut agent = Agent::new(learner(), table(), exploring(100), 2);
        let mut stop = StopTest::new(tolerance, 100, 3);
        let Ok(took) = Sim::new(&mut agent, Walk::new(1), MAX_STEPS as u32).until(&mut stop, 3000);
        assert_eq!(took.unwrap_or(3000), agent.episodes());
        assert_eq!(took.is_some(), agent.step_length() <= tolerance);
        agent.restart();
        assert_eq!((agent.episodes(), agent.learner().state().updates), (0, 0));
        took
    };
    let early = finish(0.01);
    assert!(early.is_some_and(|took| (100..3000).contains(&took)), "{early:?}");
    assert_eq!(finish(0.0), None);
}

#[test]
fn until_stops_where_steps_are_small_or_episodes_run_out() {
    stops_early_or_at_the_bound(|| logged::<f32, CELLS, CELLS>(PAPER));
}

#[test]
fn until_stops_without_a_log_as_well() {
    stops_early_or_at_the_bound(streaming::<f32>);
}
