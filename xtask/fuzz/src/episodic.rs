//! Learners that are fed step by step, with a log and without one.

use std::fmt::Debug;

use osculate::episodic::{Episodic, Logged, Streamed, Targets};
use osculate::{ConfigError, Learner, Recorded};

use super::Fuzz;
use super::check::{counted, faults, finite, is_discount, made, said, shown, streaming_faults, unchanged};
use super::episode::name;
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(8) {
        0 => logged::<A, 1, 250, 200>(fuzz),
        1..4 => logged::<A, 3, 16, 6>(fuzz),
        4 => streamed::<A, 1, 6>(fuzz),
        _ => streamed::<A, 3, 1>(fuzz),
    }
}

fn logged<A: Fuzzed, const N: usize, const STEPS: usize, const ROWS: usize>(fuzz: &mut Fuzz) {
    let config = fuzz.config::<A::Scalar>();
    let Some(learner) = made(fuzz, Learner::<A, N>::new(config), &faults(&config)) else { return };
    let (gamma, targets) = (fuzz.gamma::<A::Scalar>(), fuzz.pick(&[Targets::MonteCarlo, Targets::OneStep]));
    let bad_gamma: &[_] = if is_discount(gamma) { &[] } else { &[ConfigError::Gamma] };
    if let Some(learner) = made(fuzz, Logged::<A, u32, N, STEPS, ROWS>::new(learner, gamma, targets), bad_gamma) {
        learn::<A, _, N>(fuzz, learner, ROWS as u32 + 2);
    }
}

fn streamed<A: Fuzzed, const N: usize, const WORDS: usize>(fuzz: &mut Fuzz) {
    let (config, gamma) = (fuzz.streaming_config::<A::Scalar>(), fuzz.gamma::<A::Scalar>());
    let learner = Streamed::<A, u32, N, WORDS>::new(config, gamma, |key| *key);
    if let Some(learner) = made(fuzz, learner, &streaming_faults(&config, gamma)) {
        learn::<A, _, N>(fuzz, learner, 32 * WORDS as u32 + 1);
    }
}

fn learn<A: Fuzzed, L, const N: usize>(fuzz: &mut Fuzz, mut learner: L, keys: u32)
where
    L: Episodic<A, u32, N> + Clone + Debug,
{
    // It never hears of what was refused.
    let mut twin = learner.clone();
    let (gamma, mut k): (f64, _) = (learner.gamma().into(), 0);
    for _ in 0..12 {
        let [mut firsts, mut dropped] = [0; 2];
        let mut full = false;
        let weights = *learner.weights();
        for _ in 0..fuzz.length() {
            let Ok(features) = A::any_features::<N>(fuzz) else {
                fuzz.called("no features");
                continue;
            };
            let key = if fuzz.one_in(64) { fuzz.dice.bits() } else { fuzz.below(keys) };
            let reward = (!fuzz.one_in(16)).then(|| A::any_target(fuzz));
            let is_usable = reward.is_some_and(|reward| A::number(reward).is_finite());
            let before = learner.clone();
            let recorded = learner.record(key, &features, reward);
            fuzz.called(name(recorded));
            assert!(!full || recorded == Recorded::Full, "{recorded:?} after it was full");
            match recorded {
                Recorded::Full => full = true,
                Recorded::BadReward => assert!(!is_usable),
                Recorded::BadFeatures(error) => assert!(is_usable && A::flaw(&features) == Some(error)),
                Recorded::First => assert!(is_usable && A::flaw(&features).is_none()),
                _ => assert!(is_usable),
            }
            firsts += u32::from(recorded == Recorded::First);
            dropped += u32::from(matches!(recorded, Recorded::BadReward | Recorded::BadFeatures(_)));
            if !matches!(recorded, Recorded::Full | Recorded::BadReward) {
                assert_eq!(twin.record(key, &features, reward), recorded);
            } else if keys < 50 || fuzz.one_in(32) {
                // To look at a long log takes long.
                without_end(&before, &learner, &recorded);
            }
        }
        if fuzz.one_in(4) {
            let value = A::any_target(fuzz);
            learner.cut(value);
            twin.cut(value);
            fuzz.called("cut");
        }
        assert_eq!(*learner.weights(), weights, "within an episode");
        let (outcome, other) = (learner.end_episode(), twin.end_episode());
        k = counted(fuzz, &outcome, k);
        assert!(outcome.tau <= firsts, "{outcome:?} from {firsts} first visits");
        assert_eq!(outcome.tau + outcome.dropped, firsts + dropped, "a row is neither there nor counted");
        assert_eq!(said(&outcome), said(&other), "a refused step has left a trace");
        finite(&[learner.weights(), learner.estimate()]);
        assert_eq!((learner.weights(), learner.estimate()), (twin.weights(), twin.estimate()));
        assert_eq!(learner.gamma().into(), gamma);
        if fuzz.one_in(8) {
            let estimate = *learner.estimate();
            learner.restart();
            twin.restart();
            k = 0;
            fuzz.called("restarted");
            assert_eq!((learner.weights(), learner.estimate()), (&estimate, &estimate));
        }
        if !fuzz.goes_on() {
            return;
        }
    }
}

/// Nothing has changed, but that an episode that had ended before is forgotten.
fn without_end<L: Debug>(before: &L, after: &L, by: &Recorded) {
    if !shown(before).contains("ended: true") {
        unchanged(before, after, by);
    }
}
