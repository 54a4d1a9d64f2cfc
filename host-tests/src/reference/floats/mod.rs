//! Floats: each + − × ÷ √ is computed in f64 and immediately rounded to 24 significant bits, or for f64 not at all.
//!
//! Double rounding is harmless here: 53 ≥ 2·24 + 2, so each result is the correctly rounded f32 result. Exponents are
//! unbounded until a result has to be stored. This arithmetic does not scale rows and directions by powers of two, so
//! agreement with it proves that the scaling changes no bit. It does not model vectors below f32's normal range.

mod number;

use super::call::Phi;
use super::rules::{Arithmetic, Chain, Direction, SumOf, Unusable};
pub use number::{Precision, round24};

/// A row: φ, ‖φ‖², the power of two at or below its largest feature, and V.
#[derive(Clone, Debug)]
pub struct Row {
    phi: Vec<f64>,
    square: f64,
    unit: f64,
    target: f64,
}

fn widened(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&x| x.into()).collect()
}

/// All numbers, if none has left the range.
fn finite(x: Vec<f64>) -> Option<Vec<f64>> {
    x.iter().all(|x| x.is_finite()).then_some(x)
}

impl Precision {
    /// sum + factor·x, stored after every operation: a number that leaves the range once does not come back.
    fn kept_sum(self, sum: f64, factor: f64, x: f64) -> f64 {
        self.kept(self.near(sum + self.kept(self.near(factor * x))))
    }

    fn add_kept(self, sum: &mut [f64], factor: f64, x: &[f64]) {
        sum.iter_mut().zip(x).for_each(|(sum, &x)| *sum = self.kept_sum(*sum, factor, x));
    }

    fn direction(self, d: Vec<f64>) -> Direction<f64> {
        let norm = self.near(self.inner(&d, &d).sqrt());
        Direction { d, norm, exponent: 0 }
    }
}

impl Arithmetic for Precision {
    type Number = f64;
    type Row = Row;

    fn round(&self, x: f64) -> f64 {
        match self {
            Self::Single => f64::from(x as f32),
            Self::Double => x,
        }
    }

    fn largest(&self) -> f64 {
        match self {
            Self::Single => f32::MAX.into(),
            Self::Double => f64::MAX,
        }
    }

    fn most_rows(&self) -> usize {
        usize::MAX
    }

    fn encode(&self, phi: &Phi) -> Result<Row, Unusable> {
        let Phi::Floats(phi) = phi else { return Err(Unusable::NotFinite) };
        let phi = finite(widened(phi)).ok_or(Unusable::NotFinite)?;
        let largest = phi.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if largest == 0.0 {
            return Err(Unusable::Zeros);
        }
        // Every f32 is a normal f64.
        let unit = f64::from_bits(largest.to_bits() >> 52 << 52);
        let square = self.inner(&phi, &phi);
        Ok(Row { phi, square, unit, target: 0.0 })
    }

    fn number(&self, x: f32) -> Option<f64> {
        x.is_finite().then_some(x.into())
    }

    /// The target must be finite when divided by the unit, too.
    fn aimed(&self, row: Row, target: f64) -> Option<Row> {
        let fits = target.is_finite() && self.kept(target / row.unit).is_finite();
        fits.then_some(Row { target, ..row })
    }

    fn residual(&self, row: &Row, w: &[f64]) -> (f64, bool) {
        (self.near(self.near(self.inner(&row.phi, w) - row.target) / row.square), false)
    }

    fn along(&self, row: &Row, direction: &Direction<f64>) -> f64 {
        self.near(self.inner(&row.phi, &direction.d) / row.square)
    }

    /// C is in units of the direction, so it cannot go out of range.
    fn add(&self, sum: &mut [f64], row: &Row, q: f64, of: SumOf) {
        match of {
            SumOf::Residuals => self.add_kept(sum, q, &row.phi),
            SumOf::Changes => {
                sum.iter_mut().zip(&row.phi).for_each(|(sum, x)| *sum = self.near(*sum + self.near(q * x)));
            }
        }
    }

    fn normalised(&self, sum: &[f64], of: SumOf) -> Option<Direction<f64>> {
        let sum = sum.to_vec();
        let sum = if of == SumOf::Residuals { finite(sum)? } else { sum };
        Some(self.direction(sum))
    }

    fn difference(&self, a: &[f64], b: &[f64]) -> Option<Direction<f64>> {
        let difference = a.iter().zip(b).map(|(a, b)| self.kept(self.near(a - b))).collect();
        finite(difference).map(|d| self.direction(d))
    }

    fn cosine(&self, u: &Direction<f64>, d: &Direction<f64>) -> f64 {
        let lengths = self.near(u.norm * d.norm);
        if lengths == 0.0 { 0.0 } else { self.near(self.inner(&u.d, &d.d) / lengths) }
    }

    /// Two weights at opposite ends of the range, whose *difference* is out of range, are not modelled.
    fn stepped(
        &self,
        [w, v]: [&[f64]; 2],
        direction: &Direction<f64>,
        [a, beta]: [f64; 2],
    ) -> Option<([Vec<f64>; 2], u32)> {
        let change = |(v, d): (&f64, &f64)| self.kept(self.near(self.near(beta * v) - self.kept(self.near(a * d))));
        let v: Vec<f64> = v.iter().zip(&direction.d).map(change).collect();
        let w = w.iter().zip(&v).map(|(w, v)| self.kept(self.near(w + v))).collect();
        Some(([finite(w)?, v], 0))
    }

    fn average(&self, mean: &mut [f64], w: &[f64], share: f64) {
        for (mean, w) in mean.iter_mut().zip(w) {
            *mean = self.near(*mean + self.near(share * self.near(w - *mean)));
        }
    }

    fn value(&self, row: &Row, w: &[f64]) -> f64 {
        self.kept(self.inner(&row.phi, w))
    }

    fn to_f32(&self, number: f64) -> f32 {
        number as f32
    }

    fn backup(&self, reward: f64, gamma: f32, following: f64) -> f64 {
        self.kept_sum(reward, gamma.into(), following)
    }

    fn decay(&self, z: &mut [f64], gamma: f32) {
        z.iter_mut().for_each(|z| *z = self.near(f64::from(gamma) * *z));
    }

    fn enter(&self, z: &mut Vec<f64>, row: &Row) -> u32 {
        self.add_kept(z, self.near(1.0 / row.square), &row.phi);
        0
    }

    fn credit(&self, sum: &mut Vec<f64>, z: &[f64], reward: f64) -> u32 {
        self.add_kept(sum, -reward, z);
        0
    }

    fn pulled(&self, w: &[f64], row: &Row, r: f64, mu: f64) -> Option<(Vec<f64>, u32)> {
        let factor = self.near(mu * r);
        let next = w.iter().zip(&row.phi).map(|(w, x)| self.kept_sum(*w, -factor, *x));
        Some((finite(next.collect())?, 0))
    }

    fn traced(
        &self,
        w: &[f64],
        chain: &mut Chain<Self>,
        row: &Row,
        target: f64,
        [mu, rho]: [f64; 2],
    ) -> Option<(Vec<f64>, u32)> {
        let value = self.value(row, w);
        let expected = chain.expected.unwrap_or(value);
        let along = self.inner(&chain.z, &row.phi);
        let entry = self.near(self.near(mu * self.near(1.0 - self.near(rho * along))) / row.square);
        for (z, &x) in chain.z.iter_mut().zip(&row.phi) {
            *z = self.kept_sum(self.near(rho * *z), entry, x);
        }
        let forth = self.near(target - expected);
        let back = self.near(self.near(mu * self.near(value - expected)) / row.square);
        let all = w.iter().zip(&chain.z).zip(&row.phi);
        let next = all.map(|((&w, &z), &x)| self.kept_sum(self.kept_sum(w, -back, x), forth, z));
        Some((finite(next.collect())?, 0))
    }

    fn error(&self, row: &Row, r: f64) -> f64 {
        self.kept(self.near(r.abs() * self.near(row.square.sqrt())))
    }

    fn weight_bits(&self, w: f64) -> u64 {
        match self {
            Self::Single => (w as f32).to_bits().into(),
            Self::Double => w.to_bits(),
        }
    }

    fn number_bits(&self, number: f64) -> u64 {
        self.weight_bits(number)
    }

    fn exponent_bits(&self, _: i64) -> Option<u64> {
        None
    }
}
