//! The layout of a state's bytes, to check which of them a call may change.

use std::ops::Range;

use osculate::arithmetic::backend::{Backend, Persist};
use osculate::learn::{Learner, Space};
use osculate::{Log, Predictor, Stored, Streaming};

use super::model::Room;
use super::number::Fuzzed;

/// The parts of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    end: usize,
    /// The results of updates: weights, velocity, average, curvature, direction. Not their count.
    pub(super) learned: Vec<Range<usize>>,
    /// The open step, the count of drops, and the mark for full.
    pub(super) marks: Vec<Range<usize>>,
    /// The parts cleared at the end of an episode, except those that exist only during one.
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

    /// The header, and the parts that both rules have.
    fn head<A: Fuzzed, const N: usize>() -> Self {
        let mut layout = Self { end: HEADER, ..Self::default() };
        let vectors = layout.take(3 * N * A::Weight::BYTES);
        layout.take(u32::BYTES);
        let past = layout.take(2 * A::Scalar::BYTES + u32::BYTES);
        layout.learned = vec![vectors, past];
        layout
    }
}

/// A rule with a known layout.
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
        Room { steps: STEPS, rows: ROWS.min(A::MAX_ROWS), states: u32::MAX.into() }
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

/// The complete state of a predictor.
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

/// These parts must not differ.
pub(super) fn same(parts: &[Range<usize>], before: &[u8], after: &[u8], by: &dyn std::fmt::Debug) {
    for part in parts {
        assert_eq!(before[part.clone()], after[part.clone()], "{by:?} has changed bytes {part:?} of a state");
    }
}
