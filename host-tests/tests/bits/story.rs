//! Inputs: random parameters, states and episodes, including everything that can go wrong.

use osculate_host_tests::reference::rounded::{Rule, Settings};
use osculate_host_tests::reference::{Gain, Parameters};
use osculate_host_tests::worlds::{Dice, row};

use crate::way::{BATCH, Plan, Source};

/// The number of bits in a one-word set.
const MOST_STATES: u32 = 32;
/// More than fit in a log.
const MOST_STEPS: u32 = 60;

/// Picks one of these uniformly.
fn one_of<T: Copy>(dice: &mut Dice, choices: &[T]) -> T {
    choices[dice.below(choices.len() as u32) as usize]
}

/// True once in this many calls on average.
fn once_in(dice: &mut Dice, times: u32) -> bool {
    dice.below(times) == 0
}

/// Uniform in [from, to), exact in f32.
fn between(dice: &mut Dice, from: f32, to: f32) -> f32 {
    from + (to - from) * (dice.uniform() + 1.0) / 2.0
}

/// A learner with parameters from the whole of their ranges.
///
/// No β or γ is small unless it is 0. Powers of a small one would become subnormal, which the reference does not model.
pub(crate) fn plan(dice: &mut Dice, source: Source, rules: &[Rule]) -> Plan {
    let gain = match dice.below(4) {
        0 => Gain::Harmonic,
        1 => Gain::ThreeQuarters,
        2 => Gain::Constant(1.0),
        _ => Gain::Constant(between(dice, 0.05, 1.25).into()),
    };
    let beta = match dice.below(4) {
        0 => 0.0,
        1 => 0.5,
        2 => 0.9_f32,
        _ => between(dice, 0.5, 0.97),
    };
    let gamma = match dice.below(4) {
        0 => 0.0,
        1 => 1.0,
        2 => 0.9375,
        _ => between(dice, 0.5, 1.0),
    };
    let theta_cap = match dice.below(4) {
        0 => None,
        1 => Some(1e6),
        2 => Some(1.0),
        _ => Some(f64::from(between(dice, 1.0, 8.0))),
    };
    let (mut skip_below, mut curvature_every) = (0.0, 1);
    if source != Source::Streaming {
        skip_below = one_of(dice, &[0.0, 1e-6, 1e-6, 0.125]);
        curvature_every = one_of(dice, &[1, 2, 3, 8]);
    }
    let parameters = Parameters { gain, beta: beta.into(), skip_below };
    let settings = Settings { rule: one_of(dice, rules), parameters, theta_cap, curvature_every };
    Plan { n: 1 + dice.below(32) as usize, source, settings, gamma }
}

/// A state: its features, its mean reward and the noise on it.
struct State {
    phi: Vec<f32>,
    reward: f32,
    noise: f32,
}

/// States to walk through.
pub(crate) struct World {
    states: Vec<State>,
    plan: Plan,
}

/// A step, as passed to the learners.
pub(crate) struct Step {
    pub(crate) state: u32,
    pub(crate) phi: Vec<f32>,
    pub(crate) number: f32,
}

/// An episode, and the features of the state in which it was cut, if any.
pub(crate) struct Episode {
    pub(crate) steps: Vec<Step>,
    pub(crate) cut: Option<Vec<f32>>,
}

impl World {
    /// States with features in units up to 2^±20: dense, sparse, along one axis, or almost equal to those of another
    /// state.
    pub(crate) fn new(dice: &mut Dice, plan: &Plan) -> Self {
        let spread = one_of(dice, &[0, 6, 20]);
        let reward_has_unit = !once_in(dice, 4);
        let count = 1 + dice.below(MOST_STATES);
        let mut states: Vec<State> = Vec::new();
        for _ in 0..count {
            let unit = 2_f32.powi(dice.below(2 * spread + 1) as i32 - spread as i32);
            let mut phi: Vec<f32> = row(dice, plan.n).iter().map(|x| x * unit).collect();
            match dice.below(10) {
                0 => phi = axis(dice, plan.n, unit),
                1 => phi.iter_mut().for_each(|x| *x *= dice.below(2) as f32),
                2 | 3 if !states.is_empty() => {
                    let other = &states[dice.below(states.len() as u32) as usize];
                    phi = other.phi.iter().map(|x| x * (1.0 + dice.uniform() / 512.0)).collect();
                }
                4 if once_in(dice, 2) => spoil(dice, &mut phi),
                _ => {}
            }
            let scale = if reward_has_unit { 4.0 * unit } else { 1.0 };
            let noise = scale * one_of(dice, &[0.03125, 0.5]);
            states.push(State { phi, reward: dice.uniform() * scale, noise });
        }
        Self { states, plan: *plan }
    }

    /// A walk through the states. Some episodes have no usable row, some have no rewards, and single readings fail.
    pub(crate) fn episode(&self, dice: &mut Dice) -> Episode {
        let most = if self.plan.source == Source::Rows { BATCH as u32 } else { MOST_STEPS };
        let is_short = once_in(dice, 4);
        let count = 1 + dice.below(if is_short { 3 } else { most });
        let (is_blind, is_poor) = (once_in(dice, 30), once_in(dice, 20));
        let steps = (0..count).map(|_| {
            let (state, mut phi) = self.any(dice);
            let State { reward, noise, .. } = self.states[state as usize];
            let mut number = if is_poor { 0.0 } else { reward + noise * dice.uniform() };
            if is_blind || once_in(dice, 60) {
                spoil(dice, &mut phi);
            }
            if once_in(dice, 60) {
                number = one_of(dice, &[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
            }
            Step { state, phi, number }
        });
        let steps = steps.collect();
        let cut = once_in(dice, 4).then(|| self.any(dice).1).filter(|phi| phi.iter().all(|x| x.is_finite()));
        Episode { steps, cut }
    }

    /// Any state, and its features.
    pub(crate) fn any(&self, dice: &mut Dice) -> (u32, Vec<f32>) {
        let state = dice.below(self.states.len() as u32);
        (state, self.states[state as usize].phi.clone())
    }

    /// Two rows along one axis. Each target is finite in f32, but the sum of the projections is not.
    pub(crate) fn too_much(&self, dice: &mut Dice) -> Episode {
        let phi = axis(dice, self.plan.n, 1.0);
        let most = between(dice, 1.05, 1.9) * 2_f32.powi(127);
        // A return includes the later reward.
        let first = match self.plan.source {
            Source::Rows | Source::OneStep => most,
            Source::Returns | Source::Streaming => most * (1.0 - self.plan.gamma),
        };
        let steps = [first, most].into_iter().zip(0..).map(|(number, state)| Step { state, phi: phi.clone(), number });
        Episode { steps: steps.collect(), cut: None }
    }

    /// Rewards near the largest f32, in up to three states along at most two axes: sums, returns and steps leave the
    /// range.
    ///
    /// Each product φ·w has one term. So the result itself leaves the range, never a partial sum that would come back.
    pub(crate) fn out_of_range(&self, dice: &mut Dice) -> Episode {
        let unit = one_of(dice, &[0.5, 1.0, 2.0]);
        let axes = [axis(dice, self.plan.n, unit), axis(dice, self.plan.n, unit)];
        let steps = (0..1 + dice.below(3)).map(|state| {
            let phi = axes[dice.below(2) as usize].clone();
            let sign = one_of(dice, &[1.0, 1.0, -1.0]);
            Step { state, phi, number: sign * between(dice, 1.0, 3.9) * 2_f32.powi(126) }
        });
        Episode { steps: steps.collect(), cut: None }
    }
}

/// A feature vector along one random axis.
fn axis(dice: &mut Dice, n: usize, unit: f32) -> Vec<f32> {
    let mut phi = vec![0.0; n];
    phi[dice.below(n as u32) as usize] = unit;
    phi
}

/// Makes features unusable.
fn spoil(dice: &mut Dice, phi: &mut [f32]) {
    match dice.below(3) {
        0 => phi.fill(0.0),
        1 => phi[dice.below(phi.len() as u32) as usize] = f32::NAN,
        _ => phi[dice.below(phi.len() as u32) as usize] = f32::INFINITY,
    }
}
