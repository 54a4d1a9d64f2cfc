//! The fixed-point update in plain `i128` integers: every rounding is one exact division, and nothing can overflow.
//!
//! This is "Fixed point, exactly" of `docs/numerics.md`, read line by line; the numbers in the comments are its steps. It
//! is as slow as it is simple.

use super::{Gain, Parameters, Row};

/// The widths of a fixed-point format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// P, the bits of a feature: 15 (`i16` rows) or 24 (`i32` rows).
    pub feature_bits: i32,
    /// F, the fraction bits of a weight: 28 or 24.
    pub fraction_bits: i32,
}

/// A row as it is handed to a reference.
#[derive(Clone, Debug)]
pub enum Input {
    /// Features and target in floats, to be rounded to the format.
    Floats(Row),
    /// Features mᵢ·2^(E − P) and a target V_raw·2⁻³², as they are.
    Integers {
        /// mᵢ.
        mantissas: Vec<i32>,
        /// E.
        exponent: i32,
        /// V_raw.
        target: i64,
    },
}

/// What became of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The weights moved.
    Stepped,
    /// ‖c‖ was below the threshold, or zero.
    Skipped,
    /// All rows were refused.
    Empty,
    /// The step size is not a number.
    Overflow,
}

/// What an update reports; scalars by their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Rows that were not refused.
    pub tau: u32,
    /// Quotients and weights that were cut to 32 bits.
    pub saturated: u32,
    /// ‖g‖.
    pub g_norm: u32,
    /// ϑ, or 0 where nothing moved.
    pub theta: u32,
    /// What became of it.
    pub fate: Fate,
}

/// A fixed-point learner in `i128`.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// w, in units of 2^−F.
    pub w: Vec<i128>,
    /// w − w⁻, in the same units.
    pub velocity: Vec<i128>,
    k: u32,
    format: Format,
    parameters: Parameters,
}

/// An admitted row: mᵢ, t, v and l.
struct Admitted {
    m: Vec<i128>,
    t: i128,
    inverse: i128,
    l: i64,
}

/// Mantissas d and s.
struct Closed {
    d: Vec<i128>,
    s: i64,
}

/// a/b to the nearest integer, ties to even, for b > 0.
fn nearest(a: i128, b: i128) -> i128 {
    let (floor, rest) = (a.div_euclid(b), a.rem_euclid(b));
    match (2 * rest).cmp(&b) {
        std::cmp::Ordering::Less => floor,
        std::cmp::Ordering::Equal => floor + floor.rem_euclid(2),
        std::cmp::Ordering::Greater => floor + 1,
    }
}

/// x·2^by to the nearest integer, for |x| < 2⁶⁴.
///
/// Beyond the clamp the exact power is of no consequence: to the left nothing but 0 fits any range asked of the result, to
/// the right all is less than a half.
fn shifted(x: i128, by: i64) -> i128 {
    match by.clamp(-66, 62) {
        left @ 0.. => x << left,
        right => nearest(x, 1 << -right),
    }
}

/// Bits of |x|.
fn len(x: i128) -> i64 {
    i64::from(128 - x.unsigned_abs().leading_zeros())
}

/// Cut to 32 bits, and whether that changed it.
fn clip32(x: i128) -> (i128, bool) {
    let clipped = x.clamp(i32::MIN.into(), i32::MAX.into());
    (clipped, clipped != x)
}

/// (a, e) with x = a·2^e, for a finite x.
fn integer_and_exponent(x: f32) -> (i128, i64) {
    let (fraction, biased) = (i128::from(x.to_bits() & 0x7f_ffff), i64::from(x.to_bits() >> 23 & 0xff));
    let (magnitude, e) = if biased == 0 { (fraction, -149) } else { (fraction + (1 << 23), biased - 150) };
    (if x.is_sign_negative() { -magnitude } else { magnitude }, e)
}

/// 2^e, for an exponent that f32 has.
fn power(e: i64) -> f32 {
    2_f32.powi(e as i32)
}

fn dot(a: &[i128], b: &[i128]) -> i128 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// 5.
fn close(sum: &[i128]) -> Closed {
    let largest = sum.iter().map(|x| x.abs()).max().unwrap_or(0);
    let s = if largest == 0 { 0 } else { len(largest) - 24 };
    Closed { d: sum.iter().map(|&x| shifted(x, -s)).collect(), s }
}

/// 7, without the last scaling: ‖d‖·2^−23.
fn norm(d: &[i128]) -> f32 {
    let x = dot(d, d);
    let z = (64 - len(x)) / 2 * 2;
    let root = ((x as u128) << z).isqrt();
    root as f32 * power(-z / 2) * power(-23)
}

impl Admitted {
    /// 3. (r/S)·2^b, and whether it was cut.
    fn quotient(&self, r: i128, b: i64) -> (i128, bool) {
        let drop = (len(r) - 26).max(0);
        let p = shifted(r, -drop) * self.inverse;
        clip32(shifted(p, drop + b - self.l - 25))
    }
}

impl Format {
    /// 2¹⁵ does not fit an `i16`.
    fn fitted(self, m: i128) -> i128 {
        if self.feature_bits == 15 { m.min((1 << 15) - 1) } else { m }
    }

    /// 1. mᵢ, E and V_raw; nothing where the floats are not usable.
    fn integers(self, row: &Input) -> Option<(Vec<i128>, i64, i128)> {
        match row {
            Input::Integers { mantissas, exponent, target } => {
                Some((mantissas.iter().map(|&m| m.into()).collect(), (*exponent).into(), (*target).into()))
            }
            Input::Floats((phi, v)) => {
                if !v.is_finite() || phi.iter().any(|x| !x.is_finite()) {
                    return None;
                }
                let parts: Vec<_> = phi.iter().map(|&x| integer_and_exponent(x)).collect();
                let e = parts.iter().filter(|(a, _)| *a != 0).map(|(a, e)| len(*a) + e).max()?;
                let p = i64::from(self.feature_bits);
                let m = parts.iter().map(|&(a, exponent)| self.fitted(shifted(a, exponent + p - e))).collect();
                let (a, exponent) = integer_and_exponent(*v);
                let target = shifted(a, exponent + 32);
                i64::try_from(target).ok()?;
                Some((m, e, target))
            }
        }
    }

    /// 2.
    fn admit(self, row: &Input) -> Option<Admitted> {
        let (m, exponent, target) = self.integers(row)?;
        let (p, f) = (i64::from(self.feature_bits), i64::from(self.fraction_bits));
        let longest = m.iter().map(|&m| len(m)).max().filter(|&longest| longest > 0)?;
        let k = p - longest;
        let m: Vec<i128> = m.iter().map(|&m| self.fitted(shifted(m, k))).collect();
        let e = exponent - k;
        let t = shifted(target, p + f - 32 - e);
        if len(t) > 61 {
            return None;
        }
        let square = dot(&m, &m);
        let l = len(square);
        let inverse = nearest(1 << 57, shifted(square, 32 - l));
        Some(Admitted { m, t, inverse, l })
    }
}

impl Oracle {
    /// At w = 0, at rest.
    pub fn new(n: usize, format: Format, parameters: Parameters) -> Self {
        Self { w: vec![0; n], velocity: vec![0; n], k: 0, format, parameters }
    }

    /// Σ over rows of the quotient of `numerator` and the row's S, times m; and how many quotients were cut.
    fn project(&self, rows: &[Admitted], b: i64, numerator: impl Fn(&Admitted) -> i128) -> (Closed, u32) {
        let (mut sum, mut cut) = (vec![0; self.w.len()], 0);
        for row in rows {
            let (q, is_cut) = row.quotient(numerator(row), b);
            cut += u32::from(is_cut);
            sum.iter_mut().zip(&row.m).for_each(|(sum, m)| *sum += q * m);
        }
        (close(&sum), cut)
    }

    /// One update from the rows that are not refused.
    pub fn update(&mut self, rows: &[Input]) -> Report {
        let rows: Vec<Admitted> = rows.iter().filter_map(|row| self.format.admit(row)).collect();
        let mut report = Report { tau: rows.len() as u32, saturated: 0, g_norm: 0, theta: 0, fate: Fate::Empty };
        if rows.is_empty() {
            return report;
        }
        let (p, f) = (i64::from(self.format.feature_bits), i64::from(self.format.fraction_bits));
        let tau = rows.len() as f32;
        // 4 to 7.
        let (g, saturated) = self.project(&rows, p - 2, |row| dot(&row.m, &self.w) - row.t);
        let total = norm(&g.d);
        // A mantissa of 2²³ counts as 1.
        let units = power(g.s - p - f + 2 + 23);
        let g_norm = total * units / tau;
        report.g_norm = g_norm.to_bits();
        // 8.
        let (theta, c_norm) = if rows.len() < 2 || total == 0.0 {
            (1.0, g_norm)
        } else {
            let (c, _) = self.project(&rows, p + 1, |row| dot(&row.m, &g.d));
            let change = norm(&c.d) * power(c.s - p - 1);
            ((tau * (total / change)).max(1.0), change * units / tau / tau)
        };
        if c_norm < self.parameters.skip_below as f32 || theta.is_infinite() {
            return Report { fate: Fate::Skipped, ..report };
        }
        report.theta = theta.to_bits();
        let k = (self.k + 1) as f32;
        let gain = match self.parameters.gain {
            Gain::Harmonic => 1.0 / k,
            Gain::ThreeQuarters => 1.0 / (k.sqrt() * k.sqrt().sqrt()),
            Gain::Constant(gain) => gain as f32,
        };
        let step = gain * theta / tau;
        if !step.is_finite() {
            return Report { fate: Fate::Overflow, ..report };
        }
        report.saturated = saturated + self.step(&g, step);
        self.k += 1;
        Report { fate: Fate::Stepped, ..report }
    }

    /// 9. How many weights were cut, or the change of them: each counts once.
    fn step(&mut self, g: &Closed, step: f32) -> u32 {
        let (a, alpha) = integer_and_exponent(step);
        let (b, exponent) = integer_and_exponent(self.parameters.beta as f32);
        let mut cut = 0;
        for ((w, v), d) in self.w.iter_mut().zip(&mut self.velocity).zip(&g.d) {
            let (change, is_change_cut) = clip32(shifted(a * d, alpha + g.s - i64::from(self.format.feature_bits) + 2));
            let mut decayed = shifted(*v * b, exponent);
            if decayed == *v && *v != 0 {
                decayed -= v.signum();
            }
            let (next, is_weight_cut) = clip32(*w + decayed - change);
            // From one end of the range to the other is further than a velocity can say.
            *v = clip32(next - *w).0;
            *w = next;
            cut += u32::from(is_change_cut || is_weight_cut);
        }
        cut
    }
}
