//! Learners of the crate on rows whose targets are known.

use nalgebra::DVector;
use osculate::{Q24, Q28, Schedule, StoredConfig, Theta};
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::{relative_error, scale_invariant};

use crate::contender::{Contender, Step};
use crate::rules::ours::stored;

/// Noise-free data: the curvature step with η = 1, no momentum, and no threshold that stops short of the goal.
pub(super) const CURVATURE: StoredConfig =
    StoredConfig { schedule: Schedule::Constant(1.0), beta: 0.0, skip_below: 0.0, ..StoredConfig::PAPER };

/// The same with the normal step α = 1.
pub(super) const NORMAL: StoredConfig = StoredConfig { theta: Theta::One, ..CURVATURE };

/// The same learner in every arithmetic.
pub(crate) fn in_all<const N: usize, const ROWS: usize>(config: StoredConfig) -> [Contender; 4] {
    let new = [stored::<f64, N, ROWS>, stored::<f32, N, ROWS>, stored::<Q28, N, ROWS>, stored::<Q24, N, ROWS>];
    new.map(|new| new(config))
}

/// Rows as an episode.
pub(crate) fn episode(rows: &[Row]) -> Vec<Step> {
    rows.iter().map(|(phi, target)| Step::row(phi.as_slice(), *target)).collect()
}

/// The relative error after each of `last` updates from the same rows.
pub(super) fn descent(learner: &mut Contender, rows: &[Row], last: u32) -> Vec<f64> {
    let (solution, episode) = (scale_invariant(rows), episode(rows));
    let error = |_| {
        learner.learn_all(&episode);
        relative_error(&learner.learned.w, &solution)
    };
    (0..last).map(error).collect()
}

/// The weights after `last` updates from the same rows.
pub(super) fn limit(learner: &mut Contender, rows: &[Row], last: u32) -> DVector<f64> {
    let episode = episode(rows);
    (0..last).for_each(|_| learner.learn_all(&episode));
    DVector::from_column_slice(&learner.learned.w)
}

/// The relative errors of learners after each of these numbers of episodes, where every episode has other rows.
pub(crate) fn episodes(
    learners: &mut [Contender],
    solution: &DVector<f64>,
    counts: &[u32],
    mut episode: impl FnMut() -> Vec<Step>,
) -> Vec<Vec<f64>> {
    let mut errors = vec![Vec::new(); learners.len()];
    for k in 1..=counts[counts.len() - 1] {
        let episode = episode();
        for (learner, errors) in learners.iter_mut().zip(&mut errors) {
            learner.learn_all(&episode);
            if counts.binary_search(&k).is_ok() {
                errors.push(relative_error(&learner.learned.w, solution));
            }
        }
    }
    errors
}

/// The relative error that noise-free runs must reach.
pub(super) const GOAL: f64 = 1e-6;

/// The first update after which the error is at most [`GOAL`]; the number of updates tried if there is none.
pub(super) fn to_goal(errors: &[f64]) -> f64 {
    errors.iter().position(|error| *error <= GOAL).map_or(errors.len(), |index| index + 1) as f64
}
