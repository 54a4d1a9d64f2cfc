//! The source of all arbitrary numbers.

use std::num::NonZeroU32;

use arbitrary::{Arbitrary, Unstructured};
use osculate::{Schedule, StoredConfig, StreamingConfig, Targets, Theta, TrackingConfig};

use super::Report;

/// Integers at some limit.
const EXTREMES: [i64; 8] = [i64::MIN, i64::MAX, i64::MIN + 1, 0, 1, -1, 1 << 62, -(1 << 62)];

const SPECIAL: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-45, -0.0, 1.0];

/// A life: the bytes that are left of it, and what it has seen.
#[derive(Debug)]
pub(super) struct Fuzz<'b> {
    bytes: Unstructured<'b>,
    /// How many numbers in 8 are wild.
    wild: u32,
    pub(super) report: Report,
}

impl<'b> Fuzz<'b> {
    /// A life of all these bytes.
    pub(super) fn new(bytes: &mut Unstructured<'b>) -> Self {
        let bytes = Unstructured::new(bytes.bytes(bytes.len()).unwrap_or_default());
        let mut fuzz = Self { bytes, wild: 0, report: Report::default() };
        fuzz.wild = fuzz.pick(&[0, 0, 1, 1, 2, 4, 8]);
        fuzz
    }

    /// Whether there are bytes left.
    pub(super) fn goes_on(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Counts a call and its result.
    pub(super) fn called(&mut self, what: &'static str) {
        self.report.calls += 1;
        self.saw(what);
    }

    /// Counts something notable about the last call.
    pub(super) fn saw(&mut self, what: &'static str) {
        *self.report.seen.entry(what).or_default() += 1;
    }

    /// Any bits. (Zeros, where none are left.)
    pub(super) fn any<T: Arbitrary<'b> + Default>(&mut self) -> T {
        self.bytes.arbitrary().unwrap_or_default()
    }

    /// An integer in 0..`bound`.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        self.bytes.int_in_range(0..=bound.max(1) - 1).unwrap_or(0)
    }

    /// True once in this many calls on average.
    pub(super) fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of several, uniformly.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// Whether the next number is a wild one, at the rate of this life.
    pub(super) fn is_wild(&mut self) -> bool {
        self.wild > 0 && self.below(8) < self.wild
    }

    /// A float in [−1, 1).
    pub(super) fn uniform(&mut self) -> f32 {
        (self.any::<i32>() >> 8) as f32 / 8_388_608.0
    }

    /// Any bit pattern of an f32, with special values more often.
    pub(super) fn any_float(&mut self) -> f32 {
        match self.below(4) {
            0 => self.pick(&SPECIAL),
            1 => f32::from_bits(self.any()),
            _ => self.finite_float(),
        }
    }

    /// A finite float of any magnitude.
    fn finite_float(&mut self) -> f32 {
        self.uniform() * 2_f32.powi(self.below(253) as i32 - 126)
    }

    /// A float near 1, or a wild one.
    pub(super) fn float(&mut self) -> f32 {
        if self.is_wild() {
            return self.any_float();
        }
        match self.below(8) {
            0 => self.pick(&[0.0, 1.0, -1.0, 0.5]),
            1 => self.uniform() * 8.0,
            _ => self.uniform(),
        }
    }

    /// Floats near 1, or wild ones of one kind: any pattern, one magnitude, all magnitudes, or one bad one among good
    /// ones.
    pub(super) fn floats<const N: usize>(&mut self) -> [f32; N] {
        let kind = if self.is_wild() { self.below(4) } else { 4 };
        let (unit, bad) = (2_f32.powi(self.below(253) as i32 - 126), self.below(N.max(1) as u32) as usize);
        std::array::from_fn(|i| match kind {
            0 => self.any_float(),
            1 => self.uniform() * unit,
            2 => self.finite_float(),
            3 if i == bad => self.any_float(),
            _ => self.uniform(),
        })
    }

    /// An integer of any bit length, or an extreme one.
    pub(super) fn integer(&mut self) -> i64 {
        let bits: i64 = self.any();
        match self.below(4) {
            0 => self.pick(&EXTREMES),
            1 => bits >> self.below(64),
            _ => bits,
        }
    }

    /// Integers that are all equal, all extreme, of one length, or arbitrary. They fill the high bits of an `i64`.
    pub(super) fn integers<const N: usize>(&mut self) -> [i64; N] {
        let (style, one, length) = (self.below(4), self.integer(), self.below(64));
        std::array::from_fn(|_| match style {
            0 => one,
            1 => self.pick(&EXTREMES),
            2 => self.integer() >> length << length.min(24),
            _ => self.integer(),
        })
    }

    /// A discount: in [0, 1], sometimes at its ends, and rarely invalid.
    pub(super) fn gamma(&mut self) -> f32 {
        match self.below(32) {
            0 => self.any_float(),
            1 | 2 => 0.0,
            3..6 => 1.0,
            6 => 1e-45,
            7 => 1.0 - f32::EPSILON / 2.0,
            8 => 1.0 + f32::EPSILON,
            _ => self.below(1 << 24) as f32 / 16_777_216.0,
        }
    }

    /// A reward, sometimes missing.
    pub(super) fn reward(&mut self) -> Option<f32> {
        if self.one_in(32) { None } else { Some(self.float()) }
    }

    /// A count of any size, more often near a limit.
    pub(super) fn count(&mut self) -> u32 {
        let bits = self.any::<u32>();
        match self.below(4) {
            0 => self.pick(&[0, 1, 2, u32::MAX - 1, u32::MAX]),
            1 => bits,
            _ => bits >> self.below(32),
        }
    }

    /// A streaming configuration: mostly anywhere in the valid range, but any field may be invalid.
    pub(super) fn streaming_config(&mut self) -> StreamingConfig {
        let gains = [1.0, 0.3, 1e-45, 2_f32.powi(20), 2_f32.powi(127), f32::MAX];
        let mut config = StreamingConfig {
            gamma: self.gamma(),
            schedule: match self.below(4) {
                0 => Schedule::Harmonic,
                1 => Schedule::ThreeQuarters,
                _ => Schedule::Constant(self.pick(&gains)),
            },
            beta: self.pick(&[0.0, 0.5, 0.9, 1.0 - f32::EPSILON / 2.0, 1e-45]),
            theta_cap: self.pick(&[None, None, Some(1.0), Some(2_f32.powi(20)), Some(2_f32.powi(100))]),
        };
        match self.below(64) {
            0 => config.schedule = Schedule::Constant(self.any_float()),
            1 => config.beta = self.any_float(),
            2 => config.theta_cap = Some(self.any_float()),
            _ => {}
        }
        config
    }

    /// The same for a learner with a log.
    pub(super) fn stored_config(&mut self) -> StoredConfig {
        let StreamingConfig { gamma, schedule, beta, theta_cap } = self.streaming_config();
        let every = if self.one_in(16) { self.count() } else { 1 + self.below(3) };
        let past = Theta::PastBatches { every: NonZeroU32::new(every).unwrap_or(NonZeroU32::MIN) };
        let any = self.any_float();
        // Rarely a threshold that skips everything.
        let thresholds = [0.0, 0.0, 1e-6, 2_f32.powi(-20), 2_f32.powi(127)];
        StoredConfig {
            gamma,
            targets: self.pick(&[Targets::MonteCarlo, Targets::OneStep]),
            theta: self.pick(&[Theta::SameBatch, Theta::SameBatch, past, Theta::One]),
            schedule,
            beta,
            skip_below: if self.one_in(64) { any } else { self.pick(&thresholds) },
            theta_cap,
        }
    }

    /// A tracking configuration, likewise.
    pub(super) fn tracking_config(&mut self) -> TrackingConfig {
        let gain = self.pick(&[0.5, 0.5, 0.25, 1.0, 1e-3, 1e-45]);
        let mut config = TrackingConfig {
            gamma: if self.one_in(4) { 0.0 } else { self.gamma() },
            lambda: self.pick(&[0.0, 0.8, 0.8, 1.0, 1e-45]),
            gain,
            least_gain: self.pick(&[1e-3, gain, gain, gain / 2.0, 1e-45]).min(gain),
            every: self.pick(&[1, 4, 16, 16, u16::MAX]),
            greedy: false,
        };
        match self.below(64) {
            0 => config.lambda = self.any_float(),
            1 => config.gain = self.any_float(),
            2 => config.least_gain = self.any_float(),
            3 => config.every = 0,
            4 => config.greedy = true,
            _ => {}
        }
        config
    }
}
