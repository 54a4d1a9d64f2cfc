//! The promises that more than one surface makes.

use std::fmt::{Debug, Write};

use osculate::{ConfigError, LearnerConfig, Outcome, Rule, Scalar, Schedule, Verdict};

use super::Fuzz;
use super::number::Fuzzed;

/// What a call that refuses something may change: counts, and the mark that says so.
const MARKS: [&str; 3] = ["dropped: ", "full: ", "steps: "];

/// All that `Debug` shows of something, in which every bit of a finite number can be told, but for the marks.
pub(super) fn shown(what: &dyn Debug) -> String {
    let mut text = String::with_capacity(1 << 10);
    write!(text, "{what:?}").expect("a string has room");
    for mark in MARKS {
        let mut from = 0;
        while let Some(found) = text[from..].find(mark) {
            from += found + mark.len();
            let value = text[from..].find(|c: char| !c.is_alphanumeric()).unwrap_or(0);
            text.replace_range(from..from + value, "");
        }
    }
    text
}

/// Promise 3.
pub(super) fn unchanged(before: &dyn Debug, after: &dyn Debug, by: &dyn Debug) {
    assert_eq!(shown(before), shown(after), "{by:?} has changed something");
}

/// Promise 2: the numbers of a vector, to the bit.
pub(super) fn finite<W: Copy + Debug + Into<f64>>(vectors: &[&[W]]) -> Vec<u64> {
    let numbers = vectors.iter().copied().flatten().map(|&x| x.into());
    let bits = numbers.map(|x: f64| x.is_finite().then_some(x.to_bits())).collect();
    Option::unwrap_or_else(bits, || panic!("not finite: {vectors:?}"))
}

/// Promise 4, for an update that k = `k` updates came before. How many are to be counted after it.
pub(super) fn counted<S: Scalar>(fuzz: &mut Fuzz, outcome: &Outcome<S>, k: u32) -> u32 {
    let [g_norm, theta]: [f64; 2] = [outcome.g_norm.into(), outcome.theta.into()];
    assert_eq!(outcome.k, k + 1);
    assert_eq!(outcome.tau == 0, outcome.verdict == Verdict::Empty, "{outcome:?}");
    assert!(g_norm >= 0.0, "{outcome:?}");
    if outcome.verdict == Verdict::Stepped {
        assert!(theta.is_finite() && theta > 0.0, "{outcome:?}");
    }
    fuzz.called(match outcome.verdict {
        Verdict::Stepped => "stepped",
        Verdict::Skipped => "skipped",
        Verdict::Empty => "empty",
        _ => "overflowed",
    });
    if outcome.saturated > 0 {
        fuzz.saw("saturated");
    }
    if outcome.verdict == Verdict::Empty { k } else { outcome.k }
}

/// What an update says, to the bit, apart from the rows that were dropped.
pub(super) fn said<S: Scalar>(outcome: &Outcome<S>) -> (u32, u32, u32, u64, u64, Verdict) {
    let bits = |x: S| -> u64 { Into::<f64>::into(x).to_bits() };
    let Outcome { k, tau, saturated, g_norm, theta, verdict, .. } = *outcome;
    (k, tau, saturated, bits(g_norm), bits(theta), verdict)
}

/// Promise 6: whatever was made, if it was.
pub(super) fn made<T>(fuzz: &mut Fuzz, made: Result<T, ConfigError>, faults: &[ConfigError]) -> Option<T> {
    let error = made.as_ref().err();
    let is_right = error.map_or(faults.is_empty(), |error| faults.contains(error));
    assert!(is_right, "{error:?} of {faults:?}");
    fuzz.called(if error.is_none() { "made" } else { "config refused" });
    made.ok()
}

/// What is wrong with a learner's configuration.
pub(super) fn faults<S: Scalar>(config: &LearnerConfig<S>) -> Vec<ConfigError> {
    let number = |x: S| -> f64 { x.into() };
    let gain = match config.schedule {
        Schedule::Constant(gain) => number(gain),
        _ => 1.0,
    };
    let (beta, skip, cap) = (number(config.beta), number(config.skip_below), config.theta_cap.map_or(1.0, number));
    let checks = [
        ((0.0..1.0).contains(&beta), ConfigError::Beta),
        (skip.is_finite() && skip >= 0.0, ConfigError::SkipBelow),
        (cap.is_finite() && cap >= 1.0, ConfigError::ThetaCap),
        (gain.is_finite() && gain > 0.0, ConfigError::Gain),
    ];
    checks.into_iter().filter(|(good, _)| !good).map(|(_, fault)| fault).collect()
}

/// What is wrong with it, or with γ, for a learner that streams.
pub(super) fn streaming_faults<S: Scalar>(config: &LearnerConfig<S>, gamma: S) -> Vec<ConfigError> {
    let ignored = config.rule != Rule::Predictable || config.skip_below != S::ZERO || config.curvature_every.get() != 1;
    let mut faults = faults(config);
    faults.extend(ignored.then_some(ConfigError::Streaming));
    faults.extend((!is_discount(gamma)).then_some(ConfigError::Gamma));
    faults
}

/// Whether γ is in [0, 1].
pub(super) fn is_discount(gamma: impl Into<f64>) -> bool {
    (0.0..=1.0).contains(&gamma.into())
}

/// φ·w in plain f64, and how far an arithmetic may be from it.
pub(super) struct Plain {
    pub(super) value: f64,
    pub(super) bound: f64,
    /// The largest number on the way.
    pub(super) size: f64,
}

impl Plain {
    pub(super) fn dot<A: Fuzzed, const N: usize>(features: &A::Features<N>, weights: &[A::Weight; N]) -> Self {
        let (features, off) = A::plain(features);
        let weights = weights.map(|w| -> f64 { w.into() });
        let products = features.iter().zip(&weights).map(|(x, w)| x * w);
        let size: f64 = products.clone().map(f64::abs).sum();
        let off: f64 = weights.iter().map(|w| off * w.abs()).sum();
        // A product and a sum per feature, here and there.
        let bound = off + (N as f64 + 2.0) * (A::UNIT + A::EPSILON * size);
        Self { value: products.sum(), bound, size }
    }

    /// The same by way of a row, whose largest feature is near 1: what is much smaller than it may be too small to be held.
    pub(super) fn of_row<A: Fuzzed, const N: usize>(self, features: &A::Features<N>, weights: &[A::Weight; N]) -> Self {
        let largest = A::plain(features).0.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let sum: f64 = weights.iter().map(|w| Into::<f64>::into(*w).abs()).sum();
        let bound = self.bound + A::UNIT * (N as f64 + sum) * 2.0 * largest;
        Self { bound, size: self.size.max(2.0 * sum), ..self }
    }

    pub(super) fn backup<A: Fuzzed>(reward: A::Target, gamma: A::Scalar, next: A::Target) -> Self {
        let (reward, discounted) = (A::number(reward), gamma.into() * A::number(next));
        let size = reward.abs() + discounted.abs();
        Self { value: reward + discounted, bound: 2.0 * (A::UNIT + A::EPSILON * size), size }
    }

    /// Promise 7.
    pub(super) fn is_near<A: Fuzzed>(&self, target: A::Target) -> bool {
        let number = A::number(target);
        match A::LIMITS {
            Some([least, most]) => {
                let [low, high] = [self.value - self.bound, self.value + self.bound].map(|x| x.clamp(least, most));
                (low..=high).contains(&number)
            }
            // Beyond its range a float is free to be infinite, or no number at all.
            None if self.size > Into::<f64>::into(<A::Scalar as Scalar>::MAX) / 4.0 => true,
            None => (number - self.value).abs() <= self.bound,
        }
    }
}
