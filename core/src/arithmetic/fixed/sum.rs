//! Sums of rows, and their normalised directions.

use core::mem::MaybeUninit;

use super::rounding::{Clipped, Inverse, bit_length, isqrt, scale};
use super::row::FixedRow;
use super::trace::{REWARD_LIMIT, limit_all};
use crate::arithmetic::backend::Empty;
use crate::arithmetic::kernels::{Numerator, integer};
use crate::arithmetic::scalar::Scalar;
use crate::state::{Persist, Reader, Writer};

/// A sum of rows: exact, whatever their order. Its unit is a constant that depends on what is summed.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedSum<const N: usize> {
    pub(super) values: [i64; N],
    pub(crate) saturated: u32,
}

impl<const N: usize> Empty for FixedSum<N> {
    const EMPTY: Self = Self { values: [0; N], saturated: 0 };
}

impl<const N: usize> Persist for FixedSum<N> {
    const BYTES: usize = <[i64; N]>::BYTES + u32::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.values.write(writer);
        self.saturated.write(writer);
    }

    /// Clamped to the limit of rewards, whatever the bytes contain.
    fn read(&mut self, reader: &mut Reader<'_>) {
        self.values.read(reader);
        self.values.iter_mut().for_each(|sum| *sum = (*sum).clamp(-REWARD_LIMIT, REWARD_LIMIT));
        self.saturated.read(reader);
    }
}

/// A vector 2^exponent · mantissas, where a mantissa of 2²³ represents 1.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedDirection<const N: usize> {
    pub(super) mantissas: [i32; N],
    pub(super) exponent: i32,
    pub(super) saturated: u32,
}

impl<const N: usize> Empty for FixedDirection<N> {
    const EMPTY: Self = Self { mantissas: [0; N], exponent: 0, saturated: 0 };
}

impl<const N: usize> Persist for FixedDirection<N> {
    const BYTES: usize = <[i32; N]>::BYTES + i32::BYTES + u32::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.mantissas.write(writer);
        self.exponent.write(writer);
        self.saturated.write(writer);
    }

    /// Clamped to the range of a direction, whatever the bytes contain.
    fn read(&mut self, reader: &mut Reader<'_>) {
        let limit = 1 << (MANTISSA_FRACTION + 1);
        self.mantissas.read(reader);
        self.mantissas.iter_mut().for_each(|x| *x = (*x).clamp(-limit, limit));
        // Sums have 64 bits, in units of 2⁻⁵² or larger.
        self.exponent = reader.get::<i32>().clamp(-128, 128);
        self.saturated.read(reader);
    }
}

/// Fraction bits of a direction's mantissas; the largest mantissa takes one bit more.
pub(super) const MANTISSA_FRACTION: u32 = 23;

impl<const N: usize> FixedSum<N> {
    /// Adds quotient · φ.
    #[inline]
    pub(super) fn add(&mut self, quotient: Clipped, row: &FixedRow<N>) {
        self.saturated = self.saturated.saturating_add(quotient.saturated.into());
        integer::add_scaled(&mut self.values, quotient.value, &row.features);
    }

    /// Adds quotient · φ of every row, with the quotients of φ·`factor`.
    #[inline(always)]
    pub(super) fn add_all(&mut self, mut rows: &[FixedRow<N>], factor: &[i32; N], numerator: Numerator) {
        let mut room = MaybeUninit::uninit();
        let ready = integer::factor(factor, &mut room);
        loop {
            let left = integer::add_rows(&mut self.values, rows, &ready, numerator);
            rows = rows.get(rows.len().saturating_sub(left)..).unwrap_or_default();
            match rows {
                [a, b, rest @ ..] if !integer::ADDS_ROWS => {
                    rows = rest;
                    let features = [&a.features, &b.features];
                    let [p, q] = integer::dot_pair(features, &ready);
                    let quotients = [self.quotient(a, p, numerator), self.quotient(b, q, numerator)];
                    integer::add_scaled_pair(&mut self.values, quotients, features);
                }
                [row, rest @ ..] => {
                    rows = rest;
                    self.add_one(row, factor, numerator);
                }
                [] => return,
            }
        }
    }

    /// The same for one row. Not inlined: few rows need it, and it would take room on the stack while the others are added.
    #[inline(never)]
    fn add_one(&mut self, row: &FixedRow<N>, factor: &[i32; N], numerator: Numerator) {
        let r = numerator.of(row, integer::dot(&row.features, factor));
        self.add(row.inverse().times_called(r, numerator.by), row);
    }

    /// The quotient of φ·`factor` for a row. Counts it if it saturates.
    #[inline(always)]
    fn quotient(&mut self, row: &FixedRow<N>, product: i64, numerator: Numerator) -> i32 {
        let (r, inverse) = (numerator.of(row, product), row.inverse());
        inverse.times_near(r, numerator.by).unwrap_or_else(|| far(&mut self.saturated, inverse, r, numerator.by))
    }

    /// The direction of values in units of 2^unit, written to an empty one.
    pub(super) fn normalise(&self, direction: &mut FixedDirection<N>, unit: i32) {
        direction.saturated = self.saturated;
        if let Some(shift) = normalise(&mut direction.mantissas, &self.values) {
            direction.exponent = unit + shift + MANTISSA_FRACTION as i32;
        }
    }

    /// Saturates at the limit of rewards, so that the next one fits.
    pub(super) fn leave_room(&mut self) {
        self.saturated = self.saturated.saturating_add(limit_all(&mut self.values));
    }

    /// The norm and the exponent of that direction.
    pub(super) fn norm(&self, unit: i32) -> (f32, i32) {
        let (norm, shift) = norm_of_sum(&self.values);
        (norm, shift.map_or(0, |shift| unit + shift + MANTISSA_FRACTION as i32))
    }
}

impl<const N: usize> FixedDirection<N> {
    pub(super) fn norm(&self) -> f32 {
        norm(&self.mantissas)
    }
}

/// A quotient of any size. Counts it if it saturates.
#[inline(never)]
fn far(saturated: &mut u32, inverse: Inverse, r: i64, by: i32) -> i32 {
    let quotient = inverse.times_any(r, by);
    *saturated = saturated.saturating_add(quotient.saturated.into());
    quotient.value
}

// These run once per update and not per row, so they are compiled once for all sizes: unrolled they would take
// kilobytes.

/// The values, shifted to fill the mantissas, and the shift; `None` if all are zero.
#[inline(never)]
fn normalise(mantissas: &mut [i32], values: &[i64]) -> Option<i32> {
    let shift = shift_of(values)?;
    if (1..32).contains(&shift) {
        integer::shift_all(values, mantissas, shift.unsigned_abs());
    } else {
        mantissas.iter_mut().zip(values).for_each(|(mantissa, &value)| *mantissa = mantissa_far(value, shift));
    }
    Some(shift)
}

/// The shift to the right that leaves the largest value 24 bits; `None` if all are zero.
#[inline]
fn shift_of(values: &[i64]) -> Option<i32> {
    let magnitudes = integer::magnitudes(values);
    (magnitudes != 0).then(|| bit_length(magnitudes) as i32 - (MANTISSA_FRACTION + 1) as i32)
}

/// The mantissa of one value for any shift. The largest uses 24 bits, so all of them fit.
#[inline(never)]
fn mantissa_far(value: i64, shift: i32) -> i32 {
    scale(value, -shift) as i32
}

/// The norm of the mantissas, and their shift; `None` if all are zero.
#[inline(never)]
fn norm_of_sum(values: &[i64]) -> (f32, Option<i32>) {
    let Some(shift) = shift_of(values) else { return (0.0, None) };
    let square = if (1..32).contains(&shift) {
        integer::sum_of_squares(values, shift.unsigned_abs())
    } else {
        values.iter().map(|&value| i64::from(mantissa_far(value, shift)).pow(2) as u64).sum()
    };
    (root(square), Some(shift))
}

#[inline(never)]
fn norm(mantissas: &[i32]) -> f32 {
    root(mantissas.iter().map(|&x| i64::from(x).pow(2) as u64).sum::<u64>())
}

/// The root of a sum of squares of mantissas, in their units.
#[inline(never)]
pub(super) fn root(square: u64) -> f32 {
    if square == 0 {
        return 0.0;
    }
    // An even shift that fills the word gives a 32-bit root, and an f32 keeps 24 bits of it.
    let shift = square.leading_zeros() & !1;
    (isqrt(square << shift) as f32).scaled(-((shift / 2 + MANTISSA_FRACTION) as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Q28;
    use crate::arithmetic::backend::{Backend, Features};

    #[test]
    fn a_count_of_saturated_quotients_never_wraps() {
        let mut row = FixedRow::EMPTY;
        Q28::encode(&mut row, Features::Floats(&[1.0])).unwrap();
        let saturated = Clipped { value: 0, saturated: true };
        let mut sum = FixedSum::<1> { saturated: u32::MAX, ..FixedSum::EMPTY };
        sum.add(saturated, &row);
        row.target = -1;
        let numerator = Numerator { with_target: true, by: 100 };
        sum.add_all(&[row.clone(), row.clone()], &[0], numerator);
        assert_eq!(sum.saturated, u32::MAX);
        sum.saturated = 0;
        sum.add_all(&[row.clone(), row.clone(), row], &[0], numerator);
        assert_eq!(sum.saturated, 3);
    }
}
