//! Rows (φ, V) and multiples of them.

use super::super::RowError;
use super::super::integer::{Clipped, Inverse, bit_length, scale_clipped};
use super::super::kernels::Aligned;
use super::{Features, RowInteger};

/// A row (φ, V), scaled so that its largest feature fills its bits: 16 bytes and the features.
///
/// ```
/// use osculate::arithmetic::{Features, FixedRow};
/// use osculate::{Arithmetic, Q28};
/// let row: FixedRow<i16, 1> = Q28::admit(&Features::new([1], 0)).unwrap();
/// assert_eq!(row, Q28::admit(&Features::new([2], -1)).unwrap()); // the same number
/// assert_eq!(size_of::<FixedRow<i16, 8>>(), 32);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FixedRow<R, const N: usize> {
    pub(super) features: Aligned<R, N>,
    /// V, in units of φ·w.
    pub(super) target: i64,
    // 1/‖φ‖². Not as an `Inverse`, whose padding would cost four bytes.
    inverse_mantissa: u32,
    inverse_exponent: u16,
    /// The row as it came is 2^exponent times this one.
    pub(super) exponent: i16,
}

/// Features per row that the accumulators are wide enough for.
const MAX_FEATURES: usize = 128;

impl<R: RowInteger, const N: usize> FixedRow<R, N> {
    pub(super) fn admit(features: &Features<R, N>) -> Result<Self, RowError> {
        const { assert!(N <= MAX_FEATURES, "fixed-point rows have at most 128 features") };
        let largest = largest(features.mantissas());
        if largest == 0 {
            return Err(RowError::ZeroFeatures);
        }
        let shift = R::BITS_USED as i32 - bit_length(largest.into()) as i32;
        // Exponents far beyond any target's reach need not be told apart.
        let exponent = features.exponent().saturating_sub(shift).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        // In its place, where it stays: to move a row costs as much as to scale it.
        let mut row = Self {
            features: Aligned(*features.mantissas()),
            target: 0,
            inverse_mantissa: 0,
            inverse_exponent: 0,
            exponent,
        };
        scale_all(&mut row.features.0, shift);
        let inverse = Inverse::of(R::norm_squared(&row.features));
        (row.inverse_mantissa, row.inverse_exponent) = (inverse.mantissa, inverse.exponent);
        Ok(row)
    }

    pub(super) fn inverse(&self) -> Inverse {
        Inverse { mantissa: self.inverse_mantissa, exponent: self.inverse_exponent }
    }
}

/// How many bits the largest feature has more than a row gives it.
#[inline]
pub(super) fn excess_bits<R: RowInteger>(features: &[R]) -> u32 {
    bit_length(largest(features).into()).saturating_sub(R::BITS_USED)
}

/// The features of a row that had `excess` bits too many, rounded as when it is admitted.
#[inline(never)]
pub(super) fn narrowed<R: RowInteger, const N: usize>(features: &[R; N], excess: u32) -> [R; N] {
    let mut narrow = *features;
    scale_all(&mut narrow, -(excess as i32));
    narrow
}

/// The largest magnitude.
#[inline(never)]
fn largest<R: RowInteger>(features: &[R]) -> u32 {
    features.iter().map(|&x| Into::<i32>::into(x).unsigned_abs()).max().unwrap_or(0)
}

/// x ← x · 2^`shift`: the largest has at most 31 bits before and, but for a rounding up, BITS_USED after.
#[inline(never)]
fn scale_all<R: RowInteger>(features: &mut [R], shift: i32) {
    // Features from floats come with their bits filled, those from a sensor need to be shifted left.
    if shift >= 0 {
        features.iter_mut().for_each(|x| *x = *x << shift.unsigned_abs());
    } else {
        features.iter_mut().for_each(|x| *x = R::from_mantissa(scale_clipped((*x).into().into(), shift).value));
    }
}

/// (φ·w − V)/‖φ‖² in 32 bits, and whether they were enough.
///
/// ```
/// use osculate::arithmetic::{Features, FixedQuotient};
/// use osculate::{Arithmetic, Q28};
/// let row = Q28::admit(&Features::new([1, 2], 0)).unwrap();
/// let quotient: FixedQuotient = Q28::residual(&row, &[Default::default(); 2]);
/// let mut sum = Q28::residual_sum();
/// Q28::accumulate(&mut sum, quotient, &row); // the row's target is 0, and so is φ·w
/// assert_eq!(sum, Q28::residual_sum());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedQuotient(pub(super) Clipped);
