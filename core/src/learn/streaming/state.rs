//! The state of a streaming learner as bytes.

use super::Streaming;
use crate::arithmetic::backend::{Empty, Persist, StreamSums};
use crate::arithmetic::{Arithmetic, Space};
use crate::learn::curvature::PastCurvature;
use crate::learn::iterate::Iterate;
use crate::rows::{Open, VisitSet};
use crate::state::{Reader, StateError, persist};

impl<A: Arithmetic, const N: usize, const WORDS: usize> Persist for Streaming<A, N, WORDS> {
    persist!(fields iterate: Iterate<Space<A, N>>, past: PastCurvature<A::Scalar>, previous: A::Direction<N>,
        has_previous: bool, visits: VisitSet<WORDS>, row: A::Row<N>, marks.open: Open<u32>,
        sums: StreamSums<A, N>, tau: u32, marks.dropped: u32, full: bool, marks.no_more_rows: bool);
}

impl<A: Arithmetic, const N: usize, const WORDS: usize> Streaming<A, N, WORDS> {
    /// Reads a state, or changes nothing on an error.
    pub(super) fn read_checked(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        if reader.remaining() != Self::BYTES {
            return Err(StateError::OtherSize);
        }
        // The iterate comes first, and is all that can be refused.
        let mut iterate = Iterate::<Space<A, N>>::new(Empty::EMPTY);
        iterate.read(&mut reader.clone());
        if !iterate.is_valid() {
            return Err(StateError::NonFinite);
        }
        Persist::read(self, reader);
        Ok(())
    }
}
