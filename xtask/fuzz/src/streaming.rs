//! Learning without a log.

use osculate::{Predictor, Streaming};

use super::Fuzz;
use super::check::{made, streaming_faults};
use super::number::Fuzzed;
use super::predictor::Life;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(32) {
        0 => learn::<A, 128, 1>(fuzz),
        1..8 => learn::<A, 1, 0>(fuzz),
        8..16 => learn::<A, 1, 7>(fuzz),
        _ => learn::<A, 3, 1>(fuzz),
    }
}

fn learn<A: Fuzzed, const N: usize, const WORDS: usize>(fuzz: &mut Fuzz) {
    let config = fuzz.streaming_config();
    let streaming = Streaming::<A, N, WORDS>::by_state(config);
    let Some(learner) = made(fuzz, streaming, &streaming_faults(&config)) else { return };
    let calls = if fuzz.one_in(8) { 600 } else { 80 };
    Life::new(fuzz, Predictor::new(learner)).live(fuzz, calls);
}
