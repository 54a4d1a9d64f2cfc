//! Promise: streaming equals its stored form, in memory that does not depend on the episode.

use osculate::visits::VisitSet;
use osculate::{Arithmetic, Learner, LearnerConfig, Q24, Q28, RowError, StreamingLearner, Verdict};
use osculate_host_tests::reference::previous_direction::PreviousDirection;
use osculate_host_tests::worlds::{Chain, Dice};

const N: usize = 10;
const GAMMA: f64 = 0.9;

/// An episode's first-visit rows with returns, all in f64.
fn rows(chain: &Chain, visits: &[(usize, f32)]) -> Vec<(Vec<f64>, f64)> {
    let value = |t: usize| visits[t..].iter().rev().fold(0.0, |next, (_, reward)| f64::from(*reward) + GAMMA * next);
    let first = |t: &usize| visits[..*t].iter().all(|(state, _)| *state != visits[*t].0);
    let phi = |state: usize| chain.features(state).iter().map(|&x| f64::from(x)).collect();
    (0..visits.len()).filter(first).map(|t| (phi(visits[t].0), value(t))).collect()
}

#[test]
fn streaming_equals_the_stored_form_with_the_previous_direction() {
    let mut worst: f64 = 0.0;
    for seed in 0..16 {
        let chain = Chain::new(seed, 25, N);
        let mut dice = Dice::new(seed + 500);
        let mut stored = PreviousDirection::new(N);
        let mut streaming = StreamingLearner::<f64, N>::new(LearnerConfig::predictable(), GAMMA).unwrap();
        let mut visited = VisitSet::<1>::new();
        for _ in 0..1_000 {
            let visits = chain.episode(&mut dice);
            visited.clear();
            for (state, reward) in &visits {
                let phi: Vec<f64> = chain.features(*state).iter().map(|&x| x.into()).collect();
                let first = visited.visit(*state as u32).unwrap();
                streaming.step(&phi.try_into().unwrap(), first, f64::from(*reward)).unwrap();
            }
            let outcome = streaming.end_episode();
            let rows = rows(&chain, &visits);
            let theta = stored.update(&rows);
            assert_eq!((outcome.verdict, outcome.tau as usize), (Verdict::Stepped, rows.len()));
            worst = worst.max((outcome.theta / theta - 1.0).abs());
            let scale = stored.w.norm();
            for i in 0..N {
                worst = worst.max((streaming.weights()[i] - stored.w[i]).abs() / scale);
                worst = worst.max((streaming.averaged()[i] - stored.averaged[i]).abs() / scale);
            }
        }
    }
    println!("streaming against its stored form, f64, 16 x 1000 episodes: largest relative difference {worst:.1e}");
    assert!(worst <= 1e-12, "{worst:e}");
}

#[test]
fn a_learner_of_32_features_takes_the_memory_that_the_readme_says() {
    let [f32, q28, q24] = [
        size_of::<StreamingLearner<f32, 32>>(),
        size_of::<StreamingLearner<Q28, 32>>(),
        size_of::<StreamingLearner<Q24, 32>>(),
    ];
    println!("streaming, n = 32, bytes of RAM without the visit set: f32 {f32}, q28 {q28}, q24 {q24}");
    println!("stored rules, n = 32, bytes of RAM without the log: f32 {}", size_of::<Learner<f32, 32>>());
    let promise = format!("{f32} bytes for n = 32 in f32, {q28} in fixed point");
    assert!(include_str!("../../README.md").contains(&promise), "not in the README: {promise}");
    assert_eq!(q28, q24);
}

#[test]
fn bad_steps_are_dropped_counted_and_change_no_bit() {
    let mut clean = StreamingLearner::<f32, 2>::new(LearnerConfig::predictable(), 0.9).unwrap();
    let mut dirty = clean.clone();
    for episode in 0..20 {
        for (t, features) in [[1.0, 0.5], [0.25, -1.0], [0.5, 0.5]].into_iter().enumerate() {
            let reward = (episode + t) as f32 / 8.0;
            assert_eq!(dirty.step(&features, true, f32::NAN), Err(RowError::NonFiniteTarget));
            clean.step(&features, true, reward).unwrap();
            dirty.step(&features, true, reward).unwrap();
        }
        // A last state that cannot be used, and that brings no reward, only ages the trace.
        assert_eq!(dirty.step(&[f32::NAN, 0.0], true, 0.0), Err(RowError::NonFiniteFeature));
        assert_eq!((clean.end_episode().dropped, dirty.end_episode().dropped), (0, 4));
        assert_eq!(clean.weights().map(f32::to_bits), dirty.weights().map(f32::to_bits));
    }
}

#[test]
fn without_a_discount_nothing_of_a_late_reward_is_lost() {
    let mut learner = StreamingLearner::<Q28, 1>::new(LearnerConfig::predictable(), 1.0).unwrap();
    let one = Q28::features(&[1.0]).unwrap();
    for t in 0..100_000 {
        learner.step(&one, t == 0, Q28::target(if t == 99_999 { 1.0 } else { 0.0 }).unwrap()).unwrap();
    }
    learner.end_episode();
    let [w] = learner.weights().map(f64::from);
    assert!((w - 1.0).abs() < 1e-4, "{w}");
}
