//! Who takes part.

mod bootstrap;
mod ours;
mod rows;
mod swift_td;
#[cfg(test)]
mod tests;

use bootstrap::{Lstd, Td};
use rows::{Adam, Autostep, Kaczmarz, Nag, Normalised, Sgd};
use swift_td::{Parameters, SwiftTd};

use super::{Cost, Episode, Lengths, Problem};
use crate::drift::{Contestant, Nlms, Rls};

/// A learner of values.
pub trait Rule {
    /// φ·w.
    fn value(&self, phi: &[f32]) -> f64;
    /// Learns from an episode.
    fn learn(&mut self, episode: &Episode);
}

/// The parameters of a rule, in the order of their names.
pub type Setting = Vec<f64>;

/// Makes a new learner with a setting.
pub type Make = Box<dyn Fn(&Setting) -> Box<dyn Rule> + Send + Sync>;

/// A rival for rows: its name, parameters and grid, how it is made, its formula, and the MACs and words it stands for.
type ForRows = (&'static str, &'static [&'static str], Vec<Setting>, Make, &'static str, f64, f64);

/// A rule with the settings to choose from.
pub struct Contender {
    /// Its name.
    pub name: String,
    /// Whether it is the library's: nothing to tune.
    pub ours: bool,
    /// The names of its parameters.
    pub parameters: &'static [&'static str],
    /// The settings that are tried.
    pub grid: Vec<Setting>,
    /// A new learner with a setting.
    pub make: Make,
    /// Its cost.
    pub cost: Box<dyn Fn(Lengths) -> Cost + Send + Sync>,
    /// Its multiply-accumulates per row: n features, and s steps with r first visits per episode.
    pub formula: &'static str,
}

/// A rule for rows, fed with the returns of first visits.
struct MonteCarlo<C>(C);

impl<C: Contestant> Rule for MonteCarlo<C> {
    fn value(&self, phi: &[f32]) -> f64 {
        self.0.value(phi)
    }

    fn learn(&mut self, episode: &Episode) {
        episode.steps.iter().filter(|step| step.first).for_each(|step| self.0.learn(&step.phi, step.target));
    }
}

/// From 10^low to 10^high, two per decade.
fn decades(low: i32, high: i32) -> Vec<f64> {
    let digits = (low..high).flat_map(|power| [format!("1e{power}"), format!("3e{power}")]);
    digits.chain([format!("1e{high}")]).map(|number| number.parse().expect("a number")).collect()
}

fn one(values: &[f64]) -> Vec<Setting> {
    values.iter().map(|&value| vec![value]).collect()
}

/// What the inverses of RLS and LSTD begin with, on their diagonals.
const PRIORS: [f64; 8] = [1e-8, 1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6];
const FORGETTING: [f64; 6] = [1.0, 0.9995, 0.998, 0.99, 0.98, 0.95];

/// Every combination.
fn with(settings: Vec<Setting>, values: &[f64]) -> Vec<Setting> {
    let extended = |setting: Setting| values.iter().map(move |&value| [setting.clone(), vec![value]].concat());
    settings.into_iter().flat_map(extended).collect()
}

/// Rivals for rows: how each is made from its setting, and what it costs. The roots, divisions and exponentials that some
/// need for every feature are not multiply-accumulates and come on top.
fn for_rows(problem: Problem) -> Vec<Contender> {
    let (n, size, is_rows) = (problem.n, problem.n as f64, problem.is_rows());
    fn boxed(contestant: impl Contestant + 'static) -> Box<dyn Rule> {
        Box::new(MonteCarlo(contestant))
    }
    let steps = one(&decades(-9, 0));
    let list: [ForRows; 8] = [
        // φ·w and w.
        (
            "MC-SGD",
            &["step"],
            steps,
            Box::new(move |s| boxed(Sgd { w: vec![0.0; n], step: s[0] })),
            "2n",
            2.0 * size,
            size,
        ),
        // ‖φ‖², φ·w and w.
        ("NLMS", &["gain"], one(&Nlms::GAINS), Box::new(move |s| boxed(Nlms::new(n, s[0]))), "3n", 3.0 * size, size),
        (
            "NLMS k^-3/4",
            &["gain"],
            one(&[0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]),
            Box::new(move |s| boxed(Kaczmarz { w: vec![0.0; n], gain: s[0], k: 0.0 })),
            "3n",
            3.0 * size,
            size,
        ),
        // φ·w, the gradient, its mean, its square and the mean of that, the step.
        (
            "Adam",
            &["step"],
            one(&decades(-7, 0)),
            Box::new(move |s| boxed(Adam::new(n, s[0]))),
            "6n, n roots, n divisions",
            6.0 * size,
            3.0 * size,
        ),
        // φ·w; the gradient, its agreement, x², its share of the time constant (2) and the size; the step (2) and its
        // reach; the step again, the change, αx², and the trace.
        (
            "Autostep",
            &["meta", "step"],
            with(one(&[1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1]), &[1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1]),
            Box::new(move |s| boxed(Autostep::new(n, s[0], s[1]))),
            "14n, n exp, n divisions",
            14.0 * size,
            4.0 * size,
        ),
        // φ·w, (x/s)², the gradient, its square, two products for the step.
        (
            "NAG (VW)",
            &["step"],
            one(&[0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0]),
            Box::new(move |s| boxed(Nag::new(n, s[0]))),
            "6n, n roots, 2n divisions",
            6.0 * size,
            3.0 * size,
        ),
        // Pφ; φ·Pφ, its multiple, φ·w, w; one triangle of P.
        (
            "RLS",
            &["prior", "forget"],
            with(one(&PRIORS), &FORGETTING),
            Box::new(move |s| boxed(Rls::with_prior(n, s[0], s[1]))),
            "1.5n^2 + 4.5n",
            1.5 * size * size + 4.5 * size,
            (size * size + size) / 2.0 + size,
        ),
        // The same, ‖φ‖² and its multiple of φ.
        (
            "RLS, unit rows",
            &["prior", "forget"],
            with(one(&PRIORS), &FORGETTING),
            Box::new(move |s| boxed(Normalised(Rls::with_prior(n, s[0], s[1])))),
            "1.5n^2 + 6.5n",
            1.5 * size * size + 6.5 * size,
            (size * size + size) / 2.0 + size,
        ),
    ];
    let contender = |(name, parameters, grid, make, formula, macs, words): ForRows| Contender {
        name: name.into(),
        ours: false,
        parameters,
        grid,
        make,
        cost: Box::new(move |lengths| Cost::new(macs, words).with_log(size, lengths, is_rows)) as _,
        formula,
    };
    list.into_iter().map(contender).collect()
}

/// Rivals that learn from every step.
fn bootstrapping(problem: Problem) -> Vec<Contender> {
    let (n, size, gamma) = (problem.n, problem.n as f64, problem.gamma);
    let steps = decades(-9, 0);
    let cost = |macs: f64, words: f64| Box::new(move |_| Cost::new(macs, words)) as Box<dyn Fn(_) -> _ + Send + Sync>;
    let contender = |name: &str, parameters, grid, make, formula, cost| Contender {
        name: name.into(),
        ours: false,
        parameters,
        grid,
        make,
        cost,
        formula,
    };
    // Plain rows have nothing to bootstrap from: there TD is MC-SGD, and LSTD is RLS.
    let mut all = Vec::new();
    if !problem.is_rows() {
        all.push(contender(
            "TD(0)",
            &["step"],
            one(&steps),
            Box::new(move |s: &Setting| Box::new(Td::new(n, gamma, s[0], 0.0)) as _),
            // φ·w, φ′·w and w; the last φ is remembered, as below.
            "3n",
            cost(3.0 * size, 2.0 * size),
        ));
        all.push(contender(
            "TD(lambda)",
            &["step", "lambda"],
            with(one(&steps), &[0.5, 0.8, 0.95]),
            Box::new(move |s: &Setting| Box::new(Td::new(n, gamma, s[0], s[1])) as _),
            "4n",
            cost(4.0 * size, 3.0 * size),
        ));
    }
    let lambdas: &[f64] = if problem.is_rows() { &[0.0] } else { &[0.8, 0.95] };
    let swift =
        with(with(with(one(&[1e-6, 1e-5, 1e-4, 1e-3, 1e-2]), &[1e-4, 1e-3, 1e-2]), &[0.01, 0.03, 0.1, 0.5]), lambdas);
    all.push(contender(
        "SwiftTD",
        &["step", "meta", "bound", "lambda"],
        swift,
        Box::new(move |s: &Setting| {
            let parameters = Parameters { gamma, step: s[0], meta: s[1], bound: s[2], lambda: s[3] };
            Box::new(SwiftTd::new(n, parameters)) as _
        }),
        // φ·w; the change (2), the step, the slope, three decays; x², the rate, the overlap, what moved, the fresh part (2),
        // two traces, the slope's trace (2) and the next slope (4).
        "22n, n exp, n divisions",
        cost(22.0 * size, 11.0 * size),
    ));
    if !problem.is_rows() {
        all.push(contender(
            "LSTD(lambda)",
            &["prior", "lambda"],
            with(one(&PRIORS), &[0.0, 0.8]),
            Box::new(move |s: &Setting| Box::new(Lstd::new(n, gamma, s[0], s[1])) as _),
            // Az, uᵀA, and the change of A, which is not symmetric; z, u, u·Az, u·w, a multiple, and w.
            "3n^2 + 6n",
            cost(3.0 * size * size + 6.0 * size, size * size + 3.0 * size),
        ));
    }
    all
}

/// The rivals and the library's rules for a problem, in the order of the tables.
pub fn contenders(problem: Problem) -> Vec<Contender> {
    let mut all = for_rows(problem);
    let rls = all.split_off(all.len() - 2);
    let mut rest = bootstrapping(problem);
    let lstd = if problem.is_rows() { None } else { rest.pop() };
    all.extend(rest);
    all.extend(rls);
    all.extend(lstd);
    all.extend(ours::all(problem));
    all
}
