//! `tracking` without a model: Sarsa(λ) in mountain car and cart pole, Q-learning in the grid.

use osculate::features::{ColumnFactors, FeatureMap, Fourier, OneHot, PerAction, Scaled, TileCoding};
use osculate::{ActionValues, Agent, Arithmetic, Exploration, Q24, Sim, Tracking, TrackingConfig};
use osculate_host_tests::worlds::grid::{self, Exact, Walk};
use osculate_lab::jobs;
use osculate_lab::numbers::{least, mean, median, most};
use osculate_lab::text_table::Table;

use crate::worlds::physics::{self, CART_POLE, MOUNTAIN_CAR, Trial};

/// The first ε of the agents in mountain car and cart pole; it halves after 20 episodes.
const EXPLORATION: Exploration = Exploration { start: 0.1, half_after: 20 };
/// The only parameter that is not the default: γ, which belongs to the task.
const CONFIG: TrackingConfig = TrackingConfig { gamma: 0.99, ..TrackingConfig::CONTROL };

/// Learns in a world for some episodes, with a seed, and with features in units of a power of two.
type Task = fn(u32, u64, i8) -> Life;

/// All tasks and their names, with one default of the rule in f32: mountain car with Fourier features of order 3 (16 for
/// each of 3 actions), the same with 8 grids of 8 × 8 tiles for each action, and cart pole with Fourier features of order 2
/// (81 for each of 2 actions).
const TASKS: [(Task, &str); 3] = [
    (car_fourier::<f32>, "mountain car, 48 Fourier features"),
    (car_tiles, "mountain car, 1536 tiles"),
    (pole, "cart pole, 162 Fourier features"),
];

/// Steps of each episode of one learner, and all of its actions.
#[derive(PartialEq)]
struct Life {
    steps: Vec<u32>,
    actions: Vec<u8>,
}

impl Life {
    /// The mean number of steps of the last episodes, or of all if there are not so many.
    fn mean_steps(&self, last: usize) -> f64 {
        let counted = self.steps[self.steps.len().saturating_sub(last)..].iter();
        mean(&counted.copied().map(f64::from).collect::<Vec<_>>())
    }
}

/// The first task in any arithmetic. The others have more features than a fixed-point row may have.
fn car_fourier<A: Arithmetic>(episodes: u32, seed: u64, units: i8) -> Life {
    live::<A, _, 2, 16, 48>(&MOUNTAIN_CAR, Fourier::<2, 3, 16>::new(MOUNTAIN_CAR.bounds()), episodes, seed, units)
}

fn car_tiles(episodes: u32, seed: u64, units: i8) -> Life {
    let map = TileCoding::<2, 8, 8, 512>::new(MOUNTAIN_CAR.bounds());
    live::<f32, _, 2, 512, 1536>(&MOUNTAIN_CAR, map, episodes, seed, units)
}

fn pole(episodes: u32, seed: u64, units: i8) -> Life {
    live::<f32, _, 4, 81, 162>(&CART_POLE, Fourier::<4, 2, 81>::new(CART_POLE.bounds()), episodes, seed, units)
}

fn live<A: Arithmetic, M: FeatureMap<K, Observation = [f32; D]>, const D: usize, const K: usize, const N: usize>(
    task: &'static physics::Task<D>,
    map: M,
    episodes: u32,
    seed: u64,
    units: i8,
) -> Life {
    let learner = Tracking::<A, N>::new(CONFIG);
    let map = Scaled { map, factors: ColumnFactors::from_exponents([units; K]) };
    let policy = ActionValues::new(task.actions, PerAction::new(map));
    let mut agent = Agent::new(learner, policy, EXPLORATION, seed + 500);
    let mut trial = Trial::new(task, seed);
    let mut sim = Sim::new(&mut agent, &mut trial, task.patience);
    let steps = (0..episodes).map(|_| sim.episode().map_or_else(|never| match never {}, |episode| episode.steps));
    Life { steps: steps.collect(), actions: trial.actions }
}

/// The grid with a table: whether the greedy policy is the optimal one after these episodes. One action in five is
/// random.
fn finds_the_optimum<A: Arithmetic>(episodes: u32, seed: u64) -> bool {
    let config = TrackingConfig { gamma: grid::GAMMA, ..TrackingConfig::TABLE };
    let learner = Tracking::<A, { 4 * grid::CELLS }>::new(config);
    let policy = ActionValues::new(4, PerAction::new(OneHot::<{ grid::CELLS }>));
    let exploration = Exploration { start: 0.2, half_after: u32::MAX };
    let mut agent = Agent::new(learner, policy, exploration, seed + 500);
    let mut sim = Sim::new(&mut agent, Walk::new(seed), grid::MAX_STEPS as u32);
    for _ in 0..episodes {
        let Ok(_) = sim.episode();
    }
    let exact = Exact::new();
    exact.states().iter().zip(exact.optimal_policy()).all(|(cell, (best, _))| agent.greedy(cell) == best)
}

/// Episodes of mountain car and cart pole, those that the result is the mean of, and episodes of the grid.
const EPISODES: u32 = 200;
const LAST: usize = 50;
const GRID_EPISODES: u32 = 10_000;
/// The set-up (γ, ε and the features) was chosen on the seeds below 12, out of 24 for the car, 18 for the pole and 20 for
/// the grid, whose ε was tried on the seeds below 48, too. What is reported comes from seeds that had no part in that.
const FIRST_SEED: u64 = 100;

pub(crate) fn run(seeds: u64) {
    let seeds: Vec<u64> = (FIRST_SEED..FIRST_SEED + seeds).collect();
    let [car, tiles, pole] = TASKS.map(|(task, name)| (task, format!("{name}, f32")));
    let in_q24: (Task, String) = (car_fourier::<Q24>, format!("{}, q24", TASKS[0].1));
    println!(
        "Sarsa(0.8), gamma = 0.99, everything else as TrackingConfig::CONTROL has it; {EPISODES} episodes, {} seeds.",
        seeds.len()
    );
    println!("Steps per episode, median of the seeds: a car should take few, a pole all 500.");
    println!("gamma, epsilon and the features were chosen among a few dozen set-ups, on other seeds.\n");
    let mut table = Table::new("lrrr", ["", "last 50", "all episodes", "least to most"]);
    for (task, name) in &[car, in_q24, tiles, pole] {
        let lives = jobs::counted(&format!("seeds of {name}"), &seeds, |seed| task(EPISODES, *seed, 0));
        let means = |last| -> Vec<f64> { lives.iter().map(|life| life.mean_steps(last)).collect() };
        let (late, all) = (means(LAST), means(usize::MAX));
        let [median_late, median_all] = [&late, &all].map(|steps| format!("{:.1}", median(steps.as_slice())));
        table.row([name, &median_late, &median_all, &format!("{:.0} to {:.0}", least(&late), most(&late))]);
    }
    print!("{}", table.text());
    let units = jobs::counted("seeds in other units", &seeds, |seed| {
        TASKS.iter().all(|(task, _)| {
            let life = task(EPISODES / 4, *seed, 0);
            [10, -10].into_iter().all(|units| task(EPISODES / 4, *seed, units) == life)
        })
    });
    let same = units.iter().filter(|same| **same).count();
    println!("\nfeatures times 2^10 and 2^-10: the same actions in {same} of {} runs of every task, f32", seeds.len());
    let found = jobs::counted("seeds in the grid", &seeds, |seed| {
        [finds_the_optimum::<f32>(GRID_EPISODES, *seed), finds_the_optimum::<Q24>(GRID_EPISODES, *seed)]
    });
    let [f32, q24] = [0, 1].map(|arithmetic| found.iter().filter(|found| found[arithmetic]).count());
    println!(
        "the 4x3 grid as a table, {GRID_EPISODES} episodes: the optimal policy in {f32} (f32) and {q24} (q24) of {} runs",
        seeds.len()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The median over seeds that the set-up was not chosen on, of the mean number of steps in the last 50 of 200 episodes.
    fn steps(task: usize) -> f64 {
        let (task, name) = TASKS[task];
        let late: Vec<f64> = (100..105).map(|seed| task(200, seed, 0).mean_steps(50)).collect();
        println!("{name}: {late:.1?}");
        median(late)
    }

    #[test]
    fn the_car_gets_out_of_the_valley() {
        assert!((100.0..168.0).contains(&steps(0)));
        assert!((90.0..150.0).contains(&steps(1)));
    }

    #[test]
    fn the_pole_stays_up() {
        assert!(steps(2) > 479.0);
    }

    #[test]
    fn the_units_of_the_features_change_no_action() {
        for (task, name) in TASKS {
            let life = task(20, 7, 0);
            for units in [10, -10] {
                assert!(task(20, 7, units) == life, "{name}, features times 2^{units}");
            }
            // Each seed lives another life.
            assert!(task(20, 8, 0) != life, "{name}");
        }
    }

    #[test]
    fn a_table_of_the_grid_is_optimal_more_often_than_not() {
        // 33 of 48 runs are: with a constant gain the weights never come to rest.
        let found = (100..148).filter(|seed| finds_the_optimum::<f32>(10_000, *seed)).count();
        println!("the optimal policy in {found} of 48 runs");
        assert!(found > 24);
    }
}
