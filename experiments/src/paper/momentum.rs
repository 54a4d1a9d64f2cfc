//! Figure 2a: momentum methods on the direction of the curvature step.

use osculate::{Log, Predictor, Stored};
use osculate_host_tests::reference::Row;
use osculate_lab::drawing::{Axis, Line};
use osculate_lab::numbers::{least, mean};

use super::figure::{Claim, Curves, Figure, Summary, log_spaced};
use super::learning::CURVATURE;
use super::noisy::in_noise;
use super::optimiser::{METHODS, Optimiser, Step};
use super::{FEATURES, STATES, Size};
use crate::contender::Contender;
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

/// A method, by its number, as a learner.
fn learner(method: usize, step: Step) -> Contender {
    let (mut optimiser, mut rows) = (Optimiser::<FEATURES>::new(method, step), Vec::new());
    Contender::steps(FEATURES, move |learned, step, next| {
        rows.push((step.phi.to_vec(), step.target));
        if next.is_none() {
            let w = learned.w.as_mut_slice().try_into().expect("as many weights as features");
            optimiser.advance(w, |w| direction(w, &rows));
            rows.clear();
        }
    })
}

/// The relative error after each of these numbers of episodes.
fn errors(method: usize, step: Step, seed: u64, counts: &[u32]) -> Vec<f64> {
    in_noise(NoisyStates::contradictory, &mut [learner(method, step)], seed, counts).remove(0)
}

/// The best step size on the tuning seeds.
fn tuned(method: usize) -> Step {
    let steps = STEPS.map(|size| Step { size, decays: true });
    let error = |step: Step| mean(&TUNING.map(|seed| errors(method, step, seed, &[LAST])[0]).collect::<Vec<_>>());
    let best = steps.into_iter().map(|step| (error(step), step)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(steps[0], |(_, step)| step)
}

/// A method by its number, with the usual step size or with a tuned one.
fn run(method: usize, is_tuned: bool, seeds: u64) -> Curves {
    let (name, usual, _) = METHODS[method];
    let usual = usual.map(|size| Step { size, decays: false });
    let step = usual.map(|usual| if is_tuned { tuned(method) } else { usual });
    // Where there is none, it is not looked at.
    let taken = step.unwrap_or(Step { size: 0.0, decays: false });
    Curves {
        name: step.map_or(name.into(), |step| format!("{name}, {}", step.size)),
        by_seed: (0..seeds).map(|seed| errors(method, taken, seed, &log_spaced(LAST, 16))).collect(),
    }
}

/// Figure 2a: eight methods, mean of ten runs.
pub(super) fn figure(size: Size) -> Figure {
    let (count, all) = (size.momentum_runs, METHODS.len());
    let runs = jobs::all("figure 2a", &Vec::from_iter(0..2 * all), |i| run(i % all, *i >= all, count));
    let (usual, tuned) = runs.split_at(all);
    let counts = log_spaced(LAST, 16);
    let lines = |runs: &[Curves]| {
        let at = |run: &Curves, i: usize| mean(&run.each(|curve| curve[i]));
        let points = |run| counts.iter().enumerate().map(|(i, x)| (f64::from(*x), at(run, i))).collect();
        runs.iter().map(|run| Line::plain(&run.name, points(run))).collect::<Vec<_>>()
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
    // How others compare with the heavy ball, which is the second of all methods.
    let over = |runs: &[Curves], at: usize| -> Vec<f64> {
        let means: Vec<f64> = runs.iter().map(|run| mean(&run.each(|curve| curve[at]))).collect();
        (0..all).filter(|i| *i != 1).map(|i| means[i] / means[1]).collect()
    };
    let remark = |what: String, runs, at| Claim::at_least(what, least(&over(runs, at)), 1.0).remark();
    let is_best = |k: u32, steps: &str| format!("heavy ball is best at k = {k}: best other over it, {steps}");
    let caption = format!(
        "{STATES} states, {FEATURES} features, features and mean targets uniform in [−1, 1], target noise ±½, τ uniform in 1 … {STATES}; mean of {count} runs. \
         Every method gets the direction ϑ·TP(w) of the curvature step, computed by the crate in f64. None, heavy ball and Nesterov take \
         η = 1/k (β = ½); Adadelta has no step size. The others have theirs beside their names: first the usual ones, then the best of {} on other \
         seeds, divided by √k but for Adagrad. The paper finds the heavy ball best. Up to a hundred episodes it is, level with Nesterov; by the end Adadelta has passed it, and \
         so has every method whose step size was tuned for that many episodes.",
        STEPS.len()
    );
    let axes = || (Axis::log("episodes k"), Axis::log("mean relative error"));
    let ((x, y), (x2, y2)) = (axes(), axes());
    Figure::new("2a", "Momentum methods on total projections", caption)
        .seeds(count)
        .panel(format!("{STATES} × {FEATURES}, noisy; usual step sizes"), x, y, lines(usual))
        .panel("the same; step sizes tuned on other seeds", x2, y2, lines(tuned))
        .results(results)
        .claims([
            Claim::above_one(format!("mean error at k = {LAST}, none over heavy ball"), over(usual, last)[0]),
            remark(is_best(EARLY, "tuned"), tuned, early),
            remark(is_best(LAST, "usual steps"), usual, last),
            remark("the same, tuned".into(), tuned, last),
        ])
}
