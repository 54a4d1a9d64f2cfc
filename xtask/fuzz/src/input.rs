//! Where all arbitrary numbers come from.

use std::num::NonZeroU32;

use osculate::{LearnerConfig, Rule, Schedule};

use super::Fuzz;
use super::number::Bits;

/// Integers that are at the end of something.
const EXTREMES: [i64; 8] = [i64::MIN, i64::MAX, i64::MIN + 1, 0, 1, -1, 1 << 62, -(1 << 62)];

const SPECIAL: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-45, -0.0, 1.0];

impl Fuzz {
    /// A whole number in 0..`bound`.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        self.dice.below(bound)
    }

    /// Whether something happens that happens once in so many times.
    pub(super) fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// Whether the next number is a wild one, as often as this life wants them.
    pub(super) fn is_wild(&mut self) -> bool {
        self.below(8) < self.wild
    }

    /// 64 random bits.
    pub(super) fn word(&mut self) -> u64 {
        (u64::from(self.dice.bits()) << 32) | u64::from(self.dice.bits())
    }

    /// Every pattern of an f32, and those at the ends of something more often.
    pub(super) fn any_float(&mut self) -> f32 {
        match self.below(4) {
            0 => self.pick(&SPECIAL),
            1 => f32::from_bits(self.dice.bits()),
            _ => self.finite_float(),
        }
    }

    /// A float of any size.
    fn finite_float(&mut self) -> f32 {
        self.dice.uniform() * 2_f32.powi(self.below(253) as i32 - 126)
    }

    /// A float near 1, or a wild one.
    pub(super) fn float(&mut self) -> f32 {
        if self.is_wild() {
            return self.any_float();
        }
        match self.below(8) {
            0 => self.pick(&[0.0, 1.0, -1.0, 0.5]),
            1 => self.dice.uniform() * 8.0,
            _ => self.dice.uniform(),
        }
    }

    /// Floats near 1; or wild ones, of a kind: all patterns, one size, all sizes, or one bad one among good ones.
    pub(super) fn floats<const N: usize>(&mut self) -> [f32; N] {
        let kind = if self.is_wild() { self.below(4) } else { 4 };
        let (unit, bad) = (2_f32.powi(self.below(253) as i32 - 126), self.below(N.max(1) as u32) as usize);
        std::array::from_fn(|i| match kind {
            0 => self.any_float(),
            1 => self.dice.uniform() * unit,
            2 => self.finite_float(),
            3 if i == bad => self.any_float(),
            _ => self.dice.uniform(),
        })
    }

    /// An integer of any length, or an extreme one.
    pub(super) fn integer(&mut self) -> i64 {
        let bits = self.word() as i64;
        match self.below(4) {
            0 => self.pick(&EXTREMES),
            1 => bits >> self.below(64),
            _ => bits,
        }
    }

    /// Integers that are all alike, all extreme, of one length, or quite arbitrary. They fill the high bits of an `i64`.
    pub(super) fn integers<const N: usize>(&mut self) -> [i64; N] {
        let (style, one, length) = (self.below(4), self.integer(), self.below(64));
        std::array::from_fn(|_| match style {
            0 => one,
            1 => self.pick(&EXTREMES),
            2 => self.integer() >> length << length.min(24),
            _ => self.integer(),
        })
    }

    /// The exponent of a row of integers.
    pub(super) fn exponent(&mut self) -> i32 {
        match self.below(8) {
            0 => self.below(401) as i32 - 200,
            1 => self.pick(&[i32::MIN, i32::MAX, i32::MIN + 1, i32::MAX - 1]),
            _ => self.below(33) as i32 - 8,
        }
    }

    /// A discount: in [0, 1], now and then at its ends, and rarely none at all.
    pub(super) fn gamma<S: Bits>(&mut self) -> S {
        let [one, tiny] = [S::ONE, S::ONE.scaled(-149)];
        match self.below(16) {
            0 => S::any(self),
            1 => S::ZERO,
            2 | 3 => one,
            4 => tiny,
            5 => one - one.scaled(-24),
            6 => one + one.scaled(-23),
            _ => S::from_ratio(self.below(1 << 24), 1 << 24),
        }
    }

    /// How a learner moves: mostly from one end of what is allowed to the other, but any field may be anything.
    pub(super) fn config<S: Bits>(&mut self) -> LearnerConfig<S> {
        let (one, tiny) = (S::ONE, S::ONE.scaled(-149));
        let ratio = S::from_ratio;
        let gains = [one, ratio(3, 10), tiny, one.scaled(20), one.scaled(127), S::MAX];
        let betas = [S::ZERO, ratio(1, 2), ratio(9, 10), ratio(0xff_ffff, 1 << 24), tiny];
        // Rarely a threshold that skips everything.
        let thresholds = [S::ZERO, S::ZERO, ratio(1, 1_000_000), one.scaled(-20), one.scaled(127)];
        let caps = [None, None, Some(one), Some(one.scaled(20)), Some(one.scaled(100))];
        let mut config = LearnerConfig {
            rule: self.pick(&[Rule::Paper, Rule::Paper, Rule::Predictable, Rule::Plain]),
            schedule: match self.below(4) {
                0 => Schedule::Harmonic,
                1 => Schedule::ThreeQuarters,
                _ => Schedule::Constant(self.pick(&gains)),
            },
            beta: self.pick(&betas),
            skip_below: self.pick(&thresholds),
            theta_cap: self.pick(&caps),
            curvature_every: NonZeroU32::new(1 + self.below(3)).unwrap_or(NonZeroU32::MIN),
        };
        match self.below(64) {
            0 => config.schedule = Schedule::Constant(S::any(self)),
            1 => config.beta = S::any(self),
            2 => config.skip_below = S::any(self),
            3 => config.theta_cap = Some(S::any(self)),
            4 => config.curvature_every = NonZeroU32::new(self.dice.bits()).unwrap_or(NonZeroU32::MAX),
            _ => {}
        }
        config
    }

    /// The same for a streaming learner, which has less to choose from.
    pub(super) fn streaming_config<S: Bits>(&mut self) -> LearnerConfig<S> {
        let config = self.config::<S>();
        if self.one_in(32) {
            return config;
        }
        let LearnerConfig { skip_below, curvature_every, .. } = LearnerConfig::predictable();
        LearnerConfig { rule: Rule::Predictable, skip_below, curvature_every, ..config }
    }

    /// How many steps an episode has: mostly few, at times more than a wide format has rows for.
    pub(super) fn length(&mut self) -> u32 {
        match self.below(64) {
            0 => 130 + self.below(60),
            1..8 => self.below(40),
            _ => self.below(8),
        }
    }
}
