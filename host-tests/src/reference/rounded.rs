//! f32 arithmetic made of f64: every + − × ÷ √ is computed in f64 and rounded to 24 significant bits at once.
//!
//! Rounding twice is harmless here, because 53 ≥ 2·24 + 2, so each result is the correctly rounded f32 result. Exponents
//! are left unbounded: this reading knows nothing of the scaling of rows and directions by powers of two, and so proves
//! that the scaling changes no bit.

use super::{Gain, Parameters, Row};

/// A learner in 24-bit arithmetic.
#[derive(Clone, Debug)]
pub struct Rounded {
    /// w.
    pub w: Vec<f64>,
    velocity: Vec<f64>,
    k: u32,
    parameters: Parameters,
}

/// To the nearest number of 24 significant bits, ties to even.
pub fn round24(x: f64) -> f64 {
    const DROPPED: u32 = 53 - 24;
    let bits = x.to_bits();
    let is_odd = (bits >> DROPPED) & 1;
    let half_less_one = (1_u64 << (DROPPED - 1)) - 1;
    // A carry out of the fraction moves the exponent up, as it should.
    f64::from_bits((bits + half_less_one + is_odd) >> DROPPED << DROPPED)
}

fn add(a: f64, b: f64) -> f64 {
    round24(a + b)
}
fn sub(a: f64, b: f64) -> f64 {
    round24(a - b)
}
fn mul(a: f64, b: f64) -> f64 {
    round24(a * b)
}
fn div(a: f64, b: f64) -> f64 {
    round24(a / b)
}
fn sqrt(a: f64) -> f64 {
    round24(a.sqrt())
}

/// Σ aᵢbᵢ: indices 0, 4, 8, … first, then 1, 5, 9, … and so on; then the four sums in pairs.
fn inner(a: &[f64], b: &[f64]) -> f64 {
    let quarter = |start: usize| {
        let products = a.iter().zip(b).skip(start).step_by(4).map(|(&a, &b)| mul(a, b));
        products.fold(0.0, add)
    };
    add(add(quarter(0), quarter(1)), add(quarter(2), quarter(3)))
}

/// Σ over rows of (coefficient of the row)·φ, where a coefficient is divided by ‖φ‖².
fn projections(rows: &[(Vec<f64>, f64)], n: usize, coefficient: impl Fn(&[f64], f64) -> f64) -> Vec<f64> {
    let mut total = vec![0.0; n];
    for (phi, v) in rows {
        let quotient = div(coefficient(phi, *v), inner(phi, phi));
        for (t, &p) in total.iter_mut().zip(phi) {
            *t = add(*t, mul(quotient, p));
        }
    }
    total
}

impl Rounded {
    /// At w = 0, at rest.
    pub fn new(n: usize, parameters: Parameters) -> Self {
        Self { w: vec![0.0; n], velocity: vec![0.0; n], k: 0, parameters }
    }

    /// One update; ϑ, or nothing where the update is skipped. The rows must be usable.
    pub fn update(&mut self, rows: &[Row]) -> Option<f64> {
        let rows: Vec<(Vec<f64>, f64)> =
            rows.iter().map(|(phi, v)| (phi.iter().map(|&x| x.into()).collect(), f64::from(*v))).collect();
        let (n, tau) = (self.w.len(), rows.len() as f64);
        let g = projections(&rows, n, |phi, v| sub(inner(phi, &self.w), v));
        let g_norm = sqrt(inner(&g, &g));
        let (theta, c_norm) = if rows.len() == 1 || g_norm == 0.0 {
            (1.0, div(g_norm, tau))
        } else {
            let c = projections(&rows, n, |phi, _| inner(phi, &g));
            let c_norm = sqrt(inner(&c, &c));
            (mul(tau, div(g_norm, c_norm)).max(1.0), div(div(c_norm, tau), tau))
        };
        if c_norm < round24(self.parameters.skip_below) || theta.is_infinite() {
            return None;
        }
        self.k += 1;
        let k = round24(self.k.into());
        let gain = match self.parameters.gain {
            Gain::Harmonic => div(1.0, k),
            Gain::ThreeQuarters => div(1.0, mul(sqrt(k), sqrt(sqrt(k)))),
            Gain::Constant(gain) => round24(gain),
        };
        let step = div(mul(gain, theta), tau);
        for ((w, velocity), g) in self.w.iter_mut().zip(&mut self.velocity).zip(g) {
            *velocity = sub(mul(self.parameters.beta, *velocity), mul(step, g));
            *w = add(*w, *velocity);
        }
        Some(theta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worlds::Dice;

    /// The model of f32 is itself checked against the machine's f32, operation by operation.
    #[test]
    fn each_operation_equals_f32() {
        let mut dice = Dice::new(7);
        for _ in 0..1_000_000 {
            let a = dice.uniform() * 2_f32.powi(dice.below(41) as i32 - 20);
            let b = dice.uniform() * 2_f32.powi(dice.below(41) as i32 - 20);
            let (x, y) = (f64::from(a), f64::from(b));
            assert_eq!(add(x, y), f64::from(a + b));
            assert_eq!(sub(x, y), f64::from(a - b));
            assert_eq!(mul(x, y), f64::from(a * b));
            assert_eq!(div(x, y), f64::from(a / b));
            assert_eq!(sqrt(x.abs()), f64::from(a.abs().sqrt()));
        }
    }
}
