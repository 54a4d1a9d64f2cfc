//! The integer types of rows.

use core::fmt::Debug;
use core::ops::Shl;

use fixed::types::I1F15;

use super::eligibility::{Entry, Pull, Scale};
use super::{eligibility, row, trace};
use crate::arithmetic::RowError;
use crate::arithmetic::backend::{Empty, Overflow};
use crate::arithmetic::kernels::{IntegerKernels, integers_of};
use crate::state::Persist;

/// An integer type that rows are stored in: `i16` or `i32`.
pub trait RowInteger:
    Copy + Debug + Empty + Into<i32> + PartialEq + Persist + Shl<u32, Output = Self> + IntegerKernels + 'static
{
    /// A feature in the format's native numbers.
    type Raw: Copy;
    /// The number of bits for the largest feature of a row.
    const BITS_USED: u32;
    /// The maximum number of rows for the width of an accumulator.
    const MAX_ROWS: usize;
    /// How far a feature of a row can be shifted to the left in a word.
    const ROOM: u32;
    /// The largest magnitude of a feature: rounding up ends here.
    const LARGEST: u32;
    /// From an `i32` of at most that magnitude.
    fn narrow(x: i32) -> Self;
    /// From the `i32` of a feature scaled to at most [`BITS_USED`](Self::BITS_USED) bits.
    fn from_mantissa(mantissa: i32) -> Self;
    /// The integer of a raw feature.
    fn from_raw(raw: Self::Raw) -> Self;
    /// The integers of raw features.
    fn from_raws<const N: usize>(raw: &[Self::Raw; N]) -> &[Self; N];

    // What has to be compiled once, here, and not with the application: generic code would be.

    /// [`row::normalise`].
    fn normalise(integers: &mut [Self], features: &[f32]) -> Result<i16, RowError>;
    /// [`row::normalise_raw`].
    fn normalise_raw(integers: &mut [Self], features: &[Self::Raw]) -> Result<i16, RowError>;
    /// [`trace::add`].
    fn add_to_trace(trace: &mut [i32], features: &[Self], factor: (u32, i32)) -> u32;
    /// [`eligibility::enter`].
    fn enter(mantissas: &mut [i32], scale: &mut Scale, features: &[Self], entry: &Entry) -> Result<(), Overflow>;
    /// [`eligibility::advance`].
    fn advance(weights: &mut [i32], trace: (&[i32], i16), features: &[Self], pull: &Pull) -> Result<u32, Overflow>;
    /// [`eligibility::subtract_all`].
    fn subtract(weights: &mut [i32], features: &[Self], factor: f32, power: i32) -> u32;
}

macro_rules! compiled_once {
    () => {
        #[inline(never)]
        fn normalise(integers: &mut [Self], features: &[f32]) -> Result<i16, RowError> {
            row::normalise(integers, features)
        }
        #[inline(never)]
        fn normalise_raw(integers: &mut [Self], features: &[Self::Raw]) -> Result<i16, RowError> {
            row::normalise_raw(integers, features)
        }
        #[inline(never)]
        fn add_to_trace(trace: &mut [i32], features: &[Self], factor: (u32, i32)) -> u32 {
            trace::add(trace, features, factor)
        }
        #[inline(never)]
        fn enter(mantissas: &mut [i32], scale: &mut Scale, features: &[Self], entry: &Entry) -> Result<(), Overflow> {
            eligibility::enter(mantissas, scale, features, entry)
        }
        #[inline(never)]
        fn advance(weights: &mut [i32], trace: (&[i32], i16), features: &[Self], pull: &Pull) -> Result<u32, Overflow> {
            eligibility::advance(weights, trace, features, pull)
        }
        #[inline(never)]
        fn subtract(weights: &mut [i32], features: &[Self], factor: f32, power: i32) -> u32 {
            eligibility::subtract_all(weights, features, factor, power)
        }
    };
}

impl Empty for i16 {
    const EMPTY: Self = 0;
}
impl Empty for i32 {
    const EMPTY: Self = 0;
}
impl Empty for i64 {
    const EMPTY: Self = 0;
}

impl RowInteger for i16 {
    type Raw = I1F15;
    const BITS_USED: u32 = 15;
    const MAX_ROWS: usize = 1 << 16;
    const ROOM: u32 = 16;
    // 2¹⁵ does not fit and saturates, and so does −2¹⁵, so that a row and its negative stay symmetric.
    const LARGEST: u32 = i16::MAX as u32;
    compiled_once!();
    fn narrow(x: i32) -> Self {
        x as i16
    }
    fn from_mantissa(mantissa: i32) -> Self {
        mantissa.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16
    }
    fn from_raw(raw: I1F15) -> Self {
        raw.to_bits()
    }
    fn from_raws<const N: usize>(raw: &[I1F15; N]) -> &[Self; N] {
        integers_of(raw)
    }
}

/// A finite float as an integer times 2^power, exactly.
#[inline]
pub(crate) fn split(x: f32) -> (i64, i32) {
    let bits = x.to_bits();
    let fraction = (bits & 0x7f_ffff).cast_signed();
    let (magnitude, power) = match (bits >> 23) & 0xff {
        0 => (fraction, -149),
        biased => (fraction | 0x80_0000, biased as i32 - 150),
    };
    (i64::from(if x.is_sign_negative() { -magnitude } else { magnitude }), power)
}
