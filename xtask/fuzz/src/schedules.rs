//! What decays, what stops, and what is drawn.

use osculate::{Exploration, Outcome, Random, StopTest, Verdict};

use super::Fuzz;
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(3) {
        0 => decay(fuzz),
        1 => draw(fuzz),
        _ => stop(fuzz),
    }
}

fn decay(fuzz: &mut Fuzz) {
    let [k, later] = [fuzz.count().max(1), fuzz.count().max(1)];
    let (k, later) = (k.min(later), k.max(later));
    let exploration = Exploration { start: fuzz.gamma(), half_after: fuzz.count().max(1) };
    let [start, epsilon, then] = [exploration.start, exploration.epsilon(k), exploration.epsilon(later)];
    if (0.0..=1.0).contains(&start) {
        assert!(
            0.0 <= then && then <= epsilon && epsilon <= start,
            "{exploration:?} at {k}, {later}: {epsilon}, {then}"
        );
    }
    fuzz.called("epsilon");
}

fn draw(fuzz: &mut Fuzz) {
    let (mut random, bound, chance) = (Random::new(fuzz.word()), fuzz.count(), fuzz.any_float());
    assert!(random.below(bound) < bound.max(1));
    fuzz.called("below");
    let happens = random.happens(chance);
    // What is no number never happens.
    assert!(if happens { chance > 0.0 } else { chance < 1.0 || chance.is_nan() }, "{chance}");
    fuzz.called("happens");
}

/// A stop test counts small steps in a row.
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
