//! The rules, and what of their states calls may change.

use std::fmt::Debug;

use osculate::{Learner, Log, Stored, Streaming, Tracking};
use osculate_host_tests::any_rule::{AnyRule, Layout, Part};

use super::Target;
use super::episode::{Course, Room};
use super::input::Fuzz;
use super::life::{CHECKSUM, HEADER};
use super::number::{Fuzzed, finite};
use super::predictor::{other_sizes, predict};

/// The targets of the rules: each in learners of several sizes.
pub(super) static TARGETS: [Target; 3] = [
    Target { name: "tracking", lives: each!(tracking) },
    Target { name: "streaming", lives: each!(streaming) },
    Target { name: "stored", lives: each!(stored) },
];

fn tracking<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(32) {
        0 => predict::<A, Tracking<A, 128>, 128>(fuzz),
        1..12 => predict::<A, Tracking<A, 1>, 1>(fuzz),
        _ => predict::<A, Tracking<A, 3>, 3>(fuzz),
    }
}

fn streaming<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(32) {
        0 => predict::<A, Streaming<A, 128, 1>, 128>(fuzz),
        1..8 => predict::<A, Streaming<A, 1, 0>, 1>(fuzz),
        8..16 => predict::<A, Streaming<A, 1, 7>, 1>(fuzz),
        _ => predict::<A, Streaming<A, 3, 1>, 3>(fuzz),
    }
}

/// From a log that is soon full to one with many rows.
fn stored<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(64) {
        0 => predict::<A, Stored<Log<A, 128, 8, 140>>, 128>(fuzz),
        1 => predict::<A, Stored<Log<A, 1, 250, 200>>, 1>(fuzz),
        2..4 => predict::<A, Stored<Log<A, 3, 0, 6>>, 3>(fuzz),
        4..6 => predict::<A, Stored<Log<A, 2, 9, 0>>, 2>(fuzz),
        6..10 => other_sizes::<A>(fuzz),
        _ => predict::<A, Stored<Log<A, 3, 16, 6>>, 3>(fuzz),
    }
}

/// A rule that accepts arbitrary bits.
pub(super) trait Rule<A: Fuzzed, const N: usize>: AnyRule<A, N> + Clone {
    /// Whether it counts episodes, and not rows.
    const HAS_EPISODES: bool;

    /// With any configuration; none, if that was refused.
    fn any(fuzz: &mut Fuzz) -> Option<Self>;
    /// What should happen between two ends.
    fn course(&self) -> Course;

    /// Promise 2, for all weights. Returns their bits.
    fn finite(&self) -> Vec<u64> {
        finite(&self.vectors().map(|vector| &vector[..]))
    }

    /// The number of updates, or of rows.
    fn updates(&self) -> u32 {
        Self::update(self.report()).k.wrapping_sub(u32::from(Self::HAS_EPISODES))
    }
}

/// Only these parts and the checksum may differ.
pub(super) fn unchanged(layout: &Layout, free: &[Part], [before, after]: [&[u8]; 2], by: &dyn Debug) {
    let mut begin = HEADER;
    for (part, length) in layout {
        let range = begin..begin + length;
        let is_same = before[range.clone()] == after[range.clone()];
        assert!(is_same || free.contains(part), "{by:?} has changed {part:?}, bytes {range:?}");
        begin = range.end;
    }
    let rows = [before, after].map(|bytes| &bytes[begin..bytes.len() - CHECKSUM]);
    assert!(rows[0] == rows[1] || free.contains(&Part::Episode), "{by:?} has changed the rows");
}

impl<A: Fuzzed, const N: usize> Rule<A, N> for Tracking<A, N> {
    const HAS_EPISODES: bool = false;

    fn any(fuzz: &mut Fuzz) -> Option<Self> {
        let (config, checks) = fuzz.tracking_config();
        fuzz.made(Self::try_new(config), &checks)
    }

    fn course(&self) -> Course {
        Course::of_samples(self.gamma().into() > 0.0)
    }
}

impl<A: Fuzzed, const N: usize, const WORDS: usize> Rule<A, N> for Streaming<A, N, WORDS> {
    const HAS_EPISODES: bool = true;

    fn any(fuzz: &mut Fuzz) -> Option<Self> {
        let (config, checks) = fuzz.streaming_config();
        fuzz.made(Self::try_by_state(config), &checks)
    }

    fn course(&self) -> Course {
        Course::of_episodes(Room { steps: usize::MAX, rows: A::MOST_ROWS, states: 32 * WORDS as u64 })
    }
}

impl<A: Fuzzed, const N: usize, const STEPS: usize, const ROWS: usize> Rule<A, N> for Stored<Log<A, N, STEPS, ROWS>> {
    const HAS_EPISODES: bool = true;

    fn any(fuzz: &mut Fuzz) -> Option<Self> {
        let (config, checks) = fuzz.stored_config();
        fuzz.made(Self::try_new(config, Log::NEW), &checks)
    }

    fn course(&self) -> Course {
        Course::of_episodes(Room { steps: STEPS, rows: ROWS.min(A::MOST_ROWS), states: u32::MAX.into() })
    }
}
