//! Batches and episodes for fixed point: ordinary ones, and those with numbers that do not fit.

use osculate_host_tests::reference::call::{Event, Format, Phi};
use osculate_host_tests::worlds::{Dice, row};

use super::ends::{any_number, float, word};
use super::{Step, Story, no_signal, once_in, one_of, told, unit};
use crate::plan::Plan;

/// Special feature values in units of the row: at and around the point where a value rounds up to the next power of
/// two.
const EDGES: [f32; 8] = [1.0, -1.0, 0.999_999, -0.999_999, 0.999_985, -0.999_985, 0.0, 1e-5];
/// Exponents far from that of any target, down to where floats are subnormal and then zero.
const FAR: [i32; 7] = [-150, -135, -120, -60, 60, 90, 112];

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

/// Batches of rows with their targets, or episodes through a few states.
pub(crate) struct Formats {
    plan: Plan,
    n: usize,
    feature_bits: i32,
    mood: Mood,
    length: u32,
    has_targets: bool,
}

/// Float features in a random unit, sometimes sparse or full of edge cases; and the unit.
fn float_phi(dice: &mut Dice, n: usize, spread: u32) -> (Phi, f32) {
    let unit = unit(dice, spread);
    let mut phi = row(dice, n);
    let kind = dice.below(8);
    for x in &mut phi {
        match kind {
            0 if dice.below(3) > 0 => *x = 0.0,
            1 => *x = one_of(dice, &EDGES),
            _ => {}
        }
        *x *= unit;
    }
    (Phi::Floats(phi), unit)
}

/// m·2^(exponent − P): in the format's own numbers if the exponent is 0, otherwise the nearest floats.
pub(super) fn held(mantissas: Vec<i32>, exponent: i32, feature_bits: i32) -> Phi {
    let unit = 2_f64.powi(exponent - feature_bits);
    match exponent {
        0 => Phi::Integers(mantissas),
        _ => Phi::Floats(mantissas.into_iter().map(|m| (f64::from(m) * unit) as f32).collect()),
    }
}

/// Integer features of any length, including the most negative one; and roughly the exponent of the largest.
fn integer_phi(dice: &mut Dice, n: usize, feature_bits: i32) -> (Phi, i32) {
    let dropped = 16 + dice.below(16);
    let exponent = match dice.below(16) {
        0 => one_of(dice, &FAR),
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
    let spread = if mood == Mood::Wild { one_of(dice, &[0, 2, 6, 24]) } else { one_of(dice, &[0, 2, 4]) };
    match dice.below(4) {
        0 if mood == Mood::Wild => integer_phi(dice, n, feature_bits).0,
        0 => {
            let limit = 1 << feature_bits;
            let mantissas = (0..n).map(|_| dice.below(2 * limit) as i32 - limit as i32);
            let mantissas = mantissas.collect();
            held(mantissas, one_of(dice, &[-1, 0, 0, 1]), feature_bits)
        }
        _ => float_phi(dice, n, spread).0,
    }
}

impl Formats {
    /// About 25 updates, or enough for the averages of the past to settle.
    pub(crate) fn new(dice: &mut Dice, n: usize, plan: Plan, has_targets: bool, format: Format) -> Self {
        let mood = match dice.below(8) {
            0..3 => Mood::Calm,
            3..7 => Mood::Wild,
            _ => Mood::Opposed,
        };
        let length = if once_in(dice, 8) { 100 } else { 25 };
        Self { plan, n, feature_bits: format.feature_bits, mood, length, has_targets }
    }

    /// Pairs of rows that differ in the sign of their small last feature and of their targets: g points along that
    /// feature.
    fn opposed(&self, dice: &mut Dice) -> Vec<Event> {
        let count = 1 + dice.below(2);
        let pair = |_| {
            let (mut phi, v) = (row(dice, self.n), dice.uniform() / 4.0);
            [1.0, -1.0].map(|sign| {
                phi[self.n - 1] = sign / 8.0;
                Event::Learn(sign * v, Phi::Floats(phi.clone()))
            })
        };
        (0..count).flat_map(pair).chain([Event::End]).collect()
    }

    /// Rows and targets of similar size, so that most rows are usable.
    fn batch(&self, dice: &mut Dice) -> Vec<Event> {
        let most = one_of(dice, &[8, 64]);
        let tau = 1 + dice.below(most);
        let spread = one_of(dice, &[0, 6, 6, 24]);
        let large = if self.mood == Mood::Wild && once_in(dice, 4) { dice.below(20) as i32 } else { 0 };
        let has_integers = once_in(dice, 4);
        let next = |_| {
            if has_integers {
                let (phi, size) = integer_phi(dice, self.n, self.feature_bits);
                let length = (32 + size + 2 - dice.below(5) as i32 + large).clamp(1, 64);
                Event::Learn(float(word(dice) >> (64 - length)), phi)
            } else {
                let (phi, unit) = float_phi(dice, self.n, spread);
                let odd = if once_in(dice, 1_000) { f32::NAN } else { 1.0 };
                Event::Learn(dice.uniform() * unit * 4.0 * 2_f32.powi(large) * odd, phi)
            }
        };
        (0..tau).map(next).chain([Event::End]).collect()
    }

    /// Some states are visited repeatedly, some are without features.
    fn episode(&self, dice: &mut Dice) -> Vec<Event> {
        let phi = |dice: &mut Dice| phi(dice, self.n, self.feature_bits, self.mood);
        let most = one_of(dice, &[4, 16, 16, 16, 16, 64]);
        let count = dice.below(most);
        let states = 1 + dice.below(16);
        let is_large = self.mood == Mood::Wild && once_in(dice, 4);
        let size = 2_f32.powi(dice.below(if is_large { 30 } else { 3 }) as i32);
        let steps = (0..count).map(|_| {
            let phi = if once_in(dice, 16) { Phi::Floats(vec![0.0; self.n]) } else { phi(dice) };
            Step { state: dice.below(states), phi, signal: self.signal(dice, size) }
        });
        let steps: Vec<Step> = steps.collect();
        let end = match phi(dice) {
            phi @ Phi::Floats(_) if once_in(dice, 3) => Event::Cut(phi),
            _ => Event::End,
        };
        told(steps, end)
    }

    fn signal(&self, dice: &mut Dice, size: f32) -> Option<f32> {
        match dice.below(32) {
            0 if once_in(dice, 2) => no_signal(dice),
            0 => Some(one_of(dice, &[-1e30, 1e10])),
            1..4 => Some(float(word(dice) >> (24 + dice.below(40)))),
            4 if self.mood == Mood::Wild => Some(float(any_number(dice))),
            5..9 => Some(0.0),
            _ => Some(dice.uniform() * size),
        }
    }
}

impl Story for Formats {
    fn plan(&self) -> Plan {
        self.plan
    }

    fn length(&self) -> u32 {
        self.length
    }

    fn next(&mut self, dice: &mut Dice) -> Vec<Event> {
        let mut events = match self.has_targets {
            true if self.mood == Mood::Opposed => self.opposed(dice),
            true => self.batch(dice),
            false => self.episode(dice),
        };
        events.extend(once_in(dice, 64).then_some(Event::Restart));
        events
    }
}
