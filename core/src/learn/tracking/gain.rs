//! The gain μ: which share of its error each row corrects.
//!
//! It is raised while w keeps moving away from its slow average w̄ (lag), and lowered when w reverses (noise).

use super::config::TrackingConfig;
use crate::arithmetic::backend::Scalar;
use crate::state::{Persist, Reader, Writer};

/// The depth of an octave: each halves the gain.
const OCTAVE: u32 = 256;
/// The depth between two rungs of the ladder.
const RUNG: u32 = OCTAVE / 8;
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
    pub(super) depth: u16,
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
        S::from(config.gain).times(S::from(self.share))
    }

    fn set_depth(&mut self, depth: u32) {
        self.depth = depth as u16;
        // The nearest rung: always the one above would give gains that are 4 % too large.
        self.share = factor((depth + RUNG / 2) / RUNG);
    }

    /// Takes the cosine of the angle at a check into account. Not generic, so it is compiled once.
    #[inline(never)]
    pub(super) fn adapt(&mut self, cosine: f32, config: &TrackingConfig) {
        // To the nearest integer; halves go away from 0.
        let change = (cosine * LARGEST_CHANGE + 0.5_f32.copysign(cosine)) as i32;
        let mut depth = i32::from(self.depth).saturating_sub(change).clamp(0, MOST_DEPTH as i32).cast_unsigned();
        // Back to the last rung that is not below the least gain. One step, or none: few changes are that deep.
        while depth > 0 && config.gain * factor(depth.div_ceil(RUNG)) < config.least_gain {
            depth = (depth - 1) / RUNG * RUNG;
        }
        self.set_depth(depth);
    }
}

/// 2^(−rung/8): the exponent of a float, less the octaves.
fn factor(rung: u32) -> f32 {
    f32::from_bits(RUNGS[rung as usize % 8].to_bits() - ((rung / 8) << (f32::MANTISSA_DIGITS - 1)))
}

/// 2⁻¹⁶ of the largest gain: less is not learning.
const MOST_DEPTH: u32 = 16 * OCTAVE;

impl Persist for Gain {
    const BYTES: usize = 2 * u16::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.depth.write(writer);
        self.rows.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        self.set_depth(u32::from(reader.get::<u16>()).min(MOST_DEPTH));
        self.rows = reader.get();
    }
}
