//! Abrupt changes: notices that errors have become large, and finds out by a probe whether the world has changed or
//! only the noise.
//!
//! A probe learns from the same rows beside w, with a large gain, for a while. If it becomes better than w, the world
//! has changed, and it replaces w.

use super::statistics::{Errors, FIRST, MEMORY};
use crate::arithmetic::backend::{Empty, Scalar};
use crate::state::{Persist, Reader, Writer};

/// The statistics of the errors |δ|/‖φ‖, and of the probe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alarm<S> {
    pub(super) errors: Errors<S>,
    /// E_v and E_w, the sums of the probe's errors and of w's.
    pub(super) probe_error: S,
    pub(super) weights_error: S,
    /// Rows of the probe so far, from 1 on; 0 if there is none.
    pub(super) probed: u16,
    /// Changes that were found since the last report. Not saved.
    pub(super) changes: u16,
}

/// What follows from an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// Nothing.
    Usual,
    /// The probe goes on.
    Probing,
    /// A probe begins.
    Suspicion,
    /// The world has changed: the probe replaces w.
    Change,
    /// The probe is over, and only the noise has changed.
    FalseAlarm,
}

impl<S: Scalar> Alarm<S> {
    pub(super) const START: Self =
        Self { errors: Errors::NONE, probe_error: S::ZERO, weights_error: S::ZERO, probed: 0, changes: 0 };

    /// Whether a probe is under way.
    pub(super) fn probes(&self) -> bool {
        self.probed > 0
    }

    pub(super) fn is_finite(&self) -> bool {
        let errors = &self.errors;
        let all = [errors.mean, errors.cusum, errors.mean_square, self.probe_error, self.weights_error];
        all.into_iter().all(S::is_finite)
    }

    /// Begins a probe if w has seen enough rows for large errors to mean something.
    #[cold]
    pub(super) fn suspect(&mut self, features: u16) -> Finding {
        if self.errors.rows <= 2 * u32::from(features) {
            return Finding::Usual;
        }
        (self.probe_error, self.weights_error, self.probed) = (S::ZERO, S::ZERO, 1);
        Finding::Suspicion
    }

    /// The errors of w and of the probe, by which one of them is kept in the end.
    #[inline(never)]
    pub(super) fn compare(&mut self, error: S, probe: S, features: u16) -> Finding {
        let (row, length) = (u32::from(self.probed), length(features));
        if row > length / 4 {
            let most = self.errors.mean.scaled_here(4);
            // An infinite sum would become an infinite mean, which never comes back.
            self.probe_error = least(self.probe_error + least(probe, most), S::MAX);
            self.weights_error = least(self.weights_error + least(error, most), S::MAX);
        }
        let better = self.probe_error < self.weights_error * S::from(0.75);
        if row < if better { length / 2 } else { length } {
            self.probed += 1;
            return Finding::Probing;
        }
        (self.errors.cusum, self.errors.count, self.probed) = (S::ZERO, FIRST, 0);
        if better {
            self.changes = self.changes.saturating_add(1);
            return Finding::Change;
        }
        self.errors.mean = self.weights_error / S::from_count(length - length / 4);
        Finding::FalseAlarm
    }
}

/// The rows of a probe.
fn length(features: u16) -> u32 {
    (2 * u32::from(features)).clamp(16, u16::MAX.into())
}

fn least<S: Scalar>(a: S, b: S) -> S {
    if a < b { a } else { b }
}

/// What is saved of it, in an order of its own.
impl<S: Scalar + Persist + Empty> Persist for Alarm<S> {
    const BYTES: usize = 4 * S::BYTES + u8::BYTES + u16::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        [self.errors.mean, self.errors.cusum, self.probe_error, self.weights_error].write(writer);
        (self.errors.count as u8).write(writer);
        self.probed.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        let mut all = [S::EMPTY; 4];
        all.read(reader);
        [self.errors.mean, self.errors.cusum, self.probe_error, self.weights_error] = all;
        self.errors.count = u32::from(reader.get::<u8>()).min(MEMORY);
        self.probed.read(reader);
    }
}
