//! The integer types of rows.

use core::fmt::Debug;
use core::ops::Shl;

use fixed::types::{I1F15, I8F24};

use crate::arithmetic::backend::Empty;
use crate::arithmetic::kernels::IntegerKernels;
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
    /// From the `i32` of a feature scaled to at most [`BITS_USED`](Self::BITS_USED) bits.
    fn from_mantissa(mantissa: i32) -> Self;
    /// The integer of a raw feature.
    fn from_raw(raw: Self::Raw) -> Self;
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
    fn from_mantissa(mantissa: i32) -> Self {
        // 2¹⁵ does not fit and saturates, and so does −2¹⁵, so that a row and its negative stay symmetric.
        mantissa.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16
    }
    fn from_raw(raw: I1F15) -> Self {
        raw.to_bits()
    }
}

impl RowInteger for i32 {
    type Raw = I8F24;
    const BITS_USED: u32 = 24;
    const MAX_ROWS: usize = 1 << 7;
    fn from_mantissa(mantissa: i32) -> Self {
        mantissa
    }
    fn from_raw(raw: I8F24) -> Self {
        raw.to_bits()
    }
}

/// A finite float as an integer times 2^power, exactly.
#[inline]
pub(crate) fn split(x: f32) -> (i64, i32) {
    let bits = x.to_bits();
    let fraction = i64::from(bits & 0x7f_ffff);
    let (magnitude, power) = match (bits >> 23) & 0xff {
        0 => (fraction, -149),
        biased => (fraction | 0x80_0000, biased as i32 - 150),
    };
    (if x.is_sign_negative() { -magnitude } else { magnitude }, power)
}
