//! Which updates increment k, and what a restart resets.

use osculate::{
    Arithmetic, ConfigError, Log, Predictor, Q28, Schedule, Stored, StoredConfig, Streaming, StreamingConfig, Update,
    Verdict,
};
use osculate::{Episodic, Space};
use osculate_host_tests::worlds::Dice;

const ROWS: usize = 4;
type WithLog<A> = Predictor<Stored<Log<A, 2, ROWS, ROWS>>>;

fn stored<A: Arithmetic>(config: StoredConfig) -> WithLog<A> {
    Predictor::new(Stored::new(config, Log::NEW))
}

fn streaming<A: Arithmetic, const N: usize>(config: StreamingConfig) -> Predictor<Streaming<A, N>> {
    Predictor::new(Streaming::new(StreamingConfig { gamma: 0.5, ..config }))
}

/// One update from rows with their targets.
fn update<A: Arithmetic>(predictor: &mut WithLog<A>, rows: &[([f32; 2], f32)]) -> Update {
    rows.iter().for_each(|(features, target)| predictor.learn(*target, features).unwrap());
    predictor.end()
}

/// One episode of steps with their rewards.
fn episode<A: Arithmetic, const N: usize>(
    predictor: &mut Predictor<impl Episodic<Space = Space<A, N>>>,
    steps: &[([f32; N], f32)],
) -> Update {
    for (features, reward) in steps {
        predictor.step(None, features).unwrap();
        predictor.finish_with(*reward);
    }
    predictor.end()
}

#[test]
fn a_skipped_update_uses_up_its_number_and_moves_nothing() {
    let mut predictor = stored::<f32>(StoredConfig::PAPER);
    for k in 1..=3 {
        let outcome = update(&mut predictor, &[([1.0, 0.0], 0.0), ([0.0, 1.0], 0.0)]);
        assert_eq!((outcome.k, outcome.verdict, predictor.updates()), (k, Verdict::Skipped, k));
    }
    assert_eq!((predictor.weights(), predictor.learner().state().averaged), (&[0.0; 2], &[0.0; 2]));
    assert_eq!(update(&mut predictor, &[]).k, 4);
    assert_eq!(predictor.updates(), 3, "an update without rows is no episode");
    // The first success is learned with η = 1/4, not 1.
    let outcome = update(&mut predictor, &[([1.0, 0.0], 8.0)]);
    assert_eq!((outcome.k, outcome.verdict, predictor.weights()), (4, Verdict::Stepped, &[2.0, 0.0]));
}

#[test]
fn under_every_rule_an_episode_that_taught_nothing_counts() {
    fn k_of_the_first_success<A: Arithmetic>(config: StoredConfig) -> [u32; 2] {
        let mut predictor = stored::<A>(StoredConfig { skip_below: 1e-6, ..config });
        let mut learn = |reward| update(&mut predictor, &[[1.0, 0.0], [0.0, 1.0]].map(|features| (features, reward)));
        let verdicts = [0.0, 0.0, 1.0].map(|reward| learn(reward).verdict);
        assert_eq!(verdicts, [Verdict::Skipped, Verdict::Skipped, Verdict::Stepped], "{config:?}");
        [predictor.updates(), predictor.end().k]
    }
    for config in [StoredConfig::PAPER, StoredConfig::PLAIN, StoredConfig::PREDICTABLE] {
        assert_eq!(k_of_the_first_success::<f32>(config), [3, 4], "{config:?}");
        assert_eq!(k_of_the_first_success::<Q28>(config), [3, 4], "{config:?}");
    }
    // Streaming has no skip threshold: such an episode is a step of length 0.
    let mut predictor = streaming::<f32, 1>(StreamingConfig::DEFAULT);
    for k in 1..=3 {
        let outcome = episode(&mut predictor, &[([1.0], 0.0)]);
        assert_eq!((outcome.k, predictor.updates(), predictor.weights()), (k, k, &[0.0]));
    }
}

#[test]
fn a_refused_update_uses_up_its_number_and_moves_nothing() {
    fn is_refused(mut predictor: Predictor<impl Episodic<Space = Space<f32, 2>>>) {
        assert_eq!(episode(&mut predictor, &[([1.0, 0.0], 1e30)]).verdict, Verdict::Overflow);
        let is_as_before = |predictor: &Predictor<_>| {
            assert_eq!(predictor.updates(), 1);
            assert_eq!((predictor.weights(), predictor.estimate()), (&[0.0; 2], &[0.0; 2]));
        };
        is_as_before(&predictor);
        assert_eq!(predictor.end().verdict, Verdict::Empty);
        is_as_before(&predictor);
    }
    let schedule = Schedule::Constant(1e38);
    is_refused(stored::<f32>(StoredConfig { schedule, ..StoredConfig::PREDICTABLE }));
    is_refused(streaming::<f32, 2>(StreamingConfig { schedule, ..StreamingConfig::DEFAULT }));
}

#[test]
fn a_restart_keeps_the_best_estimate() {
    let mut dice = Dice::new(4);
    let mut predictable = stored::<f32>(StoredConfig::PREDICTABLE);
    let mut streaming = streaming::<Q28, 2>(StreamingConfig::DEFAULT);
    let mut paper = stored::<f32>(StoredConfig::PAPER);
    for _ in 0..50 {
        let rows = [0, 1, 2].map(|_| ([dice.uniform(), dice.uniform()], dice.uniform()));
        update(&mut predictable, &rows);
        update(&mut paper, &rows);
        episode(&mut streaming, &rows);
    }
    let (estimate, average, w) = (*predictable.estimate(), *streaming.estimate(), *paper.weights());
    assert!(estimate != *predictable.weights() && average != *streaming.weights(), "else this shows nothing");
    predictable.restart();
    streaming.restart();
    paper.restart();
    assert_eq!((predictable.estimate(), predictable.weights(), predictable.updates()), (&estimate, &estimate, 0));
    assert_eq!((streaming.estimate(), streaming.weights(), streaming.updates()), (&average, &average, 0));
    assert_eq!((paper.estimate(), paper.updates()), (&w, 0), "the paper's rule reports w itself");
}

#[test]
fn with_a_constant_gain_the_weights_follow_a_change_and_the_average_lags() {
    fn follows(mut predictor: Predictor<impl Episodic<Space = Space<f32, 2>>>) {
        for number in 0..300 {
            episode(&mut predictor, &[([1.0, 0.0], if number < 200 { 1.0 } else { -1.0 })]);
        }
        let (w, average) = (predictor.weights()[0], predictor.estimate()[0]);
        assert!((w + 1.0).abs() < 1e-3 && average > -0.9, "{predictor:?}");
    }
    let schedule = Schedule::Constant(0.25);
    follows(stored::<f32>(StoredConfig { schedule, ..StoredConfig::PREDICTABLE }));
    follows(streaming::<f32, 2>(StreamingConfig { schedule, ..StreamingConfig::DEFAULT }));
}

#[test]
fn a_discount_that_is_none_is_refused() {
    for gamma in [f32::NAN, f32::INFINITY, -0.5, 2.0, 1e10] {
        let config = StreamingConfig { gamma, ..StreamingConfig::DEFAULT };
        assert_eq!(Streaming::<f32, 2>::try_new(config).unwrap_err(), ConfigError::Gamma);
        let config = StoredConfig { gamma, ..StoredConfig::PAPER };
        assert_eq!(Stored::try_new(config, Log::<Q28, 1, 1, 1>::NEW).unwrap_err(), ConfigError::Gamma);
    }
}
