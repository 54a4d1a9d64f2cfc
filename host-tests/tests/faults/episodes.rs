//! Logs that are full, asked twice, or asked for the impossible.

use osculate::batch::Rows;
use osculate::episodic::{Episodic, Streamed};
use osculate::recomputed::StateLog;
use osculate::{Arithmetic, ConfigError, Episode, LearnerConfig, Q28Wide, Recorded};

#[test]
fn full_means_that_nothing_was_learned_and_nothing_more_will_be() {
    type A = Q28Wide;
    let (phi, small, large) = (A::features(&[1.0]).unwrap(), A::target(0.001).unwrap(), A::target(1.0).unwrap());
    let mut full = Streamed::<A, u32, 1, 8>::new(LearnerConfig::predictable(), 1.0, |key| *key).unwrap();
    let mut reference = full.clone();
    for key in 0..A::MAX_ROWS as u32 {
        assert_eq!(full.record(key, &phi, Some(small)), Recorded::First);
        reference.record(key, &phi, Some(small));
    }
    assert_eq!(full.record(200, &phi, Some(large)), Recorded::Full);
    assert_eq!(full.record(0, &phi, Some(large)), Recorded::Full, "though it was seen before");
    assert_eq!((full.end_episode(), full.weights()), (reference.end_episode(), reference.weights()));
    assert_eq!(full.record(200, &phi, Some(large)), Recorded::First, "a new episode has room");
}

#[test]
fn a_key_without_a_place_ends_a_streamed_episode_for_good() {
    let mut learner = Streamed::<f32, u32, 1, 1>::new(LearnerConfig::predictable(), 0.5, |key| *key).unwrap();
    assert_eq!(learner.record(32, &[1.0], Some(1.0)), Recorded::Full);
    assert_eq!(learner.record(1, &[1.0], Some(1.0)), Recorded::Full);
    assert_eq!(learner.end_episode().tau, 0);
    assert_eq!(learner.record(1, &[1.0], Some(1.0)), Recorded::First);
}

#[test]
fn rows_are_taken_once() {
    let mut episode = Episode::<f32, u8, 1, 8, 8>::new();
    // The first state's return is out of range, so its row is dropped.
    for (state, phi, reward) in [(0, 1e-38, 1e38), (1, 1.0, 1.0), (2, 1.0, 2.0)] {
        episode.record(state, &[phi], reward);
    }
    let first = episode.monte_carlo(0.5).unwrap();
    assert_eq!((first.count(), first.dropped()), (2, 1));
    let second = episode.monte_carlo(0.5).unwrap();
    assert_eq!((second.count(), second.dropped()), (0, 0), "they are gone");
    assert_eq!(episode.one_step(0.5, &[1.0]).unwrap().count(), 0);
    assert!(episode.is_empty());
    assert_eq!(episode.record(0, &[1.0], 1.0), Recorded::First, "a new episode");
    assert_eq!((episode.len(), episode.monte_carlo(0.5).unwrap().count()), (1, 1));
}

#[test]
fn states_are_taken_once() {
    let features = |_: &u8| Ok([1.0]);
    let mut log = StateLog::<f32, u8, 8, 8>::new();
    for (state, reward) in [(0, 4.0), (1, 1.0), (0, f32::NAN)] {
        log.record(state, reward);
    }
    let first = log.monte_carlo::<_, 1>(0.5, features).unwrap();
    assert_eq!((first.count(), first.dropped()), (2, 1));
    let second = log.monte_carlo::<_, 1>(0.5, features).unwrap();
    assert_eq!((second.count(), second.dropped()), (0, 0), "they are gone");
    assert_eq!(log.record(1, 1.0), Recorded::First, "a new episode");
    let third = log.monte_carlo::<_, 1>(0.5, features).unwrap();
    assert_eq!((third.count(), third.dropped()), (1, 0));
}

#[test]
fn a_state_log_counts_what_an_episode_counts() {
    let features = |state: &u8| Ok(if *state == 0 { [f32::NAN] } else { [f32::from(*state)] });
    let mut episode = Episode::<f32, u8, 1, 8, 8>::new();
    let mut log = StateLog::<f32, u8, 8, 8>::new();
    for state in [0, 1, 0, 2, 0, 1] {
        episode.record(state, &features(&state).unwrap(), 1.0);
        log.record(state, 1.0);
    }
    let (one, other) = (episode.monte_carlo(0.5).unwrap(), log.monte_carlo::<_, 1>(0.5, features).unwrap());
    assert_eq!((one.count(), one.dropped()), (2, 3));
    assert_eq!((other.count(), other.dropped()), (2, 3));
}

#[test]
fn a_discount_that_is_none_is_refused_and_changes_nothing() {
    let mut episode = Episode::<Q28Wide, u8, 1, 8, 8>::new();
    let mut log = StateLog::<f32, u8, 8, 8>::new();
    let (phi, one) = (Q28Wide::features(&[1.0]).unwrap(), Q28Wide::target(1.0).unwrap());
    episode.record(0, &phi, one);
    log.record(0, 1.0);
    for gamma in [f32::NAN, f32::INFINITY, -0.5, 1e10] {
        assert_eq!(episode.cut(gamma, one).unwrap_err(), ConfigError::Gamma);
        assert_eq!(episode.monte_carlo(gamma).unwrap_err(), ConfigError::Gamma);
        assert_eq!(episode.one_step(gamma, &[Default::default()]).unwrap_err(), ConfigError::Gamma);
        assert_eq!(log.monte_carlo(gamma, |_| Ok([1.0])).map(|rows| rows.count()).unwrap_err(), ConfigError::Gamma);
    }
    assert_eq!((episode.len(), episode.monte_carlo(0.5).unwrap().count()), (1, 1));
    assert_eq!(log.monte_carlo(0.5, |_| Ok([1.0])).unwrap().count(), 1);
}
