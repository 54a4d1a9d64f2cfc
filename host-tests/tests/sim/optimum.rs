//! With or without a model, with or without a log: the greedy policy becomes the optimal one.

use osculate::control::Policy;
use osculate::features::{FeatureMap, OneHot, PerAction};
use osculate::{
    ActionValues, Agent, Arithmetic, Branch, Exploration, LookAhead, Model, Q24, Q28, RowError, Schedule, StoredConfig,
    Streaming, StreamingConfig, Targets, Theta,
};
use osculate::{Episodic, Space};
use osculate_host_tests::worlds::grid::Exact;

use osculate_programs::grid::{CELLS, GAMMA, Grid, MAP};

use crate::{PAPER, PREDICTABLE, TABLE, exploring, logged, number, run, streaming, table};

const SEEDS: u64 = 8;

/// For all seeds: the greedy action is the optimal one in every state.
fn reaches_the_optimum<A: Arithmetic, L, P, const N: usize>(
    learner: impl Fn() -> L,
    policy: P,
    exploration: Exploration,
    episodes: u32,
) where
    P: Policy<A, N, Observation = usize> + Copy,
    L: Episodic<Space = Space<A, N>>,
{
    let exact = Exact::new();
    let optimal: Vec<usize> = exact.optimal_policy().into_iter().map(|(action, _)| action).collect();
    for seed in 0..SEEDS {
        let agent = run(learner(), policy, exploration, episodes, seed);
        let greedy = exact.states().map(|cell| agent.greedy(&cell));
        assert_eq!(greedy, *optimal, "{}, seed {seed}, {episodes} episodes", std::any::type_name::<L>());
    }
}

/// A constant and the two coordinates.
#[derive(Clone, Copy)]
struct Plane;

impl FeatureMap<3> for Plane {
    type Observation = usize;
    fn features(&self, cell: &usize) -> Result<[f32; 3], RowError> {
        Ok([1.0, (cell % 4) as f32 - 1.5, 1.0 - (cell / 4) as f32])
    }
}

#[test]
fn the_model_is_the_exact_one_and_a_short_sight_is_wrong() {
    let exact = Exact::new();
    for (cell, action) in exact.states().into_iter().flat_map(|cell| (0..4).map(move |action| (cell, action))) {
        let (mut chance, mut reward) = ([0.0; CELLS], 0.0);
        for likely in Grid.outcomes(&cell, action) {
            let p = f64::from(likely.probability);
            reward += p * f64::from(likely.reward);
            likely.next.inspect(|next| chance[*next] += p);
        }
        assert_eq!((&chance[..], reward), (exact.chance(cell, action), exact.reward(cell, action)));
    }
    assert!(exact.optimal_policy().iter().all(|(_, margin)| *margin > 0.07), "no ties");
    let short_sighted = |cell: &usize| exact.best(&[0.0; CELLS], *cell) != exact.best(&exact.optimal_values(), *cell);
    assert!(exact.states().iter().filter(|cell| short_sighted(cell)).count() >= 4);
}

/// Four ways out of state 0; state 1 is a dead end, and state 2 has no features.
struct Crossing;

impl Model for Crossing {
    type State = usize;
    fn actions(&self, _: &usize) -> usize {
        4
    }
    fn outcomes(&self, _: &usize, action: usize) -> impl Iterator<Item = Branch<usize>> {
        let outcomes: &[(f32, f32, Option<usize>)] = match action {
            0 => &[(1.0, 9.0, Some(2))],
            // With γ = ½ and the weights [0, 1]: ½·(½·1) + ½·¼ = ⅜.
            1 => &[(0.5, 0.0, Some(1)), (0.5, 0.25, None)],
            2 => &[(1.0, 0.4375, None)],
            _ => &[(1.0, -0.0625, Some(1))],
        };
        outcomes.iter().map(|&(probability, reward, next)| Branch { probability, reward, next })
    }
}

fn decides<A: Arithmetic>() {
    let decide = |gamma, weights: [f32; 2]| {
        let learner = Streaming::<A, 2>::new(StreamingConfig { gamma, ..StreamingConfig::DEFAULT });
        let agent = Agent::new(learner, LookAhead::new(Crossing, OneHot::<2>), Exploration::NONE, 0);
        agent.with_weights(weights.map(A::weight)).greedy(&0)
    };
    assert_eq!(decide(0.5, [0.0, 1.0]), 2, "7/16 and 7/16 beat 3/8: the first of them");
    assert_eq!(decide(0.75, [0.0, 1.0]), 3, "11/16 beats 1/2 and 7/16");
    assert_eq!(decide(0.75, [0.0, 0.0]), 2, "what is certain beats what is worth nothing");
}

#[test]
fn the_greedy_action_is_the_first_of_the_best() {
    decides::<f32>();
    decides::<Q28>();
    decides::<Q24>();
}

fn with_a_model<A: Arithmetic>() {
    let sloped = LookAhead::new(Grid, Plane).by_state(number);
    for config in [PAPER, PREDICTABLE] {
        for targets in [Targets::MonteCarlo, Targets::OneStep] {
            let config = StoredConfig { targets, ..config };
            reaches_the_optimum(|| logged::<A, CELLS, CELLS>(config), table(), exploring(100), 5000);
            reaches_the_optimum(|| logged::<A, 3, CELLS>(config), sloped, exploring(100), 5000);
        }
    }
    let exact = Exact::new();
    let agent = run(logged::<A, CELLS, CELLS>(PAPER), table(), exploring(100), 20_000, 0);
    for (cell, value) in exact.optimal_values().into_iter().enumerate().filter(|(cell, _)| MAP[*cell] == b'.') {
        let learned = f64::from(agent.value(&cell).unwrap());
        assert!((learned - value).abs() < 0.05, "cell {cell}: {learned} instead of {value}");
    }
    // The paper's own gain. Under 1/k the values of early policies fade slowly, unless states share weights.
    let harmonic = StoredConfig { gamma: GAMMA, ..StoredConfig::PAPER };
    assert_eq!((harmonic.theta, harmonic.schedule), (Theta::SameBatch, Schedule::Harmonic));
    reaches_the_optimum(|| logged::<A, 3, CELLS>(harmonic), sloped, exploring(100), 20_000);
}

#[test]
fn without_a_log_in_every_arithmetic() {
    reaches_the_optimum(streaming::<f32>, table(), exploring(100), 5000);
    reaches_the_optimum(streaming::<Q28>, table(), exploring(100), 5000);
    reaches_the_optimum(streaming::<Q24>, table(), exploring(100), 5000);
}

/// One weight per cell and action, and no model: the loop has to discover where actions lead.
fn without_a_model<A: Arithmetic>() {
    let policy = ActionValues::new(4, PerAction::<_, CELLS>::new(TABLE)).by_state(number);
    let gain = Schedule::Constant(1.0 / 32.0);
    let config = StoredConfig { targets: Targets::OneStep, schedule: gain, ..PREDICTABLE };
    reaches_the_optimum(|| logged::<A, 48, 48>(config), policy, exploring(1000), 40_000);
}

/// Each is a separate test, so that they run in parallel.
macro_rules! in_every_arithmetic {
    ($($with:ident, $without:ident: $arithmetic:ty;)*) => {$(
        #[test]
        fn $with() {
            with_a_model::<$arithmetic>();
        }
        #[test]
        fn $without() {
            without_a_model::<$arithmetic>();
        }
    )*};
}
in_every_arithmetic! {
    with_a_model_in_f32, without_a_model_in_f32: f32;
    with_a_model_in_q28, without_a_model_in_q28: Q28;
    with_a_model_in_q24, without_a_model_in_q24: Q24;
}
