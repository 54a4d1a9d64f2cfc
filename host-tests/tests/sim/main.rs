//! Promise: the outer loop finds the optimal policy of a known problem, and takes the same actions on every machine.

mod episodes;
mod optimum;

use osculate::control::Policy;
use osculate::{
    Agent, Arithmetic, Exploration, Log, LookAhead, Schedule, Sim, Stored, StoredConfig, Streaming, StreamingConfig,
};
use osculate::{Episodic, Space};

use osculate::features::OneHot;

use osculate_programs::grid::{CELLS, GAMMA, Grid, MAX_STEPS, Walk};

/// A feature per cell.
const TABLE: OneHot<CELLS> = OneHot;

/// A cell's number.
fn number(cell: &usize) -> u32 {
    *cell as u32
}

fn exploring(half_after: u32) -> Exploration {
    Exploration { start: 0.5, half_after }
}

/// The paper's rule with η = k^−¾, which its theorem allows as well as 1/k.
const PAPER: StoredConfig = StoredConfig { gamma: GAMMA, schedule: Schedule::ThreeQuarters, ..StoredConfig::PAPER };
const PREDICTABLE: StoredConfig = StoredConfig { gamma: GAMMA, ..StoredConfig::PREDICTABLE };

type Logged<A, const N: usize, const ROWS: usize> = Stored<Log<A, N, MAX_STEPS, ROWS>>;

fn logged<A: Arithmetic, const N: usize, const ROWS: usize>(config: StoredConfig) -> Logged<A, N, ROWS> {
    Stored::new(config, Log::NEW)
}

/// Episodes that share no state carry no information about the curvature along the previous direction, so ϑ is capped.
fn streaming<A: Arithmetic>() -> Streaming<A, CELLS, 1> {
    let config = StreamingConfig { gamma: GAMMA, theta_cap: Some(2.0), ..StreamingConfig::DEFAULT };
    Streaming::by_state(config)
}

/// One value per cell, and the map as the model.
fn table() -> LookAhead<Grid, OneHot<CELLS>> {
    LookAhead::new(Grid, TABLE).by_state(number)
}

/// Runs SIM on the map and returns the trained agent.
fn run<A: Arithmetic, L, P, const N: usize>(
    learner: L,
    policy: P,
    exploration: Exploration,
    episodes: u32,
    seed: u64,
) -> Agent<L, P>
where
    P: Policy<A, N, Observation = usize>,
    L: Episodic<Space = Space<A, N>>,
{
    let mut agent = Agent::new(learner, policy, exploration, seed + 1000);
    let mut sim = Sim::new(&mut agent, Walk::new(seed), MAX_STEPS as u32);
    for _ in 0..episodes {
        let Ok(episode) = sim.episode();
        assert_eq!(episode.report.saturated, 0);
    }
    agent
}
