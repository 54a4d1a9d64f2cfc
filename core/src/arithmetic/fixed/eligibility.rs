//! Steps towards one row at a time: plain, and along the dutch trace of true-online TD(λ).

use fixed::traits::FixedSigned;
use fixed::types::I32F32;

use super::FixedRow;
use super::rounding::{Clipped, WordShift, bit_length, float, scale, scale_clipped, split};
use super::row::{FEATURE_BITS, FEATURE_ROOM};
use crate::arithmetic::backend::{Empty, Overflow};
use crate::arithmetic::kernels::{bits_of_mut, integer};
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
struct Scale {
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
struct Entry {
    /// z·φ, as the product of integers.
    along: i64,
    /// The row's exponent.
    exponent: i16,
    decay: f32,
    gain: f32,
    /// The row's 1/‖φ‖².
    inverse: f32,
}

/// How far the weights move: `along` · z − `back` · φ.
struct Terms {
    along: I32F32,
    back: f32,
    /// The row's exponent.
    exponent: i16,
    /// The fraction bits of the weights.
    fraction: i32,
}

impl<const N: usize> FixedEligibility<N> {
    /// z ← decay · z + α(1 − decay · z·φ)φ, with `inverse` the row's 1/‖φ‖² as a float.
    pub(super) fn enter(&mut self, row: &FixedRow<N>, decay: f32, gain: f32, inverse: f32) -> Result<(), Overflow> {
        let along = integer::dot(&row.features, &self.mantissas);
        let entry = Entry { along, exponent: row.exponent, decay, gain, inverse };
        enter(&mut self.mantissas, &mut self.scale, &row.features.0, &entry)
    }

    /// weights ← weights + along · z − back · φ.
    pub(super) fn advance<W: FixedSigned<Bits = i32>>(
        &self,
        weights: &mut [W; N],
        row: &FixedRow<N>,
        along: I32F32,
        back: f32,
    ) -> Result<u32, Overflow> {
        let terms = Terms { along, back, exponent: row.exponent, fraction: W::FRAC_NBITS as i32 };
        advance(bits_of_mut(weights), (&self.mantissas, self.scale.exponent), &row.features.0, &terms)
    }
}

// What follows is compiled once for all sizes and formats: unrolled, it would take kilobytes.

/// [`FixedEligibility::enter`].
#[inline(never)]
fn enter(mantissas: &mut [i32], scale: &mut Scale, features: &[i16], entry: &Entry) -> Result<(), Overflow> {
    let (bits, exponent) = (FEATURE_BITS as i32, i32::from(scale.exponent));
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
fn sum_terms(mantissas: &mut [i32], spare: u32, features: &[i16], decay: (i64, i32), factor: (i64, i32)) -> u32 {
    let fast = WordShift::new(decay.0 << SPARE, decay.1 - SPARE - spare as i32).zip(feature_shift(factor));
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

/// A feature, shifted to the left as far as possible.
#[inline(always)]
fn wide(x: i16) -> i32 {
    i32::from(x) << FEATURE_ROOM
}

/// The product of an `f32`'s mantissa and a [`wide`] feature.
fn feature_shift((factor, power): (i64, i32)) -> Option<WordShift> {
    WordShift::new(factor << SPARE, power - SPARE - FEATURE_ROOM as i32)
}

// What few rows need is called for each element: inlined and unrolled, it would take kilobytes.

/// x · factor · 2^`by` for a result that fits.
#[inline(never)]
fn shift(x: i32, (factor, by): (i64, i32)) -> i64 {
    scale(factor * i64::from(x), by)
}

/// x · factor · 2^`by`, saturated.
#[inline(never)]
fn clipped(x: i32, (factor, by): (i64, i32)) -> Clipped {
    scale_clipped(factor * i64::from(x), by)
}

/// [`FixedEligibility::advance`]. Returns how many weights saturated.
#[inline(never)]
fn advance(
    weights: &mut [i32],
    (trace, exponent): (&[i32], i16),
    features: &[i16],
    terms: &Terms,
) -> Result<u32, Overflow> {
    if !terms.back.is_finite() {
        return Err(Overflow);
    }
    // 31 bits of it and 31 of the trace fit a product.
    let along = terms.along.to_bits();
    let drop = bit_length(along.unsigned_abs()).saturating_sub(31);
    let unit = drop as i32 - I32F32::FRAC_NBITS as i32 + i32::from(exponent) + terms.fraction;
    let (back, power) = split(terms.back);
    let back = (back, power + FEATURE_BITS as i32 - i32::from(terms.exponent) + terms.fraction);
    let along = (if drop == 0 { along } else { shift(1, (along, -drop.cast_signed())) }, unit);

    let all = weights.iter_mut().zip(trace).zip(features);
    let Some((along, back)) = WordShift::new(along.0, along.1).zip(feature_shift(back)) else {
        return Ok(all.map(|((w, &z), &x)| add_far(w, clipped(z, along), clipped(x.into(), back))).sum());
    };
    Ok(all.map(|((w, &z), &x)| add_small(w, along.times(z) - back.times(wide(x)))).sum())
}

/// weights ← weights − factor · 2^power · φ. Returns how many weights saturated.
#[inline(never)]
pub(super) fn subtract_all(weights: &mut [i32], features: &[i16], factor: f32, power: i32) -> u32 {
    let factors = split(factor);
    let factors = (factors.0, factors.1 + power);
    if let Some(shift) = feature_shift(factors) {
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
