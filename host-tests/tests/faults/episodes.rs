//! Episodes that are full, ended twice, or made of both steps and rows with targets.

use osculate::arithmetic::backend::Backend;
use osculate::{Episodic, Space};
use osculate::{
    Limit, Log, Predictor, Q28, RowError, Stored, StoredConfig, Streaming, StreamingConfig, Targets, Update,
};

const FULL: Result<f32, RowError> = Err(RowError::Full(Limit::Rows));

fn streaming(gamma: f32) -> StreamingConfig {
    StreamingConfig { gamma, ..StreamingConfig::DEFAULT }
}

fn stored(targets: Targets) -> Predictor<Stored<Log<f32, 1, 8, 8>>> {
    let config = StoredConfig { gamma: 0.5, targets, ..StoredConfig::PAPER };
    Predictor::new(Stored::new(config, Log::NEW))
}

/// Steps with one feature: state, feature and reward.
fn walk(predictor: &mut Predictor<impl Episodic<Space = Space<f32, 1>>>, steps: &[(u32, f32, f32)]) -> Update {
    for (state, feature, reward) in steps {
        _ = predictor.step_at(*state, None, &[*feature]);
        predictor.finish_with(*reward);
    }
    predictor.end()
}

#[test]
fn full_means_that_nothing_was_learned_and_nothing_more_will_be() {
    let mut full = Predictor::new(Streaming::<Q28, 1, 2049>::by_state(streaming(1.0)));
    let mut reference = full.clone();
    for key in 0..Q28::MAX_ROWS as u32 {
        assert_eq!(full.step_at(key, 0.001, &[1.0]), Ok(0.0));
        reference.step_at(key, 0.001, &[1.0]).unwrap();
    }
    reference.finish_with(0.001);
    assert_eq!(full.step_at(65_540, 0.001, &[1.0]), FULL);
    assert_eq!(full.step_at(0, 1.0, &[1.0]), FULL, "though it was seen before");
    full.finish_with(1.0);
    assert_eq!((full.end(), full.weights()), (reference.end(), reference.weights()));
    assert!(full.step_at(65_540, None, &[1.0]).is_ok(), "a new episode has room");
}

#[test]
fn a_state_without_a_place_ends_a_streamed_episode_for_good() {
    let mut predictor = Predictor::new(Streaming::<f32, 1, 1>::by_state(streaming(0.5)));
    assert_eq!(predictor.step_at(32, None, &[1.0]), FULL);
    assert_eq!(predictor.step_at(1, 1.0, &[1.0]), FULL);
    predictor.finish_with(1.0);
    assert_eq!(predictor.end().tau, 0);
    assert_eq!(predictor.step_at(1, None, &[1.0]), Ok(0.0));
}

#[test]
fn rows_are_learned_from_once() {
    for targets in [Targets::MonteCarlo, Targets::OneStep] {
        let mut predictor = stored(targets);
        // The first state's target is out of range, so its row is dropped.
        let first = walk(&mut predictor, &[(0, 1e-38, 1e38), (1, 1.0, 1.0), (2, 1.0, 2.0)]);
        assert_eq!((first.tau, first.dropped), (2, 1));
        let second = predictor.end();
        assert_eq!((second.tau, second.dropped), (0, 0), "they are gone");
        let third = walk(&mut predictor, &[(0, 1.0, 1.0)]);
        assert_eq!((third.tau, third.dropped), (1, 0), "a new episode");
    }
}

#[test]
fn with_and_without_a_log_the_same_is_counted() {
    let steps = [0, 1, 0, 2, 0, 1].map(|state| (state, if state == 0 { f32::NAN } else { state as f32 }, 1.0));
    let mut streamed = Predictor::new(Streaming::<f32, 1, 1>::by_state(streaming(0.5)));
    let (one, other) = (walk(&mut stored(Targets::MonteCarlo), &steps), walk(&mut streamed, &steps));
    assert_eq!((one.tau, one.dropped), (2, 3));
    assert_eq!((other.tau, other.dropped), (2, 3));
}

/// The row of a step that was waiting for its reward was taken to be the last row, even if a row with its target came
/// after it.
#[test]
fn a_step_that_is_left_out_takes_no_other_row_along() {
    let mut mixed = stored(Targets::MonteCarlo);
    let mut apart = mixed.clone();
    for reward in [None, Some(f32::NAN), Some(4.0)] {
        mixed.step(None, &[1.0]).unwrap();
        mixed.step(8.0, &[2.0]).unwrap();
        mixed.learn(3.0, &[4.0]).unwrap();
        mixed.learn(5.0, &[8.0]).unwrap();
        mixed.step(reward, &[16.0]).unwrap();
        mixed.finish_with(1.0);

        apart.step(None, &[1.0]).unwrap();
        apart.finish_with(8.0);
        apart.learn(3.0, &[4.0]).unwrap();
        apart.learn(5.0, &[8.0]).unwrap();
        apart.step(None, &[2.0]).unwrap();
        apart.step(reward, &[16.0]).unwrap();
        apart.finish_with(1.0);
        let (outcome, expected) = (mixed.end(), apart.end());
        assert_eq!((outcome, mixed.weights()), (expected, apart.weights()));
        assert_eq!(outcome.tau, if reward == Some(4.0) { 5 } else { 4 });
    }
}
