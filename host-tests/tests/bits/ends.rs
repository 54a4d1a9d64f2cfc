//! The ends of the formats: the largest sums, full episodes, values and returns out of range.

use fixed::types::{I4F28, I8F24, I32F32};
use osculate::arithmetic::backend::Backend;
use osculate::{Q24, Q28};
use osculate_host_tests::reference::Gain;
use osculate_host_tests::reference::call::{Format, Phi, Rule, Settings, Targets};
use osculate_host_tests::reference::fixed::{Fixed, Integer, Pair};
use osculate_host_tests::reference::rules::{Arithmetic as _, Unusable};
use osculate_host_tests::worlds::Dice;

use crate::compare::{Begin, Seen, live};
use crate::plan::{Plan, ROOM, gamma, stored, streaming};
use crate::rules::{library, through};
use crate::story::{any_features, any_number, largest, longest};
use crate::subject::{self, Checked, New};

fn repeat<A: Checked>(of_size: (usize, New), begin: Begin, seeds: u64) -> Seen {
    let mut seen = Seen::default();
    (0..seeds).for_each(|seed| live::<A>(of_size, begin, seed, &mut seen));
    seen
}

fn largest_sums<A: Checked>() {
    let begin: Begin = |dice, n| {
        let plan = Plan::Stored(stored(dice, A::FORMAT, &[Rule::Paper], Targets::MonteCarlo, [ROOM; 2]));
        largest(plan, n, A::FORMAT.unwrap())
    };
    let seen = repeat::<A>((128, library::<A, 128>), begin, 20);
    let all = seen.rows + seen.dropped;
    assert!((all / 20..all / 20 * 19).contains(&seen.dropped), "{}: {seen:?}", A::NAME);
    assert!(seen.saturated > seen.updates / 4, "{}: {seen:?}", A::NAME);
}

#[test]
fn the_largest_sums_do_not_overflow() {
    largest_sums::<Q28>();
    largest_sums::<Q24>();
}

fn largest_credits<A: Checked>() {
    let begin: Begin = |dice, n| largest(Plan::Streaming(streaming(dice, A::FORMAT)), n, A::FORMAT.unwrap());
    let seen = repeat::<A>((5, library::<A, 5>), begin, 40);
    assert!(seen.saturated > seen.updates / 4 && seen.dropped == 0, "{}: {seen:?}", A::NAME);
    assert_eq!(seen.rows, u64::from(seen.updates) * 148, "{}", A::NAME);
}

#[test]
fn the_largest_credits_do_not_overflow() {
    largest_credits::<Q28>();
    largest_credits::<Q24>();
}

#[test]
fn the_longest_episode_of_short_rows_does_not_overflow() {
    let begin: Begin = |dice, _| {
        let settings = streaming(dice, Q28::FORMAT);
        longest(Plan::Streaming(Settings { gain: Gain::Constant(1.0), gamma: 1.0, ..settings }))
    };
    let new: New = through::<Q28, 1, { (1 << 16) / 32 + 1 }>;
    let seen = repeat::<Q28>((1, new), begin, 2);
    assert_eq!((seen.rows, seen.dropped), (2 * (4 << 16), 0), "one row more is refused, and no drop");
    assert!(seen.saturated > seen.updates / 4, "{seen:?}");
}

/// φ·w in multiples of 2⁻³², or nothing if a float is not finite.
fn value<I: Integer>(format: Format, phi: &Phi, w: &[i32]) -> Option<i64> {
    let arithmetic = Fixed::<I>::new(format);
    let w: Vec<I> = w.iter().map(|&w| i64::from(w).into()).collect();
    match arithmetic.encode(phi) {
        Ok(row) => Some(arithmetic.value(&row, &w).to_i64()),
        Err(Unusable::Zeros) => Some(0),
        Err(Unusable::NotFinite) => None,
    }
}

fn values<A: Checked<Number = I32F32>, const N: usize>(seed: u64, weight: fn(i32) -> A::Weight) {
    let (format, mut dice) = (A::FORMAT.unwrap(), Dice::new(seed));
    let (mut zeros, mut ends) = (0, 0);
    for round in 0..50_000 {
        let (phi, _) = any_features(&mut dice, N, A::FORMAT, 24);
        let weights: [i32; N] = std::array::from_fn(|_| (dice.bits() as i32) >> dice.below(31));
        let expected = value::<i128>(format, &phi, &weights);
        assert_eq!(value::<Pair>(format, &phi, &weights), expected, "the two readings, {round}: {phi:?}");
        assert_eq!(subject::value::<A, N>(&phi, &weights.map(weight)), expected, "the library, {round}: {phi:?}");
        zeros += u32::from(expected == Some(0));
        ends += u32::from(matches!(expected, Some(i64::MIN | i64::MAX)));
    }
    assert!(zeros > 100 && ends > 100, "{zeros} {ends}");
}

#[test]
fn values_equal_both_readings() {
    values::<Q28, 1>(1, I4F28::from_bits);
    values::<Q28, 8>(2, I4F28::from_bits);
    values::<Q24, 5>(3, I8F24::from_bits);
    values::<Q24, 128>(6, I8F24::from_bits);
}

/// reward + γ·next in multiples of 2⁻³².
fn backup<I: Integer>(reward: i64, gamma: f32, next: i64) -> i64 {
    Fixed::<I>::new(Q28::FORMAT.unwrap()).backup(reward.into(), gamma, next.into()).to_i64()
}

#[test]
fn returns_equal_both_readings() {
    let mut dice = Dice::new(7);
    let mut ends = 0;
    for _ in 0..500_000 {
        let (reward, next) = (any_number(&mut dice), any_number(&mut dice));
        let gamma = gamma(&mut dice, Q28::FORMAT);
        let expected = backup::<i128>(reward, gamma, next);
        assert_eq!(backup::<Pair>(reward, gamma, next), expected, "the two readings: {reward} + {gamma} * {next}");
        let of_library = Q28::backup(I32F32::from_bits(reward), gamma, I32F32::from_bits(next)).to_bits();
        assert_eq!(of_library, expected, "the library: {reward} + {gamma} * {next}");
        ends += u32::from(matches!(expected, i64::MIN | i64::MAX));
    }
    assert!(ends > 1_000, "{ends}");
}
