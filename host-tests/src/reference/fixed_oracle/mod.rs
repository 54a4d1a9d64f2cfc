//! The fixed-point rules in plain `i128` integers: every rounding is one exact division, and nothing overflows.
//!
//! This follows "Fixed point, exactly" in `docs/numerics.md` line by line; the numbers in the comments are its steps.
//! It is simple and slow. Scalars use the machine's f32.

mod episode;
mod row;
mod rule;
mod stream;
mod track;

use super::fixed::{Fate, Format, Report, Row, Settings, State};
pub use row::{backup, value};
use rule::{Closed, Past};
pub use track::TrackingIntegers;

/// A fixed-point learner in `i128`.
#[derive(Clone, Debug)]
pub struct Oracle {
    w: Vec<i128>,
    velocity: Vec<i128>,
    averaged: Vec<i128>,
    k: u32,
    past: Past,
    /// The direction of the last streamed episode.
    previous: Option<Closed>,
    format: Format,
    settings: Settings,
}

/// a/b rounded to nearest even, for b > 0.
fn nearest(a: i128, b: i128) -> i128 {
    let (floor, remainder) = (a.div_euclid(b), a.rem_euclid(b));
    match (2 * remainder).cmp(&b) {
        std::cmp::Ordering::Less => floor,
        std::cmp::Ordering::Equal => floor + floor.rem_euclid(2),
        std::cmp::Ordering::Greater => floor + 1,
    }
}

/// x·2^by to the nearest integer; |x| ≤ 2⁶³ for left shifts, and < 2¹²⁵ for right shifts.
///
/// Beyond the clamp the exact power does not matter. To the left, only 0 fits any range that callers check. To the
/// right, everything is less than a half.
fn shifted(x: i128, by: i64) -> i128 {
    match by.clamp(-126, 63) {
        left @ 0.. => x << left,
        right => nearest(x, 1 << -right),
    }
}

/// The bit length of |x|.
fn len(x: i128) -> i64 {
    i64::from(128 - x.unsigned_abs().leading_zeros())
}

/// Clamps to a range. Returns whether that changed the number.
fn cut(x: i128, least: i128, most: i128) -> (i128, bool) {
    let inside = x.clamp(least, most);
    (inside, inside != x)
}

/// Saturates to 32 bits.
fn cut32(x: i128) -> (i128, bool) {
    cut(x, i32::MIN.into(), i32::MAX.into())
}

/// (a, e) with x = a·2^e, for a finite x.
fn integer_and_exponent(x: f32) -> (i128, i64) {
    let (fraction, biased) = (i128::from(x.to_bits() & 0x7f_ffff), i64::from(x.to_bits() >> 23 & 0xff));
    let (magnitude, e) = if biased == 0 { (fraction, -149) } else { (fraction + (1 << 23), biased - 150) };
    (if x.is_sign_negative() { -magnitude } else { magnitude }, e)
}

/// x·factor, to the nearest integer.
fn times(x: i128, factor: f32) -> i128 {
    let (a, e) = integer_and_exponent(factor);
    shifted(x * a, e)
}

/// 10. x·factor with 0 ≤ factor < 1, to the nearest integer. A nonzero x always shrinks.
fn shrunk(x: i128, factor: f32) -> i128 {
    let near = times(x, factor);
    if near == x { x - x.signum() } else { near }
}

fn dot(a: &[i128], b: &[i128]) -> i128 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Converts to `i32`. The elements have already saturated to 32 bits.
fn narrow(x: &[i128]) -> Vec<i32> {
    x.iter().map(|&x| x.try_into().expect("weights have 32 bits")).collect()
}

impl Oracle {
    /// At w = 0, at rest.
    pub fn new(n: usize, format: Format, settings: Settings) -> Self {
        let zero = vec![0; n];
        let (w, velocity, averaged) = (zero.clone(), zero.clone(), zero);
        Self { w, velocity, averaged, k: 0, past: Past::default(), previous: None, format, settings }
    }

    /// One update from a batch. Rows that cannot be converted are the caller's to drop, and are not counted here.
    pub fn update(&mut self, rows: &[Row]) -> Report {
        let (mut taken, mut dropped) = (Vec::new(), 0);
        for (phi, target) in rows {
            let (Some(integers), Some(target)) = (self.format.integers(phi), row::raw(*target)) else { continue };
            match self.format.encode(integers).and_then(|row| self.format.with_target(row, target)) {
                Some(row) => taken.push(row),
                None => dropped += 1,
            }
        }
        self.learn(&taken, dropped)
    }

    /// Restarts learning, from w or from w̄.
    pub fn restart(&mut self, from_average: bool) {
        if from_average {
            self.w = self.averaged.clone();
        }
        self.averaged = self.w.clone();
        self.velocity.fill(0);
        self.k = 0;
    }

    /// The observable state.
    pub fn state(&self) -> State {
        let v = rule::close(&self.velocity, -i64::from(self.format.fraction_bits));
        State {
            k: self.k,
            w: narrow(&self.w),
            velocity: narrow(&self.velocity),
            averaged: narrow(&self.averaged),
            step_length: v.length().to_bits(),
        }
    }

    /// The report of an update that has done nothing yet.
    fn report(&self, rows: usize, dropped: u32) -> Report {
        let (k, tau) = (self.k + 1, rows as u32);
        Report { k, tau, dropped, saturated: 0, g_norm: 0, theta: 0, fate: Fate::Empty }
    }
}
