//! The fixed-point backend: integers for all bulk data, wide accumulators, block exponents.
//!
//! | quantity | held as |
//! | --- | --- |
//! | row φ | `i16` with 15 bits, scaled by a power of two to use all of them |
//! | its target | `i64`, in units of φ·w |
//! | ‖φ‖² | its inverse, 26 bits and an exponent |
//! | weights, velocity | `i32` with 28 or 24 fraction bits |
//! | g, c while summing | `i64`, exact: the order of the rows does not matter |
//! | g, c once normalised | 24 bits each, one exponent |
//! | norms, ϑ, η, β | `f32`: a dozen operations per update, correctly rounded in software if there is no FPU |
//!
//! All rounding is to nearest even.

use core::fmt::Debug;
use core::marker::PhantomData;

use fixed::FixedI32;
use fixed::traits::FixedSigned;
use fixed::types::extra::{U24, U28};
use fixed::types::{I1F15, I32F32};

use super::backend::{Backend, Empty, Features, StreamStep, StreamSums, TracedStep};
use super::error::{Overflow, RowError};
use super::kernels::{self, Aligned, Numerator, bits_of, bits_of_mut, integer};
use super::scalar::Scalar;
use crate::sealed::Sealed;
use crate::state::Persist;
use rounding::{Clipped, scale, scale_clipped, split};

mod cosine;
mod discount;
mod eligibility;
mod format;
mod momentum;
mod number;
pub(super) mod rounding;
mod row;
mod sum;
mod trace;

pub use eligibility::FixedEligibility;
use row::FEATURE_BITS;
pub use row::FixedRow;
use sum::MANTISSA_FRACTION;
pub use sum::{FixedDirection, FixedSum};
pub use trace::FixedTrace;

/// Fixed-point arithmetic with weights of `W` (`I4F28` or `I8F24`): see [`Q28`].
///
/// ```
/// use osculate::{Fixed, Q28};
/// let same: Option<Fixed<fixed::types::I4F28>> = None::<Q28>;
/// assert_eq!(same, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed<W>(PhantomData<W>);

/// Rows of `i16`, weights with 28 fraction bits: |w| < 8.
///
/// ```
/// use osculate::{Arithmetic, Q28};
/// assert_eq!(Q28::weight(100.0), fixed::types::I4F28::MAX); // saturated
/// ```
pub type Q28 = Fixed<FixedI32<U28>>;
/// Rows of `i16`, weights with 24 fraction bits: |w| < 128.
///
/// ```
/// use osculate::{Arithmetic, Q24};
/// assert_eq!(Q24::weight(100.0), 100.0);
/// ```
pub type Q24 = Fixed<FixedI32<U24>>;
/// Targets stay below 2^61 so that the dot product, below 2^62 for 128 features, can be added to them.
const TARGET_BITS: u32 = 61;

/// The fixed-point types of the weights.
pub trait WeightInteger: FixedSigned<Bits = i32> + Debug + Into<f64> {}
impl<W: FixedSigned<Bits = i32> + Debug + Into<f64>> WeightInteger for W {}

impl<W: WeightInteger> Fixed<W> {
    /// Fraction bits of a weight.
    const WEIGHT: i32 = W::FRAC_NBITS as i32;
    /// Fraction bits of a feature in an encoded row.
    const FEATURE: i32 = FEATURE_BITS as i32;
    /// Fraction bits of (φ·w − V)/‖φ‖²: room for four times the range of a weight.
    const RESIDUAL: i32 = Self::WEIGHT - 2;
    /// Fraction bits of (φ·d)/‖φ‖² relative to those of d over those of φ: room for a direction of any row.
    const PROJECTION: i32 = Self::FEATURE + 1;
    /// The exponent of the unit of a sum of residuals.
    const RESIDUAL_UNIT: i32 = -(Self::RESIDUAL + Self::FEATURE);
    /// The exponent of the unit of a sum of projections.
    const PROJECTION_UNIT: i32 = -(Self::PROJECTION + MANTISSA_FRACTION as i32);

    /// φ·w in the format of a target, saturated.
    fn product<const N: usize>(features: &Aligned<N>, exponent: i16, weights: &[W; N]) -> I32F32 {
        Self::product_value(integer::dot(features, bits_of(weights)), exponent)
    }

    /// The same, from the product of integers.
    fn product_value(product: i64, exponent: i16) -> I32F32 {
        let unit = i32::from(exponent) - (Self::FEATURE + Self::WEIGHT - I32F32::FRAC_NBITS as i32);
        I32F32::from_bits(scale(product, unit))
    }

    /// (φ·w − V)/‖φ‖².
    const RESIDUALS: Numerator = Numerator { with_target: true, by: Self::FEATURE - Self::WEIGHT + Self::RESIDUAL };
    /// (φ·d)/‖φ‖².
    const PROJECTIONS: Numerator = Numerator { with_target: false, by: Self::PROJECTION };

    /// (φ·w − V)/‖φ‖² of a row, from the product of integers.
    #[inline]
    fn residual_of<const N: usize>(row: &FixedRow<N>, product: i64) -> Clipped {
        row.inverse().times(product - row.target, Self::RESIDUALS.by)
    }

    /// (φ·w − V)/‖φ‖² of a row.
    #[inline]
    fn residual<const N: usize>(row: &FixedRow<N>, weights: &[W; N]) -> Clipped {
        Self::residual_of(row, integer::dot(&row.features, bits_of(weights)))
    }

    /// |quotient| · ‖φ‖, the distance between the weights and the row's hyperplane.
    fn distance<const N: usize>(row: &FixedRow<N>, quotient: Clipped) -> f32 {
        // The units of the quotient are moved below the root: powers of two are exact.
        let unit = 2 * (Self::FEATURE + Self::RESIDUAL) - i32::from(row.inverse_exponent);
        kernels::from_integer(quotient.value.unsigned_abs())
            .over(kernels::sqrt(kernels::from_integer(row.inverse_mantissa).scaled(unit)))
    }
}

impl<W: WeightInteger + Empty + Persist> Backend for Fixed<W>
where
    Self: Sealed,
{
    type Number = I32F32;
    type Weight = W;
    type Scalar = f32;
    type Raw<const N: usize> = [I1F15; N];
    type Row<const N: usize> = FixedRow<N>;
    type Sum<const N: usize> = FixedSum<N>;
    type Direction<const N: usize> = FixedDirection<N>;
    type Trace<const N: usize> = FixedTrace<N>;
    type Eligibility<const N: usize> = FixedEligibility<N>;

    const MAX_ROWS: usize = 1 << 16;
    const ID: u8 = 16 + W::FRAC_NBITS as u8;

    fn number(value: f32) -> Result<I32F32, RowError> {
        number::from_float(value)
    }

    fn to_f32(number: I32F32) -> f32 {
        number::to_float(number)
    }

    fn minus(a: I32F32, b: I32F32) -> I32F32 {
        a.saturating_sub(b)
    }

    fn backup(reward: I32F32, gamma: f32, next: I32F32) -> I32F32 {
        I32F32::from_bits(discount::backup(reward.to_bits(), gamma, next.to_bits()))
    }

    #[inline(always)]
    fn encode<const N: usize>(row: &mut FixedRow<N>, features: Features<'_, Self, N>) -> Result<(), RowError> {
        match features {
            Features::Floats(features) => row.encode(features),
            Features::Raw(features) => row.encode_raw(features),
        }
    }

    fn set_target<const N: usize>(row: &mut FixedRow<N>, target: I32F32) -> Result<(), RowError> {
        let unit = Self::FEATURE + Self::WEIGHT - I32F32::FRAC_NBITS as i32 - i32::from(row.exponent);
        let target = scale(target.to_bits(), unit);
        if target.unsigned_abs() >> TARGET_BITS != 0 {
            return Err(RowError::TargetOutOfRange);
        }
        row.target = target;
        Ok(())
    }

    fn value<const N: usize>(row: &FixedRow<N>, weights: &[W; N]) -> I32F32 {
        Self::product(&row.features, row.exponent, weights)
    }

    fn value_of<const N: usize>(features: &[f32; N], weights: &[W; N]) -> Result<I32F32, RowError> {
        let mut integers = Aligned(Empty::EMPTY);
        match row::normalise(&mut integers.0, features) {
            Ok(exponent) => Ok(Self::product(&integers, exponent, weights)),
            // All-zero features do not make a row, but they have a value.
            Err(RowError::ZeroFeatures) => Ok(I32F32::ZERO),
            Err(error) => Err(error),
        }
    }

    // Inlined, like the next one: a frame of its own would be more stack while a pass runs.
    #[inline(always)]
    fn accumulate_residuals<const N: usize>(sum: &mut FixedSum<N>, rows: &[FixedRow<N>], weights: &[W; N]) {
        sum.add_all(rows, bits_of(weights), Self::RESIDUALS);
    }

    #[inline(always)]
    fn accumulate_projections<const N: usize>(
        sum: &mut FixedSum<N>,
        rows: &[FixedRow<N>],
        direction: &FixedDirection<N>,
    ) {
        sum.add_all(rows, &direction.mantissas, Self::PROJECTIONS);
    }

    fn normalise_residuals<const N: usize>(sum: &FixedSum<N>) -> Result<FixedDirection<N>, Overflow> {
        let mut direction = FixedDirection::EMPTY;
        sum.normalise(&mut direction, Self::RESIDUAL_UNIT);
        Ok(direction)
    }

    fn total_residual<const N: usize>(
        direction: &mut FixedDirection<N>,
        rows: &[FixedRow<N>],
        weights: &[W; N],
    ) -> Result<(), Overflow> {
        let mut sum = FixedSum::EMPTY;
        Self::accumulate_residuals(&mut sum, rows, weights);
        sum.normalise(direction, Self::RESIDUAL_UNIT);
        Ok(())
    }

    fn projections_norm<const N: usize>(sum: &mut FixedSum<N>) -> Result<(f32, i32), Overflow> {
        Ok(sum.norm(Self::PROJECTION_UNIT))
    }

    fn exponent<const N: usize>(direction: &FixedDirection<N>) -> i32 {
        direction.exponent
    }

    fn norm<const N: usize>(direction: &FixedDirection<N>) -> f32 {
        direction.norm()
    }

    fn saturated<const N: usize>(direction: &FixedDirection<N>) -> u32 {
        direction.saturated
    }

    fn step<const N: usize>(
        weights: &mut [W; N],
        velocity: &mut [W; N],
        direction: &FixedDirection<N>,
        gain: f32,
        beta: f32,
    ) -> Result<u32, Overflow> {
        if !gain.is_finite() {
            return Err(Overflow);
        }
        let (gain, gain_power) = split(gain);
        let gain_power = gain_power + direction.exponent - MANTISSA_FRACTION as i32 + Self::WEIGHT;
        let (weights, velocity) = (bits_of_mut(weights), bits_of_mut(velocity));
        Ok(momentum::step(weights, velocity, &direction.mantissas, (gain, gain_power), split(beta)))
    }

    fn average<const N: usize>(mean: &mut [W; N], weights: &[W; N], gain: f32) {
        momentum::average(bits_of_mut(mean), bits_of(weights), gain);
    }

    fn length<const N: usize>(vector: &[W; N]) -> f32 {
        let values: [i64; N] = core::array::from_fn(|i| vector[i].to_bits().into());
        let (norm, exponent) = FixedSum { values, saturated: 0 }.norm(-Self::WEIGHT);
        norm.scaled(exponent)
    }

    fn cosine<const N: usize>([a, b, c]: [&[W; N]; 3]) -> f32 {
        cosine::cosine(bits_of(a), bits_of(b), bits_of(c))
    }

    fn scale_weight(weight: W, by: u8) -> (W, bool) {
        let scaled = scale_clipped(weight.to_bits().into(), by.into());
        (W::from_bits(scaled.value), scaled.saturated)
    }

    fn nlms_step<const N: usize>(weights: &mut [W; N], row: &FixedRow<N>, gain: f32) -> Result<(f32, u32), Overflow> {
        let quotient = Self::residual(row, weights);
        let factor = gain.times(quotient.value as f32);
        let power = Self::WEIGHT - Self::RESIDUAL - Self::FEATURE;
        let saturated = eligibility::subtract_all(bits_of_mut(weights), &row.features.0, factor, power);
        Ok((Self::distance(row, quotient), saturated + u32::from(quotient.saturated)))
    }

    fn traced_step<const N: usize>(
        weights: &mut [W; N],
        trace: &mut FixedEligibility<N>,
        row: &FixedRow<N>,
        step: &TracedStep<Self>,
    ) -> Result<(f32, u32), Overflow> {
        let product = integer::dot(&row.features, bits_of(weights));
        let value = Self::product_value(product, row.exponent);
        let expected = step.expected.unwrap_or(value);
        let inverse = row.inverse().to_f32();
        trace.enter(row, step.decay, step.gain, inverse)?;
        let (along, held) = (step.target.saturating_sub(expected), value.saturating_sub(expected));
        let saturated = trace.advance(weights, row, along, step.gain.times(Self::to_f32(held)).times(inverse))?;
        Ok((Self::distance(row, Self::residual_of(row, product)), saturated))
    }

    fn stream_step<const N: usize>(sums: &mut StreamSums<Self, N>, step: &StreamStep<'_, Self, N>) {
        let StreamSums { trace, total, projected } = sums;
        if let Some((_, gamma)) = step.reward {
            trace.decay(gamma);
        }
        if let Some(row) = step.row {
            if step.reward.is_some() {
                trace.add(row);
            }
            total.add(Self::residual(row, step.weights), row);
            if let Some(FixedDirection { mantissas, .. }) = step.direction {
                let product = integer::dot(&row.features, mantissas);
                projected.add(row.inverse().times(product, Self::PROJECTION), row);
            }
        }
        match step.reward {
            Some((reward, _)) => trace.reward(total, Self::RESIDUAL_UNIT, reward),
            None => total.leave_room(),
        }
    }

    fn trace_saturated<const N: usize>(trace: &FixedTrace<N>) -> u32 {
        trace.saturated
    }
}
