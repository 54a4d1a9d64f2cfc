//! What the bytes of a saved state are, as far as calls may or may not change them.

use std::fmt::Debug;
use std::ops::Range;

/// A part of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    /// The results of updates: weights, velocity, average, curvature, direction, gain. Not their count.
    Learned,
    /// Which step is open, how many were dropped, and whether the episode is full.
    Mark,
    /// What else the end of an episode resets.
    Episode,
    /// All else.
    Other,
}

/// The parts of a state in their order, each with its length. A log follows, which has bytes during an episode only.
pub(super) type Layout = Vec<(Part, usize)>;

/// Magic, version, owner, rule, arithmetic, features, length.
pub(super) const HEADER: usize = 4 + 1 + 1 + 1 + 1 + 2 + 4;
pub(super) const CHECKSUM: usize = 4;

fn ranges(layout: &Layout) -> impl Iterator<Item = (Part, Range<usize>)> {
    layout.iter().scan(HEADER, |end, (part, length)| {
        *end += length;
        Some((*part, *end - length..*end))
    })
}

/// Only this part and the checksum may differ.
pub(super) fn same_but(layout: &Layout, part: Part, before: &[u8], after: &[u8], by: &dyn Debug) {
    assert_eq!(before.len(), after.len(), "{by:?} has changed something");
    let free: Vec<_> = ranges(layout).filter(|(of, _)| *of == part).collect();
    for i in 0..before.len() - CHECKSUM {
        let may_differ = free.iter().any(|(_, range)| range.contains(&i));
        assert!(may_differ || before[i] == after[i], "{by:?} has changed byte {i} of a state");
    }
}

/// These parts must be the same.
pub(super) fn same(layout: &Layout, parts: &[Part], before: &[u8], after: &[u8], by: &dyn Debug) {
    for (part, range) in ranges(layout).filter(|(part, _)| parts.contains(part)) {
        assert_eq!(before[range.clone()], after[range.clone()], "{by:?} has changed {part:?}, bytes {range:?}");
    }
}
