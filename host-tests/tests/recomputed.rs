//! Promise: features computed anew from the state give the bits of stored ones.

use osculate::recomputed::StateLog;
use osculate::{Arithmetic, Episode, Learner, LearnerConfig, Q28, RowError, Scalar};
use osculate_host_tests::worlds::{Chain, Dice};

const N: usize = 10;

fn same_bits<A: Arithmetic>(config: LearnerConfig<A::Scalar>) {
    let chain = Chain::new(5, 25, N);
    let mut dice = Dice::new(6);
    let gamma = A::Scalar::from_ratio(9, 10);
    // State 7 cannot be used: both must drop it.
    let features = |state: &usize| {
        let phi: [f32; N] = chain.features(*state).try_into().unwrap();
        A::features(if *state == 7 { &[0.0; N] } else { &phi })
    };
    let mut stored = Learner::<A, N>::new(config).unwrap();
    let mut recomputed = stored.clone();
    let mut episode = Episode::<A, usize, N, 256, 25>::new();
    let mut log = StateLog::<A, usize, 256, 25>::new();
    let mut dropped = 0;
    for _ in 0..300 {
        episode.clear();
        log.clear();
        for (state, reward) in chain.episode(&mut dice) {
            let reward = A::target(reward).unwrap();
            episode.record(state, &features(&state).unwrap(), reward);
            log.record(state, reward);
        }
        let one = stored.update(episode.monte_carlo(gamma).unwrap());
        let other = recomputed.update(&log.monte_carlo(gamma, features).unwrap());
        assert_eq!((one.tau, one.theta, one.verdict), (other.tau, other.theta, other.verdict));
        dropped += other.dropped;
        assert_eq!(stored.weights(), recomputed.weights());
    }
    assert!(dropped > 0, "state 7 was met and dropped");
}

#[test]
fn recomputed_features_give_the_bits_of_stored_ones() {
    same_bits::<f32>(LearnerConfig::default());
    same_bits::<f32>(LearnerConfig::predictable());
    same_bits::<Q28>(LearnerConfig::default());
}

#[test]
fn a_log_of_states_does_not_grow_with_the_features() {
    let stored = size_of::<Episode<f32, u8, 32, 64, 32>>();
    let states = size_of::<StateLog<f32, u8, 64, 32>>();
    println!("64 steps through 32 states of 32 features, f32: {stored} bytes stored, {states} bytes recomputed");
    assert!(states * 5 < stored);
}

#[test]
fn a_full_log_ends_the_episode() {
    use osculate::Recorded::{Again, First, Full};
    let mut log = StateLog::<f32, u8, 3, 2>::new();
    let recorded = [(0, 1.0), (1, 1.0), (2, 1.0), (0, 1.0)].map(|(state, reward)| log.record(state, reward));
    assert_eq!(recorded, [First, First, Full, Full]);
    assert!(log.is_full());
    log.clear();
    let recorded = [0, 0, 0, 0].map(|state| log.record(state, 1.0));
    assert_eq!(recorded, [First, Again, Again, Full]);
    let unusable = |_: &u8| Err::<[f32; 1], _>(RowError::NonFiniteFeature);
    assert_eq!(Learner::<f32, 1>::default().update(&log.monte_carlo(0.5, unusable).unwrap()).dropped, 3);
}
