//! Figure 2a: the momentum methods that the paper compares, on the direction of the curvature step.

use osculate::{Log, Predictor, Stored};
use osculate_host_tests::reference::Row;
use osculate_lab::drawing::{Axis, Line};
use osculate_lab::numbers::{least, mean};

use super::Size;
use super::equations::CURVATURE;
use super::figure::{Claim, Figure};
use crate::contender::Contender;
use crate::curves::{Curves, Run, Summary, by_seed, log_spaced};
use crate::equations::{FEATURES, NoisyStates, STATES, dice, on_states};

/// Episodes.
const LAST: u32 = 1_000;
/// An earlier one.
const EARLY: u32 = 100;
/// Where the step sizes are chosen from, on seeds that are not shown.
const STEPS: [f64; 9] = [0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0];
const TUNING: std::ops::Range<u64> = 500..510;

/// All methods with their names and the usual step sizes of those that need one; somebody has to choose it. The others take
/// η_k = 1/k or, Adadelta, none at all.
const METHODS: [(&str, Option<f64>, Method); 8] = [
    ("none", None, |_, d, k, _| d / k),
    ("heavy ball", None, heavy_ball),
    (NESTEROV, None, heavy_ball),
    (ADAGRAD, Some(0.01), adagrad),
    ("Adadelta", None, adadelta),
    ("RMSprop", Some(0.001), rms_prop),
    ("Adam", Some(0.001), adam),
    ("Nadam", Some(0.001), nadam),
];

/// It looks where the velocity leads before it asks for the direction.
const NESTEROV: &str = "Nesterov";
const ADAGRAD: &str = "Adagrad";
/// β of heavy ball and Nesterov, as in the paper.
const MOMENTUM: f64 = 0.5;
/// How much RMSprop and Adadelta remember of past squares.
const MEMORY: f64 = 0.9;
/// β₁ and β₂ of Adam and Nadam.
const ADAM: (f64, f64) = (0.9, 0.999);
/// Against division by zero; 10⁻⁶ in Adadelta, whose first steps it determines.
const TINY: f64 = 1e-8;
const TINY_DELTA: f64 = 1e-6;

/// What a method remembers about a weight.
#[derive(Clone, Copy, Default)]
struct Past {
    /// The velocity, or the mean direction.
    first: f64,
    /// The sum or the mean of squares.
    second: f64,
    /// The mean of squared steps.
    steps: f64,
}

/// What is subtracted from a weight, given the direction, the number of the step and its size.
type Method = fn(&mut Past, f64, f64, f64) -> f64;

fn heavy_ball(past: &mut Past, d: f64, k: f64, _: f64) -> f64 {
    past.first = MOMENTUM * past.first + d / k;
    past.first
}

fn adagrad(past: &mut Past, d: f64, _: f64, step: f64) -> f64 {
    past.second += d * d;
    step * d / (past.second.sqrt() + TINY)
}

fn adadelta(past: &mut Past, d: f64, _: f64, _: f64) -> f64 {
    past.second = MEMORY * past.second + (1.0 - MEMORY) * d * d;
    let step = ((past.steps + TINY_DELTA) / (past.second + TINY_DELTA)).sqrt() * d;
    past.steps = MEMORY * past.steps + (1.0 - MEMORY) * step * step;
    step
}

fn rms_prop(past: &mut Past, d: f64, _: f64, step: f64) -> f64 {
    past.second = MEMORY * past.second + (1.0 - MEMORY) * d * d;
    step * d / (past.second.sqrt() + TINY)
}

fn adam(past: &mut Past, d: f64, k: f64, step: f64) -> f64 {
    adaptive(past, d, k, step, |mean, rest| mean / rest)
}

fn nadam(past: &mut Past, d: f64, k: f64, step: f64) -> f64 {
    let (one, _) = ADAM;
    let ahead = 1.0 - libm::pow(one, k + 1.0);
    adaptive(past, d, k, step, |mean, rest| one * mean / ahead + (1.0 - one) * d / rest)
}

/// Adam or Nadam, by how the mean direction is corrected for its beginning with 0.
fn adaptive(past: &mut Past, d: f64, k: f64, step: f64, corrected: impl Fn(f64, f64) -> f64) -> f64 {
    let (one, two) = ADAM;
    past.first = one * past.first + (1.0 - one) * d;
    past.second = two * past.second + (1.0 - two) * d * d;
    let mean = corrected(past.first, 1.0 - libm::pow(one, k));
    step * mean / ((past.second / (1.0 - libm::pow(two, k))).sqrt() + TINY)
}

/// Moves weights by one of the [`METHODS`].
struct Optimiser<const N: usize> {
    method: usize,
    /// For the methods that have one.
    step: f64,
    /// Whether RMSprop, Adam and Nadam divide it by √k. Adagrad does that by itself.
    decays: bool,
    k: f64,
    past: [Past; N],
}

impl<const N: usize> Optimiser<N> {
    fn new(method: usize, step: f64, decays: bool) -> Self {
        Self { method, step, decays: decays && METHODS[method].0 != ADAGRAD, k: 0.0, past: [Past::default(); N] }
    }

    /// One step; `direction` leads uphill from the weights that it is given.
    fn advance(&mut self, w: &mut [f64; N], direction: impl Fn([f64; N]) -> [f64; N]) {
        self.k += 1.0;
        let (name, _, method) = METHODS[self.method];
        let looks = name == NESTEROV;
        let from = std::array::from_fn(|i| if looks { w[i] - MOMENTUM * self.past[i].first } else { w[i] });
        let step = if self.decays { self.step / self.k.sqrt() } else { self.step };
        for ((w, past), d) in w.iter_mut().zip(&mut self.past).zip(direction(from)) {
            *w -= method(past, d, self.k, step);
        }
    }
}

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

/// A method by its number, with the size of its step if it has one, as a learner.
fn learner(method: usize, step: Option<f64>, decays: bool) -> Contender {
    let name = METHODS[method].0;
    let name = step.map_or(name.into(), |step| format!("{name}, {step}"));
    let mut optimiser = Optimiser::<FEATURES>::new(method, step.unwrap_or(0.0), decays);
    let mut rows = Vec::new();
    let rule = Contender::steps(FEATURES, move |learned, step, next| {
        rows.push((step.phi.to_vec(), step.target));
        if next.is_none() {
            let w = learned.w.as_mut_slice().try_into().expect("as many weights as features");
            optimiser.advance(w, |w| direction(w, &rows));
            rows.clear();
        }
    });
    rule.named(name)
}

/// The relative errors after these numbers of episodes.
fn errors(mut learners: Vec<Contender>, seed: u64, counts: &[u32]) -> Vec<Run> {
    on_states(&NoisyStates::contradictory(seed), &mut dice(seed), None, &mut learners, counts)
}

/// The best step size on the tuning seeds.
fn tuned(method: usize) -> f64 {
    let learners = || STEPS.iter().map(|step| learner(method, Some(*step), true)).collect();
    let runs = by_seed("figure 2a, tuning", TUNING, |seed| errors(learners(), seed, &[LAST]));
    let error = |i: usize| mean(&runs[i].last());
    STEPS[(0..STEPS.len()).min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(0)]
}

/// Figure 2a: eight methods, mean of ten runs.
pub(super) fn figure(size: Size) -> Figure {
    let (count, all) = (size.momentum_runs, METHODS.len());
    let usual = METHODS.map(|(_, step, _)| step);
    let tuned: Vec<Option<f64>> = (0..all).map(|method| usual[method].map(|_| tuned(method))).collect();
    let counts = log_spaced(LAST, 16);
    let runs = by_seed("figure 2a", 0..count, |seed| {
        let usual = (0..all).map(|method| learner(method, usual[method], false));
        let tuned = (0..all).map(|method| learner(method, tuned[method], true));
        errors(usual.chain(tuned).collect(), seed, &counts)
    });
    let (usual, tuned) = runs.split_at(all);
    let line = |run: &Curves| Line::plain(&run.name, run.over(&counts, |x, at| (x, mean(at))));
    let lines = |runs: &[Curves]| runs.iter().map(line).collect();
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
    let x = || Axis::log("episodes k");
    let y = || Axis::log("mean relative error");
    Figure::new("2a", "Momentum methods on total projections", caption)
        .seeds(count)
        .panel(format!("{STATES} × {FEATURES}, noisy; usual step sizes"), x(), y(), lines(usual))
        .panel("the same; step sizes tuned on other seeds", x(), y(), lines(tuned))
        .results(results)
        .claims([
            Claim::above_one(format!("mean error at k = {LAST}, none over heavy ball"), over(usual, last)[0]),
            remark(is_best(EARLY, "tuned"), tuned, early),
            remark(is_best(LAST, "usual steps"), usual, last),
            remark("the same, tuned".into(), tuned, last),
        ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each method finds the bottom of a bowl that is four times as steep in one direction.
    #[test]
    fn every_method_goes_downhill() {
        for (i, (name, ..)) in METHODS.iter().enumerate() {
            let (mut w, mut optimiser) = ([0.0; 2], Optimiser::new(i, 0.5, true));
            for _ in 0..5_000 {
                optimiser.advance(&mut w, |w| [w[0] - 1.0, 0.25 * (w[1] + 1.0)]);
            }
            let far = (w[0] - 1.0).hypot(w[1] + 1.0);
            assert!(far < 0.2, "{name}: {far}");
        }
    }

    #[test]
    fn the_first_step_of_adam_is_its_step_size_whatever_the_slope() {
        let (mut w, mut optimiser) = ([0.0; 2], Optimiser::new(6, 0.25, true));
        optimiser.advance(&mut w, |_| [1e-3, -1e3]);
        assert!((w[0] + 0.25).abs() < 1e-4 && (w[1] - 0.25).abs() < 1e-4);
    }
}
