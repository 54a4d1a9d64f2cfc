//! The arithmetics: arbitrary numbers for each, and what they are in plain f64.

use fixed::types::{I1F15, I8F24};
use osculate::arithmetic::Features;
use osculate::{Arithmetic, Q24, Q24Wide, Q28, Q28Wide, RowError, Scalar};

use super::Fuzz;

/// A scalar that can be given arbitrary bits.
pub(super) trait Bits: Scalar {
    /// Any pattern.
    fn any(fuzz: &mut Fuzz) -> Self;
}

impl Bits for f32 {
    fn any(fuzz: &mut Fuzz) -> Self {
        fuzz.any_float()
    }
}

impl Bits for f64 {
    fn any(fuzz: &mut Fuzz) -> Self {
        if fuzz.one_in(2) { Self::from_bits(fuzz.word()) } else { fuzz.any_float().into() }
    }
}

/// An arithmetic that can be given arbitrary bits.
pub(super) trait Fuzzed: Arithmetic<Target: PartialOrd + PartialEq, Scalar: Bits> {
    /// The least and the greatest target, if that is where it saturates.
    const LIMITS: Option<[f64; 2]>;
    /// Where weights saturate.
    const WEIGHT_LIMIT: f64;
    /// The rounding error of a number near 0.
    const UNIT: f64;
    /// The rounding error of a feature that comes from a float, relative to the largest one of its row.
    const FEATURE: f64;
    /// The relative rounding error of a product or a sum, here or in f64.
    const EPSILON: f64;

    /// Any features; `Err` where the format has no way to hold those that were drawn.
    fn any_features<const N: usize>(fuzz: &mut Fuzz) -> Result<Self::Features<N>, RowError>;
    /// Any reward, value or target.
    fn any_target(fuzz: &mut Fuzz) -> Self::Target;
    /// Any finite weights.
    fn any_weights<const N: usize>(fuzz: &mut Fuzz) -> [Self::Weight; N];

    /// What is wrong with features.
    fn flaw<const N: usize>(features: &Self::Features<N>) -> Option<RowError>;
    /// The features in f64, and by how much each may differ from what is multiplied with a weight.
    fn plain<const N: usize>(features: &Self::Features<N>) -> ([f64; N], f64);
    /// A target in f64.
    fn number(target: Self::Target) -> f64;
}

macro_rules! fuzzed_float {
    ($float:ident: $smallest:expr, $units:expr) => {
        impl Fuzzed for $float {
            const LIMITS: Option<[f64; 2]> = None;
            const WEIGHT_LIMIT: f64 = f64::INFINITY;
            const FEATURE: f64 = 0.0;
            const UNIT: f64 = $smallest;
            const EPSILON: f64 = $float::EPSILON as f64;

            fn any_features<const N: usize>(fuzz: &mut Fuzz) -> Result<[Self; N], RowError> {
                if fuzz.is_wild() && fuzz.one_in(8) {
                    return Ok(std::array::from_fn(|_| Self::from_bits(fuzz.word() as _)));
                }
                let unit = fuzz.pick(&$units);
                Ok(fuzz.floats().map(|x| Self::from(x) * unit))
            }
            fn any_target(fuzz: &mut Fuzz) -> Self {
                Self::from(fuzz.float()) * fuzz.pick(&$units)
            }
            fn any_weights<const N: usize>(fuzz: &mut Fuzz) -> [Self; N] {
                fuzz.floats().map(|x| if x.is_finite() { x.into() } else { Self::MAX })
            }
            fn flaw<const N: usize>(features: &[Self; N]) -> Option<RowError> {
                let is_bad = features.iter().any(|x| !x.is_finite());
                let is_zero = features.iter().all(|x| *x == 0.0);
                is_bad.then_some(RowError::NonFiniteFeature).or(is_zero.then_some(RowError::ZeroFeatures))
            }
            fn plain<const N: usize>(features: &[Self; N]) -> ([f64; N], f64) {
                (features.map(f64::from), 0.0)
            }
            fn number(target: Self) -> f64 {
                target.into()
            }
        }
    };
}

fuzzed_float!(f32: 1.401_298_464_324_817e-45, [1.0]);
// On to where only an f64 reaches: about as far beyond its ends as the special floats are beyond an f32's.
fuzzed_float!(f64: f64::from_bits(1), [1.0, 1.0, 1.0, 1.0, 1e300, 1e-300]);

macro_rules! fuzzed_integer {
    ($($format:ident: $integer:ident, $typed:ident, $bits:literal, $limit:literal;)*) => {$(
        impl Fuzzed for $format {
            const LIMITS: Option<[f64; 2]> = Some([-2_147_483_648.0, 2_147_483_648.0]);
            const WEIGHT_LIMIT: f64 = $limit;
            // The largest may be a whole unit too large for its bits.
            const FEATURE: f64 = 2.0 / (1_u64 << $bits) as f64;
            const UNIT: f64 = 1.0 / 8_589_934_592.0;
            const EPSILON: f64 = f64::EPSILON;

            fn any_features<const N: usize>(fuzz: &mut Fuzz) -> Result<Self::Features<N>, RowError> {
                if !fuzz.is_wild() {
                    return Self::features(&fuzz.floats());
                }
                let mantissas = fuzz.integers::<N>().map(|x| (x >> (64 - $integer::BITS)) as $integer);
                Ok(if fuzz.one_in(2) {
                    mantissas.map($typed::from_bits).into()
                } else {
                    Features::new(mantissas, fuzz.exponent())
                })
            }
            fn any_target(fuzz: &mut Fuzz) -> Self::Target {
                if fuzz.is_wild() {
                    return Self::Target::from_bits(fuzz.integer() >> fuzz.below(40));
                }
                Self::target(fuzz.float()).unwrap_or(Self::Target::MAX)
            }
            fn any_weights<const N: usize>(fuzz: &mut Fuzz) -> [Self::Weight; N] {
                let shift = 32 + if fuzz.is_wild() { 0 } else { fuzz.below(8) };
                fuzz.integers().map(|x| <Self as Arithmetic>::Weight::from_bits((x >> shift) as i32))
            }
            fn flaw<const N: usize>(features: &Self::Features<N>) -> Option<RowError> {
                features.mantissas().iter().all(|x| *x == 0).then_some(RowError::ZeroFeatures)
            }
            fn plain<const N: usize>(features: &Self::Features<N>) -> ([f64; N], f64) {
                // Beyond these exponents nothing but 0 or a limit can come of a value.
                let unit = 2_f64.powi(features.exponent().clamp(-300, 300) - $bits);
                let plain = features.mantissas().map(|x| f64::from(x) * unit);
                let largest = plain.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                // More bits than a row has: the least of those are rounded away.
                (plain, if largest < unit * 2_f64.powi($bits) { 0.0 } else { largest * 2_f64.powi(-$bits) })
            }
            fn number(target: Self::Target) -> f64 {
                target.to_num()
            }
        }
    )*};
}

fuzzed_integer! {
    Q28: i16, I1F15, 15, 8.0;
    Q24: i16, I1F15, 15, 128.0;
    Q28Wide: i32, I8F24, 24, 8.0;
    Q24Wide: i32, I8F24, 24, 128.0;
}
