//! Steps towards one row at a time: plain, and along the dutch trace of true-online TD(λ).

use fixed::traits::FixedSigned;
use fixed::types::I32F32;

use super::row_integer::split;
use super::{FixedRow, RowInteger};
use crate::arithmetic::backend::{Empty, Overflow};
use crate::arithmetic::integer::{WordShift, bit_length, round_shift, scale_clipped};
use crate::arithmetic::scalar::Scalar;
use crate::state::{Persist, Reader, Writer};

/// A dutch trace: mantissas with a common exponent that follows the largest, so that it keeps its resolution whatever
/// the units of the features and however small the gain.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedEligibility<const N: usize> {
    mantissas: [i32; N],
    /// z = mantissas · 2^exponent.
    exponent: i16,
    /// The bits of the largest mantissa, or one more; 0 if all are zero.
    length: u16,
}

/// The bits of the two terms that a new mantissa is the sum of.
const TERM_BITS: i32 = 29;

impl<const N: usize> Empty for FixedEligibility<N> {
    const EMPTY: Self = Self { mantissas: [0; N], exponent: 0, length: 0 };
}

impl<const N: usize> Persist for FixedEligibility<N> {
    const BYTES: usize = <[i32; N]>::BYTES + i16::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.mantissas.write(writer);
        self.exponent.write(writer);
    }

    /// Invalid values are clamped to the range of a real trace, so that nothing overflows whatever the bytes contain.
    fn read(&mut self, reader: &mut Reader<'_>) {
        self.mantissas.read(reader);
        let limit = 1 << (TERM_BITS + 1);
        self.mantissas.iter_mut().for_each(|z| *z = (*z).clamp(-limit, limit));
        self.exponent = reader.get::<i16>().clamp(-1024, 1024);
        self.length = length(self.mantissas.iter().fold(0, |all, z| all | z.unsigned_abs()));
    }
}

fn length(magnitudes: u32) -> u16 {
    bit_length(magnitudes.into()) as u16
}

impl<const N: usize> FixedEligibility<N> {
    /// z ← decay · z + α(1 − decay · z·φ)φ, with `inverse` the row's 1/‖φ‖² as a float.
    pub(super) fn enter<R: RowInteger>(
        &mut self,
        row: &FixedRow<R, N>,
        decay: f32,
        gain: f32,
        inverse: f32,
    ) -> Result<(), Overflow> {
        let (bits, exponent) = (R::BITS_USED as i32, i32::from(self.exponent));
        let along = R::dot(&row.features, &self.mantissas) as f32;
        let along = along.scaled(exponent + i32::from(row.exponent) - bits);
        let factor = (gain * (1.0 - decay * along)) * inverse;
        if !factor.is_finite() {
            return Err(Overflow);
        }
        let (decay, decay_power) = split(decay);
        let (factor, factor_power) = split(factor);
        let factor_power = factor_power + bits - i32::from(row.exponent);
        // Where the bits of either term end; the larger one gets all of TERM_BITS.
        let old = if self.length == 0 { i32::MIN } else { i32::from(self.length) + exponent };
        let new = if factor == 0 { i32::MIN } else { bit_length(factor.unsigned_abs()) as i32 + bits + factor_power };
        let next = match old.max(new) {
            i32::MIN => 0,
            top => top - TERM_BITS,
        };
        let decay = (decay, decay_power + exponent - next);
        // The bits to spare in every mantissa.
        let spare = 31_u32.saturating_sub(self.length.into());
        let magnitudes = enter(&mut self.mantissas, spare, &row.features.0, decay, (factor, factor_power - next));
        (self.exponent, self.length) = (next as i16, length(magnitudes));
        Ok(())
    }

    /// weights ← weights + along · z − back · φ.
    pub(super) fn pull<R: RowInteger, W: FixedSigned<Bits = i32>>(
        &self,
        weights: &mut [W; N],
        row: &FixedRow<R, N>,
        along: I32F32,
        back: f32,
    ) -> Result<u32, Overflow> {
        if !back.is_finite() {
            return Err(Overflow);
        }
        // 31 bits of it and 31 of the trace fit a product.
        let along = along.to_bits();
        let drop = bit_length(along.unsigned_abs()).saturating_sub(31);
        let unit = drop as i32 - I32F32::FRAC_NBITS as i32 + i32::from(self.exponent) + W::FRAC_NBITS as i32;
        let (back, power) = split(back);
        let power = power + R::BITS_USED as i32 - i32::from(row.exponent) + W::FRAC_NBITS as i32;
        let along = (round_shift(along, drop), unit);
        Ok(advance(weights, &self.mantissas, &row.features.0, along, (back, power)))
    }
}

// Compiled once for all sizes: unrolled they would take kilobytes.

/// z ← decay · z + factor · φ. Returns the magnitudes, combined by or.
#[inline(never)]
fn enter<R: RowInteger>(
    mantissas: &mut [i32],
    spare: u32,
    features: &[R],
    decay: (i64, i32),
    factor: (i64, i32),
) -> u32 {
    let mut magnitudes = 0;
    let all = mantissas.iter_mut().zip(features);
    let mut enter = |z: &mut i32, next: i32| {
        *z = next;
        magnitudes |= next.unsigned_abs();
    };
    let fast = WordShift::new(decay.0 << SPARE, decay.1 - SPARE - spare as i32).zip(feature_shift::<R>(factor));
    if let Some((decay, factor)) = fast {
        all.for_each(|(z, &x)| enter(z, decay.times(*z << spare) + factor.times(wide(x))));
    } else {
        let sum =
            |z: i32, x: R| shift(decay.0 * i64::from(z), decay.1) + shift(factor.0 * i64::from(x.into()), factor.1);
        all.for_each(|(z, &x)| enter(z, sum(*z, x) as i32));
    }
    magnitudes
}

/// The bits by which the mantissa of an `f32` can be shifted to the left in a word.
const SPARE: i32 = 7;

/// How far a feature can be shifted to the left in a word. One of 15 bits has no more in an `i16`.
const fn room<R: RowInteger>() -> u32 {
    if size_of::<R>() == size_of::<i16>() { i16::BITS } else { 30 - R::BITS_USED }
}

/// A feature, shifted to the left as far as possible.
#[inline(always)]
fn wide<R: RowInteger>(x: R) -> i32 {
    x.into() << room::<R>()
}

/// The product of an `f32`'s mantissa and a [`wide`] feature.
fn feature_shift<R: RowInteger>((factor, power): (i64, i32)) -> Option<WordShift> {
    WordShift::new(factor << SPARE, power - SPARE - room::<R>() as i32)
}

/// x · 2^`by` for a result that fits.
#[inline]
fn shift(x: i64, by: i32) -> i64 {
    if by <= 0 { round_shift(x, by.unsigned_abs()) } else { x.unbounded_shl(by.unsigned_abs()) }
}

/// weights ← weights + along · z − back · φ. Returns how many weights saturated.
#[inline(never)]
fn advance<R: RowInteger, W: FixedSigned<Bits = i32>>(
    weights: &mut [W],
    trace: &[i32],
    features: &[R],
    along: (i64, i32),
    back: (i64, i32),
) -> u32 {
    let all = weights.iter_mut().zip(trace).zip(features);
    let Some((along, back)) = WordShift::new(along.0, along.1).zip(feature_shift::<R>(back)) else {
        let change = |z: i32, x: R| {
            let forth = scale_clipped(along.0 * i64::from(z), along.1);
            let back = scale_clipped(back.0 * i64::from(x.into()), back.1);
            (i64::from(forth.value) - i64::from(back.value), forth.saturated || back.saturated)
        };
        return all.map(|((w, &z), &x)| add(w, change(z, x))).sum();
    };
    all.map(|((w, &z), &x)| add_small(w, along.times(z) - back.times(wide(x)))).sum()
}

/// weights ← weights − factor · φ. Returns how many weights saturated.
#[inline(never)]
pub(super) fn subtract<R: RowInteger, W: FixedSigned<Bits = i32>>(
    weights: &mut [W],
    features: &[R],
    factor: (i64, i32),
) -> u32 {
    let all = weights.iter_mut().zip(features);
    let Some(shift) = feature_shift::<R>(factor) else {
        let change = |x: R| {
            let change = scale_clipped(factor.0 * i64::from(x.into()), factor.1);
            (-i64::from(change.value), change.saturated)
        };
        return all.map(|(w, &x)| add(w, change(x))).sum();
    };
    all.map(|(w, &x)| add_small(w, -shift.times(wide(x)))).sum()
}

/// Adds a change that may already have saturated. Returns 1 if it or the sum has.
fn add<W: FixedSigned<Bits = i32>>(weight: &mut W, (change, saturated): (i64, bool)) -> u32 {
    let next = scale_clipped(i64::from(weight.to_bits()) + change, 0);
    *weight = W::from_bits(next.value);
    u32::from(saturated || next.saturated)
}

/// The same for a change of a word.
#[inline(always)]
fn add_small<W: FixedSigned<Bits = i32>>(weight: &mut W, change: i32) -> u32 {
    let (sum, saturated) = weight.to_bits().overflowing_add(change);
    *weight = W::from_bits(if saturated { weight.to_bits().saturating_add(change) } else { sum });
    saturated.into()
}
