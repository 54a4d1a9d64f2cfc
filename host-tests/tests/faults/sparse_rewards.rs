//! Rewards that only a few episodes see: how close the rules get to the exact values.

use osculate::{Episodic, Space};
use osculate::{Log, Predictor, Stored, StoredConfig, Streaming, StreamingConfig};
use osculate_host_tests::worlds::Dice;

const SIDE: u32 = 4;
const CELLS: usize = (SIDE * SIDE) as usize;
const START: u32 = 0;
const GOAL: u32 = 15;
/// Falling into a hole ends the episode without a reward.
const HOLES: [u32; 4] = [3, 5, 9, 11];
const GAMMA: f32 = 0.9;
const EPISODES: usize = 6_000;
const SEEDS: u64 = 9;

/// The next cell when sliding in one of four directions. A wall stops the slide in the same cell.
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

/// Values under random steps, by dynamic programming. However the ice turns a random step, all directions are equally
/// likely.
fn exact() -> [f64; CELLS] {
    let mut values = [0.0; CELLS];
    for _ in 0..1_000 {
        values = std::array::from_fn(|cell| {
            let cell = cell as u32;
            let worth = |next: u32| reward(next) + f64::from(GAMMA) * values[next as usize];
            if ends(cell) { 0.0 } else { (0..4).map(|direction| worth(slide(cell, direction))).sum::<f64>() / 4.0 }
        });
    }
    values
}

fn one_hot(cell: u32) -> [f32; CELLS] {
    std::array::from_fn(|index| if index == cell as usize { 1.0 } else { 0.0 })
}

/// The steps of an episode: the cell that was left, and the reward for leaving it.
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

fn learned(learner: impl Episodic<Space = Space<f32, CELLS>>, seed: u64) -> [f32; CELLS] {
    let mut dice = Dice::new(seed);
    let mut predictor = Predictor::new(learner);
    for _ in 0..EPISODES {
        for (cell, reward) in walk(&mut dice) {
            predictor.step_at(cell, None, &one_hot(cell)).unwrap();
            predictor.finish_with(reward);
        }
        predictor.end();
    }
    *predictor.estimate()
}

fn stored(config: StoredConfig, seed: u64) -> [f32; CELLS] {
    let config = StoredConfig { gamma: GAMMA, ..config };
    learned(Stored::new(config, Log::<f32, CELLS, 1_024, CELLS>::NEW), seed)
}

fn streamed(seed: u64) -> [f32; CELLS] {
    let config = StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT };
    learned(Streaming::<f32, CELLS, 1>::by_state(config), seed)
}

/// Median over seeds of the relative distance to the exact values.
fn median(name: &str, weights: impl Fn(u64) -> [f32; CELLS]) -> f64 {
    let exact = exact();
    let mut errors: Vec<f64> = (0..SEEDS).map(|seed| distance(&weights(seed), &exact)).collect();
    errors.sort_by(f64::total_cmp);
    println!("{name}: {:.3}, in {:.3} to {:.3}", errors[errors.len() / 2], errors[0], errors[errors.len() - 1]);
    errors[errors.len() / 2]
}

/// All updates before the first success are skipped. If they did not increment k, the first success would be learned
/// with η = 1, and momentum would double it.
#[test]
fn values_of_a_slippery_grid_come_near_the_exact_ones() {
    let paper = median("paper", |seed| stored(StoredConfig::PAPER, seed));
    let predictable = median("predictable", |seed| stored(StoredConfig::PREDICTABLE, seed));
    let streaming = median("streaming", streamed);
    assert!(paper < 0.8, "{paper}");
    assert!(predictable < 0.3, "{predictable}");
    assert!(streaming < 0.3, "{streaming}");
}
