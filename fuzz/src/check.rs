//! The promises that several surfaces share.

use std::fmt::Debug;

use osculate::{ConfigError, Exploration, Schedule, StoredConfig, StreamingConfig, TrackingConfig, Update, Verdict};

use super::episode::Course;
use super::input::Fuzz;

/// Promise 2: the numbers of vectors, as bits.
pub(super) fn finite<W: Copy + Debug + Into<f64>>(vectors: &[&[W]]) -> Vec<u64> {
    let numbers = vectors.iter().copied().flatten().map(|&x| x.into());
    let bits = numbers.map(|x: f64| x.is_finite().then_some(x.to_bits())).collect();
    Option::unwrap_or_else(bits, || panic!("not finite: {vectors:?}"))
}

/// Promise 4, for an update after `k` updates. Returns the expected count after it.
pub(super) fn counted<C: Course>(fuzz: &mut Fuzz, outcome: &Update, k: u32) -> u32 {
    assert!(!C::HAS_EPISODES || outcome.k == k + 1, "{outcome:?} after {k} updates");
    assert_eq!(outcome.tau == 0, outcome.verdict == Verdict::Empty, "{outcome:?}");
    assert!(outcome.g_norm >= 0.0, "{outcome:?}");
    if outcome.verdict == Verdict::Stepped {
        // A number that is finite in f64 may overflow or underflow in f32.
        assert!(outcome.theta >= 0.0, "{outcome:?}");
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
    if C::HAS_EPISODES && outcome.verdict == Verdict::Empty { k } else { outcome.k }
}

/// Promise 6. Returns the object if it was made.
pub(super) fn made<T>(fuzz: &mut Fuzz, made: Result<T, ConfigError>, faults: &[ConfigError]) -> Option<T> {
    let error = made.as_ref().err();
    let is_right = error.map_or(faults.is_empty(), |error| faults.contains(error));
    assert!(is_right, "{error:?} of {faults:?}");
    fuzz.called(if error.is_none() { "made" } else { "config refused" });
    made.ok()
}

fn wrong(checks: &[(bool, ConfigError)]) -> Vec<ConfigError> {
    checks.iter().filter(|(good, _)| !good).map(|(_, fault)| *fault).collect()
}

/// The faults of a configuration.
pub(super) fn streaming_faults(config: &StreamingConfig) -> Vec<ConfigError> {
    let StreamingConfig { gamma, schedule, beta, theta_cap } = *config;
    let gain = if let Schedule::Constant(gain) = schedule { gain } else { 1.0 };
    let cap = theta_cap.unwrap_or(1.0);
    wrong(&[
        ((0.0..=1.0).contains(&gamma), ConfigError::Gamma),
        ((0.0..1.0).contains(&beta), ConfigError::Beta),
        (cap.is_finite() && cap >= 1.0, ConfigError::ThetaCap),
        (gain.is_finite() && gain > 0.0, ConfigError::Gain),
    ])
}

pub(super) fn stored_faults(config: &StoredConfig) -> Vec<ConfigError> {
    let StoredConfig { gamma, schedule, beta, theta_cap, skip_below, .. } = *config;
    let mut faults = streaming_faults(&StreamingConfig { gamma, schedule, beta, theta_cap });
    faults.extend(wrong(&[(skip_below.is_finite() && skip_below >= 0.0, ConfigError::SkipBelow)]));
    faults
}

pub(super) fn tracking_faults(config: &TrackingConfig) -> Vec<ConfigError> {
    let TrackingConfig { gamma, lambda, gain, least_gain, every, greedy } = *config;
    let is_share = |x: f32| x > 0.0 && x <= 1.0;
    wrong(&[
        ((0.0..=1.0).contains(&gamma), ConfigError::Gamma),
        ((0.0..=1.0).contains(&lambda), ConfigError::Lambda),
        (is_share(gain), ConfigError::Gain),
        (least_gain > 0.0 && least_gain <= gain, ConfigError::LeastGain),
        (every > 0, ConfigError::Every),
        (!greedy || lambda == 0.0, ConfigError::Greedy),
    ])
}

pub(super) fn exploration_faults(exploration: Exploration) -> Vec<ConfigError> {
    let Exploration { start, half_after } = exploration;
    wrong(&[((0.0..=1.0).contains(&start), ConfigError::Epsilon), (half_after > 0, ConfigError::HalfAfter)])
}
