//! Schedules, stop tests and random draws.

use osculate::{Outcome, Random, StopTest, Verdict};

use super::Fuzz;
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(3) {
        0 => draw(fuzz),
        _ => stop(fuzz),
    }
}

fn draw(fuzz: &mut Fuzz) {
    let (mut random, bound) = (Random::new(fuzz.word()), fuzz.count());
    assert!(random.below(bound) < bound.max(1));
    fuzz.called("below");
}

/// A stop test counts consecutive small steps.
fn stop(fuzz: &mut Fuzz) {
    let (tolerance, least, needed) = (fuzz.any_float(), fuzz.below(4), fuzz.below(4));
    let mut stop = StopTest::new(tolerance, least, needed);
    let (g_norm, theta) = (fuzz.any_float(), fuzz.any_float());
    let mut hits = 0;
    for _ in 0..8 {
        let verdict = fuzz.pick(&[Verdict::Stepped, Verdict::Stepped, Verdict::Skipped, Verdict::Overflow]);
        let k = fuzz.below(6);
        let outcome = Outcome { k, tau: 1, dropped: 0, saturated: 0, g_norm, theta, verdict };
        let length = fuzz.any_float();
        if verdict == Verdict::Stepped {
            hits = if length <= tolerance { hits + 1 } else { 0 };
        }
        let is_small = stop.is_step_small(&outcome, length);
        assert_eq!(is_small, outcome.k >= least && hits >= needed.max(1), "{stop:?} {outcome:?} {length:?}");
        fuzz.called(if is_small { "small step" } else { "no small step" });
    }
}
