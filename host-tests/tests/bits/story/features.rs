//! Features, in units far apart.

use osculate_host_tests::reference::call::{Format, Phi};
use osculate_host_tests::worlds::{Dice, row};

use super::{once_in, one_of};

/// Special values in units of the row: at and around the point where a value rounds up to the next power of two.
const EDGES: [f32; 8] = [1.0, -1.0, 0.999_999, -0.999_999, 0.999_985, -0.999_985, 0.0, 1e-5];
/// Exponents far from that of any target, down to where floats are subnormal and then zero.
const FAR: [i32; 7] = [-150, -135, -120, -60, 60, 90, 112];

/// An exponent up to ±spread.
pub(super) fn exponent(dice: &mut Dice, spread: u32) -> i32 {
    dice.below(2 * spread + 1) as i32 - spread as i32
}

/// A feature vector along one random axis.
pub(super) fn axis(dice: &mut Dice, n: usize, unit: f32) -> Vec<f32> {
    let mut phi = vec![0.0; n];
    phi[dice.below(n as u32) as usize] = unit;
    phi
}

/// Makes features unusable.
pub(super) fn spoil(dice: &mut Dice, phi: &mut [f32]) {
    match dice.below(3) {
        0 => phi.fill(0.0),
        1 => phi[dice.below(phi.len() as u32) as usize] = f32::NAN,
        _ => phi[dice.below(phi.len() as u32) as usize] = f32::INFINITY,
    }
}

/// Floats: dense, sparse, along one axis, or full of edge cases.
pub(super) fn floats(dice: &mut Dice, n: usize, exponent: i32) -> Vec<f32> {
    let mut phi = row(dice, n);
    match dice.below(10) {
        0 => phi = axis(dice, n, 1.0),
        1 => phi.iter_mut().for_each(|x| *x *= dice.below(2) as f32),
        2 => phi.iter_mut().for_each(|x| *x = one_of(dice, &EDGES)),
        _ => {}
    }
    let unit = 2_f32.powi(exponent);
    phi.iter().map(|x| x * unit).collect()
}

/// m·2^(exponent − P): in the format's own numbers if the exponent is 0, otherwise the nearest floats.
pub(super) fn held(mantissas: Vec<i32>, exponent: i32, format: Format) -> Phi {
    let unit = 2_f64.powi(exponent - format.feature_bits);
    match exponent {
        0 => Phi::Integers(mantissas),
        _ => Phi::Floats(mantissas.into_iter().map(|m| (f64::from(m) * unit) as f32).collect()),
    }
}

/// Integer features of any length, including the most negative one; and roughly the exponent of the largest.
pub(super) fn integers(dice: &mut Dice, n: usize, format: Format) -> (Phi, i32) {
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
    let phi = held(mantissas.collect(), exponent, format);
    (phi, exponent - format.feature_bits + 32 - dropped as i32)
}

/// Features of any kind that the arithmetic has, in units of up to 2^±spread; and roughly the exponent of the largest.
pub(crate) fn any_features(dice: &mut Dice, n: usize, format: Option<Format>, spread: u32) -> (Phi, i32) {
    if let Some(format) = format.filter(|_| once_in(dice, 4)) {
        return integers(dice, n, format);
    }
    let exponent = exponent(dice, spread);
    (Phi::Floats(floats(dice, n, exponent)), exponent)
}
