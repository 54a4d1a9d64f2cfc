//! The rules, and the layouts of their states as far as calls may or may not change them.

use std::fmt::Debug;

use osculate::arithmetic::backend::{Backend, Persist};
use osculate::{Learner, Log, Stored, Streaming, Tracking};
use osculate_host_tests::any_rule::AnyRule;

use super::episode::{Course, Room};
use super::input::Fuzz;
use super::life::{CHECKSUM, HEADER};
use super::number::{Fuzzed, finite};

/// A rule that accepts arbitrary bits.
pub(super) trait Rule<A: Fuzzed, const N: usize>: AnyRule<A, N> + Clone {
    /// Whether it counts episodes, and not rows.
    const HAS_EPISODES: bool;

    /// With any configuration; none, if that was refused.
    fn any(fuzz: &mut Fuzz) -> Option<Self>;
    /// What should happen between two ends.
    fn course(&self) -> Course;
    fn layout() -> Layout;

    /// Promise 2, for all weights. Returns their bits.
    fn finite(&self) -> Vec<u64> {
        finite(&self.vectors().map(|vector| &vector[..]))
    }

    /// The number of updates, or of rows.
    fn updates(&self) -> u32 {
        Self::update(self.report()).k.wrapping_sub(u32::from(Self::HAS_EPISODES))
    }
}

/// A part of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    /// The results of updates: weights, velocity, average, curvature, direction, gain. Not their count.
    Learned,
    /// Which step is open, how many were dropped, and whether the episode is full.
    Mark,
    /// What else the end of an episode resets. A log's rows, which come last, are there during an episode only.
    Episode,
    /// All else.
    Other,
}

/// The parts of a state in their order, each with its length.
pub(super) type Layout = Vec<(Part, usize)>;

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

    fn layout() -> Layout {
        let scalar = A::Scalar::BYTES;
        vec![
            (Part::Learned, 3 * N * A::Weight::BYTES),
            (Part::Episode, <A::Eligibility<N> as Persist>::BYTES + 1 + A::Number::BYTES),
            (Part::Learned, 2 * u16::BYTES + 5 * scalar + 1 + u16::BYTES),
            (Part::Other, 3 * u32::BYTES),
            (Part::Episode, u32::BYTES),
            (Part::Other, <A::Row<N> as Persist>::BYTES),
            (Part::Episode, 1 + A::Number::BYTES + 1 + u32::BYTES),
            (Part::Mark, u32::BYTES),
        ]
    }
}

/// The part that the rules with episodes share: three vectors, the count, and the curvature of past episodes.
fn iterate<A: Fuzzed, const N: usize>() -> Layout {
    let past = 2 * A::Scalar::BYTES + u32::BYTES;
    vec![(Part::Learned, 3 * N * A::Weight::BYTES), (Part::Other, u32::BYTES), (Part::Learned, past)]
}

impl<A: Fuzzed, const N: usize, const WORDS: usize> Rule<A, N> for Streaming<A, N, WORDS> {
    const HAS_EPISODES: bool = true;

    fn any(fuzz: &mut Fuzz) -> Option<Self> {
        let (config, checks) = fuzz.streaming_config();
        fuzz.made(Self::try_by_state(config), &checks)
    }

    fn course(&self) -> Course {
        Course::of_episodes(Room { steps: usize::MAX, rows: <A as Backend>::MAX_ROWS, states: 32 * WORDS as u64 })
    }

    fn layout() -> Layout {
        let sums = <A::Trace<N> as Persist>::BYTES + 2 * <A::Sum<N> as Persist>::BYTES;
        let own = [
            (Part::Learned, <A::Direction<N> as Persist>::BYTES + 1),
            (Part::Episode, WORDS * u32::BYTES),
            (Part::Other, <A::Row<N> as Persist>::BYTES),
            (Part::Mark, 1 + u32::BYTES),
            (Part::Episode, sums + u32::BYTES),
            (Part::Mark, u32::BYTES + 1 + 1),
        ];
        [&iterate::<A, N>()[..], &own].concat()
    }
}

impl<A: Fuzzed, const N: usize, const STEPS: usize, const ROWS: usize> Rule<A, N> for Stored<Log<A, N, STEPS, ROWS>> {
    const HAS_EPISODES: bool = true;

    fn any(fuzz: &mut Fuzz) -> Option<Self> {
        let (config, checks) = fuzz.stored_config();
        fuzz.made(Self::try_new(config, Log::NEW), &checks)
    }

    fn course(&self) -> Course {
        Course::of_episodes(Room { steps: STEPS, rows: ROWS.min(A::MAX_ROWS), states: u32::MAX.into() })
    }

    fn layout() -> Layout {
        let own = [(Part::Episode, u16::BYTES + u32::BYTES), (Part::Mark, 1 + u16::BYTES + u32::BYTES + 1 + 1)];
        [&iterate::<A, N>()[..], &own].concat()
    }
}
