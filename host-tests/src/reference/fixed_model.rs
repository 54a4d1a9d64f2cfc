//! The fixed-point update in f64 arithmetic: no integer is wider here than the 53 bits of a float.
//!
//! Where a product or a sum has more bits, it is an unevaluated pair of floats ([`Pair`]), kept exact by the error-free
//! transformations of Dekker, Veltkamp and Knuth; quotients and roots are corrected by their remainders. The formulas are
//! those of "Fixed point, exactly" in `docs/numerics.md`. Scalars are rounded to 24 bits after every operation.

use super::fixed_oracle::{Fate, Format, Input, Report};
use super::rounded::round24;
use super::{Gain, Parameters};

/// A fixed-point learner in f64.
#[derive(Clone, Debug)]
pub struct Model {
    /// w, in units of 2^−F.
    pub w: Vec<f64>,
    /// w − w⁻, in the same units.
    pub velocity: Vec<f64>,
    k: u32,
    format: Format,
    parameters: Parameters,
}

/// a + b = sum + error, exactly.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// Two halves of at most 26 bits each.
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a;
    let high = c - (c - a);
    (high, a - high)
}

/// a·b = product + error, exactly.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    (product, ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0)
}

/// 2^e, with e cut to where the exact power no longer matters: numbers here are below 2⁶⁴.
fn power(e: i64) -> f64 {
    f64::from_bits(((e.clamp(-400, 400) + 1023) as u64) << 52)
}

/// ⌊log₂|x|⌋ + 1 of a normal number, the bits of an integer; 0 for 0.
fn bits(x: f64) -> i64 {
    if x == 0.0 { 0 } else { (x.to_bits() >> 52 & 0x7ff) as i64 - 1022 }
}

fn is_odd(x: f64) -> bool {
    (x * 0.5).fract() != 0.0
}

/// The exact number hi + lo.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    hi: f64,
    lo: f64,
}

impl Pair {
    /// Of integers below 2¹⁰⁰ in all, lo collects errors below 2⁵³: integers, so their sum is exact.
    fn add(self, (x, error): (f64, f64)) -> Self {
        let (hi, lost) = two_sum(self.hi, x);
        Self { hi, lo: self.lo + lost + error }
    }

    fn value(self) -> f64 {
        self.hi + self.lo
    }

    /// The bits of an integer.
    fn bits(self) -> i64 {
        let (hi, lo) = two_sum(self.hi, self.lo);
        let is_power = hi.to_bits() << 12 == 0;
        bits(hi) - i64::from(is_power && hi * lo < 0.0)
    }

    /// 2^by times this, to the nearest integer, ties to even.
    fn rounded(self, by: i64) -> Self {
        let (hi, lo) = (self.hi * power(by), self.lo * power(by));
        let (near, far) = (hi.round_ties_even(), lo.round_ties_even());
        // What is left is between −1 and 1: is it more than a half?
        let (rest, error) = two_sum(hi - near, lo - far);
        let more = rest.abs() > 0.5 || rest.abs() == 0.5 && error * rest > 0.0;
        let is_tie = rest.abs() == 0.5 && error == 0.0;
        let up = more || is_tie && is_odd(near) != is_odd(far);
        let (hi, lo) = two_sum(near, far);
        Self { hi, lo: if up { lo + rest.signum() } else { lo } }
    }
}

fn dot(a: &[f64], b: &[f64]) -> Pair {
    a.iter().zip(b).fold(Pair::default(), |sum, (&a, &b)| sum.add(two_product(a, b)))
}

/// a/b to the nearest integer: the float's quotient, put right by the remainder.
fn quotient(a: f64, b: f64) -> f64 {
    let near = (a / b).round_ties_even();
    let (product, error) = two_product(near, b);
    let rest = (a - product) - error;
    let is_far = 2.0 * rest.abs() > b || 2.0 * rest.abs() == b && is_odd(near);
    if is_far { near + rest.signum() } else { near }
}

/// ⌊√x⌋: the float's root, put right by the remainder.
fn root(x: Pair) -> f64 {
    let is_beyond = |r: f64| {
        let (square, error) = two_product(r, r);
        (square - x.hi) + (error - x.lo) > 0.0
    };
    let mut r = x.value().sqrt().floor();
    while is_beyond(r) {
        r -= 1.0;
    }
    while !is_beyond(r + 1.0) {
        r += 1.0;
    }
    r
}

/// Cut to 32 bits, and whether that changed it.
fn clipped(x: f64) -> (f64, bool) {
    let cut = x.clamp(i32::MIN.into(), i32::MAX.into());
    (cut, cut != x)
}

/// An admitted row.
struct Admitted {
    m: Vec<f64>,
    t: Pair,
    inverse: f64,
    square_bits: i64,
}

fn largest_feature(m: f64, p: i64) -> f64 {
    if p == 15 { m.min(32_767.0) } else { m }
}

fn admit(row: &Input, p: i64, f: i64) -> Option<Admitted> {
    let (m, exponent, target) = match row {
        Input::Integers { mantissas, exponent, target } => {
            let raw = Pair { hi: (target >> 32) as f64 * power(32), lo: (target & 0xffff_ffff) as f64 };
            (mantissas.iter().map(|&m| f64::from(m)).collect::<Vec<_>>(), i64::from(*exponent), raw)
        }
        Input::Floats((phi, v)) => {
            let raw = (f64::from(*v) * power(32)).round_ties_even();
            let in_range = raw >= -power(63) && raw < power(63);
            if !in_range || phi.iter().any(|x| !x.is_finite()) {
                return None;
            }
            let exponent = phi.iter().filter(|&&x| x != 0.0).map(|&x| bits(x.into())).max()?;
            let hold = |&x: &f32| largest_feature((f64::from(x) * power(p - exponent)).round_ties_even(), p);
            (phi.iter().map(hold).collect(), exponent, Pair { hi: raw, lo: 0.0 })
        }
    };
    let longest = m.iter().map(|&m| bits(m)).max().filter(|&longest| longest > 0)?;
    let k = p - longest;
    let m: Vec<f64> = m.iter().map(|m| largest_feature((m * power(k)).round_ties_even(), p)).collect();
    let t = target.rounded(p + f - 32 - (exponent - k));
    if t.bits() > 61 {
        return None;
    }
    let square = dot(&m, &m);
    let inverse = quotient(power(57), square.rounded(32 - square.bits()).value());
    Some(Admitted { m, t, inverse, square_bits: square.bits() })
}

impl Admitted {
    /// (r/S)·2^b.
    fn project(&self, r: Pair, b: i64) -> (f64, bool) {
        let drop = (r.bits() - 26).max(0);
        // 26 bits times 26 bits are exact.
        let product = r.rounded(-drop).value() * self.inverse;
        clipped((product * power(drop + b - self.square_bits - 25)).round_ties_even())
    }
}

/// A closed sum: mantissas, the power of two that they were divided by, ‖d‖ with 2²³ as 1, and quotients cut.
struct Closed {
    d: Vec<f64>,
    s: i64,
    norm: f64,
    cut: u32,
}

fn total(rows: &[Admitted], n: usize, b: i64, numerator: impl Fn(&Admitted) -> Pair) -> Closed {
    let (mut sum, mut cut) = (vec![Pair::default(); n], 0);
    for row in rows {
        let (q, is_cut) = row.project(numerator(row), b);
        cut += u32::from(is_cut);
        sum.iter_mut().zip(&row.m).for_each(|(sum, &m)| *sum = sum.add(two_product(q, m)));
    }
    let longest = sum.iter().map(|sum| sum.bits()).max().unwrap_or(0);
    let s = if longest == 0 { 0 } else { longest - 24 };
    let d: Vec<f64> = sum.iter().map(|sum| sum.rounded(-s).value()).collect();
    let square = dot(&d, &d);
    let z = (64 - square.bits()) / 2 * 2;
    let scaled = Pair { hi: square.hi * power(z), lo: square.lo * power(z) };
    let norm = round24(root(scaled)) * power(-z / 2 - 23);
    Closed { d, s, norm, cut }
}

impl Model {
    /// At w = 0, at rest.
    pub fn new(n: usize, format: Format, parameters: Parameters) -> Self {
        Self { w: vec![0.0; n], velocity: vec![0.0; n], k: 0, format, parameters }
    }

    /// One update from the rows that are not refused.
    pub fn update(&mut self, rows: &[Input]) -> Report {
        let (p, f) = (i64::from(self.format.feature_bits), i64::from(self.format.fraction_bits));
        let rows: Vec<Admitted> = rows.iter().filter_map(|row| admit(row, p, f)).collect();
        let mut report = Report { tau: rows.len() as u32, saturated: 0, g_norm: 0, theta: 0, fate: Fate::Empty };
        if rows.is_empty() {
            return report;
        }
        let (n, tau) = (self.w.len(), rows.len() as f64);
        let g = total(&rows, n, p - 2, |row| dot(&row.m, &self.w).add((-row.t.hi, -row.t.lo)));
        let units = power(g.s - p - f + 25);
        let g_norm = round24(g.norm * units / tau);
        report.g_norm = (g_norm as f32).to_bits();
        let (theta, c_norm) = if rows.len() == 1 || g.norm == 0.0 {
            (1.0, g_norm)
        } else {
            let c = total(&rows, n, p + 1, |row| dot(&row.m, &g.d));
            let change = c.norm * power(c.s - p - 1);
            let theta = round24(tau * round24(g.norm / change));
            (theta.max(1.0), round24(round24(change * units / tau) / tau))
        };
        if c_norm < round24(self.parameters.skip_below) || theta == f64::INFINITY {
            report.fate = Fate::Skipped;
            return report;
        }
        report.theta = (theta as f32).to_bits();
        let k = round24(f64::from(self.k + 1));
        let gain = match self.parameters.gain {
            Gain::Harmonic => round24(1.0 / k),
            Gain::ThreeQuarters => {
                let half = round24(k.sqrt());
                round24(1.0 / round24(half * round24(half.sqrt())))
            }
            Gain::Constant(gain) => round24(gain),
        };
        let product = round24(gain * theta);
        if product > f64::from(f32::MAX) {
            report.fate = Fate::Overflow;
            return report;
        }
        self.k += 1;
        report.saturated = g.cut + self.step(&g.d, round24(product / tau) * power(g.s - p + 2));
        report.fate = Fate::Stepped;
        report
    }

    /// w⁺ = w + βv − step·d; how many weights were cut.
    fn step(&mut self, d: &[f64], step: f64) -> u32 {
        let beta = round24(self.parameters.beta);
        let mut cut = 0;
        for (i, &d) in d.iter().enumerate() {
            let (w, v) = (self.w[i], self.velocity[i]);
            let (product, error) = two_product(beta, v);
            let near = Pair { hi: product, lo: error }.rounded(0).value();
            let decayed = if near == v && v != 0.0 { v - v.signum() } else { near };
            // 24 bits times 25: exact.
            let (change, is_change_cut) = clipped((step * d).round_ties_even());
            let (next, is_weight_cut) = clipped(w + decayed - change);
            self.w[i] = next;
            (self.velocity[i], _) = clipped(next - w);
            cut += u32::from(is_change_cut || is_weight_cut);
        }
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_put_right_what_floats_get_wrong() {
        // One less than the square of 2³² − 1.
        let x = Pair::default().add(two_product(4_294_967_295.0, 4_294_967_295.0)).add((-1.0, 0.0));
        assert_eq!((x.value().sqrt(), root(x)), (4_294_967_295.0, 4_294_967_294.0));
        // 2⁵⁷/d is a half and 2⁻³³ above an even number: the float sees a tie.
        let d = 3_345_585_407.0;
        assert_eq!(((power(57) / d).round_ties_even(), quotient(power(57), d)), (43_076_224.0, 43_076_225.0));
        // Ties, and one unit in 2¹⁰⁰ beside them.
        let halves = |error: f64| [2.5, 3.5, -2.5].map(|x| Pair { hi: x, lo: error }.rounded(0).value());
        assert_eq!(
            [0.0, power(-100), -power(-100)].map(halves),
            [[2.0, 4.0, -2.0], [3.0, 4.0, -2.0], [2.0, 3.0, -3.0]]
        );
    }
}
