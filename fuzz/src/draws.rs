//! Random draws, and the stop test.

use osculate::{Random, StopTest, Update, Verdict};

use super::input::Fuzz;

pub(super) fn live(fuzz: &mut Fuzz) {
    let (mut random, bound) = (Random::new(fuzz.any()), fuzz.count());
    assert!(random.below(bound) < bound.max(1));
    fuzz.called("below");
    let (tolerance, least, needed) = (fuzz.any_float(), fuzz.below(4), fuzz.below(4));
    let mut stop = StopTest::new(tolerance, least, needed);
    let (g_norm, theta) = (fuzz.any_float(), fuzz.any_float());
    let mut hits = 0;
    for _ in 0..8 {
        let verdict = fuzz.pick(&[Verdict::Stepped, Verdict::Stepped, Verdict::Skipped, Verdict::Overflow]);
        let k = fuzz.below(6);
        let outcome = Update { k, tau: 1, dropped: 0, saturated: 0, g_norm, theta, verdict };
        let length = fuzz.any_float();
        if verdict == Verdict::Stepped {
            hits = if length <= tolerance { hits + 1 } else { 0 };
        }
        let is_small = stop.observe(&outcome, length);
        assert_eq!(is_small, outcome.k >= least && hits >= needed.max(1), "{stop:?} {outcome:?} {length:?}");
        fuzz.called(if is_small { "small step" } else { "no small step" });
    }
}
