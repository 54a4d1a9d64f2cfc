//! The source of all arbitrary numbers.

use std::borrow::Cow;
use std::fmt::{Debug, Write};

use arbitrary::{Arbitrary, Unstructured};

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
    /// All answers, if somebody listens.
    heard: Option<String>,
    pub(super) report: Report,
}

impl<'b> Fuzz<'b> {
    /// A life of all these bytes.
    pub(super) fn new(bytes: &mut Unstructured<'b>) -> Self {
        let bytes = Unstructured::new(bytes.bytes(bytes.len()).unwrap_or_default());
        Self { bytes, wild: 0, heard: None, report: Report::default() }
    }

    /// What is made next is as wild as these bytes say.
    pub(super) fn begin(&mut self) {
        self.wild = self.pick(&[0, 0, 1, 1, 2, 4, 8]);
    }

    /// The same bytes once more, for a life whose answers are to be compared.
    pub(super) fn listening(&self) -> Self {
        let bytes = Unstructured::new(self.bytes.peek_bytes(self.bytes.len()).unwrap_or_default());
        Self { bytes, wild: self.wild, heard: Some(String::new()), report: Report::default() }
    }

    /// Goes on where a life like this one has got to.
    pub(super) fn go_on_from(&mut self, other: Self) {
        self.bytes = other.bytes;
        self.report.add(&other.report);
    }

    /// Takes note of an answer.
    pub(super) fn hear(&mut self, answer: &impl Debug) {
        if let Some(heard) = &mut self.heard {
            _ = writeln!(heard, "{answer:?}");
        }
    }

    /// The answers since it was last asked.
    pub(super) fn heard(&mut self) -> Option<String> {
        self.heard.replace(String::new())
    }

    /// Whether there are bytes left.
    pub(super) fn goes_on(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Counts a call and its result.
    pub(super) fn called(&mut self, what: impl Into<Cow<'static, str>>) {
        self.report.calls += 1;
        self.saw(what);
    }

    /// Counts a call: by this name if it has succeeded, by that of its error otherwise.
    pub(super) fn answered<T>(&mut self, what: &'static str, answer: &Result<T, impl Debug>) {
        match answer {
            Ok(_) => self.called(what),
            Err(error) => self.called(format!("{error:?}")),
        }
    }

    /// Counts something notable about the last call.
    pub(super) fn saw(&mut self, what: impl Into<Cow<'static, str>>) {
        *self.report.seen.entry(what.into()).or_default() += 1;
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

    /// Integers that are all equal, all extreme, or arbitrary.
    pub(super) fn integers<const N: usize>(&mut self) -> [i64; N] {
        let (style, one) = (self.below(4), self.integer());
        std::array::from_fn(|_| match style {
            0 => one,
            1 => self.pick(&EXTREMES),
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
}
