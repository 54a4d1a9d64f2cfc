//! Compares rules on equal data: the distance of each from w* after the same number of episodes.

use std::fmt;
use std::num::NonZeroU32;

use osculate::{Arithmetic, Log, Predictor, Stored, StoredConfig, Streaming, StreamingConfig, Theta, words};

use crate::reference::Row;
use crate::reference::closed_form::{relative_error, scale_invariant};
use crate::worlds::{Chain, Dice, NoisyStates, Weighting};

const STATES: usize = 25;
const FEATURES: usize = 10;
/// Rows per episode for independent states.
const TAU: usize = 5;

/// The relative errors of one learner, one per seed.
#[derive(Clone, Debug)]
pub struct Errors {
    /// The name of the learner.
    pub name: String,
    /// One per seed, sorted.
    pub errors: Vec<f64>,
}

impl Errors {
    fn new(name: &str, mut errors: Vec<f64>) -> Self {
        errors.sort_by(f64::total_cmp);
        Self { name: name.into(), errors }
    }

    /// The median error.
    pub fn median(&self) -> f64 {
        let middle = self.errors.len() / 2;
        if self.errors.len().is_multiple_of(2) {
            (self.errors[middle - 1] + self.errors[middle]) / 2.0
        } else {
            self.errors[middle]
        }
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (self.errors.first().unwrap_or(&f64::NAN), self.errors.last().unwrap_or(&f64::NAN));
        write!(f, "{:<28} median {:.4}   from {:.4} to {:.4}", self.name, self.median(), least, most)
    }
}

/// A predictor that stores the rows of an episode.
type FromRows<A> = Predictor<Stored<Log<A, FEATURES, 1, STATES>>>;

fn from_rows<A: Arithmetic>(config: StoredConfig) -> FromRows<A> {
    Predictor::new(Stored::new(config, Log::new()).expect("a valid config"))
}

fn update<A: Arithmetic>(predictor: &mut FromRows<A>, rows: &[Row]) {
    for (phi, v) in rows {
        // Every row here is usable.
        _ = predictor.learn(*v, phi.as_slice().try_into().expect("the world has this many features"));
    }
    predictor.end();
}

/// Runs `PAPER`, `PREDICTABLE`, and `PREDICTABLE` that measures the curvature in every 8th episode, all on the same
/// episodes. Returns the errors of their estimates: w for the first, w̄ for the others.
fn rules(episodes: u32, solution: &nalgebra::DVector<f64>, mut rows: impl FnMut() -> Vec<Row>) -> [f64; 3] {
    let every = NonZeroU32::new(8).unwrap_or(NonZeroU32::MIN);
    let sparse = StoredConfig { theta: Theta::Past { every }, ..StoredConfig::PREDICTABLE };
    let mut predictors = [StoredConfig::PAPER, StoredConfig::PREDICTABLE, sparse].map(from_rows::<f32>);
    for _ in 0..episodes {
        let rows = rows();
        for predictor in &mut predictors {
            update(predictor, &rows);
        }
    }
    predictors.map(|predictor| relative_error(predictor.estimate(), solution))
}

fn named(errors: Vec<[f64; 3]>) -> [Errors; 3] {
    let names = ["paper, f32", "predictable, f32", "the same, c every 8th"];
    std::array::from_fn(|i| Errors::new(names[i], errors.iter().map(|errors| errors[i]).collect()))
}

/// `PAPER` against `PREDICTABLE`: 5 independent rows per episode, target noise ±½, mean targets that are consistent or
/// not.
pub fn independent_rows(seeds: u64, episodes: u32, consistent: bool) -> [Errors; 3] {
    let world = if consistent { NoisyStates::consistent } else { NoisyStates::contradictory };
    let run = |seed| {
        let world = world(seed, STATES, FEATURES, 0.5);
        let mut dice = Dice::new(seed + 1_000);
        rules(episodes, &world.solution(), || world.draw(&mut dice, TAU))
    };
    named((0..seeds).map(run).collect())
}

/// `PAPER` against `PREDICTABLE` on random chains of 25 states with rewards in [0, 2).
pub fn chain(seeds: u64, episodes: u32, weighting: Weighting) -> [Errors; 3] {
    let run = |seed| {
        let world = Chain::new(seed, STATES, FEATURES);
        let mut dice = Dice::new(seed + 1_000);
        rules(episodes, &world.solution(weighting), || world.rows(&world.episode(&mut dice)))
    };
    named((0..seeds).map(run).collect())
}

/// Runs a streaming learner on the episodes of a chain; returns the error of w̄.
fn streaming_error<A: Arithmetic>(world: &Chain, seed: u64, episodes: u32, weighting: Weighting) -> f64 {
    let config = StreamingConfig { gamma: Chain::GAMMA, ..StreamingConfig::DEFAULT };
    let learner = Streaming::<A, FEATURES, { words(STATES) }>::by_state(config);
    let mut predictor = Predictor::new(learner.expect("a valid config"));
    let mut dice = Dice::new(seed + 1_000);
    for _ in 0..episodes {
        let mut signal = None;
        for (state, reward) in world.episode(&mut dice) {
            let features = world.features(state).try_into().expect("the world has this many features");
            _ = predictor.step_at(state as u32, signal, features);
            signal = Some(reward);
        }
        predictor.last(signal);
        predictor.end();
    }
    relative_error(predictor.estimate(), &world.solution(weighting))
}

/// `Streaming` in four arithmetics against the exact solution for the same rows.
pub fn streaming(seeds: u64, episodes: u32, weighting: Weighting) -> Vec<Errors> {
    let worlds: Vec<Chain> = (0..seeds).map(|seed| Chain::new(seed, STATES, FEATURES)).collect();
    let each = |error: fn(&Chain, u64, u32, Weighting) -> f64| {
        worlds.iter().zip(0..).map(|(world, seed)| error(world, seed, episodes, weighting)).collect()
    };
    vec![
        Errors::new(
            "exact batch solution",
            each(|world, seed, episodes, weighting| {
                let mut dice = Dice::new(seed + 1_000);
                let rows: Vec<Row> = (0..episodes).flat_map(|_| world.rows(&world.episode(&mut dice))).collect();
                relative_error(scale_invariant(&rows).as_slice(), &world.solution(weighting))
            }),
        ),
        Errors::new("streaming, f64", each(streaming_error::<f64>)),
        Errors::new("streaming, f32", each(streaming_error::<f32>)),
        Errors::new("streaming, q28", each(streaming_error::<osculate::Q28>)),
        Errors::new("streaming, q24", each(streaming_error::<osculate::Q24>)),
    ]
}

/// The paper's rule in four arithmetics on one noisy world (τ uniform in 1..=25, noise ±½): the error of w after each
/// number of episodes.
pub fn noisy_paper(seed: u64, counts: &[u32]) -> Vec<(&'static str, Vec<f64>)> {
    fn errors<A: Arithmetic>(seed: u64, counts: &[u32]) -> Vec<f64> {
        let world = NoisyStates::consistent(seed, STATES, FEATURES, 0.5);
        let solution = world.solution();
        let mut dice = Dice::new(seed + 1_000);
        let mut predictor = from_rows::<A>(StoredConfig::PAPER);
        let mut k = 0;
        let mut error_at = |count: &u32| {
            while k < *count {
                let tau = 1 + dice.below(STATES as u32) as usize;
                update(&mut predictor, &world.draw(&mut dice, tau));
                k += 1;
            }
            relative_error(predictor.weights(), &solution)
        };
        counts.iter().map(&mut error_at).collect()
    }
    vec![
        ("f64", errors::<f64>(seed, counts)),
        ("f32", errors::<f32>(seed, counts)),
        ("q28", errors::<osculate::Q28>(seed, counts)),
        ("q24", errors::<osculate::Q24>(seed, counts)),
    ]
}
