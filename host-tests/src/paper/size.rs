//! How much is run.

/// The size of all experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Worlds per figure, with the seeds 0, 1, 2, …
    pub seeds: u64,
    /// Runs whose mean compares the momentum methods.
    pub momentum_runs: u64,
    /// Episodes of the runs that show a limit.
    pub long: u32,
}

impl Size {
    /// As the figures are published: a minute on two cores.
    pub const FULL: Self = Self { seeds: 20, momentum_runs: 10, long: 30_000 };
    /// Everything once over, with fewer seeds and shorter runs.
    pub const QUICK: Self = Self { seeds: 10, momentum_runs: 10, long: 10_000 };

    pub(super) fn all_seeds(self) -> Vec<u64> {
        (0..self.seeds).collect()
    }
}
