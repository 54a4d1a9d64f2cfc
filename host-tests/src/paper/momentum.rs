//! Figure 2a: momentum methods on the direction of the curvature step.

use nalgebra::DVector;
use osculate::{Log, Predictor, Stored};

use super::figure::{Axis, Bound, Claim, Figure, Panel};
use super::learning::{CURVATURE, update};
use super::noisy::{FEATURES, NOISE, STATES};
use super::optimiser::{Method, Optimiser, Step};
use super::statistics::{least, log_spaced, mean, over_seeds, summary};
use super::{Experiment, Size};
use crate::reference::Row;
use crate::worlds::{Dice, NoisyStates};

/// Episodes.
const LAST: u32 = 1_000;
/// An earlier one.
const EARLY: u32 = 100;
/// Where the step sizes are chosen from, on seeds that are not shown.
const STEPS: [f64; 9] = [0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0];
const TUNING: std::ops::Range<u64> = 500..510;

/// ϑ·TP(w) for these rows, as the crate computes it in f64: one update with η = 1 leads from w to w − ϑ·TP(w).
fn direction(w: [f64; FEATURES], rows: &[Row]) -> [f64; FEATURES] {
    let mut log = Log::<f64, FEATURES, 1, STATES>::new();
    let learner = Stored::new(CURVATURE, &mut log).expect("a valid configuration");
    let mut predictor = Predictor::new(learner).with_weights(w);
    update(&mut predictor, rows);
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

/// A method's curves, one per seed, with the step size that they took, if it has one.
type Runs = (Option<f64>, Vec<Vec<f64>>);

fn runs(method: Method, is_tuned: bool, seeds: u64) -> Runs {
    let step = method.usual_step().map(|usual| if is_tuned { tuned(method) } else { usual });
    // Where there is none, it is not looked at.
    let taken = step.unwrap_or(Step { size: 0.0, decays: false });
    let curves = (0..seeds).map(|seed| errors(method, taken, seed, &log_spaced(LAST, 16))).collect();
    (step.map(|step| step.size), curves)
}

fn name(method: Method, (step, _): &Runs) -> String {
    step.map_or(method.name().into(), |step| format!("{}, {step}", method.name()))
}

/// Figure 2a: eight methods, mean of ten runs.
pub(super) fn figure(size: Size) -> Experiment {
    let count = size.momentum_runs;
    let work = move |method: Method| [false, true].map(|is_tuned| runs(method, is_tuned, count));
    Experiment::new(Method::ALL, work, move |runs| {
        let counts = log_spaced(LAST, 16);
        let named = || Method::ALL.into_iter().zip(&runs);
        let panel = |title: String, i: usize| {
            let line = |(method, runs): (Method, &[Runs; 2])| {
                let mut line = over_seeds(name(method, &runs[i]), &counts, &runs[i].1, mean);
                line.band.clear();
                line
            };
            let (x, y) = (Axis::log("episodes k"), Axis::log("mean relative error"));
            Panel { title, x, y, lines: named().map(line).collect() }
        };
        let mut results = Vec::new();
        for (i, kind) in ["usual step sizes", "tuned step sizes"].into_iter().enumerate() {
            for (method, runs) in named() {
                let last: Vec<f64> = runs[i].1.iter().map(|curve| curve[curve.len() - 1]).collect();
                let rule = name(method, &runs[i]);
                results.push(summary(&format!("relative error at k = {LAST}, {kind}"), &rule, &last));
                results.push(summary(&format!("its mean, {kind}"), &rule, &[mean(&last)]));
            }
        }
        let early = counts.partition_point(|count| *count < EARLY);
        let of = |method: Method, i: usize, at: usize| {
            let curves = named().find(|(one, _)| *one == method).map(|(_, runs)| &runs[i].1);
            mean(&curves.into_iter().flatten().map(|curve| curve[at]).collect::<Vec<_>>())
        };
        let last = counts.len() - 1;
        // How the best other method compares with the heavy ball.
        let best = |i: usize, at: usize| {
            let others = Method::ALL.into_iter().filter(|method| *method != Method::HeavyBall);
            least(&others.map(|method| of(method, i, at)).collect::<Vec<_>>()) / of(Method::HeavyBall, i, at)
        };
        let none = of(Method::None, 0, last) / of(Method::HeavyBall, 0, last);
        Figure {
            id: "2a",
            title: "Momentum methods on total projections".into(),
            caption: format!(
                "{STATES} states, {FEATURES} features, features and mean targets uniform in [−1, 1], target noise ±½, τ uniform in 1 … {STATES}; mean of {count} runs. \
                 Every method gets the direction ϑ·TP(w) of the curvature step, computed by the crate in f64. None, heavy ball and Nesterov take \
                 η = 1/k (β = ½); Adadelta has no step size. The others have theirs beside their names: first the usual ones, then the best of {} on other \
                 seeds, divided by √k but for Adagrad. The paper finds the heavy ball best. Up to a hundred episodes it is, level with Nesterov; by the end Adadelta has passed it, and \
                 so has every method whose step size was tuned for that many episodes.",
                STEPS.len()
            ),
            rules: Method::ALL.map(|method| method.name().into()).into(),
            seeds: (0..count).collect(),
            panels: vec![
                panel(format!("{STATES} × {FEATURES}, noisy; usual step sizes"), 0),
                panel("the same; step sizes tuned on other seeds".into(), 1),
            ],
            results,
            claims: vec![
                Claim::new(format!("mean error at k = {LAST}, none over heavy ball"), none, Bound::Above, 1.0),
                Claim::remark(
                    format!("heavy ball is best at k = {EARLY}: best other over it, tuned"),
                    best(1, early),
                    Bound::AtLeast,
                    1.0,
                ),
                Claim::remark(
                    format!("heavy ball is best at k = {LAST}: best other over it, usual steps"),
                    best(0, last),
                    Bound::AtLeast,
                    1.0,
                ),
                Claim::remark("the same, tuned", best(1, last), Bound::AtLeast, 1.0),
            ],
        }
    })
}
