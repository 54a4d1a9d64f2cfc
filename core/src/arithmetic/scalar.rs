//! The few numbers per update that need plain + − × ÷ √.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Sub};

/// A number that occurs a few times per update: a norm, a step size, a gain.
///
/// Every operation rounds once, to nearest even, so that results are bit-exact on all targets.
pub trait Scalar:
    Copy
    + Debug
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + From<f32>
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
    fn from_ratio(numerator: u32, denominator: u32) -> Self;
    /// √self.
    #[must_use]
    fn sqrt(self) -> Self;
    /// self · 2^`exponent`.
    #[must_use]
    fn scaled(self, exponent: i32) -> Self;
    /// The same, inlined where that is shorter than a call: with an FPU.
    #[must_use]
    fn scaled_here(self, exponent: i32) -> Self;
    /// The nearest `f32`.
    fn to_f32(self) -> f32;
    /// Truncated to `u32`, saturating; negative numbers and NaN give 0.
    fn whole(self) -> u32;
    /// Neither NaN nor infinite.
    fn is_finite(self) -> bool;
    // The operators, where they run once per sample. Without an FPU they are calls, and these are shorter ones.
    /// self + `other`.
    #[must_use]
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    /// self − `other`.
    #[must_use]
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }
    /// self · `other`.
    #[must_use]
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
    /// self / `other`.
    #[must_use]
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        self / other
    }
    /// Whether self < `other`. Neither is NaN, and self has no negative sign.
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self < other
    }
    /// From an integer, such as τ or k.
    fn from_count(count: u32) -> Self {
        Self::from_ratio(count, 1)
    }
}
