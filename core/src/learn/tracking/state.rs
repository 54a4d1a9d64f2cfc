//! The state of a tracking learner as bytes.

use super::estimator::Estimator;
use super::{Tracking, Waiting};
use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::{Empty, Persist};
use crate::state::{Reader, StateError, Writer, persist};

impl<A: Arithmetic, const N: usize> Persist for Tracking<A, N> {
    persist!(fields estimator: Estimator<A, N>, row: A::Row<N>, waiting: Waiting<A::Number>,
        resting: bool, tau: u32, dropped: u32);
}

impl<T: Copy + Empty + Persist> Persist for Waiting<T> {
    const BYTES: usize = u8::BYTES + T::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        let (kind, value) = match *self {
            Self::None => (0_u8, T::EMPTY),
            Self::Signal => (1, T::EMPTY),
            Self::Value(value) => (2, value),
        };
        kind.write(writer);
        value.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        let (kind, mut value) = (reader.get::<u8>(), T::EMPTY);
        value.read(reader);
        *self = match kind {
            1 => Self::Signal,
            2 => Self::Value(value),
            _ => Self::None,
        };
    }
}

impl<A: Arithmetic, const N: usize> Tracking<A, N> {
    /// Reads a state, or changes nothing on an error.
    pub(super) fn read_checked(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        if reader.remaining() != <Self as Persist>::BYTES {
            return Err(StateError::OtherSize);
        }
        // The estimator comes first, and is all that can be refused.
        let mut estimator = Estimator::<A, N>::new(Empty::EMPTY);
        estimator.read(&mut reader.clone());
        if !estimator.is_finite() {
            return Err(StateError::NonFinite);
        }
        Persist::read(self, reader);
        self.estimator.moderate = false;
        Ok(())
    }
}
