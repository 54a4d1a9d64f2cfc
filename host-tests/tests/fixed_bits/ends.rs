//! The ends of the formats: the largest sums, full episodes, values and returns out of range.

use std::fmt::Debug;

use osculate::{Q24, Q28};
use osculate_host_tests::reference::fixed::Settings;
use osculate_host_tests::reference::{Gain, fixed_model, fixed_oracle};
use osculate_host_tests::worlds::Dice;

use crate::compare::{Seen, Task, compare};
use crate::inputs::{
    Mood, any_number, gamma, largest_batch, largest_episode, longest_episode, phi, streaming_settings,
};
use crate::subject::{self, Checked, New, stored, streamed, streamed_far};

fn repeat<A: Checked, I: Debug>(task: &Task<I>, new: New<I>, n: usize, seeds: u64) -> Seen {
    let mut seen = Seen::default();
    (0..seeds).for_each(|seed| compare(task, new, n, A::FORMAT, seed, &mut seen));
    seen
}

fn largest_sums<A: Checked>(name: &str) {
    let task = Task { updates: Some(25), ..Task::batches(crate::paper, largest_batch) };
    let seen = repeat::<A, _>(&task, stored::<A, 128>, 128, 20);
    let all = seen.rows + seen.dropped;
    assert!((all / 20..all / 20 * 19).contains(&seen.dropped), "{name}: {seen:?}");
    assert!(seen.saturated > seen.updates / 4, "{name}: {seen:?}");
}

#[test]
fn the_largest_sums_do_not_overflow() {
    largest_sums::<Q28>("Q28");
    largest_sums::<Q24>("Q24");
}

fn largest_credits<A: Checked>(name: &str) {
    let seen = repeat::<A, _>(&Task::streamed(streaming_settings, largest_episode), streamed::<A, 5>, 5, 40);
    assert!(seen.saturated > seen.updates / 4 && seen.dropped == 0, "{name}: {seen:?}");
    assert_eq!(seen.rows, u64::from(seen.updates) * 148, "{name}");
}

#[test]
fn the_largest_credits_do_not_overflow() {
    largest_credits::<Q28>("Q28");
    largest_credits::<Q24>("Q24");
}

#[test]
fn the_longest_episode_of_short_rows_does_not_overflow() {
    let far = |dice: &mut Dice| Settings { gain: Gain::Constant(1.0), gamma: 1.0, ..streaming_settings(dice) };
    let task = Task { updates: Some(4), ..Task::streamed(far, longest_episode) };
    let seen = repeat::<Q28, _>(&task, streamed_far::<Q28, 1>, 1, 2);
    assert_eq!((seen.rows, seen.dropped), (2 * (4 << 16), 0), "one row more is refused, and no drop");
    assert!(seen.saturated > seen.updates / 4, "{seen:?}");
}

fn values<A: Checked, const N: usize>(seed: u64) {
    let mut dice = Dice::new(seed);
    let (mut zeros, mut ends) = (0, 0);
    for round in 0..50_000 {
        let phi = phi(&mut dice, N, A::FORMAT.feature_bits, Mood::Wild);
        let weights: Vec<i32> = (0..N).map(|_| (dice.bits() as i32) >> dice.below(31)).collect();
        let expected = fixed_model::value(A::FORMAT, &phi, &weights);
        assert_eq!(fixed_oracle::value(A::FORMAT, &phi, &weights), expected, "oracle and model, {round}: {phi:?}");
        assert_eq!(subject::value::<A, N>(&phi, &weights), expected, "core and model, {round}: {phi:?}");
        zeros += u32::from(expected == Some(0));
        ends += u32::from(matches!(expected, Some(i64::MIN | i64::MAX)));
    }
    assert!(zeros > 100 && ends > 100, "{zeros} {ends}");
}

#[test]
fn values_equal_model_and_oracle() {
    values::<Q28, 1>(1);
    values::<Q28, 8>(2);
    values::<Q24, 5>(3);
    values::<Q24, 128>(6);
}

#[test]
fn returns_equal_model_and_oracle() {
    let mut dice = Dice::new(7);
    let mut ends = 0;
    for _ in 0..500_000 {
        let (reward, next) = (any_number(&mut dice), any_number(&mut dice));
        let gamma = gamma(&mut dice);
        let expected = fixed_model::backup(reward, gamma, next);
        assert_eq!(
            fixed_oracle::backup(reward, gamma, next),
            expected,
            "oracle and model: {reward} + {gamma} * {next}"
        );
        assert_eq!(
            subject::backup::<Q28>(reward, gamma, next),
            expected,
            "core and model: {reward} + {gamma} * {next}"
        );
        ends += u32::from(matches!(expected, i64::MIN | i64::MAX));
    }
    assert!(ends > 1_000, "{ends}");
}
