//! The floats that the floating-point backend is for.

use core::ops::Neg;

use super::Scalar;
use super::kernels::{self, FloatKernels};

/// An IEEE 754 format: implemented for `f32` and `f64`, and by nothing else.
///
/// ```
/// use osculate::arithmetic::Real;
/// assert_eq!((-12.0_f32).exponent(), 3);
/// assert_eq!(f64::MIN_POSITIVE.exponent(), -1022);
/// ```
pub trait Real: Scalar + Default + From<f32> + FloatKernels + Neg<Output = Self> {
    /// ⌊log₂|self|⌋ of a finite number other than 0.
    ///
    /// ```
    /// use osculate::arithmetic::Real;
    /// assert_eq!(0.3_f32.exponent(), -2);
    /// ```
    fn exponent(self) -> i32;
}

macro_rules! real {
    ($float:ident, $bits:ident, $sqrt:path) => {
        impl Scalar for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const MAX: Self = $float::MAX;

            fn from_ratio(numerator: u32, denominator: u32) -> Self {
                numerator as $float / denominator as $float
            }
            fn sqrt(self) -> Self {
                $sqrt(self)
            }
            #[inline(never)]
            fn scaled(self, exponent: i32) -> Self {
                const LIMIT: i32 = $float::MAX_EXP - 2;
                const DOWN: i32 = LIMIT - $float::MANTISSA_DIGITS as i32;
                let power = |e: i32| <Self as FloatKernels>::power_of_two_factors(e).0;
                // Four factors lead from any number to 0 or to infinity.
                let (mut x, mut left) = (self, exponent.clamp(-4 * DOWN, 4 * LIMIT));
                while left > LIMIT {
                    x *= power(LIMIT);
                    left -= LIMIT;
                }
                // Only the last factor may round. A shorter one that already leads below the normal numbers leaves so many
                // bits to go that nothing but 0 can come of it.
                while left < -LIMIT {
                    x *= power(-DOWN);
                    left += DOWN;
                }
                x * power(left)
            }
            fn whole(self) -> u32 {
                self as u32
            }
            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }
        }

        impl Real for $float {
            fn exponent(self) -> i32 {
                let magnitude = self.to_bits() & ($bits::MAX >> 1);
                match (magnitude >> ($float::MANTISSA_DIGITS - 1)) as i32 {
                    // Subnormal: the fraction counts units of 2^(MIN_EXP − MANTISSA_DIGITS).
                    0 => {
                        magnitude.checked_ilog2().unwrap_or(0) as i32 + $float::MIN_EXP - $float::MANTISSA_DIGITS as i32
                    }
                    biased => biased - ($float::MAX_EXP - 1),
                }
            }
        }
    };
}

real!(f32, u32, kernels::sqrt);
real!(f64, u64, libm::sqrt);
