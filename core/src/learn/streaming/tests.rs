//! Corner cases of a streaming learner.

use super::*;
use crate::Q28;

#[test]
fn a_count_of_saturated_numbers_never_wraps() {
    let mut learner = Streaming::<Q28, 1>::new(StreamingConfig::DEFAULT);
    learner.observe(None, &[1.0]).unwrap();
    learner.reward(Some(1.0));
    learner.sums.trace.saturated = u32::MAX;
    learner.sums.total.saturated = u32::MAX;
    assert_eq!(learner.end().saturated, u32::MAX);
}

#[test]
fn given_rows_leave_room_for_rewards() {
    let config = StreamingConfig::new(1.0);
    let mut learner = Streaming::<Q28, 1>::new(config);
    // All terms pull in one direction, as hard as the format allows.
    let step = |learner: &mut Streaming<Q28, 1>, reward| {
        learner.observe(None, &[1.0 / 256.0]).unwrap();
        learner.reward(Some(reward));
    };
    step(&mut learner, 2e9);
    for _ in 0..61_440 {
        learner.learn(500.0, &[0.99]).unwrap();
    }
    step(&mut learner, 3.9);
    let update = learner.end();
    assert!(update.verdict == Verdict::Stepped && learner.weights()[0] > 0.0, "{update:?}");
}

#[test]
fn bytes_that_nobody_saved_do_no_harm() {
    let mut learner = Streaming::<Q28, 8>::new(StreamingConfig::DEFAULT);
    for byte in [0x7f, 0x80, 0xff, 0x5a] {
        let bytes = [byte; Streaming::<Q28, 8>::MAX_BYTES];
        Learner::read(&mut learner, &mut Reader::new(&bytes)).unwrap();
        learner.close_rows();
        learner.marks.open = Open::First(0);
        learner.full = false;
        learner.reward(Some(3.9));
        learner.end();
        learner.observe(None, &[1.0; 8]).unwrap();
        learner.reward(Some(1.0));
        learner.end();
    }
}

#[test]
fn a_row_that_waits_has_its_place() {
    let mut learner = Streaming::<Q28, 1>::new(StreamingConfig::DEFAULT);
    learner.observe(None, &[1.0]).unwrap();
    let given = (0..70_000).filter(|_| learner.learn(0.5, &[1.0]).is_ok()).count();
    learner.reward(Some(0.5));
    assert_eq!((given, learner.end().tau), (65_535, 65_536));
}
