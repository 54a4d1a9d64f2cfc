//! Recorded bits: every rule and arithmetic still computes what it did when `golden.txt` was accepted.
//!
//! The references define what is right. This test detects what has *changed* when code around the arithmetic is
//! refactored. To accept an intended change: `UPDATE_GOLDEN=1 cargo test -p osculate-host-tests --test golden`.

use std::num::NonZeroU32;
use std::{env, fs};

use osculate::{
    Arithmetic, Log, Predictor, Q24, Q28, Schedule, Stored, StoredConfig, Streaming, StreamingConfig, Targets, Theta,
    Tracking, TrackingConfig, Verdict,
};
use osculate_apps::digest::Digest;
use osculate_host_tests::any_rule::{AnyRule, Listed, Visit};
use osculate_host_tests::worlds::Dice;

const UPDATES: usize = 1000;
const UPDATES_PER_DIGEST: usize = 100;
const N: usize = 6;
const STATES: u32 = 24;
const STEPS: u32 = 40;
const GAMMA: f32 = 0.9375;

/// One digest per hundred updates on random walks through states with features of all scales, some of them unusable.
fn digests<A: Arithmetic, L: AnyRule<A, N>>(learner: L) -> Vec<u64> {
    let mut predictor = Predictor::new(learner);
    let mut dice = Dice::new(77);
    let states: Vec<([f32; N], f32)> = (0..STATES)
        .map(|state| {
            let unit = 2_f32.powi(dice.below(9) as i32 - 4);
            // One state has no features, and one has a reward that does not fit any fixed-point format.
            let features = std::array::from_fn(|_| if state == 5 { 0.0 } else { dice.uniform() * unit });
            (features, if state == 11 { 3e9 } else { dice.uniform() })
        })
        .collect();
    let (mut digests, mut stepped) = (Vec::new(), 0);
    for _ in 0..UPDATES / UPDATES_PER_DIGEST {
        let mut digest = Digest::new();
        for _ in 0..UPDATES_PER_DIGEST {
            let (mut state, mut signal) = (dice.below(STATES), None);
            for _ in 0..1 + dice.below(STEPS) {
                let (features, reward) = states[state as usize];
                let reward = reward + 0.5 * dice.uniform();
                // The recording left out numbers that a format cannot hold.
                if A::NAME == "f32" || reward < 2e9 {
                    _ = L::step_at(&mut predictor, state, signal, &features);
                    signal = Some(reward);
                }
                state = (state + 1 + dice.below(3)) % STATES;
            }
            predictor.finish_with(signal);
            let outcome = L::update(predictor.end());
            stepped += usize::from(outcome.verdict == Verdict::Stepped);
            let counts = [outcome.k, outcome.tau, outcome.dropped, outcome.saturated, outcome.verdict as u32];
            counts.into_iter().for_each(|count| digest.add(&u64::from(count).to_le_bytes()));
            [outcome.theta, outcome.g_norm].into_iter().for_each(|x| digest.add(&u64::from(x.to_bits()).to_le_bytes()));
            let [weights, averaged, _] = predictor.learner().vectors();
            [weights, averaged]
                .into_iter()
                .flatten()
                .for_each(|&w| digest.add(&Into::<f64>::into(w).to_bits().to_le_bytes()));
        }
        digests.push(digest.value());
    }
    assert!(stepped > UPDATES / 2, "only {stepped} updates have moved anything");
    digests
}

fn lines<A: Arithmetic>(arithmetic: &str) -> Vec<String> {
    let stored = |config: StoredConfig| {
        let config = StoredConfig { gamma: GAMMA, ..config };
        digests(Stored::new(config, Log::<A, N, 64, 32>::NEW))
    };
    let one_step = |config: StoredConfig| stored(StoredConfig { targets: Targets::OneStep, ..config });
    let (paper, predictable) = (StoredConfig::PAPER, StoredConfig::PREDICTABLE);
    let every = NonZeroU32::new(8).unwrap();
    let streaming = StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT };
    let all = [
        ("paper", stored(paper)),
        ("paper, one-step", one_step(paper)),
        ("paper, constant gain", stored(StoredConfig { schedule: Schedule::Constant(0.25), ..paper })),
        ("plain", stored(StoredConfig::PLAIN)),
        ("predictable", stored(predictable)),
        ("predictable, one-step", one_step(predictable)),
        (
            "predictable, curvature in every 8th",
            stored(StoredConfig { theta: Theta::PastBatches { every }, ..predictable }),
        ),
        ("streaming", digests(Streaming::<A, N, 1>::by_state(streaming))),
    ];
    recorded(arithmetic, &all)
}

/// The rule that learns at every sample: plain, along a trace, and from the next sample alone.
fn tracking_lines<A: Arithmetic>(arithmetic: &str) -> Vec<String> {
    let tracking = |gamma, lambda| {
        let config = TrackingConfig { gamma, lambda, ..TrackingConfig::DEFAULT };
        digests(Tracking::<A, N>::new(config))
    };
    let all = [
        ("tracking", tracking(GAMMA, 0.8)),
        ("tracking, no trace", tracking(GAMMA, 0.0)),
        ("tracking, no discount", tracking(0.0, 0.8)),
    ];
    recorded(arithmetic, &all)
}

/// Rules that have come since, with their defaults.
fn other_lines<A: Arithmetic>(arithmetic: &str) -> Vec<String> {
    struct Record;
    impl<A: Arithmetic> Visit<A, N> for Record {
        type Output = Vec<u64>;
        fn visit(self, learner: impl AnyRule<A, N> + 'static) -> Vec<u64> {
            digests(learner)
        }
    }
    let others = Listed::ALL.into_iter().filter(|rule| rule.number() > 5);
    others.flat_map(|rule| recorded(arithmetic, &[(&format!("{rule:?}"), rule.visit::<A, _, N>(Record))])).collect()
}

fn recorded(arithmetic: &str, all: &[(&str, Vec<u64>)]) -> Vec<String> {
    let line = |(rule, digests): &(&str, Vec<u64>)| {
        let digests: Vec<_> = digests.iter().map(|digest| format!("{digest:016x}")).collect();
        format!("{rule}, {arithmetic}: {}", digests.join(" "))
    };
    all.iter().map(line).collect()
}

#[test]
fn no_bit_has_changed_since_it_was_recorded() {
    // Tests run in the folder of their package.
    let file = "golden.txt";
    let today = [
        lines::<f32>("f32"),
        lines::<Q28>("q28"),
        lines::<Q24>("q24"),
        tracking_lines::<f32>("f32"),
        tracking_lines::<Q28>("q28"),
        tracking_lines::<Q24>("q24"),
        other_lines::<f32>("f32"),
        other_lines::<Q28>("q28"),
        other_lines::<Q24>("q24"),
    ];
    let today = today.concat();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(file, today.join("\n") + "\n").unwrap();
    }
    let recorded = fs::read_to_string(file).unwrap_or_default();
    let recorded: Vec<_> = recorded.lines().collect();
    assert_eq!(recorded.len(), today.len(), "golden.txt and this test know different rules");
    for (recorded, today) in recorded.into_iter().zip(&today) {
        assert_eq!(recorded, today, "digests of {UPDATES_PER_DIGEST} updates each");
    }
}
