//! The state of a streaming learner as bytes.

use super::{Counts, Open, Streaming};
use crate::arithmetic::backend::{Empty, Persist, StreamSums};
use crate::arithmetic::{Arithmetic, Space};
use crate::learn::curvature::PastCurvature;
use crate::learn::iterate::Iterate;
use crate::rows::VisitSet;
use crate::state::{Reader, StateError, Writer, persist};

persist!(Counts: tau: u32, dropped: u32, full: bool, no_more_rows: bool);

impl Persist for Open {
    const BYTES: usize = u8::BYTES + u32::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        let (kind, state) = match *self {
            Self::None => (0_u8, 0),
            Self::First(state) => (1, state),
            Self::Again => (2, 0),
            Self::Dropped => (3, 0),
        };
        kind.write(writer);
        state.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        let (kind, state) = (reader.get::<u8>(), reader.get());
        *self = match kind {
            1 => Self::First(state),
            2 => Self::Again,
            3 => Self::Dropped,
            _ => Self::None,
        };
    }
}

impl<A: Arithmetic, const N: usize, const WORDS: usize> Persist for Streaming<A, N, WORDS> {
    persist!(fields iterate: Iterate<Space<A, N>>, past: PastCurvature<A::Scalar>, previous: A::Direction<N>,
        has_previous: bool, visits: VisitSet<WORDS>, row: A::Row<N>, open: Open, sums: StreamSums<A, N>, counts: Counts);
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
