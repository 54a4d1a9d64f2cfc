//! Rows in a batch, and updates from it.

use osculate::batch::Rows;
use osculate::{Arithmetic, Batch, Learner, RowError, Verdict};

use super::Fuzz;
use super::check::{counted, faults, finite, made, said, unchanged};
use super::number::Fuzzed;

/// A learner from one feature to as many as there may be, and more rows than the widest format has room for.
pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(64) {
        0 => learn::<A, 128, 160>(fuzz),
        1 => learn::<A, 1, 200>(fuzz),
        _ => learn::<A, 3, 6>(fuzz),
    }
}

fn learn<A: Fuzzed, const N: usize, const T: usize>(fuzz: &mut Fuzz) {
    let config = fuzz.config::<A::Scalar>();
    let Some(mut learner) = made(fuzz, Learner::<A, N>::new(config), &faults(&config)) else { return };
    // On the heap: 128 rows of 128 features would be much of a test thread's stack.
    let (mut batch, mut clean) = (Box::new(Batch::<A, N, T>::new()), Box::new(Batch::<A, N, T>::new()));
    for _ in 0..16 {
        batch.clear();
        clean.clear();
        let (accepted, dropped) = fill(fuzz, &mut batch, &mut clean);
        let (before, k) = (learner.clone(), learner.steps());
        let mut without_refused = learner.clone();
        let outcome = learner.update(&*batch);
        let k = counted(fuzz, &outcome, k);
        assert_eq!((outcome.tau, outcome.dropped, learner.steps()), (accepted, dropped, k));
        assert_eq!(said(&outcome), said(&without_refused.update(&*clean)), "a refused row has left a trace");
        assert_eq!(state(&learner), state(&without_refused), "a refused row has left a trace");
        if outcome.verdict != Verdict::Stepped {
            unchanged(&before, &learner, &outcome);
        }
        if fuzz.one_in(32) {
            let estimate = *learner.estimate();
            learner.restart();
            fuzz.called("restarted");
            assert_eq!((learner.weights(), learner.averaged(), learner.steps()), (&estimate, &estimate, 0));
        }
        if !fuzz.goes_on() {
            return;
        }
    }
}

/// Some rows for one batch, and those that it has accepted for the other: how many it has, and how many it has dropped.
fn fill<A: Fuzzed, const N: usize, const T: usize>(
    fuzz: &mut Fuzz,
    batch: &mut Batch<A, N, T>,
    clean: &mut Batch<A, N, T>,
) -> (u32, u32) {
    let (mut accepted, mut dropped) = (0, 0);
    for _ in 0..fuzz.below(T as u32 + 2) {
        let Ok(features) = A::any_features::<N>(fuzz) else {
            fuzz.called("no features");
            continue;
        };
        let target = A::any_target(fuzz);
        // A large batch is looked at only in the end.
        let before = (T < 10).then(|| batch.clone());
        match batch.push(&features, target) {
            Ok(()) => {
                fuzz.called("row");
                assert!(A::flaw(&features).is_none() && A::number(target).is_finite());
                accepted += 1;
                clean.push(&features, target).expect("what is good once is good twice");
            }
            Err(error) => {
                fuzz.called("row refused");
                let flaw = A::flaw(&features);
                let is_full = accepted as usize == T.min(A::MAX_ROWS);
                match error {
                    RowError::BatchFull => assert!(is_full && flaw.is_none()),
                    RowError::NonFiniteTarget => assert!(!A::number(target).is_finite() && flaw.is_none()),
                    RowError::TargetOutOfRange => assert!(flaw.is_none()),
                    error => assert_eq!(Some(error), flaw),
                }
                if let Some(before) = before {
                    unchanged(&before, batch, &error);
                }
                dropped += 1;
            }
        }
        assert_eq!((batch.count() as u32, batch.dropped()), (accepted, dropped));
    }
    (accepted, dropped)
}

/// Every bit that a learner shows.
fn state<A: Arithmetic, const N: usize>(learner: &Learner<A, N>) -> (Vec<u64>, u32) {
    (finite(&[learner.weights(), learner.velocity(), learner.averaged()]), learner.steps())
}
