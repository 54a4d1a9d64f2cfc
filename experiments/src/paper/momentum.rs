//! Figure 2a: momentum methods on the direction of the curvature step.

use nalgebra::DVector;
use osculate::{Log, Predictor, Stored};
use osculate_host_tests::reference::Row;
use osculate_lab::dice::Dice;
use osculate_lab::drawing::{Axis, Line, Panel};

use super::figure::{Claim, Curves, Figure, Summary, least, log_spaced, mean};
use super::learning::CURVATURE;
use super::optimiser::{Method, Optimiser, Step};
use super::{FEATURES, NOISE, STATES, Size};
use crate::jobs;
use crate::worlds::NoisyStates;

/// Episodes.
const LAST: u32 = 1_000;
/// An earlier one.
const EARLY: u32 = 100;
/// Where the step sizes are chosen from, on seeds that are not shown.
const STEPS: [f64; 9] = [0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0];
const TUNING: std::ops::Range<u64> = 500..510;

/// ϑ·TP(w) for these rows, as the crate computes it in f64: one update with η = 1 leads from w to w − ϑ·TP(w).
fn direction(w: [f64; FEATURES], rows: &[Row]) -> [f64; FEATURES] {
    let learner = Stored::new(CURVATURE, Log::<f64, FEATURES, 1, STATES>::NEW);
    let mut predictor = Predictor::new(learner).with_weights(w);
    for (phi, v) in rows {
        let phi = phi.as_slice().try_into().expect("the problem has this many features");
        predictor.learn(*v, phi).expect("every row of these problems is usable");
    }
    predictor.end();
    std::array::from_fn(|i| w[i] - predictor.weights()[i])
}

/// The relative error after each of these numbers of episodes.
fn errors(method: Method, step: Step, seed: u64, counts: &[u32]) -> Vec<f64> {
    let world = NoisyStates::contradictory(seed, STATES, FEATURES, NOISE);
    let solution = world.solution();
    let mut dice = Dice::new(seed + 1_000);
    let mut optimiser = Optimiser::<FEATURES>::new(method, step);
    let mut done = 0;
    let mut error_after = |count: &u32| {
        while done < *count {
            let tau = 1 + dice.below(STATES as u32) as usize;
            let rows = world.draw(&mut dice, tau);
            optimiser.advance(|w| direction(w, &rows));
            done += 1;
        }
        (DVector::from_row_slice(&optimiser.w) - &solution).norm() / solution.norm()
    };
    counts.iter().map(&mut error_after).collect()
}

/// The best step size on the tuning seeds.
fn tuned(method: Method) -> Step {
    let steps = STEPS.map(|size| Step { size, decays: true });
    let error = |step: Step| mean(&TUNING.map(|seed| errors(method, step, seed, &[LAST])[0]).collect::<Vec<_>>());
    let best = steps.into_iter().map(|step| (error(step), step)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(steps[0], |(_, step)| step)
}

fn run(method: Method, is_tuned: bool, seeds: u64) -> Curves {
    let step = method.usual_step().map(|usual| if is_tuned { tuned(method) } else { usual });
    // Where there is none, it is not looked at.
    let taken = step.unwrap_or(Step { size: 0.0, decays: false });
    Curves {
        name: step.map_or(method.name().into(), |step| format!("{}, {}", method.name(), step.size)),
        by_seed: (0..seeds).map(|seed| errors(method, taken, seed, &log_spaced(LAST, 16))).collect(),
    }
}

/// Figure 2a: eight methods, mean of ten runs.
pub(super) fn figure(size: Size) -> Figure {
    let count = size.momentum_runs;
    let jobs: Vec<(bool, Method)> =
        [false, true].into_iter().flat_map(|tuned| Method::ALL.map(|m| (tuned, m))).collect();
    let runs = jobs::all("figure 2a", &jobs, |(is_tuned, method)| run(*method, *is_tuned, count));
    let (usual, tuned) = runs.split_at(Method::ALL.len());
    let counts = log_spaced(LAST, 16);
    let panel = |title: String, runs: &[Curves]| {
        let at = |run: &Curves, i: usize| mean(&run.each(|curve| curve[i]));
        let points = |run| counts.iter().enumerate().map(|(i, x)| (f64::from(*x), at(run, i))).collect();
        let lines = runs.iter().map(|run| Line::plain(&run.name, points(run))).collect();
        Panel::new(title, Axis::log("episodes k"), Axis::log("mean relative error"), lines)
    };
    let mut results = Vec::new();
    for (runs, kind) in [(usual, "usual step sizes"), (tuned, "tuned step sizes")] {
        for run in runs {
            results.push(run.ends(&format!("relative error at k = {LAST}, {kind}")));
            results.push(Summary::new(&format!("its mean, {kind}"), &run.name, &[mean(&run.last())]));
        }
    }
    let early = counts.partition_point(|count| *count < EARLY);
    let last = counts.len() - 1;
    // How others compare with the heavy ball.
    let over = |runs: &[Curves], at: usize| -> Vec<f64> {
        let means: Vec<f64> = runs.iter().map(|run| mean(&run.each(|curve| curve[at]))).collect();
        let ball = Method::ALL.iter().position(|method| *method == Method::HeavyBall).unwrap_or(0);
        (0..means.len()).filter(|i| *i != ball).map(|i| means[i] / means[ball]).collect()
    };
    let best = |runs: &[Curves], at: usize| least(&over(runs, at));
    Figure {
        id: "2a",
        title: "Momentum methods on total projections",
        caption: format!(
            "{STATES} states, {FEATURES} features, features and mean targets uniform in [−1, 1], target noise ±½, τ uniform in 1 … {STATES}; mean of {count} runs. \
             Every method gets the direction ϑ·TP(w) of the curvature step, computed by the crate in f64. None, heavy ball and Nesterov take \
             η = 1/k (β = ½); Adadelta has no step size. The others have theirs beside their names: first the usual ones, then the best of {} on other \
             seeds, divided by √k but for Adagrad. The paper finds the heavy ball best. Up to a hundred episodes it is, level with Nesterov; by the end Adadelta has passed it, and \
             so has every method whose step size was tuned for that many episodes.",
            STEPS.len()
        ),
        seeds: (0..count).collect(),
        panels: vec![
            panel(format!("{STATES} × {FEATURES}, noisy; usual step sizes"), usual),
            panel("the same; step sizes tuned on other seeds".into(), tuned),
        ],
        results,
        claims: vec![
            // The first of all methods is none.
            Claim::above_one(format!("mean error at k = {LAST}, none over heavy ball"), over(usual, last)[0]),
            Claim::at_least(
                format!("heavy ball is best at k = {EARLY}: best other over it, tuned"),
                best(tuned, early),
                1.0,
            )
            .remark(),
            Claim::at_least(
                format!("heavy ball is best at k = {LAST}: best other over it, usual steps"),
                best(usual, last),
                1.0,
            )
            .remark(),
            Claim::at_least("the same, tuned", best(tuned, last), 1.0).remark(),
        ],
    }
}
