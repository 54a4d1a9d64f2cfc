//! Promise: the outer loop finds the optimal policy of a known problem, and takes the same actions on every machine.

mod device;
mod episodes;
mod optimum;
mod prediction;

use osculate::episodic::{Episodic, Logged, Targets};
use osculate::policy::Policy;
use osculate::schedule::Exploration;
use osculate::{Arithmetic, Learner, LearnerConfig, Scalar, Schedule, Sim, SimConfig};
use osculate_host_tests::worlds::grid::{Grid, MAX_STEPS, Walk};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

fn exploring<S: Scalar>(half_after: u32) -> SimConfig<S> {
    SimConfig { exploration: Exploration { start: S::from_ratio(1, 2), half_after }, max_steps: MAX_STEPS as u32 }
}

/// The paper's rule with η = k^−¾, which its theorem allows as well as 1/k.
fn paper<S: Scalar>() -> LearnerConfig<S> {
    LearnerConfig { schedule: Schedule::ThreeQuarters, ..LearnerConfig::default() }
}

fn logged<A: Arithmetic, K: PartialEq, const N: usize, const ROWS: usize>(
    config: LearnerConfig<A::Scalar>,
    targets: Targets,
) -> Logged<A, K, N, MAX_STEPS, ROWS> {
    Logged::new(Learner::new(config).unwrap(), Grid::<A>::gamma(), targets).unwrap()
}

/// Runs SIM on the map and hands over what it has come to.
fn run<A: Arithmetic, L, P, const N: usize>(
    learner: L,
    policy: &P,
    config: SimConfig<A::Scalar>,
    episodes: u32,
    seed: u64,
) -> Sim<A, L>
where
    P: Policy<A, u8, N>,
    L: Episodic<A, P::Key, N>,
{
    let grid = Grid::new().unwrap();
    let mut world = Walk::new(&grid, seed);
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(seed + 1000);
    let mut sim = Sim::new(learner, config).unwrap();
    for _ in 0..episodes {
        let outcome = sim.run_episode(&mut world, policy, &mut rng);
        assert_eq!(outcome.update.saturated, 0);
    }
    sim
}
