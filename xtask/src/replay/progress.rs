//! How far a replay has come.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// Says on a terminal how far a run has come, if it takes long enough to wonder.
pub(super) struct Progress {
    total: usize,
    done: usize,
    started: Instant,
    shown: Option<Instant>,
    wanted: bool,
}

impl Progress {
    const PATIENCE: Duration = Duration::from_secs(2);
    const PAUSE: Duration = Duration::from_millis(200);

    /// Of so many updates.
    pub(super) fn new(total: usize) -> Self {
        Self { total, done: 0, started: Instant::now(), shown: None, wanted: stderr().is_terminal() }
    }

    /// The time starts now.
    pub(super) fn restart(&mut self) {
        self.started = Instant::now();
    }

    /// One more is done.
    pub(super) fn add_one(&mut self) {
        self.show(self.done + 1);
    }

    /// So many are done.
    pub(super) fn show(&mut self, done: usize) {
        self.done = done;
        let due = self.started.elapsed() > Self::PATIENCE && self.shown.is_none_or(|at| at.elapsed() > Self::PAUSE);
        if self.wanted && due {
            eprint!("\r{done} of {} updates", self.total);
            _ = stderr().flush();
            self.shown = Some(Instant::now());
        }
    }

    /// How long it has taken.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
