//! Steps towards one row at a time: plain, and along the dutch trace of true-online TD(λ).

use fixed::traits::FixedSigned;
use fixed::types::I32F32;

use super::row_integer::split;
use super::{FixedRow, RowInteger};
use crate::arithmetic::backend::{Empty, Overflow};
use crate::arithmetic::integer::{Clipped, WordShift, bit_length, float, scale, scale_clipped};
use crate::arithmetic::kernels::bits_of_mut;
use crate::arithmetic::scalar::Scalar;
use crate::state::{Persist, Reader, Writer};

/// A dutch trace: mantissas with a common exponent that follows the largest, so that it keeps its resolution whatever
/// the units of the features and however small the gain.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedEligibility<const N: usize> {
    mantissas: [i32; N],
    scale: Scale,
}

/// The common exponent of a trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// z = mantissas · 2^exponent.
    exponent: i16,
    /// The bits of the largest mantissa, or one more; 0 if all are zero.
    length: u16,
}

/// The bits of the two terms that a new mantissa is the sum of.
const TERM_BITS: i32 = 29;

impl<const N: usize> Empty for FixedEligibility<N> {
    const EMPTY: Self = Self { mantissas: [0; N], scale: Scale { exponent: 0, length: 0 } };
}

impl<const N: usize> Persist for FixedEligibility<N> {
    const BYTES: usize = <[i32; N]>::BYTES + i16::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.mantissas.write(writer);
        self.scale.exponent.write(writer);
    }

    /// Invalid values are clamped to the range of a real trace, so that nothing overflows whatever the bytes contain.
    fn read(&mut self, reader: &mut Reader<'_>) {
        self.mantissas.read(reader);
        let limit = 1 << (TERM_BITS + 1);
        self.mantissas.iter_mut().for_each(|z| *z = (*z).clamp(-limit, limit));
        self.scale.exponent = reader.get::<i16>().clamp(-1024, 1024);
        self.scale.length = length(self.mantissas.iter().fold(0, |all, z| all | z.unsigned_abs()));
    }
}

fn length(magnitudes: u32) -> u16 {
    bit_length(magnitudes.into()) as u16
}

/// What a row enters the trace with, besides its features.
pub struct Entry {
    /// z·φ, as the product of integers.
    pub(super) along: i64,
    /// The row's exponent.
    pub(super) exponent: i16,
    pub(super) decay: f32,
    pub(super) gain: f32,
    /// The row's 1/‖φ‖².
    pub(super) inverse: f32,
}

/// How far the weights move: `along` · z − `back` · φ.
pub struct Pull {
    pub(super) along: I32F32,
    pub(super) back: f32,
    /// The row's exponent.
    pub(super) exponent: i16,
    /// The fraction bits of the weights.
    pub(super) fraction: i32,
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
        let along = R::dot(&row.features, &self.mantissas);
        let entry = Entry { along, exponent: row.exponent, decay, gain, inverse };
        R::enter(&mut self.mantissas, &mut self.scale, &row.features.0, &entry)
    }

    /// weights ← weights + along · z − back · φ.
    pub(super) fn pull<R: RowInteger, W: FixedSigned<Bits = i32>>(
        &self,
        weights: &mut [W; N],
        row: &FixedRow<R, N>,
        along: I32F32,
        back: f32,
    ) -> Result<u32, Overflow> {
        let pull = Pull { along, back, exponent: row.exponent, fraction: W::FRAC_NBITS as i32 };
        R::advance(bits_of_mut(weights), (&self.mantissas, self.scale.exponent), &row.features.0, &pull)
    }
}

// What follows is compiled once for all sizes and formats, as functions of the row's integers: unrolled, it would take
// kilobytes.

/// [`FixedEligibility::enter`].
#[inline(always)]
pub(super) fn enter<R: RowInteger>(
    mantissas: &mut [i32],
    scale: &mut Scale,
    features: &[R],
    entry: &Entry,
) -> Result<(), Overflow> {
    let (bits, exponent) = (R::BITS_USED as i32, i32::from(scale.exponent));
    let row_exponent = i32::from(entry.exponent);
    let along = float(entry.along, exponent + row_exponent - bits);
    let factor = entry.gain.times(1.0_f32.minus(entry.decay.times(along))).times(entry.inverse);
    if !factor.is_finite() {
        return Err(Overflow);
    }
    let (decay, decay_power) = split(entry.decay);
    let (factor, factor_power) = split(factor);
    let factor_power = factor_power + bits - row_exponent;
    // Where the bits of either term end; the larger one gets all of TERM_BITS.
    let old = if scale.length == 0 { i32::MIN } else { i32::from(scale.length) + exponent };
    let new = if factor == 0 { i32::MIN } else { bit_length(factor.unsigned_abs()) as i32 + bits + factor_power };
    let next = match old.max(new) {
        i32::MIN => 0,
        top => top - TERM_BITS,
    };
    // The bits to spare in every mantissa.
    let spare = 31_u32.saturating_sub(scale.length.into());
    let (decay, factor) = ((decay, decay_power + exponent - next), (factor, factor_power - next));
    let magnitudes = sum_terms(mantissas, spare, features, decay, factor);
    *scale = Scale { exponent: next as i16, length: length(magnitudes) };
    Ok(())
}

/// z ← decay · z + factor · φ. Returns the magnitudes, combined by or.
#[inline(always)]
fn sum_terms<R: RowInteger>(
    mantissas: &mut [i32],
    spare: u32,
    features: &[R],
    decay: (i64, i32),
    factor: (i64, i32),
) -> u32 {
    let fast = WordShift::new(decay.0 << SPARE, decay.1 - SPARE - spare as i32).zip(feature_shift::<R>(factor));
    let mut magnitudes = 0;
    let mut note = |z: &mut i32, next: i32| {
        *z = next;
        magnitudes |= next.unsigned_abs();
    };
    if let Some((decay, factor)) = fast {
        // One after the other: a core has too few registers for both.
        mantissas.iter_mut().for_each(|z| *z = decay.times(*z << spare));
        mantissas.iter_mut().zip(features).for_each(|(z, &x)| note(z, *z + factor.times(wide(x))));
    } else {
        let all = mantissas.iter_mut().zip(features);
        all.for_each(|(z, &x)| note(z, (shift(*z, decay) + shift(x.into(), factor)) as i32));
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

// What few rows need is called for each element: inlined and unrolled, it would take kilobytes.

/// x · factor · 2^`by` for a result that fits.
#[inline(never)]
pub(super) fn shift(x: i32, (factor, by): (i64, i32)) -> i64 {
    scale(factor * i64::from(x), by)
}

/// x · factor · 2^`by`, saturated.
#[inline(never)]
fn clipped(x: i32, (factor, by): (i64, i32)) -> Clipped {
    scale_clipped(factor * i64::from(x), by)
}

/// [`FixedEligibility::pull`]. Returns how many weights saturated.
#[inline(always)]
pub(super) fn advance<R: RowInteger>(
    weights: &mut [i32],
    (trace, exponent): (&[i32], i16),
    features: &[R],
    pull: &Pull,
) -> Result<u32, Overflow> {
    if !pull.back.is_finite() {
        return Err(Overflow);
    }
    // 31 bits of it and 31 of the trace fit a product.
    let along = pull.along.to_bits();
    let drop = bit_length(along.unsigned_abs()).saturating_sub(31);
    let unit = drop as i32 - I32F32::FRAC_NBITS as i32 + i32::from(exponent) + pull.fraction;
    let (back, power) = split(pull.back);
    let back = (back, power + R::BITS_USED as i32 - i32::from(pull.exponent) + pull.fraction);
    let along = (if drop == 0 { along } else { shift(1, (along, -drop.cast_signed())) }, unit);

    let all = weights.iter_mut().zip(trace).zip(features);
    let Some((along, back)) = WordShift::new(along.0, along.1).zip(feature_shift::<R>(back)) else {
        return Ok(all.map(|((w, &z), &x)| add_far(w, clipped(z, along), clipped(x.into(), back))).sum());
    };
    Ok(all.map(|((w, &z), &x)| add_small(w, along.times(z) - back.times(wide(x)))).sum())
}

/// weights ← weights − factor · 2^power · φ. Returns how many weights saturated.
#[inline(always)]
pub(super) fn subtract_all<R: RowInteger>(weights: &mut [i32], features: &[R], factor: f32, power: i32) -> u32 {
    let factors = split(factor);
    let factors = (factors.0, factors.1 + power);
    if R::SUBTRACTS_ROWS {
        let mantissa = factors.0 as i32;
        // How far mantissa and feature are shifted to the left, so that the change is the upper word of their product.
        match factors.1 + 32 {
            // Less than a half: mantissas have 24 bits, features 15.
            ..=-8 => return 0,
            by @ 0..=7 => return R::subtract_row(weights, features, mantissa << by, 0),
            by @ 8..=23 => return R::subtract_row(weights, features, mantissa << 7, by.cast_unsigned() - 7),
            _ => {}
        }
    } else if let Some(shift) = feature_shift::<R>(factors) {
        return weights.iter_mut().zip(features).map(|(w, &x)| add_small(w, -shift.times(wide(x)))).sum();
    }
    let none = Clipped { value: 0, saturated: false };
    weights.iter_mut().zip(features).map(|(w, &x)| add_far(w, none, clipped(x.into(), factors))).sum()
}

/// Adds one change and subtracts another. Returns 1 if one of them or the sum has saturated.
#[inline(never)]
fn add_far(weight: &mut i32, forth: Clipped, back: Clipped) -> u32 {
    let next = Clipped::new(i64::from(*weight) + i64::from(forth.value) - i64::from(back.value));
    *weight = next.value;
    u32::from(forth.saturated || back.saturated || next.saturated)
}

/// Adds a change of a word. Returns 1 if the sum has saturated.
#[inline(always)]
fn add_small(weight: &mut i32, change: i32) -> u32 {
    let (sum, saturated) = weight.overflowing_add(change);
    *weight = if saturated { weight.saturating_add(change) } else { sum };
    saturated.into()
}
