//! Promise: streaming is equivalent to its stored form, in memory that does not depend on the episode.

use osculate::{Log, Predictor, Q24, Q28, Stored, Streaming, StreamingConfig, Verdict, words};
use osculate_host_tests::documents::says;
use osculate_host_tests::reference::previous_direction::PreviousDirection;
use osculate_host_tests::worlds::{Chain, Dice};

const N: usize = 10;
const STATES: usize = 25;
const GAMMA: f32 = 0.9;

/// An episode's first-visit rows with returns, all in f64.
fn rows(chain: &Chain, visits: &[(usize, f32)]) -> Vec<(Vec<f64>, f64)> {
    let value =
        |t: usize| visits[t..].iter().rev().fold(0.0, |next, (_, reward)| f64::from(*reward) + f64::from(GAMMA) * next);
    let first = |t: &usize| visits[..*t].iter().all(|(state, _)| *state != visits[*t].0);
    let phi = |state: usize| chain.features(state).iter().map(|&x| f64::from(x)).collect();
    (0..visits.len()).filter(first).map(|t| (phi(visits[t].0), value(t))).collect()
}

#[test]
fn streaming_equals_the_stored_form_with_the_previous_direction() {
    let (mut worst, mut worst_theta) = (0.0_f64, 0.0_f64);
    for seed in 0..16 {
        let chain = Chain::new(seed, STATES, N);
        let mut dice = Dice::new(seed + 500);
        let mut stored = PreviousDirection::new(N);
        let config = StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT };
        let mut streaming = Predictor::new(Streaming::<f64, N, { words(STATES) }>::by_state(config));
        for _ in 0..1_000 {
            let visits = chain.episode(&mut dice);
            let mut signal = None;
            for (state, reward) in &visits {
                streaming.step_at(*state as u32, signal, chain.features(*state).try_into().unwrap()).unwrap();
                signal = Some(*reward);
            }
            streaming.finish_with(signal);
            let outcome = streaming.end();
            let rows = rows(&chain, &visits);
            let theta = stored.update(&rows);
            assert_eq!((outcome.verdict, outcome.tau as usize), (Verdict::Stepped, rows.len()));
            // The outcome reports ϑ in f32, rounded once.
            worst_theta = worst_theta.max((f64::from(outcome.theta) / theta - 1.0).abs());
            let scale = stored.w.norm();
            for i in 0..N {
                worst = worst.max((streaming.weights()[i] - stored.w[i]).abs() / scale);
                worst = worst.max((streaming.estimate()[i] - stored.averaged[i]).abs() / scale);
            }
        }
    }
    println!("streaming against its stored form, f64, 16 x 1000 episodes: largest relative difference {worst:.1e}");
    assert!(worst <= 1e-12, "{worst:e}");
    says("docs/claims.md", &format!("within {:.1}·10⁻¹⁵ in f64, 16 × 1 000 episodes", worst * 1e15));
    assert!(worst_theta <= 2_f64.powi(-24) + 1e-12, "{worst_theta:e}");
}

#[test]
fn a_learner_of_32_features_takes_the_memory_that_its_page_says() {
    let [f32, q28, q24] = [
        size_of::<Predictor<Streaming<f32, 32>>>(),
        size_of::<Predictor<Streaming<Q28, 32>>>(),
        size_of::<Predictor<Streaming<Q24, 32>>>(),
    ];
    let (log, stored) = (size_of::<Log<f32, 32, 1, 1>>(), size_of::<Stored<Log<f32, 32, 1, 1>>>());
    println!("streaming, n = 32, bytes of RAM without states to remember: f32 {f32}, q28 {q28}, q24 {q24}");
    println!("stored rules, n = 32, bytes of RAM without the log: f32 {}", stored - log);
    let promise = format!("{f32} bytes for n = 32 in f32, {q28} in fixed point");
    assert!(include_str!("../../docs/choosing.md").contains(&promise), "not in docs/choosing.md: {promise}");
    assert_eq!(q28, q24);
}

#[test]
fn without_a_discount_nothing_of_a_late_reward_is_lost() {
    let config = StreamingConfig { gamma: 1.0, ..StreamingConfig::DEFAULT };
    let mut predictor = Predictor::new(Streaming::<Q28, 1, 1>::by_state(config));
    for t in 0..100_000 {
        predictor.step_at(0, (t > 0).then_some(0.0), &[1.0]).unwrap();
    }
    predictor.finish_with(1.0);
    predictor.end();
    let [w] = predictor.weights().map(f64::from);
    assert!((w - 1.0).abs() < 1e-4, "{w}");
}
