//! Watches that the loop comes round, and that its stack has held.

use osculate_apps::boot::Cause;
use osculate_apps::supervision::{Stage, Stages, Supervisor};

use crate::{fault, guard, post_mortem};

/// A watchdog's timer.
pub trait Feed {
    /// The loop has come round: the time starts anew.
    fn feed(&mut self);
}

/// A board without a watchdog: only the stack is watched.
#[derive(Clone, Copy, Debug)]
pub struct NoTimer;

impl Feed for NoTimer {
    fn feed(&mut self) {}
}

/// A loop that is watched. The timer is fed only after a round in which every stage was reached.
#[derive(Debug)]
pub struct Watched<F> {
    timer: F,
    stages: Stages,
    /// Whether a round was completed since boot.
    was_round: bool,
}

impl<F: Feed> Watched<F> {
    /// Watches with a timer that runs already.
    pub fn new(timer: F) -> Self {
        let stages = Stages::new();
        post_mortem::remember(stages.missing());
        Self { timer, stages, was_round: false }
    }
}

impl<F: Feed> Supervisor for Watched<F> {
    fn reached(&mut self, stage: Stage) {
        let came_round = self.stages.reach(stage);
        post_mortem::remember(self.stages.missing());
        if !came_round {
            return;
        }
        if let Some(address) = guard::touched() {
            fault::give_up(Cause::StackOverflow { pc: None, address }, fault::log)
        }
        self.timer.feed();
        if !self.was_round {
            self.was_round = true;
            post_mortem::round_completed();
        }
    }
}
