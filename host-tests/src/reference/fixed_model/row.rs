//! Features, targets and rows.

use super::super::fixed::{Format, Phi};
use super::exact::{Pair, bits, clipped, dot, power, quotient, two_product};

/// An encoded row.
#[derive(Clone, Debug)]
pub struct Encoded {
    pub(super) m: Vec<f64>,
    /// φ = m·2^(exponent − P).
    pub(super) exponent: i64,
    pub(super) t: Pair,
    pub(super) inverse: f64,
    pub(super) square_bits: i64,
}

/// A number in multiples of 2⁻³², if it fits in 64 bits.
pub(super) fn raw(number: f32) -> Option<Pair> {
    let hi = (f64::from(number) * power(32)).round_ties_even();
    (hi >= -power(63) && hi < power(63)).then_some(Pair { hi, lo: 0.0 })
}

/// m·2^by, excluding the most negative 16-bit integer.
fn scaled(m: f64, by: i64, p: i64) -> f64 {
    let limit = if p == 15 { 32_767.0 } else { f64::INFINITY };
    (m * power(by)).round_ties_even().clamp(-limit, limit)
}

/// Integers and their exponent.
pub(super) fn integers(phi: &Phi, p: i64) -> Option<(Vec<f64>, i64)> {
    match phi {
        Phi::Integers(mantissas) => Some((mantissas.iter().map(|&m| m.into()).collect(), 0)),
        Phi::Floats(phi) => {
            let phi: Vec<f64> = phi.iter().map(|&x| x.into()).collect();
            let longest = phi.iter().filter(|&&x| x != 0.0).map(|&x| bits(x)).max().unwrap_or(0);
            // Infinity and NaN have the largest exponent.
            (longest <= 128).then(|| (phi.iter().map(|&x| scaled(x, p - longest, p)).collect(), longest))
        }
    }
}

/// The same numbers, normalised so that the largest has P bits.
fn filled((m, exponent): (Vec<f64>, i64), p: i64) -> Option<(Vec<f64>, i64)> {
    let longest = m.iter().map(|&m| bits(m)).max().filter(|&longest| longest > 0)?;
    Some((m.iter().map(|&m| scaled(m, p - longest, p)).collect(), exponent + longest - p))
}

pub(super) fn encode(integers: (Vec<f64>, i64), p: i64) -> Option<Encoded> {
    let (m, exponent) = filled(integers, p)?;
    let square = dot(&m, &m);
    let square_bits = square.bits();
    let inverse = quotient(power(57), square.rounded(32 - square_bits).value());
    Some(Encoded { m, exponent, t: Pair::default(), inverse, square_bits })
}

impl Encoded {
    /// The row with a target, if it fits in 61 bits. φ·w has `fraction` fraction bits.
    pub(super) fn with_target(self, target: Pair, fraction: i64) -> Option<Self> {
        let t = target.rounded(fraction - 32 - self.exponent);
        (t.bits() <= 61).then_some(Self { t, ..self })
    }

    /// (r/S)·2^b.
    pub(super) fn project(&self, r: Pair, b: i64) -> (f64, bool) {
        let drop = (r.bits() - 26).max(0);
        self.over_square(r.rounded(-drop).value(), drop + b)
    }

    /// (x/S)·2^b for an x of at most 26 bits: its product with the inverse is exact.
    pub(super) fn over_square(&self, x: f64, b: i64) -> (f64, bool) {
        clipped((x * self.inverse * power(b - self.square_bits - 25)).round_ties_even())
    }

    /// φ·w in multiples of 2⁻³².
    pub(super) fn value(&self, w: &[f64], fraction: i64) -> Pair {
        worth(&self.m, self.exponent, w, fraction)
    }
}

pub(super) fn worth(m: &[f64], exponent: i64, w: &[f64], fraction: i64) -> Pair {
    dot(m, w).rounded(exponent + 32 - fraction).cut64()
}

/// φ·w in multiples of 2⁻³², for weights in units of 2^−F. Returns `None` if a float is not finite.
pub fn value(format: Format, phi: &Phi, w: &[i32]) -> Option<i64> {
    let (p, f) = (i64::from(format.feature_bits), i64::from(format.fraction_bits));
    let w: Vec<f64> = w.iter().map(|&w| w.into()).collect();
    let row = filled(integers(phi, p)?, p);
    Some(row.map_or(0, |(m, exponent)| worth(&m, exponent, &w, p + f).integer()))
}

/// reward + γ·next in multiples of 2⁻³².
pub fn backup(reward: i64, gamma: f32, next: i64) -> i64 {
    backed_up(reward.into(), gamma, next.into()).integer()
}

pub(super) fn backed_up(reward: Pair, gamma: f32, next: Pair) -> Pair {
    // γ as a 24-bit integer: only integers may be summed.
    let by = 24 - bits(gamma.into());
    let gamma = f64::from(gamma) * power(by);
    let product = Pair::default().add(two_product(next.hi, gamma)).add(two_product(next.lo, gamma));
    product.rounded(-by).plus(reward).cut64()
}
