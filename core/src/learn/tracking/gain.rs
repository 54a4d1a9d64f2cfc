//! The gain μ: how far each row pulls the weights.
//!
//! If the weights go on in the direction in which they have left their slow average, the target is running away: more
//! gain. If they turn back, they only dance around it: less.

use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::Scalar;
use crate::learn::config::TrackingConfig;
use crate::state::{Persist, Reader, Writer};

/// The depth of an octave: each halves the gain.
const OCTAVE: u16 = 256;
/// The depth between two rungs of the ladder.
const RUNG: u16 = OCTAVE / 8;
/// 2^(−i/8).
const RUNGS: [f32; 8] = [
    1.0,
    0.917_004_05,
    0.840_896_4,
    0.771_105_4,
    core::f32::consts::FRAC_1_SQRT_2,
    0.648_419_8,
    0.594_603_54,
    0.545_253_9,
];
/// The change of the depth for a cosine of 1: 0.1 of the natural logarithm, in 1/256 of an octave.
const LARGEST_CHANGE: f32 = 36.93;

/// μ on a ladder below its largest value, in eighths of an octave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gain {
    /// How far below the largest gain, in 1/256 of an octave.
    depth: u16,
    /// The share of the largest gain: that of the nearest rung.
    share: f32,
    /// Rows since the last check.
    pub(super) rows: u16,
}

impl Gain {
    pub(super) const LARGEST: Self = Self { depth: 0, share: 1.0, rows: 0 };

    /// μ.
    #[inline(always)]
    pub(super) fn value<S: Scalar>(self, config: &TrackingConfig) -> S {
        S::from(config.gain) * S::from(self.share)
    }

    fn set_depth(&mut self, depth: u16) {
        self.depth = depth;
        // The nearest rung: always the one above would give gains that are 4 % too large.
        self.share = factor((depth + RUNG / 2) / RUNG);
    }

    /// To this depth, or back to the last rung that is not below the least gain. One step, or none: few changes are that
    /// deep.
    fn climb(&mut self, mut depth: u16, config: &TrackingConfig) {
        while depth > 0 {
            let rung = depth.div_ceil(RUNG);
            if rung <= MOST_RUNGS && config.gain * factor(rung) >= config.least_gain {
                break;
            }
            depth = (rung - 1) * RUNG;
        }
        self.set_depth(depth);
    }

    /// Takes the cosine of a turn into account. Not generic, so it is compiled once.
    #[inline(never)]
    fn turn(&mut self, cosine: f32, config: &TrackingConfig) {
        let change = (cosine * LARGEST_CHANGE).clamp(-LARGEST_CHANGE, LARGEST_CHANGE);
        // To the nearest integer; halves go away from 0.
        let change = (change + if change < 0.0 { -0.5 } else { 0.5 }) as i32 as i16;
        self.climb(self.depth.saturating_add_signed(-change), config);
    }

    /// Compares what w did since the last check with where it had been relative to w̄, and takes both along.
    #[inline(never)]
    pub(super) fn check<A: Arithmetic, const N: usize>(
        &mut self,
        config: &TrackingConfig,
        features: u16,
        weights: &[A::Weight; N],
        slow: &mut [A::Weight; N],
        mark: &mut [A::Weight; N],
    ) {
        if let Ok(cosine) = A::turn([slow, mark, weights]) {
            self.turn(cosine.to_f32(), config);
        }
        let share =
            self.value::<A::Scalar>(config) * A::Scalar::from_ratio(config.every.into(), 2 * u32::from(features));
        let half = A::Scalar::from(0.5);
        // Not beyond half of the way: an average that is w itself has no direction to compare with.
        A::average(slow, weights, if share < half { share } else { half });
        A::copy(mark, weights);
        self.rows = 0;
    }
}

/// 2^(−rung/8): the exponent of a float, less the octaves.
fn factor(rung: u16) -> f32 {
    f32::from_bits(RUNGS[usize::from(rung % 8)].to_bits() - (u32::from(rung / 8) << (f32::MANTISSA_DIGITS - 1)))
}

/// 2⁻¹⁶ of the largest gain: less is not learning.
const MOST_RUNGS: u16 = 128;

impl Persist for Gain {
    const BYTES: usize = 2 * u16::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.depth.write(writer);
        self.rows.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        self.set_depth(reader.get::<u16>().min(MOST_RUNGS * RUNG));
        self.rows = reader.get();
    }
}
