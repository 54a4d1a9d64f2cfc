//! Learners of the crate on rows whose targets are known.

use nalgebra::DVector;
use osculate::{Arithmetic, Log, Predictor, Schedule, Stored, StoredConfig, Theta};

use crate::reference::Row;
use crate::reference::closed_form::{relative_error, scale_invariant};

/// The names of the arithmetics, in the order of the functions that are made for each.
pub(super) const ARITHMETICS: [&str; 4] = ["f64", "f32", "q28", "q24"];

/// Noise-free data: the curvature step with η = 1, no momentum, and no threshold that stops short of the goal.
pub(super) const CURVATURE: StoredConfig =
    StoredConfig { schedule: Schedule::Constant(1.0), beta: 0.0, skip_below: 0.0, ..StoredConfig::PAPER };

/// The same with the normal step α = 1.
pub(super) const NORMAL: StoredConfig = StoredConfig { theta: Theta::One, ..CURVATURE };

/// One update from these rows.
pub(super) fn update<A: Arithmetic, const N: usize, const ROWS: usize>(
    predictor: &mut Predictor<Stored<&mut Log<A, N, 1, ROWS>>>,
    rows: &[Row],
) {
    for (phi, v) in rows {
        let phi = phi.as_slice().try_into().expect("the problem has this many features");
        predictor.learn(*v, phi).expect("every row of these problems is usable");
    }
    predictor.end();
}

/// The relative error after each of `last` updates from the same rows.
pub(super) fn descent<A: Arithmetic, const N: usize, const ROWS: usize>(
    config: StoredConfig,
    rows: &[Row],
    last: u32,
) -> Vec<f64> {
    let solution = scale_invariant(rows);
    let mut errors = Vec::new();
    let mut log = Box::new(Log::<A, N, 1, ROWS>::new());
    let mut predictor = Predictor::new(Stored::new(config, &mut *log).expect("a valid configuration"));
    for _ in 0..last {
        update(&mut predictor, rows);
        errors.push(relative_error(predictor.weights(), &solution));
    }
    errors
}

/// The weights after `last` updates from the same rows.
pub(super) fn limit<A: Arithmetic, const N: usize, const ROWS: usize>(
    config: StoredConfig,
    rows: &[Row],
    last: u32,
) -> DVector<f64> {
    let mut log = Box::new(Log::<A, N, 1, ROWS>::new());
    let mut predictor = Predictor::new(Stored::new(config, &mut *log).expect("a valid configuration"));
    for _ in 0..last {
        update(&mut predictor, rows);
    }
    DVector::from_iterator(N, predictor.weights().iter().map(|&w| w.into()))
}

/// The relative error of the estimate after each of these numbers of episodes, where every episode has other rows.
pub(super) fn episodes<A: Arithmetic, const N: usize, const ROWS: usize>(
    config: StoredConfig,
    solution: &DVector<f64>,
    counts: &[u32],
    mut rows: impl FnMut() -> Vec<Row>,
) -> Vec<f64> {
    let mut log = Box::new(Log::<A, N, 1, ROWS>::new());
    let mut predictor = Predictor::new(Stored::new(config, &mut *log).expect("a valid configuration"));
    let mut done = 0;
    let mut error_after = |count: &u32| {
        while done < *count {
            update(&mut predictor, &rows());
            done += 1;
        }
        relative_error(predictor.estimate(), solution)
    };
    counts.iter().map(&mut error_after).collect()
}

/// The first update after which the error is at most 10⁻⁶; the number of updates tried if there is none.
pub(super) fn to_goal(errors: &[f64]) -> f64 {
    errors.iter().position(|error| *error <= GOAL).map_or(errors.len(), |index| index + 1) as f64
}

/// The relative error that noise-free runs must reach.
pub(super) const GOAL: f64 = 1e-6;

/// The values of a curve after these numbers of updates.
pub(super) fn at(errors: &[f64], counts: &[u32]) -> Vec<f64> {
    counts.iter().map(|count| errors[*count as usize - 1]).collect()
}
