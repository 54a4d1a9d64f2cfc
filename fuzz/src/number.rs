//! The arithmetics: arbitrary numbers for each, and their values in plain f64.

use std::fmt::Debug;

use fixed::types::{I1F15, I4F28, I8F24};
use osculate::{Arithmetic, Q24, Q28, RowError};

use super::input::Fuzz;

/// An arithmetic that accepts arbitrary bits.
pub(super) trait Fuzzed: Arithmetic {
    /// The minimum and maximum, if it saturates there.
    const LIMITS: Option<[f64; 2]>;
    /// The rounding error of a number near 0.
    const UNIT: f64;
    /// The rounding error of a feature, relative to the largest in its row.
    const FEATURE: f64;
    /// The relative rounding error of a product or a sum, here or in f64.
    const EPSILON: f64;
    /// The largest result of a product or a sum.
    const LARGEST: f64;

    /// Any finite weights.
    fn any_weights<const N: usize>(fuzz: &mut Fuzz) -> [Self::Weight; N];
    /// Any features in the format's own numbers, and their values in f64.
    fn any_raw<const N: usize>(fuzz: &mut Fuzz) -> (Self::Raw<N>, [f64; N]);
}

/// The flaw of features, in any arithmetic.
pub(super) fn flaw(features: &[impl Copy + Into<f64>]) -> Option<RowError> {
    let mut numbers = features.iter().map(|x| -> f64 { (*x).into() });
    if numbers.clone().any(|x| !x.is_finite()) {
        return Some(RowError::NonFiniteFeature);
    }
    numbers.all(|x| x == 0.0).then_some(RowError::ZeroFeatures)
}

/// Promise 2: the numbers of vectors, as bits.
pub(super) fn finite<W: Copy + Debug + Into<f64>>(vectors: &[&[W]]) -> Vec<u64> {
    let numbers = vectors.iter().copied().flatten().map(|&x| x.into());
    let bits = numbers.map(|x: f64| x.is_finite().then_some(x.to_bits())).collect();
    Option::unwrap_or_else(bits, || panic!("not finite: {vectors:?}"))
}

macro_rules! fuzzed_float {
    ($float:ident: $smallest:expr, $units:expr) => {
        impl Fuzzed for $float {
            const LIMITS: Option<[f64; 2]> = None;
            const FEATURE: f64 = 0.0;
            const UNIT: f64 = $smallest;
            const EPSILON: f64 = $float::EPSILON as f64;
            const LARGEST: f64 = $float::MAX as f64;

            fn any_weights<const N: usize>(fuzz: &mut Fuzz) -> [Self; N] {
                fuzz.floats().map(|x| if x.is_finite() { x.into() } else { Self::MAX })
            }
            fn any_raw<const N: usize>(fuzz: &mut Fuzz) -> ([Self; N], [f64; N]) {
                let unit = fuzz.pick(&$units);
                let raw = if fuzz.is_wild() && fuzz.one_in(8) {
                    std::array::from_fn(|_| Self::from_bits(fuzz.any()))
                } else {
                    fuzz.floats().map(|x| Self::from(x) * unit)
                };
                (raw, raw.map(f64::from))
            }
        }
    };
}

fuzzed_float!(f32: 1.401_298_464_324_817e-45, [1.0]);
// Extends to numbers that only f64 can hold, about as far beyond its limits as the special floats are beyond f32's.
fuzzed_float!(f64: f64::from_bits(1), [1.0, 1.0, 1.0, 1.0, 1e300, 1e-300]);

macro_rules! fuzzed_integer {
    ($($format:ident: $integer:ident, $typed:ident, $weight:ident, $bits:literal;)*) => {$(
        impl Fuzzed for $format {
            const LIMITS: Option<[f64; 2]> = Some([-2_147_483_648.0, 2_147_483_648.0]);
            // The largest feature may be a whole unit too large for its bits.
            const FEATURE: f64 = 2.0 / (1_u64 << $bits) as f64;
            const UNIT: f64 = 1.0 / 8_589_934_592.0;
            const EPSILON: f64 = f64::EPSILON;
            const LARGEST: f64 = f64::MAX;

            fn any_weights<const N: usize>(fuzz: &mut Fuzz) -> [Self::Weight; N] {
                let shift = 32 + if fuzz.is_wild() { 0 } else { fuzz.below(8) };
                fuzz.integers().map(|x| $weight::from_bits((x >> shift) as i32))
            }
            fn any_raw<const N: usize>(fuzz: &mut Fuzz) -> (Self::Raw<N>, [f64; N]) {
                let raw = fuzz.integers::<N>().map(|x| $typed::from_bits((x >> (64 - $integer::BITS)) as $integer));
                (raw, raw.map(|x| x.to_num()))
            }
        }
    )*};
}

fuzzed_integer! {
    Q28: i16, I1F15, I4F28, 15;
    Q24: i16, I1F15, I8F24, 15;
}
