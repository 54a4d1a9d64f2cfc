//! Promises that hold for every batch: ϑ ≥ 1, no step away from the solution, and independence of units.

use osculate::{Log, Predictor, Schedule, Stored, StoredConfig, Update, Verdict};
use osculate_host_tests::reference::plain::Plain;
use osculate_host_tests::reference::{Gain, Parameters, Row, closed_form, tolerance};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const N: usize = 6;
const T: usize = 12;
type Features = [f32; N];
type Subject = Predictor<Stored<Log<f32, N, 1, T>>>;

fn subject(config: StoredConfig) -> Subject {
    Predictor::new(Stored::new(config, Log::NEW))
}

/// One update from these rows.
fn update(predictor: &mut Subject, rows: &[Row]) -> Update {
    for (phi, v) in rows {
        predictor.learn(*v, phi.as_slice().try_into().unwrap()).unwrap();
    }
    predictor.end()
}

/// Σ (φ·w − V)²/‖φ‖² in f64.
fn batch_error(rows: &[Row], w: &[f32]) -> f64 {
    let square = |x: f64| x * x;
    rows.iter()
        .map(|(phi, v)| {
            let dot: f64 = phi.iter().zip(w).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
            square(dot - f64::from(*v)) / phi.iter().map(|&x| square(x.into())).sum::<f64>()
        })
        .sum()
}

fn row() -> impl Strategy<Value = Row> {
    let features = proptest::array::uniform6(-1.0_f32..1.0)
        .prop_filter("not all near zero", |phi: &Features| phi.iter().any(|x| x.abs() > 1e-2));
    (features.prop_map(|phi| phi.to_vec()), -2.0_f32..2.0)
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    proptest::collection::vec(row(), 1..=T)
}

fn without_momentum(gain: f32) -> Subject {
    subject(StoredConfig { schedule: Schedule::Constant(gain), beta: 0.0, ..StoredConfig::PAPER })
}

fn config() -> ProptestConfig {
    let from_environment = ProptestConfig::default().rng_seed;
    let rng_seed = if from_environment == RngSeed::Random { RngSeed::Fixed(20) } else { from_environment };
    ProptestConfig { cases: 2_000, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    // A fixed seed gives the same cases on every machine. Set PROPTEST_RNG_SEED=… to try others.
    #![proptest_config(config())]

    #[test]
    fn theta_is_near_the_exact_one_which_is_at_least_one(batch in rows()) {
        let outcome = update(&mut without_momentum(1.0), &batch);
        let exact = Plain::new(N, Parameters { gain: Gain::Constant(1.0), beta: 0.0, skip_below: 1e-6 }).update(&batch);
        prop_assert!(exact.is_none_or(|theta| theta > 1.0 - 1e-14));
        if let (Verdict::Stepped, Some(exact)) = (outcome.verdict, exact) {
            prop_assert!((f64::from(outcome.theta) / exact - 1.0).abs() < tolerance::THETA * exact,
                "{} against {exact}", outcome.theta);
        }
    }

    /// The exact ϑ is 1, so rounding goes below it in half of these cases; the code clamps it.
    #[test]
    fn theta_of_parallel_rows_is_one_and_never_less(
        (phi, _) in row(),
        multiples in proptest::collection::vec((0.1_f32..10.0, -2.0_f32..2.0), 2..=T),
    ) {
        let multiple = |(factor, target): &(f32, f32)| (phi.iter().map(|x| x * factor).collect(), *target);
        let batch: Vec<Row> = multiples.iter().map(multiple).collect();
        let outcome = update(&mut without_momentum(1.0), &batch);
        let range = 1.0..=1.0 + tolerance::THETA as f32;
        prop_assert!(outcome.verdict != Verdict::Stepped || range.contains(&outcome.theta), "{}", outcome.theta);
    }

    #[test]
    fn a_step_never_increases_the_error_nor_the_distance(batch in rows(), gain in 0.05_f32..=1.0) {
        let solution = closed_form::scale_invariant(&batch);
        let mut learner = without_momentum(gain);
        for _ in 0..20 {
            let before = *learner.weights();
            update(&mut learner, &batch);
            let after = *learner.weights();
            let (error, next_error) = (batch_error(&batch, &before), batch_error(&batch, &after));
            // f32 weights of size about 1 carry errors of 2⁻²⁴ each. The error is quadratic in them near its minimum.
            prop_assert!(next_error <= error * (1.0 + 1e-5) + 1e-10, "{error} -> {next_error}");
            if batch.len() >= N && solution.norm() < 10.0 {
                let distance = closed_form::relative_error(&before, &solution);
                let next = closed_form::relative_error(&after, &solution);
                prop_assert!(next <= distance * (1.0 + 1e-5) + 1e-5, "{distance} -> {next}");
            }
        }
    }

    #[test]
    fn units_of_a_row_do_not_matter(batch in rows(), powers in proptest::collection::vec(-60_i32..=60, T)) {
        let mut learner = subject(StoredConfig::PAPER);
        let mut other = learner.clone();
        let scaled: Vec<Row> = batch.iter().zip(&powers).map(|((phi, v), &power)| {
            let unit = 2_f32.powi(power);
            (phi.iter().map(|x| x * unit).collect(), v * unit)
        }).collect();
        for _ in 0..10 {
            let (here, there) = (update(&mut learner, &batch), update(&mut other, &scaled));
            prop_assert_eq!(here.theta.to_bits(), there.theta.to_bits());
            prop_assert_eq!(learner.weights().map(f32::to_bits), other.weights().map(f32::to_bits));
        }
    }

    #[test]
    fn units_of_all_targets_only_scale_the_weights(batch in rows(), power in -60_i32..=60) {
        let unit = 2_f32.powi(power);
        let mut learner = subject(StoredConfig { skip_below: 0.0, ..StoredConfig::PAPER });
        let mut other = learner.clone();
        let scaled: Vec<Row> = batch.iter().map(|(phi, v)| (phi.clone(), v * unit)).collect();
        for _ in 0..5 {
            update(&mut learner, &batch);
            update(&mut other, &scaled);
            prop_assert_eq!(learner.weights().map(|w| (w * unit).to_bits()), other.weights().map(f32::to_bits));
        }
    }

    #[test]
    fn one_row_is_an_exact_projection(batch in rows()) {
        let one = &batch[..1];
        let mut learner = without_momentum(1.0);
        let outcome = update(&mut learner, one);
        if outcome.verdict == Verdict::Stepped {
            prop_assert_eq!(outcome.theta, 1.0);
            prop_assert!(batch_error(one, learner.weights()) < 1e-10);
        }
    }

    #[test]
    fn one_update_is_near_plain_f64(batch in rows()) {
        let mut exact = Plain::new(N, Parameters { gain: Gain::Constant(1.0), beta: 0.0, skip_below: 1e-6 });
        let mut learner = without_momentum(1.0);
        let (outcome, theta) = (update(&mut learner, &batch), exact.update(&batch));
        // Rows that nearly contradict each other make ϑ as ill-conditioned as it is large.
        if let (Verdict::Stepped, Some(theta)) = (outcome.verdict, theta) && theta < 100.0 {
            let error = closed_form::relative_error(learner.weights(), &exact.w);
            prop_assert!(error < tolerance::ONE_UPDATE * theta, "{error} with theta {theta}");
        }
    }
}
