//! The few numbers per update that need plain + − × ÷ √.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Sub};

/// A number that occurs a few times per update: a norm, a step size, a gain.
///
/// Every operation rounds once, to nearest with ties to even, so that all targets agree on every bit.
///
/// ```
/// use osculate::Scalar;
/// assert_eq!(f32::from_ratio(1, 2), 0.5);
/// assert_eq!(f32::from_ratio(9, 4).sqrt(), 1.5);
/// assert_eq!(f32::ONE.scaled(-3), 0.125);
/// assert!(<f64 as Scalar>::ZERO < f64::from_ratio(1, u32::MAX) && <f32 as Scalar>::MAX.is_finite());
/// ```
pub trait Scalar:
    Copy
    + Debug
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Into<f64>
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The largest finite number.
    const MAX: Self;
    /// `numerator / denominator`; both are converted first, which is exact below 2²⁴.
    ///
    /// ```
    /// use osculate::Scalar;
    /// assert_eq!(f64::from_ratio(3, 4), 0.75);
    /// ```
    fn from_ratio(numerator: u32, denominator: u32) -> Self;
    /// √self.
    ///
    /// ```
    /// use osculate::Scalar;
    /// assert_eq!(Scalar::sqrt(9.0_f32), 3.0);
    /// ```
    #[must_use]
    fn sqrt(self) -> Self;
    /// self · 2^`exponent`.
    ///
    /// ```
    /// use osculate::Scalar;
    /// assert_eq!(3.0_f32.scaled(2), 12.0);
    /// ```
    #[must_use]
    fn scaled(self, exponent: i32) -> Self;
    /// Truncated to `u32`, saturating; negative numbers and NaN give 0.
    ///
    /// ```
    /// use osculate::Scalar;
    /// assert_eq!([2.75_f32, -1.0, 1e10].map(Scalar::whole), [2, 0, u32::MAX]);
    /// ```
    fn whole(self) -> u32;
    /// Whether this is a number at all: neither NaN nor infinite.
    ///
    /// ```
    /// use osculate::Scalar;
    /// assert!(!Scalar::is_finite(f32::NAN));
    /// ```
    fn is_finite(self) -> bool;
    /// A whole number, such as τ or k.
    ///
    /// ```
    /// use osculate::Scalar;
    /// assert_eq!(f32::from_count(7), 7.0);
    /// ```
    fn from_count(count: u32) -> Self {
        Self::from_ratio(count, 1)
    }
}
