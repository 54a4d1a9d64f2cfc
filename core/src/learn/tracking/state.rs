//! The state of a tracking learner as bytes.

use super::alarm::Alarm;
use super::estimator::Estimator;
use super::gain::Gain;
use super::{Tracking, Waiting};
use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::{Empty, Persist};
use crate::state::{Reader, StateError, Writer, persist};

impl<A: Arithmetic, const N: usize> Persist for Tracking<A, N> {
    const BYTES: usize = Estimator::<A, N>::BYTES
        + A::Row::<N>::BYTES
        + Waiting::BYTES
        + A::Number::BYTES
        + bool::BYTES
        + 2 * u32::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.estimator.write(writer);
        self.row.write(writer);
        self.waiting.write(writer);
        // An old reward has no meaning, and is not part of the state.
        self.waiting_reward().unwrap_or(A::Number::EMPTY).write(writer);
        // Where a flag was that no rule sets any more.
        false.write(writer);
        self.tau.write(writer);
        self.dropped.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        self.estimator.read(reader);
        self.row.read(reader);
        self.waiting.read(reader);
        self.estimator.chain.reward.read(reader);
        reader.get::<bool>();
        self.tau.read(reader);
        self.dropped.read(reader);
    }
}

impl<A: Arithmetic, const N: usize> Persist for Estimator<A, N> {
    persist!(fields weights: [A::Weight; N], slow: [A::Weight; N], mark: [A::Weight; N], chain.trace: A::Eligibility<N>,
        chain.expected: Option<A::Number>, gain: Gain, alarm: Alarm<A::Scalar>, alarm.errors.mean_square: A::Scalar,
        chain.bounds: [f32; 2], alarm.errors.rows: u32, saturated: u32);
}

impl Persist for Waiting {
    const BYTES: usize = u8::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        (*self as u8).write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        *self = match reader.get::<u8>() {
            1 => Self::Signal,
            2 => Self::Value,
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
        let mut estimator = self.estimator.clone();
        estimator.read(&mut reader.clone());
        if !estimator.is_finite() {
            return Err(StateError::NonFinite);
        }
        Persist::read(self, reader);
        // Whatever the bytes contain, the errors are those of rows.
        let errors = &mut self.estimator.alarm.errors;
        errors.count = errors.count.min(errors.rows);
        Ok(())
    }
}
