//! Rows with noisy targets, whose w* may drift or jump: those of [`drift`](crate::drift), 20 to an episode.

use std::sync::Arc;

use super::{CHECKPOINTS, Data, Episode, Step};
use crate::drift::{Case, Problem};

/// Rows per episode.
const BATCH: usize = 20;

pub(super) fn data(case: Case, n: usize, seed: u64) -> Data {
    let mut rows = Problem::new(case, n, seed);
    let episodes = (0..CHECKPOINTS[2]).map(|_| {
        let mut episode = Episode::default();
        for (state, sample) in rows.by_ref().take(BATCH).enumerate() {
            let phi: Arc<[f32]> = sample.phi.into();
            episode.checks.push((phi.clone(), sample.mean));
            let target = sample.target;
            episode.steps.push(Step { state: state as u32, phi, reward: target, target, first: true });
        }
        episode
    });
    Data { episodes: episodes.collect(), states: Vec::new() }
}
