//! The floats of the floating-point backend.

use core::ops::Neg;

use crate::arithmetic::backend::Empty;
#[cfg(no_fpu)]
use crate::arithmetic::kernels::soft;
use crate::arithmetic::kernels::{self, FloatKernels};
use crate::arithmetic::scalar::Scalar;
use crate::arithmetic::{Arithmetic, RowError};
use crate::sealed::Sealed;
use crate::state::Persist;

/// An IEEE 754 format: implemented only for `f32` and `f64`.
pub trait Real: Sealed + Scalar + Empty + Persist + FloatKernels + Neg<Output = Self> {
    /// The format's number in a saved state.
    const CODE: u8;
    /// Additions of at most this much never overflow, however many: long before the end of the range, a sum is so large
    /// that they round to nothing.
    const HARMLESS: Self;
    /// ⌊log₂|self|⌋ of a finite non-zero number.
    fn exponent(self) -> i32;
    /// The same, if this can be the largest |φ| of a row.
    fn row_exponent(self) -> Result<i16, RowError>;
    /// Whether a number that is not negative lies from 2⁻⁶⁰ to 2⁶⁰.
    fn is_usual(self) -> bool;
    /// Features in this format; `f32` needs no copy.
    fn with_features<T, const N: usize>(features: &[f32; N], then: impl FnOnce(&[Self; N]) -> T) -> T;
}

macro_rules! real {
    ($float:ident, $bits:ident, $code:literal, $harmless:literal, $sqrt:path, |$features:ident| $widened:expr, { $($operation:item)* }) => {
        impl Sealed for $float {}

        impl Empty for $float {
            const EMPTY: Self = 0.0;
        }

        impl Arithmetic for $float {
            const NAME: &'static str = stringify!($float);

            fn weight(value: f32) -> Self {
                if value.is_nan() { 0.0 } else { value.clamp(f32::MIN, f32::MAX).into() }
            }
            fn bits(weight: Self) -> u64 {
                weight.to_bits().into()
            }
        }

        const _: () = {
            /// The largest power of two that is one factor, also inverted.
            const LIMIT: i32 = $float::MAX_EXP - 2;

            #[inline(always)]
            fn power(exponent: i32) -> $float {
                <$float as FloatKernels>::power_of_two_factors(exponent).0
            }

            impl Scalar for $float {
                const ZERO: Self = 0.0;
                const ONE: Self = 1.0;
                const MAX: Self = $float::MAX;
                $($operation)*

                fn from_ratio(numerator: u32, denominator: u32) -> Self {
                    numerator as $float / denominator as $float
                }
                fn sqrt(self) -> Self {
                    $sqrt(self)
                }
                // Inlined, it would take 4 % more flash.
                #[inline(never)]
                fn scaled(self, exponent: i32) -> Self {
                    // Without an FPU, a sum of exponents is much faster than a product. Not for subnormals, infinity and
                    // NaN, in or out.
                    if !cfg!(has_vfp) {
                        const FRACTION_BITS: u32 = $float::MANTISSA_DIGITS - 1;
                        let old = (self.to_bits() << 1 >> (FRACTION_BITS + 1)) as i32;
                        let normal = 1..2 * $float::MAX_EXP - 1;
                        if normal.contains(&old) && normal.contains(&old.saturating_add(exponent)) {
                            return $float::from_bits(
                                self.to_bits().wrapping_add((exponent as $bits) << FRACTION_BITS),
                            );
                        }
                    }
                    const DOWN: i32 = LIMIT - $float::MANTISSA_DIGITS as i32;
                    let (mut x, mut left) = (self, exponent);
                    while !(-LIMIT..=LIMIT).contains(&left) {
                        // Only the last factor may round. If an earlier factor already leads below the normal numbers, so
                        // many bits remain to go that the result is 0 in any case.
                        let step = left.clamp(-DOWN, LIMIT);
                        x *= power(step);
                        // Four factors take any number to 0 or to infinity.
                        left = left.clamp(-4 * DOWN, 4 * LIMIT) - step;
                    }
                    x * power(left)
                }
                #[inline(always)]
                fn scaled_here(self, exponent: i32) -> Self {
                    if cfg!(has_vfp) && (-LIMIT..=LIMIT).contains(&exponent) {
                        self * power(exponent)
                    } else {
                        self.scaled(exponent)
                    }
                }
                fn to_f32(self) -> f32 {
                    self as f32
                }
                fn whole(self) -> u32 {
                    self as u32
                }
                fn is_finite(self) -> bool {
                    $float::is_finite(self)
                }
            }
        };

        impl Real for $float {
            const CODE: u8 = $code;
            const HARMLESS: Self = $harmless;

            #[inline(always)]
            fn with_features<T, const N: usize>($features: &[f32; N], then: impl FnOnce(&[Self; N]) -> T) -> T {
                then($widened)
            }
            #[inline(never)]
            fn row_exponent(self) -> Result<i16, RowError> {
                if !self.is_finite() {
                    Err(RowError::NonFiniteFeature)
                } else if self == 0.0 {
                    Err(RowError::ZeroFeatures)
                } else {
                    Ok(self.exponent() as i16)
                }
            }
            #[inline(always)]
            fn is_usual(self) -> bool {
                const ONE: $bits = (1.0 as $float).to_bits();
                const RANGE: $bits = 60 << ($float::MANTISSA_DIGITS - 1);
                self.to_bits().wrapping_sub(ONE - RANGE) <= 2 * RANGE
            }
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

real!(f32, u32, 1, 1e19, kernels::sqrt, |features| features, {
    #[cfg(no_fpu)]
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        soft::add(self, other)
    }
    #[cfg(no_fpu)]
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        soft::subtract(self, other)
    }
    #[cfg(no_fpu)]
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        soft::multiply(self, other)
    }
    #[cfg(no_fpu)]
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        soft::divide(self, other)
    }
    #[cfg(no_fpu)]
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        // The bits are ordered as the numbers are, if one of them is not negative.
        self.to_bits().cast_signed() < other.to_bits().cast_signed()
    }
});
real!(f64, u64, 2, 1e154, libm::sqrt, |features| &features.map(f64::from), {});

/// ⌊log₂|x|⌋ of a finite non-zero number.
pub(crate) fn exponent_of(x: f32) -> i32 {
    x.exponent()
}
