//! The fixed-point backend: integers for all bulk data, wide accumulators, block exponents.
//!
//! | quantity | held as |
//! | --- | --- |
//! | row φ | `i16` with 15 bits, or `i32` with 24, scaled by a power of two to use all of them |
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
use fixed::types::I32F32;
use fixed::types::extra::{U24, U28};

use super::backend::{Backend, Empty, TracedStep};
use super::error::{Overflow, RowError};
use super::integer::{bit_length, scale, scale_clipped};
use super::kernels::{self, Aligned, bits_of};
use super::scalar::Scalar;
use crate::sealed::Sealed;
use crate::state::Persist;

mod discount;
mod eligibility;
mod format;
mod momentum;
mod row;
mod row_integer;
mod sum;
mod trace;

use discount::times;
pub use eligibility::FixedEligibility;
use row::FixedQuotient;
pub use row::FixedRow;
use row_integer::{RowInteger, split};
use sum::MANTISSA_FRACTION;
pub use sum::{FixedDirection, FixedSum};
pub use trace::FixedTrace;

/// Fixed-point arithmetic with rows of `R` (`i16` or `i32`) and weights of `W` (`I4F28` or `I8F24`): see [`Q28`].
///
/// ```
/// use osculate::{Fixed, Q28};
/// let same: Option<Fixed<i16, fixed::types::I4F28>> = None::<Q28>;
/// assert_eq!(same, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed<R, W>(PhantomData<(R, W)>);

/// Rows of `i16`, weights with 28 fraction bits: |w| < 8.
///
/// ```
/// use osculate::{Arithmetic, Q28};
/// assert_eq!(Q28::weight(100.0), fixed::types::I4F28::MAX); // saturated
/// ```
pub type Q28 = Fixed<i16, FixedI32<U28>>;
/// Rows of `i16`, weights with 24 fraction bits: |w| < 128.
///
/// ```
/// use osculate::{Arithmetic, Q24};
/// assert_eq!(Q24::weight(100.0), 100.0);
/// ```
pub type Q24 = Fixed<i16, FixedI32<U24>>;
/// Rows of `i32`, weights with 28 fraction bits.
///
/// ```
/// use osculate::{Arithmetic, Q28Wide};
/// assert_eq!(Q28Wide::NAME, "q28-wide");
/// ```
pub type Q28Wide = Fixed<i32, FixedI32<U28>>;
/// Rows of `i32`, weights with 24 fraction bits.
///
/// ```
/// use osculate::{Arithmetic, Q24Wide};
/// assert_eq!(Q24Wide::NAME, "q24-wide");
/// ```
pub type Q24Wide = Fixed<i32, FixedI32<U24>>;

/// Targets stay below 2^61 so that the dot product, below 2^62 for 128 features, can be added to them.
const TARGET_BITS: u32 = 61;

/// The fixed-point types of the weights.
pub trait WeightInteger: FixedSigned<Bits = i32> + Debug + Into<f64> {}
impl WeightInteger for FixedI32<U28> {}
impl WeightInteger for FixedI32<U24> {}

impl<R: RowInteger, W: WeightInteger> Fixed<R, W> {
    /// Fraction bits of a weight.
    const WEIGHT: i32 = W::FRAC_NBITS as i32;
    /// Fraction bits of a feature in an encoded row.
    const FEATURE: i32 = R::BITS_USED as i32;
    /// Fraction bits of (φ·w − V)/‖φ‖²: room for four times the range of a weight.
    const RESIDUAL: i32 = Self::WEIGHT - 2;
    /// Fraction bits of (φ·d)/‖φ‖² relative to those of d over those of φ: room for a direction of any row.
    const PROJECTION: i32 = Self::FEATURE + 1;
    /// The exponent of the unit of a sum of residuals.
    const RESIDUAL_UNIT: i32 = -(Self::RESIDUAL + Self::FEATURE);
    /// The exponent of the unit of a sum of projections.
    const PROJECTION_UNIT: i32 = -(Self::PROJECTION + MANTISSA_FRACTION as i32);

    /// a − b, normalised.
    fn difference<const N: usize>(a: &[W; N], b: &[W; N]) -> FixedDirection<N> {
        let wide = |w: W| i64::from(w.to_bits());
        let values = core::array::from_fn(|i| wide(a[i]) - wide(b[i]));
        FixedSum { values, saturated: 0 }.normalise(-Self::WEIGHT)
    }

    /// φ·w in the format of a target, saturated.
    fn product<const N: usize>(features: &Aligned<R, N>, exponent: i16, weights: &[W; N]) -> I32F32 {
        Self::product_value(R::dot(features, bits_of(weights)), exponent)
    }

    /// The same, from the product of integers.
    fn product_value(product: i64, exponent: i16) -> I32F32 {
        let unit = i32::from(exponent) - (Self::FEATURE + Self::WEIGHT - I32F32::FRAC_NBITS as i32);
        let limit = if product < 0 { I32F32::MIN } else { I32F32::MAX };
        scale(product, unit).map_or(limit, I32F32::from_bits)
    }

    /// The quotient of φ·w for a row.
    #[inline]
    fn residual_of<const N: usize>(row: &FixedRow<R, N>, product: i64) -> FixedQuotient {
        FixedQuotient(row.inverse().times(product - row.target, Self::FEATURE - Self::WEIGHT + Self::RESIDUAL))
    }

    /// The quotient of φ·d for a row.
    #[inline]
    fn projection_of<const N: usize>(row: &FixedRow<R, N>, product: i64) -> FixedQuotient {
        FixedQuotient(row.inverse().times(product, Self::PROJECTION))
    }
}

impl<R: RowInteger, W: WeightInteger + Empty + Persist> Backend for Fixed<R, W>
where
    Self: Sealed,
{
    type Number = I32F32;
    type Weight = W;
    type Scalar = f32;
    type Quotient = FixedQuotient;
    type Raw<const N: usize> = [R::Raw; N];
    type Row<const N: usize> = FixedRow<R, N>;
    type Sum<const N: usize> = FixedSum<N>;
    type Direction<const N: usize> = FixedDirection<N>;
    type Trace<const N: usize> = FixedTrace<N>;
    type Eligibility<const N: usize> = FixedEligibility<N>;

    const MAX_ROWS: usize = R::MAX_ROWS;
    const ID: u8 = 16 + W::FRAC_NBITS as u8 + if R::BITS_USED == 15 { 0 } else { 64 };

    fn encode<const N: usize>(row: &mut FixedRow<R, N>, features: &[f32; N]) -> Result<(), RowError> {
        row.encode(features)
    }

    fn encode_raw<const N: usize>(row: &mut FixedRow<R, N>, features: &[R::Raw; N]) -> Result<(), RowError> {
        row.encode_raw(features)
    }

    fn number(value: f32) -> Result<I32F32, RowError> {
        if !value.is_finite() {
            return Err(RowError::NonFiniteTarget);
        }
        let (mantissa, power) = split(value);
        match scale(mantissa, power + I32F32::FRAC_NBITS as i32) {
            Some(bits) => Ok(I32F32::from_bits(bits)),
            // The only value whose magnitude does not fit although the value itself does.
            None if value == -2_147_483_648.0 => Ok(I32F32::MIN),
            None => Err(RowError::TargetOutOfRange),
        }
    }

    fn to_f32(number: I32F32) -> f32 {
        (number.to_bits() as f32).scaled(-(I32F32::FRAC_NBITS as i32))
    }

    fn set_target<const N: usize>(row: &mut FixedRow<R, N>, target: I32F32) -> Result<(), RowError> {
        let unit = Self::FEATURE + Self::WEIGHT - I32F32::FRAC_NBITS as i32 - i32::from(row.exponent);
        let target = scale(target.to_bits(), unit).filter(|target| bit_length(target.unsigned_abs()) <= TARGET_BITS);
        row.target = target.ok_or(RowError::TargetOutOfRange)?;
        Ok(())
    }

    fn value<const N: usize>(row: &FixedRow<R, N>, weights: &[W; N]) -> I32F32 {
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

    fn backup(reward: I32F32, gamma: f32, next: I32F32) -> I32F32 {
        let discounted = times(next.to_bits(), split(gamma));
        I32F32::from_bits(reward.to_bits().saturating_add(discounted))
    }

    fn is_finite(_: I32F32) -> bool {
        true
    }

    #[inline]
    fn residual<const N: usize>(row: &FixedRow<R, N>, weights: &[W; N]) -> FixedQuotient {
        Self::residual_of(row, R::dot(&row.features, bits_of(weights)))
    }

    #[inline]
    fn project<const N: usize>(row: &FixedRow<R, N>, direction: &FixedDirection<N>) -> FixedQuotient {
        Self::projection_of(row, R::dot(&row.features, &direction.mantissas))
    }

    #[inline]
    fn accumulate<const N: usize>(sum: &mut FixedSum<N>, quotient: FixedQuotient, row: &FixedRow<R, N>) {
        sum.add(quotient, row);
    }

    fn accumulate_residuals<const N: usize>(sum: &mut FixedSum<N>, rows: &[FixedRow<R, N>], weights: &[W; N]) {
        sum.add_all(rows, bits_of(weights), Self::residual_of);
    }

    fn accumulate_projections<const N: usize>(
        sum: &mut FixedSum<N>,
        rows: &[FixedRow<R, N>],
        direction: &FixedDirection<N>,
    ) {
        sum.add_all(rows, &direction.mantissas, Self::projection_of);
    }

    fn normalise_residuals<const N: usize>(sum: &FixedSum<N>) -> Result<FixedDirection<N>, Overflow> {
        Ok(sum.normalise(Self::RESIDUAL_UNIT))
    }

    fn normalise_projections<const N: usize>(sum: &FixedSum<N>) -> Result<FixedDirection<N>, Overflow> {
        Ok(sum.normalise(Self::PROJECTION_UNIT))
    }

    fn exponent<const N: usize>(direction: &FixedDirection<N>) -> i32 {
        direction.exponent
    }

    fn saturated<const N: usize>(direction: &FixedDirection<N>) -> u32 {
        direction.saturated
    }

    fn norm<const N: usize>(direction: &FixedDirection<N>) -> f32 {
        direction.norm()
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
        let beta = split(beta);
        Ok(momentum::step(weights, velocity, &direction.mantissas, (gain, gain_power), beta))
    }

    fn average<const N: usize>(mean: &mut [W; N], weights: &[W; N], gain: f32) {
        momentum::average(mean, weights, split(gain));
    }

    fn length<const N: usize>(vector: &[W; N]) -> f32 {
        let values: [i64; N] = core::array::from_fn(|i| i64::from(vector[i].to_bits()));
        let direction = FixedSum { values, saturated: 0 }.normalise(-Self::WEIGHT);
        direction.norm().scaled(direction.exponent)
    }

    fn scale_weight(weight: W, by: u8) -> (W, bool) {
        let scaled = scale_clipped(weight.to_bits().into(), by.into());
        (W::from_bits(scaled.value), scaled.saturated)
    }

    fn is_weight(_: W) -> bool {
        true
    }

    fn minus(a: I32F32, b: I32F32) -> I32F32 {
        a.saturating_sub(b)
    }

    fn distance<const N: usize>(row: &FixedRow<R, N>, FixedQuotient(quotient): FixedQuotient) -> f32 {
        let magnitude = (quotient.value.unsigned_abs() as f32).scaled(-Self::RESIDUAL);
        magnitude / kernels::sqrt(row.inverse().to_f32().scaled(2 * Self::FEATURE))
    }

    fn pull<const N: usize>(
        weights: &mut [W; N],
        row: &FixedRow<R, N>,
        FixedQuotient(quotient): FixedQuotient,
        gain: f32,
    ) -> Result<u32, Overflow> {
        let (factor, power) = split(gain * quotient.value as f32);
        let power = power - Self::RESIDUAL - Self::FEATURE + Self::WEIGHT;
        let saturated = eligibility::subtract(weights, &row.features.0, (factor, power));
        Ok(saturated + u32::from(quotient.saturated))
    }

    fn pull_traced<const N: usize>(
        weights: &mut [W; N],
        trace: &mut FixedEligibility<N>,
        row: &FixedRow<R, N>,
        step: &TracedStep<Self>,
    ) -> Result<(FixedQuotient, u32), Overflow> {
        let product = R::dot(&row.features, bits_of(weights));
        let value = Self::product_value(product, row.exponent);
        let expected = step.expected.unwrap_or(value);
        let inverse = row.inverse().to_f32();
        trace.enter(row, step.decay, step.gain, inverse)?;
        let (along, held) = (step.target.saturating_sub(expected), value.saturating_sub(expected));
        let saturated = trace.pull(weights, row, along, (step.gain * Self::to_f32(held)) * inverse)?;
        Ok((Self::residual_of(row, product), saturated))
    }

    fn is_eligibility<const N: usize>(_: &FixedEligibility<N>) -> bool {
        true
    }

    fn way<const N: usize>(a: &[W; N], b: &[W; N]) -> f32 {
        let way = Self::difference(b, a);
        way.norm().scaled(way.exponent)
    }

    fn turn<const N: usize>([a, b, c]: [&[W; N]; 3]) -> Result<f32, Overflow> {
        Ok(Self::difference(c, b).cosine(&Self::difference(b, a)))
    }

    fn trace_decay<const N: usize>(trace: &mut FixedTrace<N>, gamma: f32) {
        trace.decay(gamma);
    }

    fn trace_add<const N: usize>(trace: &mut FixedTrace<N>, row: &FixedRow<R, N>) {
        trace.add(row);
    }

    fn trace_saturated<const N: usize>(trace: &FixedTrace<N>) -> u32 {
        trace.saturated
    }

    fn trace_reward<const N: usize>(sum: &mut FixedSum<N>, reward: I32F32, trace: &FixedTrace<N>) {
        trace.reward(sum, Self::RESIDUAL_UNIT, reward);
    }

    fn leave_room<const N: usize>(sum: &mut FixedSum<N>) {
        trace::leave_room(sum);
    }
}
