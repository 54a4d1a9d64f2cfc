//! The fixed-point backend: integers only where the data are, wide accumulators, block exponents.
//!
//! | quantity | held as |
//! | --- | --- |
//! | row φ | `i16` with 15 bits, or `i32` with 24, after multiplication by a power of two that fills them |
//! | its target | `i64`, in units of φ·w |
//! | ‖φ‖² | its inverse, 26 bits and an exponent |
//! | weights, velocity | `i32` with 28 or 24 fraction bits |
//! | g, c while they are summed | `i64`, exact: the order of the rows does not matter |
//! | g, c once closed | 24 bits each, one exponent |
//! | norms, ϑ, η, β | `f32`: a dozen operations per update, correctly rounded in software where there is no FPU |
//!
//! Every rounding is to nearest, ties to even.

use core::borrow::Borrow;
use core::fmt::Debug;
use core::marker::PhantomData;

use fixed::FixedI32;
use fixed::traits::FixedSigned;
use fixed::types::I32F32;
use fixed::types::extra::{U24, U28};

use super::integer::{bit_length, scale};
use super::kernels::bits_of;
use super::kernels::portable::dot_integer;
use super::{Arithmetic, Overflow, RowError, Scalar};

mod features;
mod momentum;
mod row;
mod sum;
mod trace;

pub(crate) use features::split;
pub use features::{Features, RowInteger};
pub use row::{FixedQuotient, FixedRow};
use sum::MANTISSA_FRACTION;
pub use sum::{FixedDirection, FixedSum};
pub use trace::FixedTrace;

/// Fixed-point arithmetic with rows of `R` (`i16` or `i32`) and weights of `W` (`I4F28` or `I8F24`).
///
/// ```
/// use fixed::types::{I1F15, I32F32, I4F28};
/// use osculate::{Batch, Learner, Q28};
/// let mut learner = Learner::<Q28, 1>::default();
/// let mut batch = Batch::<Q28, 1, 2>::new();
/// // φ = 1/4 and V = 1/2, then φ = 1/2 and V = 1/4: the toy problem of the paper, in other units.
/// batch.push(&[I1F15::from_num(0.25)].into(), I32F32::from_num(0.5)).unwrap();
/// batch.push(&[I1F15::from_num(0.5)].into(), I32F32::from_num(0.25)).unwrap();
/// for _ in 0..100 {
///     learner.update(&batch);
/// }
/// assert_eq!(*learner.weights(), [I4F28::from_num(1.25)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed<R, W>(PhantomData<(R, W)>);

/// Rows of `i16`, weights with 28 fraction bits: |w| < 8.
///
/// ```
/// let learner = osculate::Learner::<osculate::Q28, 4>::default();
/// assert_eq!(learner.steps(), 0);
/// ```
pub type Q28 = Fixed<i16, FixedI32<U28>>;
/// Rows of `i16`, weights with 24 fraction bits: |w| < 128.
///
/// ```
/// let learner = osculate::Learner::<osculate::Q24, 4>::default();
/// assert_eq!(learner.steps(), 0);
/// ```
pub type Q24 = Fixed<i16, FixedI32<U24>>;
/// Rows of `i32`, weights with 28 fraction bits.
///
/// ```
/// let learner = osculate::Learner::<osculate::Q28Wide, 4>::default();
/// assert_eq!(learner.steps(), 0);
/// ```
pub type Q28Wide = Fixed<i32, FixedI32<U28>>;
/// Rows of `i32`, weights with 24 fraction bits.
///
/// ```
/// let learner = osculate::Learner::<osculate::Q24Wide, 4>::default();
/// assert_eq!(learner.steps(), 0);
/// ```
pub type Q24Wide = Fixed<i32, FixedI32<U24>>;

/// Targets stay below 2^61 so that the dot product, below 2^62 for 128 features, can be added to them.
const TARGET_BITS: u32 = 61;

impl<R: RowInteger, W: FixedSigned<Bits = i32> + Debug> Fixed<R, W> {
    /// Fraction bits of a weight.
    const WEIGHT: i32 = W::FRAC_NBITS as i32;
    /// Fraction bits of a feature once its row is admitted.
    const FEATURE: i32 = R::BITS_USED as i32;
    /// Fraction bits of (φ·w − V)/‖φ‖²: room for four times the range of a weight.
    const RESIDUAL: i32 = Self::WEIGHT - 2;
    /// Fraction bits of (φ·d)/‖φ‖² against those of d over those of φ: room for a direction of any row.
    const ALONG: i32 = Self::FEATURE + 1;

    /// φ·w in the format of a target, or the nearest that it can hold.
    fn product<const N: usize>(mantissas: &[R; N], exponent: i32, weights: &[W; N]) -> I32F32 {
        let unit = exponent.saturating_sub(Self::FEATURE + Self::WEIGHT - I32F32::FRAC_NBITS as i32);
        let value = dot_integer(mantissas, bits_of(weights));
        let limit = if value < 0 { I32F32::MIN } else { I32F32::MAX };
        scale(value, unit).map_or(limit, I32F32::from_bits)
    }

    /// The quotient of φ·w, for a row.
    #[inline]
    fn residual_of<const N: usize>(row: &FixedRow<R, N>, product: i64) -> FixedQuotient {
        FixedQuotient(row.inverse().times(product - row.target, Self::FEATURE - Self::WEIGHT + Self::RESIDUAL))
    }

    /// The quotient of φ·d, for a row.
    #[inline]
    fn along_of<const N: usize>(row: &FixedRow<R, N>, product: i64) -> FixedQuotient {
        FixedQuotient(row.inverse().times(product, Self::ALONG))
    }
}

impl<R: RowInteger, W: FixedSigned<Bits = i32> + Debug + Default + Into<f64>> Arithmetic for Fixed<R, W> {
    type Features<const N: usize> = Features<R, N>;
    type Target = I32F32;
    type Weight = W;
    type Scalar = f32;
    type Quotient = FixedQuotient;
    type Row<const N: usize> = FixedRow<R, N>;
    type Sum<const N: usize> = FixedSum<N>;
    type Direction<const N: usize> = FixedDirection<N>;
    type Trace<const N: usize> = FixedTrace<N>;

    const MAX_ROWS: usize = R::MAX_ROWS;

    fn features<const N: usize>(values: &[f32; N]) -> Result<Features<R, N>, RowError> {
        Features::from_f32(values)
    }

    fn target(value: f32) -> Result<I32F32, RowError> {
        if !value.is_finite() {
            return Err(RowError::NonFiniteTarget);
        }
        let (mantissa, power) = split(value);
        let bits = scale(mantissa, power + I32F32::FRAC_NBITS as i32);
        bits.map(I32F32::from_bits).ok_or(RowError::TargetOutOfRange)
    }

    fn admit<const N: usize>(features: &Features<R, N>) -> Result<FixedRow<R, N>, RowError> {
        FixedRow::admit(features)
    }

    fn aim<const N: usize>(row: &mut FixedRow<R, N>, target: I32F32) -> Result<(), RowError> {
        let unit = Self::FEATURE + Self::WEIGHT - I32F32::FRAC_NBITS as i32 - i32::from(row.exponent);
        let target = scale(target.to_bits(), unit).filter(|target| bit_length(target.unsigned_abs()) <= TARGET_BITS);
        row.target = target.ok_or(RowError::TargetOutOfRange)?;
        Ok(())
    }

    fn value<const N: usize>(features: &Features<R, N>, weights: &[W; N]) -> I32F32 {
        let excess = row::excess_bits(features.mantissas());
        if excess == 0 {
            return Self::product(features.mantissas(), features.exponent(), weights);
        }
        let narrow = row::narrowed(features.mantissas(), excess);
        Self::product(&narrow, features.exponent().saturating_add(excess as i32), weights)
    }

    fn row_value<const N: usize>(row: &FixedRow<R, N>, weights: &[W; N]) -> I32F32 {
        Self::product(&row.features.0, row.exponent.into(), weights)
    }

    fn backup(reward: I32F32, gamma: f32, next: I32F32) -> I32F32 {
        let (gamma, power) = split(gamma);
        let product = i128::from(next.to_bits()) * i128::from(gamma);
        // γ is in [0, 1], so its power is negative, and the product below 2^87.
        let by = power.unsigned_abs().clamp(1, 127);
        let floor = product >> by;
        let (rest, half) = (product - (floor << by), 1_i128 << (by - 1));
        let rounded = floor + i128::from(rest > half || (rest == half && floor & 1 == 1));
        let discounted = rounded.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        I32F32::from_bits(reward.to_bits().saturating_add(discounted))
    }

    fn is_usable(_: I32F32) -> bool {
        true
    }

    #[inline]
    fn residual<const N: usize>(row: &FixedRow<R, N>, weights: &[W; N]) -> FixedQuotient {
        Self::residual_of(row, R::dot(&row.features, bits_of(weights)))
    }

    #[inline]
    fn along<const N: usize>(row: &FixedRow<R, N>, direction: &FixedDirection<N>) -> FixedQuotient {
        Self::along_of(row, R::dot(&row.features, &direction.mantissas))
    }

    fn residual_sum<const N: usize>() -> FixedSum<N> {
        FixedSum::empty(-(Self::RESIDUAL + Self::FEATURE))
    }

    fn change_sum<const N: usize>() -> FixedSum<N> {
        FixedSum::empty(-(Self::ALONG + MANTISSA_FRACTION as i32))
    }

    #[inline]
    fn accumulate<const N: usize>(sum: &mut FixedSum<N>, quotient: FixedQuotient, row: &FixedRow<R, N>) {
        sum.add(quotient, row);
    }

    fn accumulate_residuals<const N: usize, B: Borrow<FixedRow<R, N>>>(
        sum: &mut FixedSum<N>,
        rows: impl Iterator<Item = B>,
        weights: &[W; N],
    ) {
        sum.add_all(rows, bits_of(weights), Self::residual_of);
    }

    fn accumulate_along<const N: usize, B: Borrow<FixedRow<R, N>>>(
        sum: &mut FixedSum<N>,
        rows: impl Iterator<Item = B>,
        direction: &FixedDirection<N>,
    ) {
        sum.add_all(rows, &direction.mantissas, Self::along_of);
    }

    fn close<const N: usize>(sum: FixedSum<N>) -> Result<FixedDirection<N>, Overflow> {
        Ok(sum.close())
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
        let direction = FixedSum { values, unit: -Self::WEIGHT, saturated: 0 }.close();
        direction.norm().scaled(direction.exponent)
    }

    fn decay<const N: usize>(trace: &mut FixedTrace<N>, gamma: f32) {
        trace.decay(gamma);
    }

    fn enter<const N: usize>(trace: &mut FixedTrace<N>, row: &FixedRow<R, N>) {
        trace.enter(row);
    }

    fn trace_saturated<const N: usize>(trace: &FixedTrace<N>) -> u32 {
        trace.saturated
    }

    fn credit<const N: usize>(sum: &mut FixedSum<N>, reward: I32F32, trace: &FixedTrace<N>) {
        trace.credit(sum, reward);
    }
}
