//! Learning from a log: from one that fills up soon to one with more rows than a format supports.

use osculate::{Log, Predictor, Stored};

use super::Fuzz;
use super::check::{made, stored_faults};
use super::number::Fuzzed;
use super::predictor::Life;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(128) {
        0 => learn::<A, 128, 8, 140>(fuzz),
        1..4 => learn::<A, 1, 250, 200>(fuzz),
        4..8 => learn::<A, 3, 0, 6>(fuzz),
        8..12 => learn::<A, 2, 9, 0>(fuzz),
        _ => learn::<A, 3, 16, 6>(fuzz),
    }
}

fn learn<A: Fuzzed, const N: usize, const STEPS: usize, const ROWS: usize>(fuzz: &mut Fuzz) {
    let config = fuzz.stored_config();
    let stored = Stored::new(config, Log::<A, N, STEPS, ROWS>::new());
    let Some(learner) = made(fuzz, stored, &stored_faults(&config)) else { return };
    Life::new(fuzz, Predictor::new(learner)).live(fuzz, 8 * (STEPS + ROWS) as u32);
}
