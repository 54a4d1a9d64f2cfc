//! Promise: the prediction error that a replay reports is correct, as recomputed here in another way.

use osculate::{Arithmetic, Predictor, Tracking};
use osculate_apps::with_arithmetic;
use osculate_board_tests::recording;
use osculate_lab::replay::prequential::{Predictions, Prequential};
use osculate_lab::replay::trace::{Step, Trace};
use osculate_lab::replay::{Arith, Config, Job, Learned, Rule, Targets, host};

/// The estimate before each episode.
fn estimates(trace: &Trace, arith: Arith, config: Config) -> Vec<Vec<f64>> {
    let mut estimates = vec![vec![0.0; trace.features()]];
    let mut keep = |learned: Learned| estimates.push(learned.estimate.iter().map(|bits| arith.weight(*bits)).collect());
    host::run(&Job { trace, arith, config }, &mut keep).unwrap();
    estimates
}

/// Prediction and return of every row in time order.
fn pairs(trace: &Trace, arith: Arith, config: Config) -> Vec<(f64, f64)> {
    let float = matches!(arith, Arith::F32 | Arith::F64);
    let mut pairs = Vec::new();
    for (episode, w) in (0..trace.episodes()).zip(estimates(trace, arith, config)) {
        let usable = |step: &Step<'_>| step.reward.is_finite() && (float || step.reward.abs() < 2_f32.powi(31));
        let steps: Vec<_> = trace.episode(episode).filter(usable).collect();
        let good =
            |step: &Step<'_>| step.features.iter().all(|x| x.is_finite()) && step.features.iter().any(|x| *x != 0.0);
        let known = |at: usize| steps[..=at].iter().any(|step| step.state == steps[at].state && good(step));
        for (t, step) in steps.iter().enumerate() {
            let first = good(step) && !steps[..t].iter().any(|before| before.state == step.state && good(before));
            let has_target = config.targets == Targets::MonteCarlo || t + 1 == steps.len() || known(t + 1);
            if first && has_target {
                let later = steps[t..].iter().enumerate();
                let value =
                    later.map(|(k, later)| f64::from(config.gamma).powi(k as i32) * f64::from(later.reward)).sum();
                pairs.push((step.features.iter().zip(&w).fold(0.0, |sum, (x, w)| sum + f64::from(*x) * w), value));
            }
        }
    }
    pairs
}

fn measured(trace: &Trace, arith: Arith, config: Config) -> (Prequential, u32) {
    let job = Job { trace, arith, config };
    let mut predictions = Predictions::new(job);
    let mut rows = 0;
    let mut hear = |learned: Learned| {
        predictions.update(&learned);
        rows += learned.report.summary().rows;
    };
    host::run(&job, &mut hear).unwrap();
    (predictions.measure(), rows)
}

/// Compares what is measured with these predictions and returns, of which the last three quarters count.
fn compare(trace: &Trace, arith: Arith, config: Config, pairs: &[(f64, f64)]) -> (Prequential, u32) {
    let last = &pairs[pairs.len() / 4..];
    let mean = |part: &dyn Fn(&(f64, f64)) -> f64| last.iter().map(part).sum::<f64>() / last.len() as f64;
    let (mse, middle) = (mean(&|(predicted, value)| (predicted - value).powi(2)), mean(&|pair| pair.1));
    let variance = mean(&|(_, value)| (value - middle).powi(2));

    let (measured, rows) = measured(trace, arith, config);
    let place = format!("{}, {config:?}", arith.name());
    assert_eq!((measured.earlier, measured.rows), (pairs.len() - last.len(), last.len()), "{place}");
    for (got, expected) in [(measured.mse, mse), (measured.variance, variance), (measured.mean, middle)] {
        assert!((got - expected).abs() < 1e-9 * expected.abs().max(1.0), "{place}: {got}, not {expected}");
    }
    let share = measured.explained().unwrap();
    assert!((share - (1.0 - mse / variance)).abs() < 1e-9, "{place}: {share}");
    assert!(rows > 100 && variance > 0.0, "{place}");
    (measured, rows)
}

#[test]
fn it_is_the_error_of_what_was_predicted_before() {
    let cases = [
        (Rule::Paper, Targets::MonteCarlo, 1.0),
        (Rule::Paper, Targets::OneStep, 0.9),
        (Rule::Predictable, Targets::MonteCarlo, 0.0),
        (Rule::Predictable, Targets::OneStep, 1.0),
        (Rule::Streaming, Targets::MonteCarlo, 0.9),
        (Rule::Plain, Targets::MonteCarlo, 0.5),
    ];
    for (seed, arith) in (1..).zip(Arith::ALL) {
        for (rule, targets, gamma) in cases {
            let config = Config { targets, gamma, ..Config::new(rule) };
            let trace = recording(seed, 4, 0, 96, arith);
            let pairs = pairs(&trace, arith, config);
            let (_, rows) = compare(&trace, arith, config, &pairs);
            assert_eq!(pairs.len(), rows as usize);
        }
    }
}

/// Prediction and return of every usable step, predicted by a learner that is asked at each of them.
fn pairs_of_a_stream<A: Arithmetic>(trace: &Trace, config: Config) -> Vec<(f64, f64)> {
    let mut predictor = Predictor::new(Tracking::<A, 4>::new(config.tracking().unwrap()));
    let mut pairs = Vec::new();
    for episode in 0..trace.episodes() {
        let steps: Vec<_> = trace.episode(episode).collect();
        let usable = |step: &Step<'_>| A::number(step.reward).is_ok();
        for (t, step) in steps.iter().enumerate() {
            let predicted = predictor.step(None, step.features.try_into().unwrap());
            predictor.finish_with(step.reward);
            let later = steps[t..].iter().filter(|later| usable(later)).enumerate();
            let value = later.map(|(k, later)| f64::from(config.gamma).powi(k as i32) * f64::from(later.reward)).sum();
            if let Ok(predicted) = predicted
                && usable(step)
            {
                pairs.push((predicted.into(), value));
            }
        }
        predictor.end();
    }
    pairs
}

#[test]
fn a_stream_is_scored_at_every_step() {
    for arith in Arith::ALL {
        for gamma in [0.0, 0.75] {
            let config = Config { gamma, ..Config::new(Rule::Tracking) };
            let trace = recording(3, 4, 0, 96, arith);
            let pairs = with_arithmetic!(arith, A => pairs_of_a_stream::<A>(&trace, config));
            let (measured, rows) = compare(&trace, arith, config, &pairs);
            assert!(rows > 200 && measured.explained().unwrap() > 0.1, "{}, {gamma}: {measured:?}", arith.name());
        }
    }
}

#[test]
fn a_row_whose_return_does_not_fit_does_not_count() {
    // Divided by such small features, it is out of range, both in floats and in fixed point.
    for (arith, reward) in [(Arith::F32, 3e38), (Arith::Q28, 2e9), (Arith::Q24, 2e9)] {
        let mut trace = Trace::new(1);
        for (episode, (reward, feature)) in [(1.0, 1.0), (reward, 1e-9), (2.0, 1.0)].into_iter().enumerate() {
            trace.begin_episode(episode as u64);
            trace.push(0, [reward, feature]);
        }
        let (measured, rows) = measured(&trace, arith, Config::new(Rule::Paper));
        assert_eq!((measured.rows, rows), (2, 2), "{}", arith.name());
        assert_eq!((measured.mse, measured.variance), (1.0, 0.25), "{}", arith.name());
    }
}
