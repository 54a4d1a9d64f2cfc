//! γ > 0: a walk on a ring whose true values are known at every step.

use osculate::{Arithmetic, Predictor, Q24, Q28, TrackingConfig};

use super::problem::normal;
use super::table::{Tuned, least, medians};
use super::{ROWS, TUNING_SEEDS};
use crate::reference::plain_tracking::{Config, Tracking, dot};
use crate::worlds::{Dice, gaussian};

const STATES: usize = 25;
const FEATURES: usize = 10;
const GAMMA: f64 = 0.9;
const LAMBDA: f64 = 0.8;
const NOISE: f64 = 0.5;

/// The names of the cases: w* stays, walks, or is replaced every 5 000 steps.
pub const MARKOV_CASES: [&str; 5] = ["stationary", "q = .001", "q = .003", "q = .01", "jumps"];

/// A walk to a neighbour, three times out of four to the next one; one step in ten leads anywhere. A reward is φ·w* −
/// γ E[φ′]·w* and noise, so the values are φ·w*, whatever w* is at present.
struct Ring {
    dice: Dice,
    features: Vec<Vec<f64>>,
    /// E[φ′] of each state.
    next_features: Vec<Vec<f64>>,
    truth: Vec<f64>,
    case: usize,
    state: usize,
    row: usize,
}

impl Ring {
    fn new(case: usize, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        // The interface of the learners has f32.
        let rounded = |x: f64| f64::from(x as f32);
        let features: Vec<Vec<f64>> =
            (0..STATES).map(|_| normal(&mut dice, FEATURES).into_iter().map(rounded).collect()).collect();
        let next_features = (0..STATES).map(|state| {
            let mean = |i: usize| {
                let anywhere = features.iter().map(|phi| phi[i]).sum::<f64>() / STATES as f64;
                let (after, before) = (features[(state + 1) % STATES][i], features[(state + STATES - 1) % STATES][i]);
                0.1 * anywhere + 0.9 * (0.75 * after + 0.25 * before)
            };
            (0..FEATURES).map(mean).collect()
        });
        let next_features = next_features.collect();
        let truth = normal(&mut dice, FEATURES);
        Self { dice, features, next_features, truth, case, state: 0, row: 0 }
    }

    /// Takes a step and returns the reward.
    fn step(&mut self) -> f64 {
        let q: f64 = [0.0, 0.001, 0.003, 0.01, 0.0][self.case];
        if q > 0.0 {
            for w in &mut self.truth {
                *w = (1.0 - q * q).sqrt() * *w + q * gaussian(&mut self.dice);
            }
        } else if self.case == 4 && self.row > 0 && self.row.is_multiple_of(5_000) {
            self.truth = normal(&mut self.dice, FEATURES);
        }
        let reward = dot(&self.features[self.state], &self.truth)
            - GAMMA * dot(&self.next_features[self.state], &self.truth)
            + NOISE * gaussian(&mut self.dice);
        self.state = match (self.dice.below(10), self.dice.below(4)) {
            (0, _) => self.dice.below(STATES as u32) as usize,
            (_, 0) => (self.state + STATES - 1) % STATES,
            _ => (self.state + 1) % STATES,
        };
        self.row += 1;
        f64::from(reward as f32)
    }

    /// The mean squared error of all values, in units of the noise's variance.
    fn error(&self, w: &[f64]) -> f64 {
        let difference: Vec<f64> = w.iter().zip(&self.truth).map(|(a, b)| a - b).collect();
        let squares: f64 = self.features.iter().map(|phi| dot(phi, &difference).powi(2)).sum();
        squares / STATES as f64 / (NOISE * NOISE)
    }
}

/// A learner of values.
trait Values {
    fn step(&mut self, phi: &[f64], reward: f64, next: &[f64]);
    fn weights(&self) -> Vec<f64>;
}

/// TD(λ) with accumulating traces and a constant step.
struct Td {
    w: Vec<f64>,
    trace: Vec<f64>,
    step: f64,
}

impl Td {
    const STEPS: [f64; 10] = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];

    fn new(step: f64) -> Self {
        Self { w: vec![0.0; FEATURES], trace: vec![0.0; FEATURES], step }
    }
}

impl Values for Td {
    fn step(&mut self, phi: &[f64], reward: f64, next: &[f64]) {
        let error = reward + GAMMA * dot(next, &self.w) - dot(phi, &self.w);
        for ((w, z), x) in self.w.iter_mut().zip(&mut self.trace).zip(phi) {
            *z = GAMMA * LAMBDA * *z + x;
            *w += self.step * error * *z;
        }
    }

    fn weights(&self) -> Vec<f64> {
        self.w.clone()
    }
}

impl Values for Tracking {
    fn step(&mut self, phi: &[f64], reward: f64, next: &[f64]) {
        Self::step(self, phi, reward, Some(next));
    }

    fn weights(&self) -> Vec<f64> {
        self.w.clone()
    }
}

impl<A: Arithmetic> Values for Predictor<osculate::Tracking<A, FEATURES>> {
    /// It knows where it is; every step says where it leads.
    fn step(&mut self, _: &[f64], reward: f64, next: &[f64]) {
        // Every row here is usable.
        _ = Self::step(self, reward as f32, &std::array::from_fn(|i| next[i] as f32));
    }

    fn weights(&self) -> Vec<f64> {
        Self::weights(self).iter().map(|&w| w.into()).collect()
    }
}

/// `tracking` with its defaults, waiting in a state.
fn tracking<A: Arithmetic + 'static>(phi: &[f64]) -> Box<dyn Values> {
    let config = TrackingConfig { gamma: GAMMA as f32, lambda: LAMBDA as f32, ..TrackingConfig::DEFAULT };
    let mut predictor = Predictor::new(osculate::Tracking::<A, FEATURES>::new(config).expect("a valid config"));
    _ = predictor.begin(&std::array::from_fn(|i| phi[i] as f32));
    Box::new(predictor)
}

/// Median errors of the values over all states, in units of the variance of the rewards' noise.
#[derive(Clone, Debug)]
pub struct MarkovCell {
    /// The case.
    pub case: &'static str,
    /// `tracking` by arithmetic, as [`ARITHMETICS`](super::ARITHMETICS) lists them.
    pub tracking: Vec<f64>,
    /// Its mathematics.
    pub reference: f64,
    /// TD(λ).
    pub td: Tuned,
}

/// Runs the comparison for one of the [`MARKOV_CASES`].
pub fn markov_cell(case: usize, seeds: u64) -> MarkovCell {
    let steps = TUNING_SEEDS.map(|seed| {
        let mut all = Td::STEPS.map(|step| Box::new(Td::new(step)) as Box<dyn Values>);
        run(&mut all, Ring::new(case, seed))
    });
    let step = least(&Td::STEPS, &medians(steps));
    let errors = medians((0..seeds).map(|seed| {
        let config = Config { gamma: GAMMA, lambda: LAMBDA, ..Config::DEFAULT };
        let ring = Ring::new(case, seed);
        let phi = &ring.features[ring.state];
        let reference = Box::new(Tracking::new(FEATURES, config));
        let [a, b, c, d] = [tracking::<f64>, tracking::<f32>, tracking::<Q28>, tracking::<Q24>].map(|new| new(phi));
        let mut all = [a, b, c, d, reference, Box::new(Td::new(step))];
        run(&mut all, ring)
    }));
    let [tracking @ .., reference, td] = errors.as_slice() else { unreachable!("two follow the arithmetics") };
    MarkovCell {
        case: MARKOV_CASES[case],
        tracking: tracking.to_vec(),
        reference: *reference,
        td: Tuned { parameter: step, error: *td },
    }
}

fn run(all: &mut [Box<dyn Values>], mut ring: Ring) -> Vec<f64> {
    let mut errors = vec![0.0; all.len()];
    for row in 0..ROWS {
        let state = ring.state;
        let reward = ring.step();
        for (error, one) in errors.iter_mut().zip(all.iter_mut()) {
            one.step(&ring.features[state], reward, &ring.features[ring.state]);
            if row >= ROWS / 4 {
                // A diverged learner stays the worst, whatever becomes of its numbers.
                let squared = ring.error(&one.weights());
                *error += if squared.is_finite() { squared } else { f64::MAX / ROWS as f64 };
            }
        }
    }
    errors.iter().map(|error| error / (ROWS - ROWS / 4) as f64).collect()
}
