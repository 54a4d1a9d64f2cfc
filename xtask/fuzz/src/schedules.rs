//! What decays, what stops, what is drawn, and what was visited.

use std::collections::BTreeSet;

use osculate::schedule::Exploration;
use osculate::stop::StopTest;
use osculate::visits::VisitSet;
use osculate::{Outcome, Schedule, Verdict, random};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

use super::Fuzz;
use super::number::{Bits, Fuzzed};

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(4) {
        0 => decay::<A::Scalar>(fuzz),
        1 => draw::<A::Scalar>(fuzz),
        2 => stop::<A::Scalar>(fuzz),
        _ => match fuzz.below(3) {
            0 => visit::<0>(fuzz),
            1 => visit::<1>(fuzz),
            _ => visit::<5>(fuzz),
        },
    }
}

/// A count of any size, more often near an end.
fn count(fuzz: &mut Fuzz) -> u32 {
    let bits = fuzz.dice.bits();
    match fuzz.below(4) {
        0 => fuzz.pick(&[0, 1, 2, u32::MAX - 1, u32::MAX]),
        1 => bits,
        _ => bits >> fuzz.below(32),
    }
}

fn decay<S: Bits>(fuzz: &mut Fuzz) {
    let [k, later] = [count(fuzz).max(1), count(fuzz).max(1)];
    let (k, later) = (k.min(later), k.max(later));
    for (schedule, power) in [(Schedule::<S>::Harmonic, -1.0), (Schedule::ThreeQuarters, -0.75)] {
        let [gain, then]: [f64; 2] = [k, later].map(|k| schedule.gain(k).into());
        let expected = f64::from(k).powf(power);
        assert!((gain / expected - 1.0).abs() < 1e-6, "{schedule:?} at {k}: {gain} instead of {expected}");
        assert!(0.0 < then && then <= gain, "{schedule:?} at {k}, {later}: {gain}, {then}");
        fuzz.called("gain");
    }
    let exploration = Exploration { start: fuzz.gamma::<S>(), half_after: count(fuzz).max(1) };
    let [start, epsilon, then] =
        [exploration.start, exploration.epsilon(k), exploration.epsilon(later)].map(Into::into);
    if (0.0..=1.0).contains(&start) {
        assert!(
            0.0 <= then && then <= epsilon && epsilon <= start,
            "{exploration:?} at {k}, {later}: {epsilon}, {then}"
        );
    }
    fuzz.called("epsilon");
}

fn draw<S: Bits>(fuzz: &mut Fuzz) {
    let (mut rng, bound, chance) = (Xoshiro128PlusPlus::seed_from_u64(fuzz.word()), count(fuzz), S::any(fuzz));
    assert!(random::below(&mut rng, bound) < bound.max(1));
    fuzz.called("below");
    let happens = random::happens(&mut rng, chance);
    let chance: f64 = chance.into();
    // What is no number never happens.
    assert!(if happens { chance > 0.0 } else { chance < 1.0 || chance.is_nan() }, "{chance}");
    fuzz.called("happens");
}

/// A stop test counts small steps in a row.
fn stop<S: Bits>(fuzz: &mut Fuzz) {
    let (tolerance, least, needed) = (S::any(fuzz), fuzz.below(4), fuzz.below(4));
    let mut stop = StopTest::new(tolerance, least, needed);
    let (g_norm, theta) = (S::any(fuzz), S::any(fuzz));
    let mut hits = 0;
    for _ in 0..8 {
        let verdict = fuzz.pick(&[Verdict::Stepped, Verdict::Stepped, Verdict::Skipped, Verdict::Overflow]);
        let (outcome, length) =
            (Outcome { k: fuzz.below(6), tau: 1, dropped: 0, saturated: 0, g_norm, theta, verdict }, S::any(fuzz));
        if verdict == Verdict::Stepped {
            hits = if Into::<f64>::into(length) <= tolerance.into() { hits + 1 } else { 0 };
        }
        let is_small = stop.is_step_small(&outcome, length);
        assert_eq!(is_small, outcome.k >= least && hits >= needed.max(1), "{stop:?} {outcome:?} {length:?}");
        fuzz.called(if is_small { "small step" } else { "no small step" });
    }
}

fn visit<const WORDS: usize>(fuzz: &mut Fuzz) {
    let (mut visits, mut model) = (VisitSet::<WORDS>::new(), BTreeSet::new());
    for _ in 0..32 {
        let most = 32 * WORDS as u32;
        let state = if fuzz.one_in(4) { count(fuzz) } else { fuzz.below(most + 2) };
        let has_place = state < most;
        assert_eq!(visits.contains(state), has_place.then(|| model.contains(&state)));
        let visited = visits.visit(state);
        assert_eq!(visited, has_place.then(|| model.insert(state)));
        fuzz.called(if visited.is_some() { "visit" } else { "no place" });
        if fuzz.one_in(16) {
            visits.clear();
            model.clear();
            fuzz.called("cleared");
        }
    }
}
