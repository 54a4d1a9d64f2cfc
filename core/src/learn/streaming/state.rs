//! The state of a streaming learner as bytes.

use super::{Open, Streaming};
use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::{Empty, Persist};
use crate::learn::curvature::PastCurvature;
use crate::learn::iterate::Iterate;
use crate::state::{Reader, StateError, Writer};

impl<A: Arithmetic, const N: usize, const WORDS: usize> Streaming<A, N, WORDS> {
    /// Bytes of the numbers in a state, all of fixed size.
    pub(super) const BYTES: usize = Iterate::<A, N>::BYTES
        + PastCurvature::<A::Scalar>::BYTES
        + A::Direction::<N>::BYTES
        + A::Row::<N>::BYTES
        + A::Trace::<N>::BYTES
        + 2 * A::Sum::<N>::BYTES
        + <[u32; WORDS]>::BYTES
        // has_previous, open, tau, dropped, full, no_more_rows
        + 1 + (1 + 4) + 4 + 4 + 1 + 1;

    pub(super) fn write_state(&self, writer: &mut Writer<'_>) {
        self.iterate.write(writer);
        self.past.write(writer);
        self.previous.write(writer);
        self.has_previous.write(writer);
        self.visits.words.write(writer);
        self.row.write(writer);
        let (kind, state) = match self.open {
            Open::None => (0_u8, 0),
            Open::First(state) => (1, state),
            Open::Again => (2, 0),
            Open::Dropped => (3, 0),
        };
        kind.write(writer);
        state.write(writer);
        self.trace.write(writer);
        self.total.write(writer);
        self.projected.write(writer);
        self.counts.tau.write(writer);
        self.counts.dropped.write(writer);
        self.counts.full.write(writer);
        self.counts.no_more_rows.write(writer);
    }

    pub(super) fn read_state(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        if reader.remaining() != Self::BYTES {
            return Err(StateError::OtherSize);
        }
        let mut iterate = Iterate::new(Empty::EMPTY);
        iterate.read(reader);
        if !iterate.is_finite() {
            return Err(StateError::NonFinite);
        }
        self.iterate = iterate;
        self.past.read(reader);
        self.previous.read(reader);
        self.has_previous.read(reader);
        self.visits.words.read(reader);
        self.row.read(reader);
        let (kind, state) = (reader.get::<u8>(), reader.get::<u32>());
        self.open = match kind {
            1 => Open::First(state),
            2 => Open::Again,
            3 => Open::Dropped,
            _ => Open::None,
        };
        self.trace.read(reader);
        self.total.read(reader);
        self.projected.read(reader);
        self.counts.tau.read(reader);
        self.counts.dropped.read(reader);
        self.counts.full.read(reader);
        self.counts.no_more_rows.read(reader);
        Ok(())
    }
}
