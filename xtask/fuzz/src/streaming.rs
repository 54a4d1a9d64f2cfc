//! Learning without a log: steps, ends and restarts in any order.

use osculate::{RowError, Scalar, StreamingLearner, Verdict};

use super::Fuzz;
use super::check::{counted, finite, made, said, shown, streaming_faults, unchanged};
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    if fuzz.one_in(2) { learn::<A, 1>(fuzz) } else { learn::<A, 3>(fuzz) }
}

/// What an episode has come to.
#[derive(Default)]
struct Episode {
    tau: u32,
    dropped: u32,
    full: bool,
}

fn learn<A: Fuzzed, const N: usize>(fuzz: &mut Fuzz) {
    let (config, gamma) = (fuzz.streaming_config::<A::Scalar>(), fuzz.gamma::<A::Scalar>());
    let learner = StreamingLearner::<A, N>::new(config, gamma);
    let Some(mut learner) = made(fuzz, learner, &streaming_faults(&config, gamma)) else { return };
    // It never hears of what was refused.
    let mut twin = learner.clone();
    for _ in 0..16 {
        let mut episode = Episode::default();
        for _ in 0..fuzz.length() {
            step(fuzz, &mut learner, &mut twin, &mut episode);
            if fuzz.one_in(256) {
                restart(fuzz, &mut learner, &mut twin);
            }
        }
        let (before, k) = (learner.clone(), learner.steps());
        let (outcome, other) = (learner.end_episode(), twin.end_episode());
        let k = counted(fuzz, &outcome, k);
        assert_eq!((outcome.tau, outcome.dropped, learner.steps()), (episode.tau, episode.dropped, k));
        assert_eq!(said(&outcome), said(&other), "a refused step has left a trace");
        assert_eq!(shown(&learner), shown(&twin), "a refused step has left a trace");
        assert!(learner.step_length() >= A::Scalar::ZERO, "{:?}", learner.step_length());
        if outcome.verdict != Verdict::Stepped {
            // All but the episode, which is over.
            let known = |learner| shown(learner).split(", episode: ").next().map(str::to_owned);
            assert_eq!(known(&before), known(&learner), "{outcome:?} has changed something");
        }
        finite(&[learner.weights(), learner.averaged()]);
        if fuzz.one_in(16) {
            restart(fuzz, &mut learner, &mut twin);
        }
        if !fuzz.goes_on() {
            return;
        }
    }
}

fn step<A: Fuzzed, const N: usize>(
    fuzz: &mut Fuzz,
    learner: &mut StreamingLearner<A, N>,
    twin: &mut StreamingLearner<A, N>,
    episode: &mut Episode,
) {
    let Ok(features) = A::any_features::<N>(fuzz) else { return fuzz.called("no features") };
    let (first, reward, flaw) = (fuzz.below(4) > 0, A::any_target(fuzz), A::flaw(&features));
    let is_usable = A::number(reward).is_finite();
    let before = learner.clone();
    match learner.step(&features, first, reward) {
        Ok(()) => {
            fuzz.called(if first { "first" } else { "again" });
            assert!(!episode.full && is_usable && (!first || flaw.is_none()));
            episode.tau += u32::from(first);
            twin.step(&features, first, reward).expect("it was accepted before");
        }
        Err(RowError::BatchFull) => {
            fuzz.called("full");
            let has_no_room = first && flaw.is_none() && is_usable && episode.tau as usize == A::MAX_ROWS;
            assert!(episode.full || has_no_room);
            episode.full = true;
            unchanged(&before, learner, &RowError::BatchFull);
        }
        Err(RowError::NonFiniteTarget) => {
            fuzz.called("bad reward");
            assert!(!episode.full && !is_usable);
            episode.dropped += 1;
            unchanged(&before, learner, &RowError::NonFiniteTarget);
        }
        Err(error) => {
            fuzz.called("bad features");
            assert!(!episode.full && is_usable && first);
            assert_eq!(Some(error), flaw);
            episode.dropped += 1;
            // The reward counts for the states before.
            twin.step(&features, false, reward).expect("nobody looks at the features");
        }
    }
}

fn restart<A: Fuzzed, const N: usize>(
    fuzz: &mut Fuzz,
    learner: &mut StreamingLearner<A, N>,
    twin: &mut StreamingLearner<A, N>,
) {
    let estimate = *learner.averaged();
    learner.restart();
    twin.restart();
    fuzz.called("restarted");
    assert_eq!((learner.weights(), learner.averaged(), learner.steps()), (&estimate, &estimate, 0));
    assert_eq!(learner.step_length(), A::Scalar::ZERO);
}
