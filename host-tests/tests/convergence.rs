//! Promise: on noise-free data the curvature step reaches 10⁻⁶ within 70 iterations.

use osculate::{Arithmetic, Log, Predictor, Q24, Q28, Schedule, Stored, StoredConfig};
use osculate_host_tests::documents::says;
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::{relative_error, scale_invariant};
use osculate_host_tests::worlds::LinearSystem;

const ROWS: usize = 100;
const FEATURES: usize = 30;
const SEEDS: u64 = 20;
const GOAL: f64 = 1e-6;

/// The rows as an integer format stores them: features rounded to this many bits of the power of two above the largest
/// one, targets unchanged.
fn held<const BITS: i32>(rows: &[Row]) -> Vec<Row> {
    let hold = |phi: &[f32]| {
        let largest = phi.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
        let unit = 2_f64.powi(f64::from(largest).log2().floor() as i32 + 1 - BITS);
        let most = 2_f64.powi(BITS) - 1.0;
        phi.iter().map(|&x| ((f64::from(x) / unit).round_ties_even().clamp(-most, most) * unit) as f32).collect()
    };
    rows.iter().map(|(phi, v)| (hold(phi), *v)).collect()
}

/// Iterations until the relative error is below the goal, with η = 1.
fn iterations<A: Arithmetic>(rows: &[Row], beta: f32) -> u32 {
    let solution = scale_invariant(rows);
    // The paper's absolute test would stop short of the goal.
    let config = StoredConfig { schedule: Schedule::Constant(1.0), beta, skip_below: 0.0, ..StoredConfig::PAPER };
    let mut log = Box::new(Log::<A, FEATURES, 1, ROWS>::NEW);
    let mut predictor = Predictor::new(Stored::new(config, &mut *log));
    for k in 1..=1_000 {
        for (phi, v) in rows {
            predictor.learn(*v, phi.as_slice().try_into().unwrap()).unwrap();
        }
        predictor.end();
        if relative_error(predictor.weights(), &solution) <= GOAL {
            return k;
        }
    }
    panic!("no convergence in 1000 iterations");
}

fn median_and_range(mut counts: Vec<u32>) -> (u32, u32, u32) {
    counts.sort_unstable();
    let middle = counts.len() / 2;
    ((counts[middle - 1] + counts[middle]).div_ceil(2), counts[0], counts[counts.len() - 1])
}

/// The median over the seeds for rows rounded to a format. Also prints it with the range.
fn median_of_seeds<A: Arithmetic>(name: &str, beta: f32, hold: fn(&[Row]) -> Vec<Row>) -> u32 {
    let run = |seed| iterations::<A>(&hold(&LinearSystem::consistent(seed, ROWS, FEATURES).rows), beta);
    let (median, least, most) = median_and_range((0..SEEDS).map(run).collect());
    println!(
        "{ROWS}x{FEATURES}, eta = 1, beta = {beta:?}, {name}: {GOAL:e} in {median} iterations ({least} to {most}, {SEEDS} seeds)"
    );
    median
}

#[test]
fn noise_free_data_reach_the_goal_within_70_iterations() {
    let as_they_are: fn(&[Row]) -> Vec<Row> = <[Row]>::to_vec;
    let medians = [
        median_of_seeds::<f32>("f32", 0.0, as_they_are),
        median_of_seeds::<Q28>("q28", 0.0, held::<15>),
        median_of_seeds::<Q24>("q24", 0.0, held::<15>),
    ];
    assert!(medians.iter().all(|&median| median <= 70), "{medians:?}");
    let (least, most) = (medians.iter().min().unwrap(), medians.iter().max().unwrap());
    says("docs/claims.md", &format!("in {least} or {most} iterations (median of {SEEDS} seeds) in f32, q28, q24"));
}

#[test]
fn momentum_makes_it_faster() {
    let without = median_of_seeds::<f32>("f32", 0.0, <[Row]>::to_vec);
    let with = median_of_seeds::<f32>("f32", 0.5, <[Row]>::to_vec);
    assert!(with < without);
    says("docs/claims.md", &format!("; {with} with β = ½"));
}
