//! How episodes end, explore and report, and when there are enough of them.

use osculate::episodic::{Episodic, Logged, Streamed, Targets};
use osculate::policy::{ActionValues, LookAhead, Prediction};
use osculate::schedule::Exploration;
use osculate::sim::End;
use osculate::stop::StopTest;
use osculate::world::{Transition, World};
use osculate::{ConfigError, Learner, LearnerConfig, Q28, Recorded, RowError, Schedule, Sim, SimConfig, Verdict};
use osculate_host_tests::worlds::grid::{CELLS, Grid, Walk};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

use crate::{exploring, logged, paper};

/// One state, the reward 1, and no end.
struct Treadmill;

impl World<f32> for Treadmill {
    type State = u8;
    fn begin(&mut self) -> u8 {
        0
    }
    fn act(&mut self, _: usize) -> Transition<Option<f32>, u8> {
        Transition { reward: Some(1.0), next: Some(0) }
    }
}

#[test]
fn an_episode_that_is_cut_says_so() {
    let policy = Prediction::without_actions(|_: &u8| Ok([1.0]));
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(0);
    let mut value_after_cuts = |targets, max_steps, end| {
        let learner = Learner::new(LearnerConfig { schedule: Schedule::Constant(0.5), ..LearnerConfig::default() });
        let learner = Logged::<f32, u8, 1, 2, 1>::new(learner.unwrap(), 0.5, targets).unwrap();
        let mut sim = Sim::new(learner, SimConfig { exploration: Exploration::NONE, max_steps }).unwrap();
        for _ in 0..100 {
            let outcome = sim.run_episode(&mut Treadmill, &policy, &mut rng);
            assert_eq!((outcome.end, outcome.steps, outcome.update.tau), (end, max_steps.min(2), 1));
            assert_eq!(outcome.discounted_return, Some(if max_steps == 1 { 1.0 } else { 1.5 }));
        }
        sim.value(&policy, &0).unwrap()
    };
    // Monte Carlo knows what it got; one step ahead there is always more, 1/(1 − γ) in all.
    let near = |value: f32, truth: f32| (value - truth).abs() < 1e-3;
    assert!(near(value_after_cuts(Targets::MonteCarlo, 1, End::StepLimit), 1.0));
    assert!(near(value_after_cuts(Targets::MonteCarlo, 9, End::LogFull), 1.5));
    assert!(near(value_after_cuts(Targets::OneStep, 1, End::StepLimit), 2.0));
    assert!(near(value_after_cuts(Targets::OneStep, 9, End::LogFull), 2.0));
}

#[test]
fn a_full_log_ends_the_episode_and_the_next_one_begins_anew() {
    let grid = Grid::<Q28>::new().unwrap();
    let (policy, mut world) = (LookAhead(&grid), Walk::new(&grid, 5));
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(5);
    // Room for two states only.
    let mut sim = Sim::new(logged::<Q28, u8, CELLS, 2>(paper(), Targets::MonteCarlo), exploring(100)).unwrap();
    let outcomes: Vec<_> = (0..1000).map(|_| sim.run_episode(&mut world, &policy, &mut rng)).collect();
    let full = outcomes.iter().filter(|outcome| outcome.end == End::LogFull);
    assert!(full.clone().count() > 100 && full.clone().all(|outcome| outcome.update.tau == 2));
    assert!(outcomes.iter().all(|outcome| outcome.update.verdict == Verdict::Stepped && outcome.update.dropped == 0));
    assert!(outcomes.iter().any(|outcome| outcome.end == End::Terminal));
}

#[test]
fn exploring_is_as_frequent_as_epsilon_and_fades() {
    let grid = Grid::<f32>::new().unwrap();
    let policy = LookAhead(&grid);
    let shares = |start: f32, half_after| {
        let config = SimConfig { exploration: Exploration { start, half_after }, ..exploring(1) };
        let mut sim = Sim::new(logged::<f32, u8, CELLS, CELLS>(paper(), Targets::MonteCarlo), config).unwrap();
        let (mut world, mut rng) = (Walk::new(&grid, 1), Xoshiro128PlusPlus::seed_from_u64(2));
        [0, 1].map(|_| {
            let outcomes: Vec<_> = (0..2000).map(|_| sim.run_episode(&mut world, &policy, &mut rng)).collect();
            let sum = |part: fn((u32, u32)) -> u32| -> u32 {
                outcomes.iter().map(|outcome| part((outcome.explored, outcome.steps))).sum()
            };
            f64::from(sum(|(explored, _)| explored)) / f64::from(sum(|(_, steps)| steps))
        })
    };
    assert_eq!((shares(0.0, 1), shares(1.0, u32::MAX)), ([0.0; 2], [1.0; 2]));
    assert!(shares(0.25, u32::MAX).iter().all(|share| (share - 0.25).abs() < 0.02));
    let [early, late] = shares(0.5, 200);
    assert!(late < early / 3.0, "{early} {late}");
}

#[test]
fn what_cannot_be_learned_from_is_counted_and_harms_nothing() {
    /// Pays in nonsense every second time.
    struct Broken(u8);
    impl World<f32> for Broken {
        type State = u8;
        fn begin(&mut self) -> u8 {
            self.0 = 0;
            0
        }
        fn act(&mut self, _: usize) -> Transition<Option<f32>, u8> {
            self.0 += 1;
            let reward = [Some(1.0), Some(f32::NAN), Some(1.0), None][usize::from(self.0 - 1) % 4];
            Transition { reward, next: (self.0 < 6).then_some(self.0) }
        }
    }
    let features = |state: &u8, _: usize| if *state == 4 { Err(RowError::NonFiniteFeature) } else { Ok([1.0]) };
    let policy = ActionValues::new(3, features);
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(0);
    let mut sim = Sim::new(logged::<f32, (u8, usize), 1, 8>(paper(), Targets::MonteCarlo), exploring(100)).unwrap();
    for _ in 0..50 {
        let outcome = sim.run_episode(&mut Broken(0), &policy, &mut rng);
        // Steps 2, 4 and 6 have no reward; step 5 has one, but its state has no features.
        assert_eq!((outcome.update.tau, outcome.update.dropped, outcome.end), (2, 4, End::Terminal));
        assert_eq!(outcome.discounted_return, Some(1.0 + 0.9375 + 0.9375 * 0.9375));
    }
    assert!(sim.learner().weights()[0].is_finite() && sim.value(&policy, &0).is_some());
    assert_eq!((sim.value(&policy, &4), sim.greedy(&policy, &4)), (None, 0));
}

#[test]
fn nonsense_is_refused() {
    let refused = |start, half_after| {
        let config = SimConfig { exploration: Exploration { start, half_after }, max_steps: 1 };
        Sim::<f32, _>::new((), config).unwrap_err()
    };
    assert_eq!([1.5, -0.5, f32::NAN].map(|start| refused(start, 1)), [ConfigError::Epsilon; 3]);
    assert_eq!(refused(0.5, 0), ConfigError::HalfAfter);
    for gamma in [-0.5, 1.5, f32::NAN] {
        let logged = Logged::<f32, u8, 1, 1, 1>::new(Learner::default(), gamma, Targets::MonteCarlo);
        let streamed = Streamed::<f32, u8, 1, 1>::new(LearnerConfig::predictable(), gamma, |key| (*key).into());
        assert_eq!((logged.unwrap_err(), streamed.unwrap_err()), (ConfigError::Gamma, ConfigError::Gamma));
    }
    let mut learner = Streamed::<f32, u8, 1, 1>::new(LearnerConfig::predictable(), 0.5, |key| (*key).into()).unwrap();
    assert_eq!(learner.record(0, &[1.0], Some(f32::NAN)), Recorded::BadReward);
    assert_eq!(learner.record(0, &[1.0], Some(1.0)), Recorded::First, "the first that counted");
    assert_eq!((learner.end_episode().dropped, learner.step_length()), (1, 1.0));
}

fn stops_early_or_at_the_bound<L: Episodic<f32, u8, CELLS>>(learner: impl Fn() -> L, steps: fn(&L) -> u32) {
    let grid = Grid::<f32>::new().unwrap();
    let policy = LookAhead(&grid);
    let finish = |tolerance| {
        let mut sim = Sim::new(learner(), exploring(100)).unwrap();
        let mut rng = Xoshiro128PlusPlus::seed_from_u64(2);
        let mut stop = StopTest::new(tolerance, 100, 3);
        let finished = sim.until(&mut Walk::new(&grid, 1), &policy, &mut rng, &mut stop, 3000);
        assert_eq!(finished.episodes, sim.episodes());
        assert_eq!(finished.step_small, sim.learner().step_length() <= tolerance);
        sim.restart();
        assert_eq!((sim.episodes(), steps(sim.learner())), (0, 0));
        finished
    };
    let early = finish(0.01);
    assert!(early.step_small && (100..3000).contains(&early.episodes), "{early:?}");
    let never = finish(0.0);
    assert!(!never.step_small && never.episodes == 3000);
}

#[test]
fn until_stops_where_steps_are_small_or_episodes_run_out() {
    let log = || logged::<f32, u8, CELLS, CELLS>(paper(), Targets::MonteCarlo);
    stops_early_or_at_the_bound(log, |learner| learner.learner().steps());
}

#[test]
fn until_stops_without_a_log_as_well() {
    let config = LearnerConfig { theta_cap: Some(2.0), ..LearnerConfig::predictable() };
    let stream = || Streamed::<f32, u8, CELLS, 1>::new(config, Grid::<f32>::gamma(), |cell| (*cell).into()).unwrap();
    stops_early_or_at_the_bound(stream, |learner| learner.learner().steps());
}
