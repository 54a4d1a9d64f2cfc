//! Fixed point, exactly, as `docs/numerics.md` has it; the numbers in the comments are its steps. There are two readings
//! of its integers, which share nothing: pairs of floats, and `i128`. Scalars use the machine's f32.

mod integer;
mod pair;
mod row;

use super::call::{Format, Phi};
use super::rules::{Arithmetic, Chain, Direction, SumOf, Unusable};
pub use integer::Integer;
pub use pair::Pair;
use row::{Row, scaled};
use std::marker::PhantomData;

/// Fraction bits of a trace.
const TRACE: i64 = 22;
/// No sum over rows exceeds this.
const LIMIT: i64 = 1 << 62;

/// Fixed point with these integers.
#[derive(Clone, Debug)]
pub struct Fixed<I> {
    format: Format,
    /// P.
    p: i64,
    /// F.
    f: i64,
    integers: PhantomData<I>,
}

/// 5 and 7. A sum in units of 2^unit; in ‖d‖, a mantissa of 2²³ counts as 1.
fn normalised<I: Integer>(sum: &[I], unit: i64) -> Direction<I> {
    let longest = I::longest(sum);
    let s = if longest == 0 { 0 } else { longest - 24 };
    let d: Vec<I> = sum.iter().map(|x| x.shifted(-s)).collect();
    let x = I::dot(&d, &d);
    let z = (64 - x.length()) / 2 * 2;
    let root = x.shifted(z).root().to_f32();
    Direction { d, norm: scaled(root, -z / 2 - 23).into(), exponent: unit + s + 23 }
}

/// Changes of all elements, and how many of them saturated.
fn counted<I>(changes: impl Iterator<Item = (I, bool)>) -> (Vec<I>, u32) {
    let mut saturated = 0;
    let count = |(changed, is_cut)| {
        saturated += u32::from(is_cut);
        changed
    };
    (changes.map(count).collect(), saturated)
}

impl<I: Integer> Fixed<I> {
    /// With the widths of a format.
    pub fn new(format: Format) -> Self {
        Self { format, p: format.feature_bits.into(), f: format.fraction_bits.into(), integers: PhantomData }
    }
}

impl<I: Integer> Arithmetic for Fixed<I> {
    type Number = I;
    type Row = Row<I>;

    fn round(&self, x: f64) -> f64 {
        (x as f32).into()
    }

    fn largest(&self) -> f64 {
        f32::MAX.into()
    }

    fn most_rows(&self) -> usize {
        self.format.max_rows
    }

    fn encode(&self, phi: &Phi) -> Result<Row<I>, Unusable> {
        Row::new(phi, self.format)
    }

    fn number(&self, x: f32) -> Option<I> {
        if !x.is_finite() {
            return None;
        }
        let (a, exponent) = I::parts(x);
        Some(a.shifted(exponent + 32)).filter(|raw| raw.cut64() == *raw)
    }

    fn aimed(&self, row: Row<I>, target: I) -> Option<Row<I>> {
        let t = target.shifted(self.p + self.f - 32 - row.e);
        (t.length() <= 61).then_some(Row { t, ..row })
    }

    fn residual(&self, row: &Row<I>, w: &[I]) -> (I, bool) {
        row.quotient(I::dot(&row.m, w) - row.t, self.p - 2)
    }

    fn along(&self, row: &Row<I>, direction: &Direction<I>) -> I {
        row.quotient(I::dot(&row.m, &direction.d), self.p + 1).0
    }

    fn add(&self, sum: &mut [I], row: &Row<I>, q: I, _: SumOf) {
        sum.iter_mut().zip(&row.m).for_each(|(sum, &m)| *sum = *sum + q * m);
    }

    fn normalised(&self, sum: &[I], of: SumOf) -> Option<Direction<I>> {
        let unit = match of {
            SumOf::Residuals => 2 - self.f,
            SumOf::Changes => -24,
        };
        Some(normalised(sum, unit - self.p))
    }

    fn difference(&self, a: &[I], b: &[I]) -> Option<Direction<I>> {
        let difference: Vec<I> = a.iter().zip(b).map(|(&a, &b)| a - b).collect();
        Some(normalised(&difference, -self.f))
    }

    fn cosine(&self, u: &Direction<I>, d: &Direction<I>) -> f64 {
        let lengths = u.norm as f32 * d.norm as f32;
        if lengths == 0.0 { 0.0 } else { (scaled(I::dot(&u.d, &d.d).to_f32(), -46) / lengths).into() }
    }

    fn stepped(&self, [w, v]: [&[I]; 2], direction: &Direction<I>, [a, beta]: [f64; 2]) -> Option<([Vec<I>; 2], u32)> {
        if !a.is_finite() {
            return None;
        }
        let (a, alpha) = I::parts(a as f32);
        let step = |((&w, v), &d): ((&I, &I), &I)| {
            let (change, is_change_cut) = (a * d).shifted(alpha + direction.exponent - 23 + self.f).cut32();
            let (next, is_weight_cut) = (w + v.shrunk(beta as f32) - change).cut32();
            (next, is_change_cut || is_weight_cut)
        };
        let (next, saturated) = counted(w.iter().zip(v).zip(&direction.d).map(step));
        // The distance from one end of the range to the other does not fit in a velocity.
        let v = next.iter().zip(w).map(|(&next, &w)| (next - w).cut32().0).collect();
        Some(([next, v], saturated))
    }

    fn average(&self, mean: &mut [I], w: &[I], share: f64) {
        mean.iter_mut().zip(w).for_each(|(mean, &w)| *mean = *mean + (w - *mean).times(share as f32));
    }

    fn value(&self, row: &Row<I>, w: &[I]) -> I {
        I::dot(&row.m, w).shifted(row.e + 32 - self.p - self.f).cut64()
    }

    fn to_f32(&self, number: I) -> f32 {
        scaled(number.to_f32(), -32)
    }

    fn backup(&self, reward: I, gamma: f32, following: I) -> I {
        (reward + following.times(gamma)).cut64()
    }

    fn decay(&self, z: &mut [I], gamma: f32) {
        z.iter_mut().for_each(|z| *z = z.shrunk(gamma));
    }

    fn enter(&self, z: &mut Vec<I>, row: &Row<I>) -> u32 {
        let (next, saturated) = counted(z.iter().zip(&row.m).map(|(&z, &m)| {
            let (entry, is_entry_cut) = row.share(m, self.p - row.e + TRACE);
            let (sum, is_sum_cut) = (z + entry).cut32();
            (sum, is_entry_cut || is_sum_cut)
        }));
        *z = next;
        saturated
    }

    fn credit(&self, sum: &mut Vec<I>, z: &[I], reward: I) -> u32 {
        let drop = (reward.length() - 31).max(0);
        let reward = reward.shifted(-drop);
        let (next, saturated) = counted(sum.iter().zip(z).map(|(&sum, &z)| {
            let exact = (reward * z).shifted(drop - 32 - TRACE + self.p + self.f - 2);
            let (sum, is_sum_cut) = (sum - exact.cut64()).cut(-LIMIT, LIMIT);
            (sum, is_sum_cut || exact.length() > 63)
        }));
        *sum = next;
        saturated
    }

    fn pulled(&self, w: &[I], row: &Row<I>, r: I, mu: f64) -> Option<(Vec<I>, u32)> {
        let (a, alpha) = I::parts(mu as f32 * r.to_f32());
        Some(counted(w.iter().zip(&row.m).map(|(&w, &m)| {
            let (change, is_change_cut) = (a * m).shifted(alpha + 2 - self.p).cut32();
            let (next, is_next_cut) = (w - change).cut32();
            (next, is_change_cut || is_next_cut)
        })))
    }

    fn traced(
        &self,
        w: &[I],
        chain: &mut Chain<Self>,
        row: &Row<I>,
        target: I,
        [mu, rho]: [f64; 2],
    ) -> Option<(Vec<I>, u32)> {
        let (mu, rho) = (mu as f32, rho as f32);
        let value = self.value(row, w);
        let v_old = chain.expected.unwrap_or(value);
        let x = scaled(I::dot(&row.m, &chain.z).to_f32(), chain.exponent + row.e - self.p);
        let c = (mu * (1.0 - rho * x)) * row.inverse();
        let b = (mu * scaled((value - v_old).cut64().to_f32(), -32)) * row.inverse();
        if !c.is_finite() || !b.is_finite() {
            return None;
        }
        let ((a, alpha), (kept, beta)) = (I::parts(c), I::parts(rho));
        let alpha = alpha + self.p - row.e;
        let tops = [(I::longest(&chain.z), chain.exponent), (a.length(), self.p + alpha)];
        let top = tops.iter().filter(|(length, _)| *length > 0).map(|(length, exponent)| length + exponent).max();
        let e = top.map_or(0, |top| top - 29);
        for (z, &m) in chain.z.iter_mut().zip(&row.m) {
            *z = (*z * kept).shifted(beta + chain.exponent - e) + (a * m).shifted(alpha - e);
        }
        chain.exponent = e;

        let along = (target - v_old).cut64();
        let drop = (along.length() - 31).max(0);
        let along = along.shifted(-drop);
        let (back, beta) = I::parts(b);
        Some(counted(w.iter().zip(&chain.z).zip(&row.m).map(|((&w, &z), &m)| {
            let (forth, is_forth_cut) = (along * z).shifted(drop - 32 + e + self.f).cut32();
            let (back, is_back_cut) = (back * m).shifted(beta + self.p - row.e + self.f).cut32();
            let (next, is_next_cut) = (w + forth - back).cut32();
            (next, is_forth_cut || is_back_cut || is_next_cut)
        })))
    }

    fn error(&self, row: &Row<I>, r: I) -> f64 {
        (scaled(r.to_f32().abs(), 2 - self.f) / scaled(row.inverse(), 2 * self.p).sqrt()).into()
    }

    fn weight_bits(&self, w: I) -> u64 {
        u64::from(w.to_i64() as u32)
    }

    fn number_bits(&self, number: I) -> u64 {
        number.to_i64() as u64
    }

    fn exponent_bits(&self, exponent: i64) -> Option<u64> {
        Some((exponent as i16 as u16).into())
    }
}
