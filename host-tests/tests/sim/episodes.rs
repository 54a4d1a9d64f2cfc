//! How often an agent explores, and when to stop. (How episodes end, what is counted and returned, and what of a world that
//! fails comes out: the target `agent` of `fuzz`. What is learned where an episode is cut: `bits`.)

use osculate::{Agent, Episodic, Exploration, Sim, Space, StopTest};
use osculate_programs::grid::{CELLS, MAX_STEPS, Walk};

use crate::{PAPER, exploring, logged, streaming, table};

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
