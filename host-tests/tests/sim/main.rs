//! Promise: the outer loop finds the optimal policy of a known problem, and takes the same actions on every machine. (How
//! episodes end, what is counted and returned, and what of a world that fails comes out: the targets `agent` and `sim` of
//! `fuzz`. What is learned where an episode is cut: `bits`.)

mod optimum;

use osculate::control::Policy;
use osculate::features::OneHot;
use osculate::{
    Agent, Arithmetic, Episodic, Exploration, Log, LookAhead, Q24, Q28, Schedule, Sim, Space, StopTest, Stored,
    StoredConfig, Streaming, StreamingConfig,
};
use osculate_apps::choice::Arith;
use osculate_host_tests::worlds::grid::Exact;
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_programs::grid::{ACTIONS, CELLS, GAMMA, Grid, MAP, MAX_STEPS, Walk, learn};
use osculate_programs::report::Report;

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

#[test]
fn exploring_is_as_frequent_as_epsilon_and_fades() {
    let shares = |start: f32, half_after| {
        let exploration = Exploration { start, half_after };
        let mut agent = Agent::new(logged::<f32, CELLS, CELLS>(PAPER), table(), exploration, 2);
        let mut sim = Sim::new(&mut agent, Walk::new(1), MAX_STEPS as u32);
        [0, 1].map(|_| {
            let episodes: Vec<_> = (0..2000).map(|_| sim.episode().unwrap()).collect();
            let sum = |part: fn((u32, u32)) -> u32| -> u32 {
                episodes.iter().map(|episode| part((episode.explored, episode.steps))).sum()
            };
            f64::from(sum(|(explored, _)| explored)) / f64::from(sum(|(_, steps)| steps))
        })
    };
    assert_eq!((shares(0.0, 1), shares(1.0, u32::MAX)), ([0.0; 2], [1.0; 2]));
    assert!(shares(0.25, u32::MAX).iter().all(|share| (share - 0.25).abs() < 0.02));
    let [early, late] = shares(0.5, 200);
    assert!(late < early / 3.0, "{early} {late}");
}

fn stops_early_or_at_the_bound<L: Episodic<Space = Space<f32, CELLS>>>(learner: impl Fn() -> L) {
    let finish = |tolerance| {
        let mut agent = Agent::new(learner(), table(), exploring(100), 2);
        let mut stop = StopTest::new(tolerance, 100, 3);
        let Ok(took) = Sim::new(&mut agent, Walk::new(1), MAX_STEPS as u32).until(&mut stop, 3000);
        assert_eq!(took.unwrap_or(3000), agent.episodes());
        assert_eq!(took.is_some(), agent.step_length() <= tolerance);
        agent.restart();
        assert_eq!((agent.episodes(), agent.learner().state().updates), (0, 0));
        took
    };
    let early = finish(0.01);
    assert!(early.is_some_and(|took| (100..3000).contains(&took)), "{early:?}");
    assert_eq!(finish(0.0), None);
}

#[test]
fn until_stops_where_steps_are_small_or_episodes_run_out() {
    stops_early_or_at_the_bound(|| logged::<f32, CELLS, CELLS>(PAPER));
    stops_early_or_at_the_bound(streaming::<f32>);
}

/// The device takes the same actions as the host and computes the same bits.
#[test]
fn same_actions_and_bits_on_host_and_device_up_to_the_optimal_policy() {
    let mut optimal = MAP;
    let exact = Exact::new();
    for (cell, (action, _)) in exact.states().into_iter().zip(exact.optimal_policy()) {
        optimal[cell] = ACTIONS[action];
    }
    let learned = [(Arith::F32, learn::<f32>()), (Arith::Q28, learn::<Q28>()), (Arith::Q24, learn::<Q24>())];
    let expected = learned.map(|(arith, learned)| {
        let (policy, digest) = learned.unwrap();
        assert_eq!(policy, optimal, "{}", arith.name());
        Report::Policy(arith, policy, digest)
    });
    assert_ne!(expected[0], expected[1]);

    let board = &Board::all()[0];
    assert_eq!(board.core, "Cortex-M4F");
    let elf = firmware::build(board, "grid", &[]).unwrap();
    let log = Emulation::new(board, elf).run(|_| ()).unwrap().success().unwrap();
    let told: Vec<Report> = log.iter().filter_map(|line| line.reported().unwrap()).collect();
    assert_eq!(told, expected);
}
