//! With a model or without, with a log or without: the greedy policy becomes the optimal one.

use osculate::episodic::{Episodic, Streamed, Targets};
use osculate::features::{FeatureMap, OneHot};
use osculate::policy::{ActionValues, LookAhead, Policy};
use osculate::world::{Model, Transition};
use osculate::{Arithmetic, LearnerConfig, Q24, Q28, RowError, Rule, Scalar, Schedule, SimConfig};
use osculate_host_tests::worlds::grid::{CELLS, Exact, Grid, MAP};

use crate::{exploring, logged, paper, run};

const SEEDS: u64 = 8;

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
        learner.record(key, &features.unwrap(), Some(1.0));
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
