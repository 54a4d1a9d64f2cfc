//! Sums of rows, and the directions that they are closed into.

use core::borrow::Borrow;

use super::super::Scalar;
use super::super::integer::{bit_length, scale_clipped};
use super::super::pairs::next_pair;
use super::features::RowInteger;
use super::row::{FixedQuotient, FixedRow};

/// A sum of rows: exact, whatever their order.
///
/// ```
/// use osculate::arithmetic::FixedSum;
/// use osculate::{Arithmetic, Q28};
/// let sum: FixedSum<2> = Q28::residual_sum();
/// assert_ne!(sum, Q28::change_sum()); // empty like the other, in other units
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FixedSum<const N: usize> {
    pub(super) values: [i64; N],
    /// The values count units of 2^unit.
    pub(super) unit: i32,
    pub(crate) saturated: u32,
}

/// A vector 2^exponent · mantissas, where a mantissa of 2²³ stands for 1.
///
/// ```
/// use osculate::arithmetic::FixedDirection;
/// use osculate::{Arithmetic, Q28};
/// let nowhere: FixedDirection<2> = Q28::close(Q28::residual_sum()).unwrap();
/// assert_eq!(Q28::norm(&nowhere), 0.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FixedDirection<const N: usize> {
    pub(super) mantissas: [i32; N],
    pub(super) exponent: i32,
    pub(super) saturated: u32,
}

/// Fraction bits of a direction's mantissas; the largest takes one bit more.
pub(super) const MANTISSA_FRACTION: u32 = 23;

impl<const N: usize> FixedSum<N> {
    pub(super) fn empty(unit: i32) -> Self {
        Self { values: [0; N], unit, saturated: 0 }
    }

    /// Adds quotient · φ.
    #[inline]
    pub(super) fn add<R: RowInteger>(&mut self, FixedQuotient(quotient): FixedQuotient, row: &FixedRow<R, N>) {
        self.saturated = self.saturated.saturating_add(quotient.saturated.into());
        R::add_scaled(&mut self.values, quotient.value, &row.features);
    }

    /// Adds quotient · φ of every row, two by two, with the quotient that `quotient` makes of φ·`factor`.
    #[inline(always)]
    pub(super) fn add_all<R: RowInteger, B: Borrow<FixedRow<R, N>>>(
        &mut self,
        mut rows: impl Iterator<Item = B>,
        factor: &[i32; N],
        quotient: impl Fn(&FixedRow<R, N>, i64) -> FixedQuotient,
    ) {
        let mut ready = R::factor(factor);
        R::prepare(&mut ready);
        let mut saturated = 0_u32;
        while let Some((a, b)) = next_pair(&mut rows) {
            let a = a.borrow();
            let Some(b) = b else {
                self.add(quotient(a, R::dot(&a.features, factor)), a);
                break;
            };
            let b = b.borrow();
            let features = [&a.features, &b.features];
            let [p, q] = R::dot_pair(features, &ready);
            let [FixedQuotient(p), FixedQuotient(q)] = [quotient(a, p), quotient(b, q)];
            saturated = saturated.saturating_add(u32::from(p.saturated) + u32::from(q.saturated));
            R::add_scaled_pair(&mut self.values, [p.value, q.value], features);
        }
        self.saturated = self.saturated.saturating_add(saturated);
    }

    pub(super) fn close(self) -> FixedDirection<N> {
        let largest = largest(&self.values);
        let mut direction = FixedDirection { mantissas: [0; N], exponent: 0, saturated: self.saturated };
        if largest != 0 {
            let shift = bit_length(largest) as i32 - (MANTISSA_FRACTION + 1) as i32;
            shift_all(&mut direction.mantissas, &self.values, -shift);
            direction.exponent = self.unit + shift + MANTISSA_FRACTION as i32;
        }
        direction
    }
}

impl<const N: usize> FixedDirection<N> {
    pub(super) fn norm(&self) -> f32 {
        norm(&self.mantissas)
    }
}

// Once per update and not per row, so these are compiled once for all sizes: unrolled for each they would take kilobytes.

#[inline(never)]
fn largest(values: &[i64]) -> u64 {
    values.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0)
}

#[inline(never)]
fn shift_all(mantissas: &mut [i32], values: &[i64], by: i32) {
    for (mantissa, &value) in mantissas.iter_mut().zip(values) {
        *mantissa = scale_clipped(value, by).value;
    }
}

#[inline(never)]
fn norm(mantissas: &[i32]) -> f32 {
    let square = mantissas.iter().map(|&x| i64::from(x).pow(2) as u64).sum::<u64>();
    if square == 0 {
        return 0.0;
    }
    // An even shift that fills the word gives the root 32 bits, of which an f32 keeps 24.
    let shift = square.leading_zeros() & !1;
    let root = (square << shift).isqrt();
    (root as f32).scaled(-((shift / 2 + MANTISSA_FRACTION) as i32))
}

#[cfg(test)]
mod tests {
    use super::super::super::integer::Clipped;
    use super::*;
    use crate::{Arithmetic, Q28};

    #[test]
    fn a_count_of_saturated_quotients_never_wraps() {
        let row = Q28::admit(&Q28::features(&[1.0]).unwrap()).unwrap();
        let saturated = || FixedQuotient(Clipped { value: 0, saturated: true });
        let mut sum = FixedSum::<1> { saturated: u32::MAX, ..FixedSum::empty(0) };
        sum.add(saturated(), &row);
        sum.add_all([&row, &row].into_iter(), &[0], |_, _| saturated());
        assert_eq!(sum.saturated, u32::MAX);
    }
}
