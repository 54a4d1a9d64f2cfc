//! What uses up a k, and what a restart forgets.

use osculate::{Arithmetic, Batch, ConfigError, Learner, LearnerConfig, Q28, Schedule, StreamingLearner, Verdict};
use osculate_host_tests::worlds::Dice;

fn batch<const T: usize>(rows: [([f32; 2], f32); T]) -> Batch<f32, 2, T> {
    let mut batch = Batch::new();
    rows.iter().for_each(|(features, target)| batch.push(features, *target).unwrap());
    batch
}

#[test]
fn a_skipped_update_uses_up_its_number_and_moves_nothing() {
    let mut learner = Learner::<f32, 2>::default();
    let nothing = batch([([1.0, 0.0], 0.0), ([0.0, 1.0], 0.0)]);
    for k in 1..=3 {
        let outcome = learner.update(&nothing);
        assert_eq!((outcome.k, outcome.verdict, learner.steps()), (k, Verdict::Skipped, k));
    }
    assert_eq!((learner.weights(), learner.averaged()), (&[0.0; 2], &[0.0; 2]));
    assert_eq!(learner.update(&Batch::<f32, 2, 1>::new()).k, 4);
    assert_eq!(learner.steps(), 3, "an empty batch is no episode");
    // The first success comes with η = 1/4, not 1.
    let outcome = learner.update(&batch([([1.0, 0.0], 8.0)]));
    assert_eq!((outcome.k, outcome.verdict, learner.weights()), (4, Verdict::Stepped, &[2.0, 0.0]));
}

#[test]
fn under_every_rule_an_episode_that_taught_nothing_counts() {
    fn k_of_the_first_success<A: Arithmetic<Scalar = f32>>(config: LearnerConfig<f32>) -> [u32; 2] {
        let mut learner = Learner::<A, 2>::new(LearnerConfig { skip_below: 1e-6, ..config }).unwrap();
        let mut learn = |reward| {
            let mut batch = Batch::<A, 2, 2>::new();
            for features in [[1.0, 0.0], [0.0, 1.0]] {
                batch.push(&A::features(&features).unwrap(), A::target(reward).unwrap()).unwrap();
            }
            learner.update(&batch)
        };
        let verdicts = [0.0, 0.0, 1.0].map(|reward| learn(reward).verdict);
        assert_eq!(verdicts, [Verdict::Skipped, Verdict::Skipped, Verdict::Stepped], "{config:?}");
        [learner.steps(), learner.update(&Batch::<A, 2, 1>::new()).k]
    }
    for config in [LearnerConfig::default(), LearnerConfig::plain(), LearnerConfig::predictable()] {
        assert_eq!(k_of_the_first_success::<f32>(config), [3, 4], "{config:?}");
        assert_eq!(k_of_the_first_success::<Q28>(config), [3, 4], "{config:?}");
    }
    // Streaming has no threshold for skipping: such an episode is a step of length 0.
    let mut learner = StreamingLearner::<f32, 1>::new(LearnerConfig::predictable(), 0.5).unwrap();
    for k in 1..=3 {
        learner.step(&[1.0], true, 0.0).unwrap();
        let outcome = learner.end_episode();
        assert_eq!((outcome.k, learner.steps(), learner.weights()), (k, k, &[0.0]));
    }
}

#[test]
fn a_refused_update_uses_up_its_number_and_moves_nothing() {
    let config = LearnerConfig { schedule: Schedule::Constant(1e38), ..LearnerConfig::predictable() };
    let mut learner = Learner::<f32, 2>::new(config).unwrap();
    assert_eq!(learner.update(&batch([([1.0, 0.0], 1e30)])).verdict, Verdict::Overflow);
    assert_eq!((learner.steps(), learner.weights(), learner.averaged()), (1, &[0.0; 2], &[0.0; 2]));

    let mut learner = StreamingLearner::<f32, 2>::new(config, 0.5).unwrap();
    learner.step(&[1.0, 0.0], true, 1e30).unwrap();
    assert_eq!(learner.end_episode().verdict, Verdict::Overflow);
    assert_eq!((learner.steps(), learner.weights(), learner.averaged()), (1, &[0.0; 2], &[0.0; 2]));
    assert_eq!((learner.end_episode().verdict, learner.steps()), (Verdict::Empty, 1));
}

#[test]
fn a_restart_keeps_the_best_estimate() {
    let mut dice = Dice::new(4);
    let mut stored = Learner::<f32, 2>::new(LearnerConfig::predictable()).unwrap();
    let mut streaming = StreamingLearner::<Q28, 2>::new(LearnerConfig::predictable(), 0.5).unwrap();
    let mut paper = Learner::<f32, 2>::default();
    for _ in 0..50 {
        let rows = [0, 1, 2].map(|_| ([dice.uniform(), dice.uniform()], dice.uniform()));
        stored.update(&batch(rows));
        paper.update(&batch(rows));
        for (features, reward) in rows {
            let features = Q28::features(&features).unwrap();
            streaming.step(&features, true, Q28::target(reward).unwrap()).unwrap();
        }
        streaming.end_episode();
    }
    let (estimate, average, w) = (*stored.estimate(), *streaming.averaged(), *paper.weights());
    assert!(estimate != *stored.weights() && average != *streaming.weights(), "else this shows nothing");
    stored.restart();
    streaming.restart();
    paper.restart();
    assert_eq!((stored.estimate(), stored.weights(), stored.steps()), (&estimate, &estimate, 0));
    assert_eq!((streaming.averaged(), streaming.weights(), streaming.steps()), (&average, &average, 0));
    assert_eq!((paper.estimate(), paper.steps()), (&w, 0), "the paper's rule reports w itself");
}

#[test]
fn with_a_constant_gain_the_weights_follow_a_change_and_the_average_lags() {
    let config = LearnerConfig { schedule: Schedule::Constant(0.25), ..LearnerConfig::predictable() };
    let mut stored = Learner::<f32, 2>::new(config).unwrap();
    let mut streaming = StreamingLearner::<f32, 2>::new(config, 0.5).unwrap();
    for episode in 0..300 {
        let reward = if episode < 200 { 1.0 } else { -1.0 };
        stored.update(&batch([([1.0, 0.0], reward)]));
        streaming.step(&[1.0, 0.0], true, reward).unwrap();
        streaming.end_episode();
    }
    let followed = |w: &[f32; 2]| (w[0] + 1.0).abs() < 1e-3;
    let lags = |average: &[f32; 2]| average[0] > -0.9;
    assert!(followed(stored.weights()) && lags(stored.averaged()), "{stored:?}");
    assert!(followed(streaming.weights()) && lags(streaming.averaged()), "{streaming:?}");
}

#[test]
fn what_streaming_would_ignore_is_refused() {
    let predictable = LearnerConfig::<f32>::predictable();
    let every = core::num::NonZeroU32::new(8).unwrap();
    for config in [
        LearnerConfig::default(),
        LearnerConfig { skip_below: 1e-6, ..predictable },
        LearnerConfig { curvature_every: every, ..predictable },
    ] {
        assert_eq!(StreamingLearner::<f32, 2>::new(config, 0.5).unwrap_err(), ConfigError::Streaming, "{config:?}");
    }
    assert_eq!(StreamingLearner::<f32, 2>::new(predictable, 2.0).unwrap_err(), ConfigError::Gamma);
}
