//! Abrupt changes: notices that errors have become large, and finds out by a probe whether the world has changed or
//! only the noise.
//!
//! A probe learns from the same rows beside w, with a large gain, for a while. If it becomes better than w, the world
//! has changed, and it replaces w.

use crate::arithmetic::backend::{Empty, Scalar};
use crate::state::Persist;

/// Errors before the mean error counts as known.
const FIRST: u8 = 16;
/// Older errors than these fade from the mean.
const MEMORY: u8 = 200;

/// The statistics of the errors |δ|/‖φ‖, and of the probe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alarm<S> {
    /// s̄, the mean error.
    mean: S,
    /// C, the cumulative sum of how much larger than usual the errors have been.
    excess: S,
    /// E_v and E_w, the sums of the probe's errors and of w's.
    probe_error: S,
    weights_error: S,
    /// Errors seen, at most [`MEMORY`]; 16 after a probe.
    count: u8,
    /// Rows of the probe so far, from 1 on; 0 if there is none.
    probed: u16,
}

/// What follows from an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// Nothing.
    Usual,
    /// A probe begins.
    Suspicion,
    /// The world has changed: the probe replaces w.
    Change,
    /// The probe is over, and only the noise has changed.
    FalseAlarm,
}

impl<S: Scalar> Alarm<S> {
    pub(super) const START: Self =
        Self { mean: S::ZERO, excess: S::ZERO, probe_error: S::ZERO, weights_error: S::ZERO, count: 0, probed: 0 };

    /// s̄.
    pub(super) fn mean(&self) -> S {
        self.mean
    }

    /// Whether a probe is under way.
    pub(super) fn probes(&self) -> bool {
        self.probed > 0
    }

    pub(super) fn is_finite(&self) -> bool {
        [self.mean, self.excess, self.probe_error, self.weights_error].into_iter().all(S::is_finite)
    }

    /// The error of w. Returns whether the errors have been so large for so long that they need an explanation.
    #[inline(always)]
    pub(super) fn observe(&mut self, error: S) -> bool {
        if self.count < FIRST {
            self.count += 1;
            self.mean = self.mean + (error - self.mean) / S::from_count(self.count.into());
        } else {
            let bounded = least(error, self.mean.scaled_here(2));
            let seen = u32::from(self.count) + 1;
            self.count = if seen < u32::from(MEMORY) { seen as u8 } else { MEMORY };
            let share = share::<S>(seen, MEMORY.into());
            self.mean = self.mean + share * (bounded - self.mean);
            // Where there is no error at all, there is nothing to compare with, and no alarm.
            if self.mean > S::ZERO {
                let excess = self.excess + (bounded / self.mean - S::from(1.75));
                self.excess = if excess > S::ZERO { excess } else { S::ZERO };
                return excess > S::from(8.0);
            }
        }
        self.excess > S::from(8.0)
    }

    /// Begins a probe if w has seen enough rows for large errors to mean something.
    #[cold]
    pub(super) fn suspect(&mut self, features: u16, rows: u32) -> Finding {
        if rows <= 2 * u32::from(features) {
            return Finding::Usual;
        }
        (self.probe_error, self.weights_error, self.probed) = (S::ZERO, S::ZERO, 1);
        Finding::Suspicion
    }

    /// The errors of w and of the probe, by which one of them is kept in the end.
    #[inline(never)]
    pub(super) fn compare(&mut self, error: S, probe: S, features: u16) -> Finding {
        let length = length(features);
        let row = self.probed;
        if row > length / 4 {
            let most = self.mean.scaled_here(4);
            // An infinite sum would become an infinite mean, which never comes back.
            self.probe_error = least(self.probe_error + least(probe, most), S::MAX);
            self.weights_error = least(self.weights_error + least(error, most), S::MAX);
        }
        let better = self.probe_error < self.weights_error * S::from(0.75);
        let finding = match row {
            row if row >= length / 2 && better => Finding::Change,
            row if row >= length => {
                self.mean = self.weights_error / S::from_count((length - length / 4).into());
                Finding::FalseAlarm
            }
            _ => {
                self.probed = row.saturating_add(1);
                return Finding::Usual;
            }
        };
        (self.excess, self.count, self.probed) = (S::ZERO, FIRST, 0);
        finding
    }
}

/// The rows of a probe.
fn length(features: u16) -> u16 {
    features.saturating_mul(2).max(16)
}

/// 1 / `count`, but not less than 1 / `most`.
#[inline(always)]
pub(super) fn share<S: Scalar>(count: u32, most: u32) -> S {
    // Known at compile time in the long run. An FPU would divide anyway, and then choose.
    let divides = cfg!(has_vfp) && size_of::<S>() == size_of::<f32>();
    if count >= most && !divides {
        S::from_ratio(1, most)
    } else {
        S::from_ratio(1, if count < most { count } else { most })
    }
}

fn least<S: Scalar>(a: S, b: S) -> S {
    if a < b { a } else { b }
}

impl<S: Scalar + Persist + Empty> Persist for Alarm<S> {
    crate::state::persist!(fields mean: S, excess: S, probe_error: S, weights_error: S, count: u8, probed: u16);
}
