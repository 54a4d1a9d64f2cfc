//! Arbitrary bits for features, targets and parameters: nothing may panic, nothing may become infinite, and what is
//! refused may leave no trace. `cargo test` runs a short round of it.

use std::fmt::{Display, Formatter};
use std::num::NonZeroU32;
use std::ops::AddAssign;

use osculate::arithmetic::Features;
use osculate::{
    Arithmetic, Batch, Learner, LearnerConfig, Outcome, Q24, Q24Wide, Q28, Q28Wide, Rule, Scalar, Schedule, Verdict,
};

use crate::worlds::Dice;

const UPDATES_PER_LEARNER: u64 = 40;

/// Integers that are at the end of something.
const EXTREMES: [i64; 8] = [i64::MIN, i64::MAX, i64::MIN + 1, 0, 1, -1, 1 << 62, -(1 << 62)];

/// What a round of fuzzing has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FuzzCount {
    /// Updates in all.
    pub updates: u64,
    /// Those that moved the weights.
    pub stepped: u64,
    /// Those that were skipped.
    pub skipped: u64,
    /// Those without a usable row.
    pub empty: u64,
    /// Those that would have left the range of a float.
    pub overflowed: u64,
    /// Those that cut a quotient or a weight to its range.
    pub saturated: u64,
    /// Rows offered.
    pub rows: u64,
    /// Rows refused.
    pub refused: u64,
}

impl AddAssign for FuzzCount {
    fn add_assign(&mut self, other: Self) {
        self.updates += other.updates;
        self.stepped += other.stepped;
        self.skipped += other.skipped;
        self.empty += other.empty;
        self.overflowed += other.overflowed;
        self.saturated += other.saturated;
        self.rows += other.rows;
        self.refused += other.refused;
    }
}

impl Display for FuzzCount {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { updates, stepped, skipped, empty, overflowed, saturated, rows, refused } = self;
        write!(
            f,
            "{updates} updates ({stepped} stepped, {skipped} skipped, {empty} empty, {overflowed} out of range; {saturated} \
             saturated), {refused} of {rows} rows refused"
        )
    }
}

/// An arithmetic that can be given arbitrary bits.
pub trait Fuzzed: Arithmetic + Clone {
    /// A row of arbitrary bits; `None` where the format has no way to hold them.
    fn any_row<const N: usize>(dice: &mut Dice) -> Option<(Self::Features<N>, Self::Target)>;
}

/// A float of any kind: ordinary, huge, subnormal, or no number at all if that is wanted.
fn any_float(dice: &mut Dice, is_any: bool) -> f32 {
    const SPECIAL: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-45, -0.0, 1.0];
    match dice.below(8) {
        0 if is_any => SPECIAL[dice.below(8) as usize],
        1 if is_any => f32::from_bits(dice.bits()),
        // Rows of these are mostly usable, and reach both ends of the range.
        2 => dice.uniform() * 2_f32.powi(dice.below(253) as i32 - 126),
        3 => SPECIAL[3 + dice.below(5) as usize],
        _ => dice.uniform(),
    }
}

fn any_floats<const N: usize>(dice: &mut Dice) -> ([f32; N], f32) {
    // Mostly one kind of number for a whole row, or it would be refused for one bad element out of many.
    let is_any = dice.below(4) == 0;
    let is_ordinary = dice.below(2) == 0;
    let element = |dice: &mut Dice| if is_ordinary { dice.uniform() } else { any_float(dice, is_any) };
    let features = std::array::from_fn(|_| element(dice));
    (features, any_float(dice, is_any))
}

/// An integer of any length, or an extreme one.
fn any_integer(dice: &mut Dice) -> i64 {
    let bits = (i64::from(dice.bits() as i32) << 32) | i64::from(dice.bits());
    match dice.below(4) {
        0 => EXTREMES[dice.below(8) as usize],
        1 => bits >> dice.below(64),
        _ => bits,
    }
}

/// Features that are all alike, of one length, or quite arbitrary. They fill the high bits of an `i64`.
fn any_integers<const N: usize>(dice: &mut Dice) -> [i64; N] {
    let (style, one, length) = (dice.below(4), any_integer(dice), dice.below(64));
    std::array::from_fn(|_| match style {
        0 => one,
        1 => EXTREMES[dice.below(8) as usize],
        2 => any_integer(dice) >> length << length.min(24),
        _ => any_integer(dice),
    })
}

fn any_exponent(dice: &mut Dice) -> i32 {
    match dice.below(8) {
        0 => dice.below(401) as i32 - 200,
        1 => [i32::MIN, i32::MAX, i32::MIN + 1, i32::MAX - 1][dice.below(4) as usize],
        _ => dice.below(33) as i32 - 8,
    }
}

impl Fuzzed for f32 {
    fn any_row<const N: usize>(dice: &mut Dice) -> Option<([f32; N], f32)> {
        Some(any_floats(dice))
    }
}

impl Fuzzed for f64 {
    fn any_row<const N: usize>(dice: &mut Dice) -> Option<([f64; N], f64)> {
        let (features, target) = any_floats::<N>(dice);
        // On to where only an f64 reaches: about as far beyond its ends as the special floats are beyond an f32's.
        let mut unit = || if dice.below(4) == 0 { 2_f64.powi([-1000, 1000][dice.below(2) as usize]) } else { 1.0 };
        let (row_unit, target_unit) = (unit(), unit());
        Some((features.map(|x| f64::from(x) * row_unit), f64::from(target) * target_unit))
    }
}

macro_rules! fuzzed_integer {
    ($($format:ident: $integer:ident, $shift:literal;)*) => {$(
        impl Fuzzed for $format {
            fn any_row<const N: usize>(dice: &mut Dice) -> Option<(Self::Features<N>, Self::Target)> {
                if dice.below(4) == 0 {
                    let (features, target) = any_floats::<N>(dice);
                    return Some((Self::features(&features).ok()?, Self::target(target).ok()?));
                }
                let mantissas = any_integers::<N>(dice).map(|x| (x >> $shift) as $integer);
                let target = any_integer(dice) >> dice.below(40);
                Some((Features::new(mantissas, any_exponent(dice)), <Self as Arithmetic>::Target::from_bits(target)))
            }
        }
    )*};
}
fuzzed_integer! {
    Q28: i16, 48;
    Q24: i16, 48;
    Q28Wide: i32, 32;
    Q24Wide: i32, 32;
}

/// Parameters from one end of what is allowed to the other.
fn any_config<S: Scalar>(dice: &mut Dice) -> LearnerConfig<S> {
    let tiny = S::ONE.scaled(-149);
    let gains = [S::ONE, S::from_ratio(3, 10), tiny, S::ONE.scaled(127), S::ONE.scaled(20)];
    let betas = [S::ZERO, S::from_ratio(1, 2), S::from_ratio(9, 10), S::from_ratio(0xff_ffff, 1 << 24), tiny];
    let thresholds = [S::ZERO, S::from_ratio(1, 1_000_000), S::ONE.scaled(-20), S::ONE.scaled(127)];
    LearnerConfig {
        rule: [Rule::Paper, Rule::Paper, Rule::Predictable, Rule::Plain][dice.below(4) as usize],
        schedule: match dice.below(4) {
            0 => Schedule::Harmonic,
            1 => Schedule::ThreeQuarters,
            _ => Schedule::Constant(gains[dice.below(5) as usize]),
        },
        beta: betas[dice.below(5) as usize],
        // Rarely a threshold that skips everything.
        skip_below: thresholds[[0, 0, 0, 1, 1, 1, 2, 3][dice.below(8) as usize]],
        theta_cap: [None, None, Some(S::ONE), Some(S::ONE.scaled(100))][dice.below(4) as usize],
        curvature_every: NonZeroU32::new(1 + dice.below(3)).unwrap_or(NonZeroU32::MIN),
    }
}

/// Every bit that a learner shows.
fn state<A: Arithmetic, const N: usize>(learner: &Learner<A, N>) -> (Vec<u64>, u32) {
    let vectors = [learner.weights(), learner.velocity(), learner.averaged()];
    let numbers: Vec<f64> = vectors.into_iter().flatten().map(|&x| x.into()).collect();
    assert!(numbers.iter().all(|x| x.is_finite()), "weights, velocity, average: {numbers:?}");
    (numbers.iter().map(|x| x.to_bits()).collect(), learner.steps())
}

/// What an update says, apart from the rows that were dropped.
fn said<S: Scalar>(outcome: &Outcome<S>) -> (u32, u32, u32, u64, u64, Verdict) {
    let bits = |x: S| -> u64 { Into::<f64>::into(x).to_bits() };
    let Outcome { k, tau, saturated, g_norm, theta, verdict, .. } = *outcome;
    (k, tau, saturated, bits(g_norm), bits(theta), verdict)
}

/// One learner with arbitrary parameters from its first update to its last.
fn live<A: Fuzzed, const N: usize, const T: usize>(dice: &mut Dice, updates: u64, count: &mut FuzzCount) {
    let config = any_config(dice);
    let mut learner = Learner::<A, N>::new(config).expect("all of these are allowed");
    // On the heap: 128 rows of 128 features would be much of a test thread's stack.
    let (mut batch, mut clean) = (Box::new(Batch::<A, N, T>::new()), Box::new(Batch::<A, N, T>::new()));
    for _ in 0..updates {
        batch.clear();
        clean.clear();
        let (mut accepted, mut dropped) = (0, 0);
        for _ in 0..dice.below(T as u32 + 1) {
            count.rows += 1;
            let Some((features, target)) = A::any_row::<N>(dice) else {
                count.refused += 1;
                continue;
            };
            if batch.push(&features, target).is_ok() {
                accepted += 1;
                clean.push(&features, target).expect("what is good once is good twice");
            } else {
                dropped += 1;
            }
        }
        let before = state(&learner);
        let mut without_refused = learner.clone();
        let outcome = learner.update(&*batch);
        assert_eq!((outcome.tau, outcome.dropped), (accepted, dropped));
        let after = state(&learner);
        assert_eq!(said(&outcome), said(&without_refused.update(&*clean)), "a refused row has left a trace");
        assert_eq!(after, state(&without_refused), "a refused row has left a trace");
        count.updates += 1;
        count.refused += u64::from(dropped);
        count.saturated += u64::from(outcome.saturated > 0);
        *match outcome.verdict {
            Verdict::Stepped => &mut count.stepped,
            Verdict::Skipped => &mut count.skipped,
            Verdict::Empty => &mut count.empty,
            _ => &mut count.overflowed,
        } += 1;
        match outcome.verdict {
            Verdict::Stepped => {
                assert_eq!(learner.steps(), outcome.k);
                let is_length = outcome.theta > A::Scalar::ZERO && outcome.theta.is_finite();
                assert!(is_length, "theta {:?}", outcome.theta);
            }
            verdict => assert_eq!(before, after, "{verdict:?} has moved something"),
        }
    }
}

/// At least this many updates with arbitrary input, of learners from 1 to 128 features.
///
/// # Panics
/// Where a promise is broken: an overflow (if overflow checks are on), a number that is not finite, a row or an update
/// that was refused but has changed something.
pub fn run<A: Fuzzed>(seed: u64, updates: u64) -> FuzzCount {
    let mut dice = Dice::new(seed);
    let mut count = FuzzCount::default();
    while count.updates < updates {
        let live = match dice.below(64) {
            // The most features and more rows than the widest format has room for.
            0 => live::<A, 128, 160>,
            x if x < 16 => live::<A, 1, 4>,
            x if x < 32 => live::<A, 2, 3>,
            x if x < 56 => live::<A, 5, 16>,
            _ => live::<A, 32, 16>,
        };
        live(&mut dice, UPDATES_PER_LEARNER.min(updates - count.updates), &mut count);
    }
    count
}

/// A round of fuzzing: seed and updates in, counts out.
pub type Round = fn(u64, u64) -> FuzzCount;

/// [`run`] for every arithmetic that a device uses. (A static, so that the code is this crate's, optimised as it is.)
pub static ROUNDS: [(&str, Round); 5] = [
    ("f32", run::<f32>),
    ("q28, i16 rows", run::<Q28>),
    ("q24, i16 rows", run::<Q24>),
    ("q28, i32 rows", run::<Q28Wide>),
    ("q24, i32 rows", run::<Q24Wide>),
];
