//! The layout of the bytes of a state, to check which of them a call may change.

use std::ops::Range;

use osculate::arithmetic::backend::{Backend, Persist};
use osculate::learn::{Learner, Space};
use osculate::{Log, Predictor, Stored, Streaming, Tracking};

use super::model::Room;
use super::number::Fuzzed;

/// The parts of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    end: usize,
    /// The results of updates: weights, velocity, average, curvature, direction. Not their count.
    pub(super) learned: Vec<Range<usize>>,
    /// Which step is open, how many were dropped, and whether the episode is full.
    pub(super) marks: Vec<Range<usize>>,
    /// The parts that the end of an episode resets, except those that only have bytes during an episode.
    pub(super) forgotten: Vec<Range<usize>>,
}

/// Magic, version, owner, rule, arithmetic, features, length.
pub(super) const HEADER: usize = 4 + 1 + 1 + 1 + 1 + 2 + 4;
pub(super) const CHECKSUM: usize = 4;

impl Layout {
    fn take(&mut self, bytes: usize) -> Range<usize> {
        self.end += bytes;
        self.end - bytes..self.end
    }

    /// The header, and the part that both rules share.
    fn head<A: Fuzzed, const N: usize>() -> Self {
        let mut layout = Self { end: HEADER, ..Self::default() };
        let vectors = layout.take(3 * N * A::Weight::BYTES);
        layout.take(u32::BYTES);
        let past = layout.take(2 * A::Scalar::BYTES + u32::BYTES);
        layout.learned = vec![vectors, past];
        layout
    }
}

/// A rule whose layout is known.
pub(super) trait Laid: Learner + Clone {
    fn layout() -> Layout;
    fn room() -> Room;
}

impl<A: Fuzzed, const N: usize, const STEPS: usize, const ROWS: usize> Laid for Stored<Log<A, N, STEPS, ROWS>> {
    fn layout() -> Layout {
        let mut layout = Layout::head::<A, N>();
        let counts = layout.take(u16::BYTES + u32::BYTES);
        let marks = layout.take(1 + u16::BYTES + u32::BYTES + 1 + 1);
        layout.forgotten = vec![counts, marks.clone()];
        layout.marks = vec![marks];
        layout
    }

    fn room() -> Room {
        Room { steps: STEPS, rows: ROWS, states: u32::MAX.into() }
    }
}

impl<A: Fuzzed, const N: usize, const WORDS: usize> Laid for Streaming<A, N, WORDS> {
    fn layout() -> Layout {
        let mut layout = Layout::head::<A, N>();
        let previous = layout.take(<A::Direction<N> as Persist>::BYTES + 1);
        layout.learned.push(previous);
        let visits = layout.take(WORDS * u32::BYTES);
        layout.take(<A::Row<N> as Persist>::BYTES);
        let open = layout.take(1 + u32::BYTES);
        let sums = layout.take(<A::Trace<N> as Persist>::BYTES + 2 * <A::Sum<N> as Persist>::BYTES);
        let tau = layout.take(u32::BYTES);
        let rest = layout.take(u32::BYTES + 1 + 1);
        layout.marks = vec![open.clone(), rest.clone()];
        layout.forgotten = vec![visits, open, sums, tau, rest];
        layout
    }

    fn room() -> Room {
        Room { steps: usize::MAX, rows: <A as Backend>::MAX_ROWS, states: 32 * WORDS as u64 }
    }
}

impl<A: Fuzzed, const N: usize> Laid for Tracking<A, N> {
    fn layout() -> Layout {
        let mut layout = Layout { end: HEADER, ..Layout::default() };
        let vectors = layout.take(3 * N * A::Weight::BYTES);
        let chain = layout.take(<A::Eligibility<N> as Persist>::BYTES + 1 + A::Number::BYTES);
        let gain = layout.take(2 * u16::BYTES + 5 * A::Scalar::BYTES + 1 + u16::BYTES);
        layout.take(2 * u32::BYTES + u32::BYTES);
        let saturated = layout.take(u32::BYTES);
        layout.take(<A::Row<N> as Persist>::BYTES);
        let (waiting, resting) = (layout.take(1 + A::Number::BYTES), layout.take(1));
        let (tau, dropped) = (layout.take(u32::BYTES), layout.take(u32::BYTES));
        layout.learned = vec![vectors, gain];
        layout.marks = vec![dropped.clone()];
        layout.forgotten = vec![chain, saturated, waiting, resting, tau, dropped];
        layout
    }

    fn room() -> Room {
        Room { steps: usize::MAX, rows: usize::MAX, states: u32::MAX.into() }
    }
}

/// The full state of a predictor.
pub(super) fn bytes<A: Fuzzed, L: Learner<Space = Space<A, N>>, const N: usize>(predictor: &Predictor<L>) -> Vec<u8> {
    let mut bytes = vec![0; Predictor::<L>::BYTES];
    let length = predictor.save(&mut bytes).expect("there is room for it");
    bytes.truncate(length);
    bytes
}

/// Promise 3: only these parts and the checksum may differ.
pub(super) fn same_but(parts: &[Range<usize>], before: &[u8], after: &[u8], by: &dyn std::fmt::Debug) {
    assert_eq!(before.len(), after.len(), "{by:?} has changed something");
    for i in 0..before.len() - CHECKSUM {
        let may_differ = parts.iter().any(|part| part.contains(&i));
        assert!(may_differ || before[i] == after[i], "{by:?} has changed byte {i} of a state, beside {parts:?}");
    }
}

/// These parts must be the same.
pub(super) fn same(parts: &[Range<usize>], before: &[u8], after: &[u8], by: &dyn std::fmt::Debug) {
    for part in parts {
        assert_eq!(before[part.clone()], after[part.clone()], "{by:?} has changed bytes {part:?} of a state");
    }
}
