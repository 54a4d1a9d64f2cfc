//! The stages of an application's loop, and who watches that each of them is reached.

use serde::{Deserialize, Serialize};

/// A stage of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Stage {
    /// The actuator has its level.
    Act,
    /// The time until the next sample is over.
    Wait,
    /// The sensors were read, or found to be faulty.
    Sample,
    /// The learner has had its call.
    Learn,
    /// What is learned is stored, if it was due.
    Store,
}

impl Stage {
    /// Every stage, in the order of a round.
    pub const ALL: [Stage; 5] = [Stage::Act, Stage::Wait, Stage::Sample, Stage::Learn, Stage::Store];

    /// The name that people type and read.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Wait => "wait",
            Stage::Sample => "sample",
            Stage::Learn => "learn",
            Stage::Act => "act",
            Stage::Store => "store",
        }
    }

    /// The stage with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// Watches a loop; on a device, in front of a watchdog.
pub trait Supervisor {
    /// A stage is over. Once all of them are, the loop has come round.
    fn reached(&mut self, stage: Stage);
}

/// Nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Supervisor for Unwatched {
    fn reached(&mut self, _: Stage) {}
}

/// Which stages were reached since the loop last came round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages(u8);

impl Stages {
    /// None yet.
    pub const fn new() -> Self {
        Self(0)
    }

    /// A stage is over. Returns whether all of them are, and then begins anew.
    pub fn reach(&mut self, stage: Stage) -> bool {
        self.0 |= 1 << stage as u8;
        let all = self.0 == (1 << Stage::ALL.len()) - 1;
        if all {
            self.0 = 0;
        }
        all
    }

    /// The first stage that is not over yet.
    pub fn missing(self) -> Stage {
        Stage::ALL.into_iter().find(|stage| self.0 & 1 << *stage as u8 == 0).unwrap_or(Stage::Act)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_comes_round_when_every_stage_is_reached() {
        let mut stages = Stages::new();
        for round in 0..3 {
            for (i, stage) in Stage::ALL.into_iter().enumerate() {
                assert_eq!(stages.missing(), stage, "round {round}");
                // Twice is no more than once.
                assert_eq!([stages.reach(stage), i + 1 < Stage::ALL.len() && stages.reach(stage)], [i == 4, false]);
            }
        }
    }
}
