//! Rewards that few episodes ever see: how near the rules come to the exact values.

use osculate::visits::VisitSet;
use osculate::{Episode, Learner, LearnerConfig, StreamingLearner};
use osculate_host_tests::worlds::Dice;

const SIDE: u32 = 4;
const CELLS: usize = (SIDE * SIDE) as usize;
const START: u32 = 0;
const GOAL: u32 = 15;
/// Falling into one ends an episode without a reward.
const HOLES: [u32; 4] = [3, 5, 9, 11];
const GAMMA: f64 = 0.9;
const EPISODES: usize = 6_000;
const SEEDS: u64 = 9;

/// Where a walk on ice goes in one of four directions; against a wall it stays.
fn slide(cell: u32, direction: u32) -> u32 {
    let (row, column) = (cell / SIDE, cell % SIDE);
    match direction {
        0 if column > 0 => cell - 1,
        1 if row + 1 < SIDE => cell + SIDE,
        2 if column + 1 < SIDE => cell + 1,
        3 if row > 0 => cell - SIDE,
        _ => cell,
    }
}

fn ends(cell: u32) -> bool {
    cell == GOAL || HOLES.contains(&cell)
}

fn reward(cell: u32) -> f64 {
    if cell == GOAL { 1.0 } else { 0.0 }
}

/// Values under random steps, by dynamic programming. Whichever way the ice turns a random step, it goes everywhere alike.
fn exact() -> [f64; CELLS] {
    let mut values = [0.0; CELLS];
    for _ in 0..1_000 {
        values = std::array::from_fn(|cell| {
            let cell = cell as u32;
            let worth = |next: u32| reward(next) + GAMMA * values[next as usize];
            if ends(cell) { 0.0 } else { (0..4).map(|direction| worth(slide(cell, direction))).sum::<f64>() / 4.0 }
        });
    }
    values
}

fn one_hot(cell: u32) -> [f32; CELLS] {
    std::array::from_fn(|index| if index == cell as usize { 1.0 } else { 0.0 })
}

/// The steps of an episode: the cell that was left, and the reward for it.
fn walk(dice: &mut Dice) -> Vec<(u32, f32)> {
    let (mut cell, mut steps) = (START, Vec::new());
    while !ends(cell) {
        let next = slide(cell, dice.below(4));
        steps.push((cell, reward(next) as f32));
        cell = next;
    }
    steps
}

fn distance(weights: &[f32; CELLS], values: &[f64; CELLS]) -> f64 {
    let squares: f64 = weights.iter().zip(values).map(|(w, v)| (f64::from(*w) - v).powi(2)).sum();
    (squares / values.iter().map(|v| v * v).sum::<f64>()).sqrt()
}

fn stored(config: LearnerConfig<f32>, seed: u64) -> [f32; CELLS] {
    let mut dice = Dice::new(seed);
    let mut learner = Learner::<f32, CELLS>::new(config).unwrap();
    let mut episode = Box::new(Episode::<f32, u32, CELLS, 1_024, CELLS>::new());
    for _ in 0..EPISODES {
        for (cell, reward) in walk(&mut dice) {
            episode.record(cell, &one_hot(cell), reward);
        }
        assert!(!episode.is_full());
        learner.update(episode.monte_carlo(GAMMA as f32).unwrap());
    }
    *learner.estimate()
}

fn streamed(seed: u64) -> [f32; CELLS] {
    let mut dice = Dice::new(seed);
    let mut learner = StreamingLearner::<f32, CELLS>::new(LearnerConfig::predictable(), GAMMA as f32).unwrap();
    for _ in 0..EPISODES {
        let mut visits = VisitSet::<1>::new();
        for (cell, reward) in walk(&mut dice) {
            learner.step(&one_hot(cell), visits.visit(cell) == Some(true), reward).unwrap();
        }
        learner.end_episode();
    }
    *learner.averaged()
}

/// Median over seeds of the relative distance to the exact values.
fn median(name: &str, weights: impl Fn(u64) -> [f32; CELLS]) -> f64 {
    let exact = exact();
    let mut errors: Vec<f64> = (0..SEEDS).map(|seed| distance(&weights(seed), &exact)).collect();
    errors.sort_by(f64::total_cmp);
    println!("{name}: {:.3}, in {:.3} to {:.3}", errors[errors.len() / 2], errors[0], errors[errors.len() - 1]);
    errors[errors.len() / 2]
}

/// All updates before the first success are skipped. If they did not use up their k, the first success would come with
/// η = 1, and momentum would double it.
#[test]
fn values_of_a_slippery_grid_come_near_the_exact_ones() {
    let paper = median("paper", |seed| stored(LearnerConfig::default(), seed));
    let predictable = median("predictable", |seed| stored(LearnerConfig::predictable(), seed));
    let streaming = median("streaming", streamed);
    assert!(paper < 0.8, "{paper}");
    assert!(predictable < 0.3, "{predictable}");
    assert!(streaming < 0.3, "{streaming}");
}
