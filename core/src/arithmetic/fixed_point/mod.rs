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

use core::fmt::Debug;
use core::marker::PhantomData;

use fixed::FixedI32;
use fixed::traits::FixedSigned;
use fixed::types::I32F32;
use fixed::types::extra::{U24, U28};

use super::integer::{Clipped, Inverse, bit_length, round_shift, scale, scale_clipped};
use super::{Arithmetic, Overflow, RowError, Scalar};

mod features;

pub(crate) use features::split;
pub use features::{Features, RowInteger};

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
pub type Q28 = Fixed<i16, FixedI32<U28>>;
/// Rows of `i16`, weights with 24 fraction bits: |w| < 128.
pub type Q24 = Fixed<i16, FixedI32<U24>>;
/// Rows of `i32`, weights with 28 fraction bits.
pub type Q28Wide = Fixed<i32, FixedI32<U28>>;
/// Rows of `i32`, weights with 24 fraction bits.
pub type Q24Wide = Fixed<i32, FixedI32<U24>>;

/// A row (φ, V), scaled so that its largest feature fills its bits.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedRow<R, const N: usize> {
    features: [R; N],
    inverse: Inverse,
    target: i64,
    /// The row as it came is 2^exponent times this one.
    exponent: i16,
}

/// A sum of rows: exact, whatever their order.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedSum<const N: usize> {
    values: [i64; N],
    /// The values count units of 2^unit.
    unit: i32,
    saturated: u32,
}

/// A vector 2^exponent · mantissas, where a mantissa of 2²³ stands for 1.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedDirection<const N: usize> {
    mantissas: [i32; N],
    exponent: i32,
    saturated: u32,
}

/// Fraction bits of a direction's mantissas; the largest takes one bit more.
const MANTISSA_FRACTION: u32 = 23;

/// Targets stay below 2^61 so that the dot product, below 2^62 for 128 features, can be added to them.
const TARGET_BITS: u32 = 61;

/// Features per row that the accumulators are wide enough for.
const MAX_FEATURES: usize = 128;

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
        let value = dot(mantissas, weights);
        let limit = if value < 0 { I32F32::MIN } else { I32F32::MAX };
        scale(value, unit).map_or(limit, I32F32::from_bits)
    }

    fn sum<const N: usize>(unit: i32) -> FixedSum<N> {
        FixedSum { values: [0; N], unit, saturated: 0 }
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
        const { assert!(N <= MAX_FEATURES, "fixed-point rows have at most 128 features") };
        let magnitude = |x: &R| -> u32 { Into::<i32>::into(*x).unsigned_abs() };
        let largest = features.mantissas().iter().map(magnitude).max().unwrap_or(0);
        if largest == 0 {
            return Err(RowError::ZeroFeatures);
        }
        let shift = Self::FEATURE - bit_length(largest.into()) as i32;
        // Exponents far beyond any target's reach need not be told apart.
        let exponent = features.exponent().saturating_sub(shift).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        // The largest has at most 31 bits before and, but for a rounding up, BITS_USED after.
        let features = features.mantissas().map(|x| R::from_mantissa(scale_clipped(i64::from(x.into()), shift).value));
        let norm_squared = features.iter().map(|&x| i64::from(x.into()).pow(2)).sum::<i64>();
        Ok(FixedRow { features, inverse: Inverse::of(norm_squared as u64), target: 0, exponent })
    }

    fn aim<const N: usize>(row: &mut FixedRow<R, N>, target: I32F32) -> Result<(), RowError> {
        let unit = Self::FEATURE + Self::WEIGHT - I32F32::FRAC_NBITS as i32 - i32::from(row.exponent);
        let target = scale(target.to_bits(), unit).filter(|target| bit_length(target.unsigned_abs()) <= TARGET_BITS);
        row.target = target.ok_or(RowError::TargetOutOfRange)?;
        Ok(())
    }

    fn value<const N: usize>(features: &Features<R, N>, weights: &[W; N]) -> I32F32 {
        Self::product(features.mantissas(), features.exponent(), weights)
    }

    fn row_value<const N: usize>(row: &FixedRow<R, N>, weights: &[W; N]) -> I32F32 {
        Self::product(&row.features, row.exponent.into(), weights)
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
        let residual = dot(&row.features, weights) - row.target;
        FixedQuotient(row.inverse.times(residual, Self::FEATURE - Self::WEIGHT + Self::RESIDUAL))
    }

    #[inline]
    fn along<const N: usize>(row: &FixedRow<R, N>, direction: &FixedDirection<N>) -> FixedQuotient {
        let mantissas = &direction.mantissas;
        let products = row.features.iter().zip(mantissas).map(|(&x, &d)| i64::from(x.into()) * i64::from(d));
        FixedQuotient(row.inverse.times(products.sum(), Self::ALONG))
    }

    fn residual_sum<const N: usize>() -> FixedSum<N> {
        Self::sum(-(Self::RESIDUAL + Self::FEATURE))
    }

    fn change_sum<const N: usize>() -> FixedSum<N> {
        Self::sum(-(Self::ALONG + MANTISSA_FRACTION as i32))
    }

    #[inline]
    fn accumulate<const N: usize>(sum: &mut FixedSum<N>, quotient: FixedQuotient, row: &FixedRow<R, N>) {
        let FixedQuotient(Clipped { value, saturated }) = quotient;
        sum.saturated += u32::from(saturated);
        for (sum, &x) in sum.values.iter_mut().zip(&row.features) {
            *sum += i64::from(value) * i64::from(x.into());
        }
    }

    fn close<const N: usize>(sum: FixedSum<N>) -> Result<FixedDirection<N>, Overflow> {
        let largest = sum.values.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
        let saturated = sum.saturated;
        if largest == 0 {
            return Ok(FixedDirection { mantissas: [0; N], exponent: 0, saturated });
        }
        let shift = bit_length(largest) as i32 - (MANTISSA_FRACTION + 1) as i32;
        let mantissas = sum.values.map(|x| scale_clipped(x, -shift).value);
        Ok(FixedDirection { mantissas, exponent: sum.unit + shift + MANTISSA_FRACTION as i32, saturated })
    }

    fn exponent<const N: usize>(direction: &FixedDirection<N>) -> i32 {
        direction.exponent
    }

    fn saturated<const N: usize>(direction: &FixedDirection<N>) -> u32 {
        direction.saturated
    }

    fn norm<const N: usize>(direction: &FixedDirection<N>) -> f32 {
        let square = direction.mantissas.iter().map(|&x| i64::from(x).pow(2) as u64).sum::<u64>();
        if square == 0 {
            return 0.0;
        }
        // An even shift that fills the word gives the root 32 bits, of which an f32 keeps 24.
        let shift = square.leading_zeros() & !1;
        let root = (square << shift).isqrt();
        (root as f32).scaled(-((shift / 2 + MANTISSA_FRACTION) as i32))
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
        let mut saturated = 0;
        for ((w, velocity), &g) in weights.iter_mut().zip(velocity).zip(&direction.mantissas) {
            let change = scale_clipped(gain * i64::from(g), gain_power);
            let next_velocity = decayed(velocity.to_bits(), beta) - i64::from(change.value);
            let next = scale_clipped(i64::from(w.to_bits()) + next_velocity, 0);
            saturated += u32::from(change.saturated || next.saturated);
            // The way that was really made: a weight at its limit has no momentum against it.
            *velocity = W::from_bits(
                (i64::from(next.value) - i64::from(w.to_bits())).clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            );
            *w = W::from_bits(next.value);
        }
        Ok(saturated)
    }

    fn average<const N: usize>(mean: &mut [W; N], weights: &[W; N], gain: f32) {
        let (gain, power) = split(gain);
        for (mean, w) in mean.iter_mut().zip(weights) {
            let from = i64::from(mean.to_bits());
            let way = scale(gain * (i64::from(w.to_bits()) - from), power).unwrap_or(0);
            // Between the two, so it fits.
            *mean = W::from_bits((from + way) as i32);
        }
    }

    fn length<const N: usize>(vector: &[W; N]) -> f32 {
        let values: [i64; N] = core::array::from_fn(|i| i64::from(vector[i].to_bits()));
        let sum = FixedSum { values, unit: -Self::WEIGHT, saturated: 0 };
        Self::close(sum).map_or(0.0, |d| Self::norm(&d).scaled(d.exponent))
    }

    fn decay<const N: usize>(trace: &mut FixedTrace<N>, gamma: f32) {
        // Nothing is to shrink, not even by the one unit that `decayed` insists on.
        if gamma == 1.0 {
            return;
        }
        let gamma = split(gamma);
        trace.values = trace.values.map(|z| decayed(z, gamma) as i32);
    }

    fn enter<const N: usize>(trace: &mut FixedTrace<N>, row: &FixedRow<R, N>) {
        let unit = Self::FEATURE - i32::from(row.exponent) + TRACE_FRACTION;
        for (z, &x) in trace.values.iter_mut().zip(&row.features) {
            let entry = row.inverse.share(x.into(), unit);
            let next = scale_clipped(i64::from(*z) + i64::from(entry.value), 0);
            trace.saturated = trace.saturated.saturating_add(u32::from(entry.saturated || next.saturated));
            *z = next.value;
        }
    }

    fn trace_saturated<const N: usize>(trace: &FixedTrace<N>) -> u32 {
        trace.saturated
    }

    fn credit<const N: usize>(sum: &mut FixedSum<N>, reward: I32F32, trace: &FixedTrace<N>) {
        let reward = reward.to_bits();
        // 31 bits of the reward and 31 of the trace fit a product.
        let drop = bit_length(reward.unsigned_abs()).saturating_sub(31);
        let reward = round_shift(reward, drop);
        let unit = drop as i32 - I32F32::FRAC_NBITS as i32 - TRACE_FRACTION - sum.unit;
        for (sum_value, &z) in sum.values.iter_mut().zip(&trace.values) {
            let next = scale(reward * i64::from(z), unit).and_then(|credit| sum_value.checked_sub(credit));
            match next {
                Some(next) => *sum_value = next,
                None => sum.saturated = sum.saturated.saturating_add(1),
            }
        }
    }
}

/// Fraction bits of a trace: it reaches ±512, enough for 1/(1 − γ) = 256 visits of features that are near 1.
const TRACE_FRACTION: i32 = 22;

/// The discounted sum of φ/‖φ‖², with 22 fraction bits.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedTrace<const N: usize> {
    values: [i32; N],
    saturated: u32,
}

impl<const N: usize> Default for FixedTrace<N> {
    fn default() -> Self {
        Self { values: [0; N], saturated: 0 }
    }
}

/// Σ features · weights, exactly.
#[inline]
fn dot<R: RowInteger, W: FixedSigned<Bits = i32>, const N: usize>(features: &[R; N], weights: &[W; N]) -> i64 {
    features.iter().zip(weights).map(|(&x, w)| i64::from(x.into()) * i64::from(w.to_bits())).sum()
}

/// (φ·w − V)/‖φ‖² in 32 bits, and whether they were enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedQuotient(Clipped);

/// β · velocity, to nearest; and never all of it, since β < 1: rounding would keep a small velocity alive for ever.
#[inline]
fn decayed(velocity: i32, (beta, power): (i64, i32)) -> i64 {
    let velocity = i64::from(velocity);
    let rounded = round_shift(velocity * beta, power.unsigned_abs());
    if rounded == velocity { velocity - velocity.signum() } else { rounded }
}
