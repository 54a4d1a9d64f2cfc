//! Features and the integers they are held in.

use core::fmt::Debug;
use core::ops::Shl;

use fixed::types::extra::{U15, U24};
use fixed::{FixedI16, FixedI32};

use crate::arithmetic::RowError;
use crate::arithmetic::integer::{bit_length, scale_clipped};
use crate::arithmetic::kernels::IntegerKernels;

/// An integer that rows are stored in: `i16` and `i32`.
///
/// ```
/// use osculate::arithmetic::RowInteger;
/// assert_eq!((i16::BITS_USED, i32::BITS_USED), (15, 24));
/// assert_eq!(i32::MAX_ROWS, 128); // finer rows leave less room above them
/// ```
pub trait RowInteger:
    Copy + Debug + Default + Into<i32> + PartialEq + Shl<u32, Output = Self> + IntegerKernels + 'static
{
    /// How many bits the largest feature of a row is given.
    const BITS_USED: u32;
    /// How many rows an accumulator is wide enough for.
    const MAX_ROWS: usize;
    /// Back from the `i32` of a feature that was brought to at most [`BITS_USED`](Self::BITS_USED).
    ///
    /// ```
    /// use osculate::arithmetic::RowInteger;
    /// assert_eq!(i16::from_mantissa(1 << 15), i16::MAX);
    /// assert_eq!(i16::from_mantissa(-1 << 15), -i16::MAX);
    /// ```
    fn from_mantissa(mantissa: i32) -> Self;
}

impl RowInteger for i16 {
    const BITS_USED: u32 = 15;
    const MAX_ROWS: usize = 1 << 16;
    fn from_mantissa(mantissa: i32) -> Self {
        // 2¹⁵ itself does not fit and saturates, and −2¹⁵ with it: a row and its negative mirror each other.
        mantissa.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16
    }
}

impl RowInteger for i32 {
    const BITS_USED: u32 = 24;
    const MAX_ROWS: usize = 1 << 7;
    fn from_mantissa(mantissa: i32) -> Self {
        mantissa
    }
}

/// Features φ as the application hands them over: integers times one power of two.
///
/// ```
/// use fixed::types::I1F15;
/// use osculate::arithmetic::Features;
/// let from_sensor: Features<i16, 2> = [I1F15::from_num(0.5), I1F15::from_num(-0.25)].into();
/// let from_floats = Features::<i16, 2>::from_f32(&[512.0, -256.0]).unwrap();
/// assert_eq!(from_sensor.mantissas(), &[16384, -8192]);
/// assert_eq!(from_floats.mantissas(), &[16384, -8192]);
/// assert_eq!((from_sensor.exponent(), from_floats.exponent()), (0, 10));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Features<R, const N: usize> {
    mantissas: [R; N],
    exponent: i32,
}

impl<R: RowInteger, const N: usize> Features<R, N> {
    /// φᵢ = mantissaᵢ · 2^(exponent − bits), with as many bits as the row's integer uses (15 or 24).
    ///
    /// ```
    /// use osculate::arithmetic::Features;
    /// let half = Features::<i16, 1>::new([1 << 14], 0);
    /// assert_eq!(half, Features::from_f32(&[0.5]).unwrap());
    /// ```
    pub const fn new(mantissas: [R; N], exponent: i32) -> Self {
        Self { mantissas, exponent }
    }

    /// The integers.
    ///
    /// ```
    /// use osculate::arithmetic::Features;
    /// assert_eq!(Features::<i16, 1>::new([7], 0).mantissas(), &[7]);
    /// ```
    pub fn mantissas(&self) -> &[R; N] {
        &self.mantissas
    }

    /// The exponent they share.
    ///
    /// ```
    /// use osculate::arithmetic::Features;
    /// assert_eq!(Features::<i16, 1>::new([7], 3).exponent(), 3);
    /// ```
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The nearest features to these floats, with the largest one filling its bits. All zeros stay zeros.
    ///
    /// # Errors
    /// [`RowError::NonFiniteFeature`] where one is NaN or infinite.
    ///
    /// ```
    /// use osculate::arithmetic::Features;
    /// assert_eq!(Features::<i16, 2>::from_f32(&[1.0, 0.5]).unwrap().mantissas(), &[1 << 14, 1 << 13]);
    /// ```
    pub fn from_f32(features: &[f32; N]) -> Result<Self, RowError> {
        let largest = features.iter().fold(0, |most: u32, x| most.max(x.to_bits() & (u32::MAX >> 1)));
        if !f32::from_bits(largest).is_finite() {
            return Err(RowError::NonFiniteFeature);
        }
        let (mantissa, power) = split(f32::from_bits(largest));
        let exponent = power + bit_length(mantissa.unsigned_abs()) as i32;
        let mantissas = features.map(|x| {
            let (mantissa, power) = split(x);
            R::from_mantissa(scale_clipped(mantissa, power - exponent + R::BITS_USED as i32).value)
        });
        Ok(Self { mantissas, exponent })
    }
}

impl<const N: usize> From<[FixedI16<U15>; N]> for Features<i16, N> {
    fn from(features: [FixedI16<U15>; N]) -> Self {
        Self { mantissas: features.map(FixedI16::to_bits), exponent: 0 }
    }
}

impl<const N: usize> From<[FixedI32<U24>; N]> for Features<i32, N> {
    fn from(features: [FixedI32<U24>; N]) -> Self {
        Self { mantissas: features.map(FixedI32::to_bits), exponent: 0 }
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
