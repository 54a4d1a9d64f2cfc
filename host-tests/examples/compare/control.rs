//! `tracking` without a model, in worlds with actions.

use osculate::Q24;
use osculate_host_tests::control::{Life, Task, car_fourier, finds_the_optimum};
use osculate_host_tests::drift::median;
use serde_json::{Value, json};

use osculate_host_tests::jobs;

/// Episodes of mountain car and cart pole.
const EPISODES: u32 = 200;
/// Episodes that the result is the mean of.
const LAST: usize = 50;
/// The set-up (γ, ε and the features) was chosen on the seeds below 12, out of 24 for the car, 18 for the pole and 20 for
/// the grid, whose ε was tried on the seeds below 48, too. What is reported comes from seeds that had no part in that.
const FIRST_SEED: u64 = 100;
/// Episodes of the grid.
const GRID_EPISODES: u32 = 10_000;

/// What learns, and how.
type Learner = (String, Box<dyn Fn(u64) -> Life + Sync>);

fn learners() -> Vec<Learner> {
    let f32 = |(task, name): (Task, &str)| -> Learner {
        (format!("{name}, f32"), Box::new(move |seed| task.live(EPISODES, seed, 1.0)))
    };
    let mut all: Vec<Learner> = Task::ALL.into_iter().map(f32).collect();
    let name = format!("{}, q24", Task::ALL[0].1);
    all.insert(1, (name, Box::new(|seed| car_fourier::<Q24>(EPISODES, seed, 1.0))));
    all
}

/// Prints the tables, and returns the numbers.
pub(crate) fn run(seeds: u64) -> Value {
    let learners = learners();
    let lives =
        jobs::all(&learners, |(_, learn)| -> Vec<Life> { (FIRST_SEED..FIRST_SEED + seeds).map(learn).collect() });
    println!(
        "Sarsa(0.8), gamma = 0.99, everything else as TrackingConfig::CONTROL has it; {EPISODES} episodes, {seeds} seeds."
    );
    println!("Steps per episode, median of the seeds: a car should take few, a pole all 500.");
    println!("gamma, epsilon and the features were chosen among a few dozen set-ups, on other seeds.\n");
    println!("  {:<36} {:>12} {:>13} {:>19}", "", format!("last {LAST}"), "all episodes", "least to most");
    let mut numbers = Vec::new();
    for ((name, _), lives) in learners.iter().zip(&lives) {
        let means = |last| -> Vec<f64> { lives.iter().map(|life| life.mean_steps(last)).collect() };
        let (late, all) = (means(LAST), means(usize::MAX));
        let (least, most) = (late.iter().copied().fold(f64::MAX, f64::min), late.iter().copied().fold(0.0, f64::max));
        let range = format!("{least:.0} to {most:.0}");
        println!("  {name:<38} {:>10.1} {:>13.1} {range:>19}", median(late.clone()), median(all.clone()));
        numbers.push(json!({ "task": name, "last": late, "all": all }));
    }
    let seeds: Vec<u64> = (FIRST_SEED..FIRST_SEED + seeds).collect();
    let units = jobs::all(&seeds, |seed| {
        Task::ALL.iter().all(|(task, _)| {
            let alike = |units| task.live(EPISODES / 4, *seed, units);
            let life = alike(1.0);
            [1024.0, 1.0 / 1024.0].into_iter().all(|units| alike(units) == life)
        })
    });
    let same = units.iter().filter(|same| **same).count();
    println!("\nfeatures times 2^10 and 2^-10: the same actions in {same} of {} runs of every task, f32", seeds.len());
    let found = jobs::all(&seeds, |seed| {
        [finds_the_optimum::<f32>(GRID_EPISODES, *seed), finds_the_optimum::<Q24>(GRID_EPISODES, *seed)]
    });
    let [f32, q24] = [0, 1].map(|arithmetic| found.iter().filter(|found| found[arithmetic]).count());
    println!(
        "the 4x3 grid as a table, {GRID_EPISODES} episodes: the optimal policy in {f32} (f32) and {q24} (q24) of {} runs",
        seeds.len()
    );
    json!({ "control": numbers, "same_in_other_units": same, "grid": { "f32": f32, "q24": q24, "runs": seeds.len() } })
}
