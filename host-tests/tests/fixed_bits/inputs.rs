//! Settings, batches and episodes: ordinary ones, and those at the ends of the formats.

use osculate_host_tests::reference::Gain;
use osculate_host_tests::reference::fixed::{Episode, Phi, Row, Rule, Settings, Step, Targets};
use osculate_host_tests::worlds::{Dice, row};

use crate::subject::ROOM;

/// The maximum number of rows in a batch, except in the largest batches.
const MAX_ROWS: u32 = 64;
/// Special feature values in units of the row: at and around the point where a value rounds up to the next power of
/// two.
const EDGES: [f32; 8] = [1.0, -1.0, 0.999_999, -0.999_999, 0.999_985, -0.999_985, 0.0, 1e-5];
/// Exponents far from that of any target, down to where floats are subnormal and then zero.
const FAR: [i32; 7] = [-150, -135, -120, -60, 60, 90, 112];
/// The largest f32 below 1.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

/// The kind of input for a learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Numbers that fit.
    Calm,
    /// Sometimes, numbers that do not fit.
    Wild,
    /// Batches of pairs of nearly parallel rows that disagree, so that ϑ is large. Episodes are calm.
    Opposed,
}

impl Mood {
    pub(crate) fn any(dice: &mut Dice) -> Self {
        one_of(
            dice,
            [Self::Calm, Self::Calm, Self::Calm, Self::Wild, Self::Wild, Self::Wild, Self::Wild, Self::Opposed],
        )
    }
}

fn one_of<T: Copy, const N: usize>(dice: &mut Dice, choices: [T; N]) -> T {
    choices[dice.below(N as u32) as usize]
}

/// 64 random bits.
fn word(dice: &mut Dice) -> i64 {
    (i64::from(dice.bits() as i32) << 32) | i64::from(dice.bits())
}

/// γ, including its ends.
pub(crate) fn gamma(dice: &mut Dice) -> f32 {
    let any = dice.uniform().abs();
    one_of(dice, [0.0, 1.0, 0.5, 0.9, any, any, BELOW_ONE, 1e-40])
}

/// Settings for a rule. All but one in eight have sane step sizes.
pub(crate) fn settings(dice: &mut Dice, rule: Rule, targets: Targets) -> Settings {
    let share = 1.0 - dice.uniform().abs();
    let constant = one_of(dice, [share, share, 1.0, f32::MAX]);
    let gain =
        one_of(dice, [Gain::Harmonic, Gain::ThreeQuarters, Gain::ThreeQuarters, Gain::Constant(constant.into())]);
    let any = dice.uniform().abs();
    Settings {
        rule,
        gain,
        beta: one_of(dice, [0.0, 0.5, 0.5, 0.9, any, BELOW_ONE]),
        skip_below: one_of(dice, [0.0, 0.0, 1e-6, 0.05, 1.0, 8.0]),
        theta_cap: one_of(dice, [None, Some(1.0), Some(1.0 + any), Some(1.0 + 4.0 * any), Some(1e6), Some(f32::MAX)]),
        curvature_every: one_of(dice, [1, 1, 2, 3, 8]),
        gamma: gamma(dice),
        targets,
    }
}

/// The settings that apply to a streaming learner.
pub(crate) fn streaming_settings(dice: &mut Dice) -> Settings {
    let settings = settings(dice, Rule::Predictable, Targets::MonteCarlo);
    Settings { skip_below: 0.0, curvature_every: 1, ..settings }
}

/// Float features in a random unit, sometimes sparse or full of edge cases; and the unit.
fn float_phi(dice: &mut Dice, n: usize, spread: u32) -> (Phi, f32) {
    let unit = 2_f32.powi(dice.below(2 * spread + 1) as i32 - spread as i32);
    let mut phi = row(dice, n);
    let kind = dice.below(8);
    for x in &mut phi {
        match kind {
            0 if dice.below(3) > 0 => *x = 0.0,
            1 => *x = one_of(dice, EDGES),
            _ => {}
        }
        *x *= unit;
    }
    (Phi::Floats(phi), unit)
}

/// m·2^(exponent − P): in the format's own numbers if the exponent is 0, otherwise the nearest floats.
fn held(mantissas: Vec<i32>, exponent: i32, feature_bits: i32) -> Phi {
    let unit = 2_f64.powi(exponent - feature_bits);
    match exponent {
        0 => Phi::Integers(mantissas),
        _ => Phi::Floats(mantissas.into_iter().map(|m| (f64::from(m) * unit) as f32).collect()),
    }
}

/// About this many multiples of 2⁻³², and in range.
fn float(raw: i64) -> f32 {
    (raw as f32 / 2_f32.powi(32)).min(2_f32.powi(31).next_down())
}

/// Integer features of any length, including the most negative one; and roughly the exponent of the largest.
fn integer_phi(dice: &mut Dice, n: usize, feature_bits: i32) -> (Phi, i32) {
    let width = if feature_bits == 15 { 16 } else { 32 };
    let dropped = 32 - width + dice.below(width);
    let exponent = match dice.below(16) {
        0 => one_of(dice, FAR),
        1..9 => 0,
        _ => dice.below(25) as i32 - 8,
    };
    let mantissas = (0..n).map(|_| match dice.below(16) {
        0 => i32::MIN >> dropped,
        1 => i32::MAX >> dropped,
        _ => (dice.bits() as i32) >> dropped,
    });
    let phi = held(mantissas.collect(), exponent, feature_bits);
    (phi, exponent - feature_bits + 32 - dropped as i32)
}

/// Features of either kind: near 1 unless the mood is wild.
pub(crate) fn phi(dice: &mut Dice, n: usize, feature_bits: i32, mood: Mood) -> Phi {
    let spread = if mood == Mood::Wild { one_of(dice, [0, 2, 6, 24]) } else { one_of(dice, [0, 2, 4]) };
    match dice.below(4) {
        0 if mood == Mood::Wild => integer_phi(dice, n, feature_bits).0,
        0 => {
            let limit = 1 << feature_bits;
            let mantissas = (0..n).map(|_| dice.below(2 * limit) as i32 - limit as i32);
            let mantissas = mantissas.collect();
            held(mantissas, one_of(dice, [-1, 0, 0, 1]), feature_bits)
        }
        _ => float_phi(dice, n, spread).0,
    }
}

/// A number of any bit length.
pub(crate) fn any_number(dice: &mut Dice) -> i64 {
    match dice.below(16) {
        0 => one_of(dice, [i64::MIN, i64::MAX, 1 << 62, -1 << 62, 1 << 32, 0]),
        _ => word(dice) >> dice.below(64),
    }
}

/// Pairs of rows that differ in the sign of their small last feature and of their targets: g points along that feature.
fn opposed_batch(dice: &mut Dice, n: usize) -> Vec<Row> {
    let count = 1 + dice.below(2);
    let pair = |_| {
        let (mut phi, v) = (row(dice, n), dice.uniform() / 4.0);
        [1.0, -1.0].map(|sign| {
            phi[n - 1] = sign / 8.0;
            (Phi::Floats(phi.clone()), sign * v)
        })
    };
    (0..count).flat_map(pair).collect()
}

/// A batch whose rows and targets are of similar size, so that most rows are usable.
pub(crate) fn batch(dice: &mut Dice, n: usize, feature_bits: i32, mood: Mood) -> Vec<Row> {
    if mood == Mood::Opposed {
        return opposed_batch(dice, n);
    }
    let most = one_of(dice, [8, MAX_ROWS]);
    let tau = 1 + dice.below(most);
    let spread = one_of(dice, [0, 6, 6, 24]);
    let large = if mood == Mood::Wild && dice.below(4) == 0 { dice.below(20) as i32 } else { 0 };
    let has_integers = dice.below(4) == 0;
    let next = |_| {
        if has_integers {
            let (phi, size) = integer_phi(dice, n, feature_bits);
            let length = (32 + size + 2 - dice.below(5) as i32 + large).clamp(1, 64);
            (phi, float(word(dice) >> (64 - length)))
        } else {
            let (phi, unit) = float_phi(dice, n, spread);
            let odd = if dice.below(1_000) == 0 { f32::NAN } else { 1.0 };
            (phi, dice.uniform() * unit * 4.0 * 2_f32.powi(large) * odd)
        }
    };
    (0..tau).map(next).collect()
}

fn reward(dice: &mut Dice, size: f32, mood: Mood) -> f32 {
    match dice.below(32) {
        0 => one_of(dice, [f32::NAN, f32::INFINITY, -1e30, 1e10]),
        1..4 => float(word(dice) >> (24 + dice.below(40))),
        4 if mood == Mood::Wild => float(any_number(dice)),
        5..9 => 0.0,
        _ => dice.uniform() * size,
    }
}

/// An episode through a few states, some visited repeatedly, some without features.
pub(crate) fn episode(dice: &mut Dice, n: usize, feature_bits: i32, mood: Mood) -> Episode {
    let most = one_of(dice, [4, 16, 16, 16, 16, 64]);
    let count = dice.below(most);
    let states = 1 + dice.below(16);
    let large = if mood == Mood::Wild && dice.below(4) == 0 { dice.below(30) as i32 } else { dice.below(3) as i32 };
    let steps = (0..count).map(|_| {
        let mut phi = phi(dice, n, feature_bits, mood);
        if dice.below(16) == 0 {
            phi = Phi::Floats(vec![0.0; n]);
        }
        Step { key: dice.below(states), phi, reward: reward(dice, 2_f32.powi(large), mood) }
    });
    let steps = steps.collect();
    let cut = (dice.below(4) == 0).then(|| if mood == Mood::Wild { any_number(dice) } else { word(dice) >> 30 });
    Episode { steps, cut }
}

/// The largest features: all of them, or only one.
fn largest_phi(dice: &mut Dice, n: usize, feature_bits: i32, only: Option<usize>) -> Phi {
    let largest = if feature_bits == 15 { i16::MAX.into() } else { i32::MAX };
    let mantissas = (0..n).map(|j| match dice.below(64) {
        _ if only.is_some_and(|only| only != j) => 0,
        0 => -largest - 1,
        1 => -largest,
        _ => largest,
    });
    Phi::Integers(mantissas.collect())
}

/// A full batch, with the largest features and with targets just inside or just outside the accepted range.
///
/// Half of the batches have one feature per row and drive all weights to one end of their range. The others have all
/// features, and their sums come as close to overflow as possible.
pub(crate) fn largest_batch(dice: &mut Dice, n: usize, feature_bits: i32, _: Mood) -> Vec<Row> {
    let (sign, has_one_feature) = (1.0 - 2.0 * dice.below(2) as f32, dice.below(2) == 0);
    let row = |i: usize| {
        let phi = largest_phi(dice, n, feature_bits, has_one_feature.then_some(i % n));
        let target = 2_f32.powi(14 + dice.below(11) as i32);
        (phi, sign * one_of(dice, [target, target.next_down()]))
    };
    (0..ROOM).map(row).collect()
}

/// Many states, and rewards of one sign that drive sums and traces to their limits.
pub(crate) fn largest_episode(dice: &mut Dice, n: usize, feature_bits: i32, _: Mood) -> Episode {
    let (is_up, has_one_feature) = (dice.below(2) == 0, dice.below(2) == 0);
    let size = dice.below(64);
    let steps = (0..ROOM + 20).map(|i| {
        let phi = largest_phi(dice, n, feature_bits, has_one_feature.then_some(i % n));
        let phi = match phi {
            // Small features make large traces.
            Phi::Integers(mantissas) if dice.below(2) == 0 => held(mantissas, -(dice.below(16) as i32), feature_bits),
            phi => phi,
        };
        let raw = (word(dice) & i64::MAX) >> size;
        Step { key: i as u32, phi, reward: float(if is_up { raw } else { -raw }) }
    });
    Episode { steps: steps.collect(), cut: None }
}

/// One row over the limit, all pulling the same way.
pub(crate) fn longest_episode(dice: &mut Dice, n: usize, feature_bits: i32, _: Mood) -> Episode {
    let size = dice.below(40);
    let steps = (0..=1 << 16).map(|key| {
        let mantissas = vec![if feature_bits == 15 { i16::MAX.into() } else { i32::MAX }; n];
        Step { key, phi: Phi::Integers(mantissas), reward: float(i64::MAX >> size) }
    });
    Episode { steps: steps.collect(), cut: None }
}
