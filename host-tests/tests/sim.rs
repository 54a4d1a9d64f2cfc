//! Promise: the outer loop finds the optimal policy of a known problem, and takes the same actions on every machine.

use osculate::episodic::{Episodic, Logged, Streamed, Targets};
use osculate::features::{FeatureMap, OneHot};
use osculate::policy::{ActionValues, LookAhead, Policy, Prediction};
use osculate::schedule::Exploration;
use osculate::sim::End;
use osculate::stop::StopTest;
use osculate::world::{Model, Transition, World};
use osculate::{
    Arithmetic, ConfigError, Learner, LearnerConfig, Q24, Q28, Recorded, RowError, Rule, Scalar, Schedule, Sim,
    SimConfig, Verdict,
};
use osculate_host_tests::lab::boards::Board;
use osculate_host_tests::lab::firmware;
use osculate_host_tests::lab::qemu::Qemu;
use osculate_host_tests::worlds::mdp::{CELLS, EPISODES, Exact, Grid, MAP, MAX_STEPS, Walk, learn};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

const SEEDS: u64 = 8;

fn exploring<S: Scalar>(half_after: u32) -> SimConfig<S> {
    SimConfig { exploration: Exploration { start: S::from_ratio(1, 2), half_after }, max_steps: MAX_STEPS as u32 }
}

/// The paper's rule with η = k^−¾, which its theorem allows as well as 1/k.
fn paper<S: Scalar>() -> LearnerConfig<S> {
    LearnerConfig { schedule: Schedule::ThreeQuarters, ..LearnerConfig::default() }
}

fn logged<A: Arithmetic, K: PartialEq, const N: usize, const ROWS: usize>(
    config: LearnerConfig<A::Scalar>,
    targets: Targets,
) -> Logged<A, K, N, MAX_STEPS, ROWS> {
    Logged::new(Learner::new(config).unwrap(), Grid::<A>::gamma(), targets).unwrap()
}

/// Runs SIM on the map and hands over what it has come to.
fn run<A: Arithmetic, L, P, const N: usize>(
    learner: L,
    policy: &P,
    config: SimConfig<A::Scalar>,
    episodes: u32,
    seed: u64,
) -> Sim<A, L>
where
    P: Policy<A, u8, N>,
    L: Episodic<A, P::Key, N>,
{
    let grid = Grid::new().unwrap();
    let mut world = Walk::new(&grid, seed);
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(seed + 1000);
    let mut sim = Sim::new(learner, config).unwrap();
    for _ in 0..episodes {
        let outcome = sim.run_episode(&mut world, policy, &mut rng);
        assert_eq!(outcome.update.saturated, 0);
    }
    sim
}

/// For all seeds: the greedy action is the optimal one in every state.
fn reaches_the_optimum<A: Arithmetic, L, P, const N: usize>(
    learner: impl Fn() -> L,
    policy: &P,
    config: SimConfig<A::Scalar>,
    episodes: u32,
) where
    P: Policy<A, u8, N>,
    L: Episodic<A, P::Key, N>,
{
    let exact = Exact::new();
    let optimal: Vec<usize> = exact.optimal_policy().into_iter().map(|(action, _)| action).collect();
    for seed in 0..SEEDS {
        let sim = run(learner(), policy, config, episodes, seed);
        let greedy = exact.states().map(|cell| sim.greedy(policy, &(cell as u8)));
        assert_eq!(greedy, *optimal, "{}, seed {seed}, {episodes} episodes", std::any::type_name::<L>());
    }
}

/// The map seen through other features.
struct Seen<A: Arithmetic, F>(Grid<A>, F);

impl<A: Arithmetic, F: Fn(u8) -> [f32; N], const N: usize> Model<A, N> for Seen<A, F> {
    type State = u8;
    fn actions(&self, cell: &u8) -> usize {
        self.0.actions(cell)
    }
    fn outcomes(&self, cell: &u8, action: usize) -> impl Iterator<Item = (A::Scalar, Transition<A::Target, u8>)> {
        self.0.outcomes(cell, action)
    }
    fn features(&self, cell: &u8) -> Result<A::Features<N>, RowError> {
        A::features(&(self.1)(*cell))
    }
}

/// A constant and the two coordinates.
fn plane(cell: u8) -> [f32; 3] {
    [1.0, f32::from(cell % 4) - 1.5, 1.0 - f32::from(cell / 4)]
}

#[test]
fn the_model_is_the_exact_one_and_a_short_sight_is_wrong() {
    let (exact, grid) = (Exact::new(), Grid::<f64>::new().unwrap());
    for (cell, action) in exact.states().into_iter().flat_map(|cell| (0..4).map(move |action| (cell, action))) {
        let (mut chance, mut reward) = ([0.0; CELLS], 0.0);
        for (p, transition) in grid.outcomes(&(cell as u8), action) {
            reward += p * transition.reward;
            transition.next.inspect(|next| chance[usize::from(*next)] += p);
        }
        assert_eq!((&chance[..], reward), (exact.chance(cell, action), exact.reward(cell, action)));
    }
    assert!(exact.optimal_policy().iter().all(|(_, margin)| *margin > 0.07), "no ties");
    let short_sighted = |cell: &usize| exact.best(&[0.0; CELLS], *cell) != exact.best(&exact.optimal_values(), *cell);
    assert!(exact.states().iter().filter(|cell| short_sighted(cell)).count() >= 4);
}

/// Four ways out of state 0; state 1 goes nowhere, and state 2 has no features.
struct Crossing;

impl<A: Arithmetic> Model<A, 2> for Crossing {
    type State = u8;
    fn actions(&self, _: &u8) -> usize {
        4
    }
    fn outcomes(&self, _: &u8, action: usize) -> impl Iterator<Item = (A::Scalar, Transition<A::Target, u8>)> {
        let outcomes: &[(u32, f32, Option<u8>)] = match action {
            0 => &[(4, 9.0, Some(2))],
            // With γ = ½: ½·(½·1) + ½·¼ = ⅜ by the weights [0, 1].
            1 => &[(2, 0.0, Some(1)), (2, 0.25, None)],
            2 => &[(4, 0.4375, None)],
            _ => &[(4, -0.0625, Some(1))],
        };
        outcomes.iter().map(|&(quarters, reward, next)| {
            (A::Scalar::from_ratio(quarters, 4), Transition { reward: A::target(reward).unwrap(), next })
        })
    }
    fn features(&self, state: &u8) -> Result<A::Features<2>, RowError> {
        OneHot::<2>.encode::<A>(&usize::from(*state)).and_then(|phi| A::admit(&phi).map(|_| phi))
    }
}

fn decides<A: Arithmetic<Target: PartialOrd, Scalar = f32>>(one: A::Weight) {
    let decide = |gamma, weights| Policy::<A, u8, 2>::decide(&LookAhead(Crossing), &0, gamma, &weights);
    let nothing = A::Weight::default();
    assert_eq!(decide(0.5, [nothing, one]), 2, "7/16 and 7/16 beat 3/8: the first of them");
    assert_eq!(decide(0.75, [nothing, one]), 3, "11/16 beats 1/2 and 7/16");
    assert_eq!(decide(0.75, [nothing, nothing]), 2, "what is certain beats what is worth nothing");
}

#[test]
fn the_greedy_action_is_the_first_of_the_best() {
    decides::<f32>(1.0);
    decides::<Q28>(<Q28 as Arithmetic>::Weight::ONE);
    decides::<Q24>(<Q24 as Arithmetic>::Weight::ONE);
    // Both actions of one state are rows of their own.
    let mut learner = logged::<f32, (u8, usize), 2, 4>(paper(), Targets::MonteCarlo);
    let policy = ActionValues::new(2, |_: &u8, action| OneHot::<2>.encode::<f32>(&action));
    for action in [0, 1, 0] {
        let (key, features) = Policy::<f32, u8, 2>::row(&policy, &5, action);
        learner.record(key, &features.unwrap(), 1.0);
    }
    assert_eq!(learner.end_episode().tau, 2);
}

fn with_a_model<A: Arithmetic<Target: PartialOrd>>(to_f64: impl Fn(A::Target) -> f64) {
    let table = LookAhead(Grid::<A>::new().unwrap());
    let sloped = LookAhead(Seen(Grid::<A>::new().unwrap(), plane));
    for config in [paper(), LearnerConfig::predictable()] {
        for targets in [Targets::MonteCarlo, Targets::OneStep] {
            reaches_the_optimum(|| logged::<A, u8, CELLS, CELLS>(config, targets), &table, exploring(100), 5000);
            reaches_the_optimum(|| logged::<A, u8, 3, CELLS>(config, targets), &sloped, exploring(100), 5000);
        }
    }
    let exact = Exact::new();
    let sim = run(logged::<A, u8, CELLS, CELLS>(paper(), Targets::MonteCarlo), &table, exploring(100), 20_000, 0);
    for (cell, value) in exact.optimal_values().into_iter().enumerate().filter(|(cell, _)| MAP[*cell] == b'.') {
        let learned = to_f64(sim.value(&table, &(cell as u8)).unwrap());
        assert!((learned - value).abs() < 0.05, "cell {cell}: {learned} instead of {value}");
    }
    // The paper's own gain: what an early policy was worth wears off slowly under 1/k, unless states share weights.
    let harmonic = LearnerConfig::default();
    assert_eq!((harmonic.rule, harmonic.schedule), (Rule::Paper, Schedule::Harmonic));
    reaches_the_optimum(|| logged::<A, u8, 3, CELLS>(harmonic, Targets::MonteCarlo), &sloped, exploring(100), 20_000);
}

#[test]
fn with_a_model_f32() {
    with_a_model::<f32>(f64::from);
}

#[test]
fn with_a_model_q28() {
    with_a_model::<Q28>(|value| value.to_num());
}

#[test]
fn with_a_model_q24() {
    with_a_model::<Q24>(|value| value.to_num());
}

/// Episodes that share no state say nothing about the curvature along the previous direction: ϑ is capped.
fn without_a_log<A: Arithmetic<Target: PartialOrd>>() {
    let policy = LookAhead(Grid::<A>::new().unwrap());
    let config = LearnerConfig { theta_cap: Some(A::Scalar::from_count(2)), ..LearnerConfig::predictable() };
    let learner = || Streamed::<A, u8, CELLS, 1>::new(config, Grid::<A>::gamma(), |cell| (*cell).into()).unwrap();
    reaches_the_optimum(learner, &policy, exploring(100), 5000);
}

#[test]
fn without_a_log_in_every_arithmetic() {
    without_a_log::<f32>();
    without_a_log::<Q28>();
    without_a_log::<Q24>();
}

/// A weight per cell and action, and no model: the loop has to find out by itself where actions lead.
fn without_a_model<A: Arithmetic<Target: PartialOrd>>() {
    let features = |cell: &u8, action: usize| OneHot::<48>.encode::<A>(&(4 * usize::from(*cell) + action));
    let policy = ActionValues::new(4, features);
    let gain = Schedule::Constant(A::Scalar::from_ratio(1, 32));
    let config = LearnerConfig { schedule: gain, ..LearnerConfig::predictable() };
    let learner = || logged::<A, (u8, usize), 48, 48>(config, Targets::OneStep);
    reaches_the_optimum(learner, &policy, exploring(1000), 40_000);
}

#[test]
fn without_a_model_f32() {
    without_a_model::<f32>();
}

#[test]
fn without_a_model_q28() {
    without_a_model::<Q28>();
}

#[test]
fn without_a_model_q24() {
    without_a_model::<Q24>();
}

/// A fixed rule that is far from optimal: east in the top row, else west and north.
fn rule(cell: &u8) -> usize {
    [1, 1, 1, 0, 0, 0, 0, 0, 0, 3, 3, 3][usize::from(*cell)]
}

/// A world that follows the rule by itself and has no actions.
struct Drift<'g, A: Arithmetic>(Walk<'g, A>, u8);

impl<A: Arithmetic> World<A> for Drift<'_, A> {
    type State = u8;
    fn begin(&mut self) -> u8 {
        self.1 = self.0.begin();
        self.1
    }
    fn act(&mut self, action: usize) -> Transition<A::Target, u8> {
        assert_eq!(action, 0);
        let transition = self.0.act(rule(&self.1));
        self.1 = transition.next.unwrap_or(self.1);
        transition
    }
}

fn predicts<A: Arithmetic>(to_f64: impl Fn(A::Target) -> f64) {
    let exact = Exact::new();
    let truth = exact.values(|_, cell| rule(&(cell as u8)));
    let features = |cell: &u8| OneHot::<CELLS>.encode::<A>(&usize::from(*cell));
    let ruled = Prediction::new(features, rule);
    for (config, targets) in [
        (paper(), Targets::MonteCarlo),
        (LearnerConfig::predictable(), Targets::MonteCarlo),
        (LearnerConfig::predictable(), Targets::OneStep),
    ] {
        let learner = logged::<A, u8, CELLS, CELLS>(config, targets);
        let sim = run::<A, _, _, CELLS>(learner.clone(), &ruled, exploring(100), 20_000, 1);
        let error = |cell: usize| (to_f64(sim.value(&ruled, &(cell as u8)).unwrap()) - truth[cell]).abs();
        let error = exact.states().map(error).into_iter().fold(0.0, f64::max);
        assert!(error < 0.02, "{:?}, {targets:?}: {error}", config.rule);

        // A world that does the same without being told gives the same bits, and neither has drawn a random number.
        let grid = Grid::new().unwrap();
        let mut drift = Drift(Walk::<A>::new(&grid, 1), 0);
        let mut rng = Xoshiro128PlusPlus::seed_from_u64(7);
        let mut watching = Sim::<A, _>::new(learner, exploring(100)).unwrap();
        for _ in 0..20_000 {
            watching.run_episode(&mut drift, &Prediction::without_actions(features), &mut rng);
        }
        assert_eq!(watching.learner().weights(), sim.learner().weights());
        assert_eq!(rng, Xoshiro128PlusPlus::seed_from_u64(7));
    }
}

#[test]
fn prediction_finds_the_values_of_a_fixed_rule() {
    predicts::<f32>(f64::from);
    predicts::<Q28>(|value| value.to_num());
    predicts::<Q24>(|value| value.to_num());
}

/// One state, the reward 1, and no end.
struct Treadmill;

impl World<f32> for Treadmill {
    type State = u8;
    fn begin(&mut self) -> u8 {
        0
    }
    fn act(&mut self, _: usize) -> Transition<f32, u8> {
        Transition { reward: 1.0, next: Some(0) }
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
        fn act(&mut self, _: usize) -> Transition<f32, u8> {
            self.0 += 1;
            let reward = if self.0.is_multiple_of(2) { f32::NAN } else { 1.0 };
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
    for (start, half_after) in [(1.5, 1), (-0.5, 1), (f32::NAN, 1), (0.5, 0)] {
        let config = SimConfig { exploration: Exploration { start, half_after }, max_steps: 1 };
        assert_eq!(Sim::<f32, _>::new((), config).unwrap_err(), ConfigError::Epsilon);
    }
    for gamma in [-0.5, 1.5, f32::NAN] {
        let logged = Logged::<f32, u8, 1, 1, 1>::new(Learner::default(), gamma, Targets::MonteCarlo);
        let streamed = Streamed::<f32, u8, 1, 1>::new(LearnerConfig::predictable(), gamma, |key| (*key).into());
        assert_eq!((logged.unwrap_err(), streamed.unwrap_err()), (ConfigError::Gamma, ConfigError::Gamma));
    }
    let mut learner = Streamed::<f32, u8, 1, 1>::new(LearnerConfig::predictable(), 0.5, |key| (*key).into()).unwrap();
    assert_eq!(learner.record(0, &[1.0], f32::NAN), Recorded::BadReward);
    assert_eq!(learner.record(0, &[1.0], 1.0), Recorded::First, "the first that counted");
    assert_eq!((learner.end_episode().dropped, learner.step_length()), (1, None));
}

#[test]
fn until_stops_where_steps_are_small_or_episodes_run_out() {
    let grid = Grid::<f32>::new().unwrap();
    let policy = LookAhead(&grid);
    let finish = |tolerance| {
        let mut sim = Sim::new(logged::<f32, u8, CELLS, CELLS>(paper(), Targets::MonteCarlo), exploring(100)).unwrap();
        let mut rng = Xoshiro128PlusPlus::seed_from_u64(2);
        let mut stop = StopTest::new(tolerance, 100, 3);
        let finished = sim.until(&mut Walk::new(&grid, 1), &policy, &mut rng, &mut stop, 3000);
        assert_eq!(finished.episodes, sim.episodes());
        sim.restart();
        assert_eq!((sim.episodes(), sim.learner().learner().steps()), (0, 0));
        finished
    };
    let early = finish(0.01);
    assert!(early.step_small && (100..3000).contains(&early.episodes), "{early:?}");
    let never = finish(0.0);
    assert!(!never.step_small && never.episodes == 3000);
}

/// What the device logs, line by line.
fn expected_log<A: Arithmetic<Scalar = f32, Target: PartialOrd>>(
    name: &str,
    bits: fn(A::Weight) -> u32,
) -> Vec<String> {
    let mut lines = Vec::new();
    let policy = learn::<A>(bits, |trail, outcome, weights| {
        let (k, explored, theta) = (outcome.update.k, outcome.explored, outcome.update.theta.to_bits());
        lines.push(format!("{name} {k} {trail} {explored} {theta:08x} {weights:08x?}"));
    });
    lines.push(format!("{name} policy {}", str::from_utf8(&policy.unwrap()).unwrap()));
    lines
}

#[test]
fn same_actions_and_bits_on_host_and_device_up_to_the_optimal_policy() {
    let mut expected = expected_log::<f32>("f32", f32::to_bits);
    assert_eq!(expected, expected_log::<f32>("f32", f32::to_bits), "the same seed, the same everything");
    expected.extend(expected_log::<Q28>("q28", |weight| weight.to_bits().cast_unsigned()));
    expected.extend(expected_log::<Q24>("q24", |weight| weight.to_bits().cast_unsigned()));
    assert_eq!(expected.len(), 3 * (EPISODES as usize + 1));

    let mut optimal = *b"...GL#T.....";
    let exact = Exact::new();
    for (cell, (action, _)) in exact.states().into_iter().zip(exact.optimal_policy()) {
        optimal[cell] = b"NESW"[action];
    }
    let optimal = str::from_utf8(&optimal).unwrap();
    for name in ["f32", "q28", "q24"] {
        assert!(expected.contains(&format!("{name} policy {optimal}")), "{name}: {:?}", expected.last());
    }

    let board = &Board::all()[0];
    assert_eq!(board.core, "Cortex-M4F");
    let elf = firmware::build(board, "mdp", &[]).unwrap();
    let log = Qemu::new(board, elf).run(|_| ()).unwrap().success().unwrap();
    expected.push("done".into());
    for (device, host) in log.iter().zip(&expected) {
        assert_eq!(device.message, *host);
    }
    assert_eq!(log.len(), expected.len());
}
