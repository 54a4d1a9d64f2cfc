//! The rules, with the settings to choose from. Rivals are in f64, tuned for every problem on other seeds than those that
//! are shown; the library's have their defaults.

mod differences;
mod filters;
pub mod ours;
mod plain;
mod swift_td;
#[cfg(test)]
mod tests;

use osculate::{Q24, Q28};

use self::differences::{Lstd, Td};
use self::filters::{Adam, Autostep, Nag, Nlms, Rls, Sgd, UnitRows};
use self::swift_td::{Parameters, SwiftTd};
use crate::contender::{Contender, Filter, MonteCarlo};
use crate::tuning::{Entry, Lengths, Make, Setting};
use crate::worlds::Problem;

/// The arithmetics, in the order of [`tracking`] and of the paper's figures.
pub const ARITHMETICS: [&str; 4] = ["f64", "f32", "q28", "q24"];

/// From 10^low to 10^high, two per decade.
fn decades(low: i32, high: i32) -> Vec<f64> {
    let digits = (low..high).flat_map(|power| [format!("1e{power}"), format!("3e{power}")]);
    digits.chain([format!("1e{high}")]).map(|number| number.parse().expect("a number")).collect()
}

fn one(values: &[f64]) -> Vec<Setting> {
    values.iter().map(|&value| vec![value]).collect()
}

/// Every combination.
fn with(settings: Vec<Setting>, values: &[f64]) -> Vec<Setting> {
    let extended = |setting: Setting| values.iter().map(move |&value| [setting.clone(), vec![value]].concat());
    settings.into_iter().flat_map(extended).collect()
}

/// What the inverses of RLS and LSTD begin with, on their diagonals.
const PRIORS: [f64; 8] = [1e-8, 1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6];
const FORGETTING: [f64; 6] = [1.0, 0.9995, 0.998, 0.99, 0.98, 0.95];

fn rows<F: Filter + 'static>(new: impl Fn(&[f64]) -> F + Send + Sync + 'static) -> Make {
    Box::new(move |setting| Box::new(MonteCarlo(new(setting))))
}

fn steps<C: Contender + 'static>(new: impl Fn(&[f64]) -> C + Send + Sync + 'static) -> Make {
    Box::new(move |setting| Box::new(new(setting)))
}

/// The rivals for a problem, in the order of the tables. The roots, divisions and exponentials that some need for every
/// feature are not multiply-accumulates and come on top.
fn rivals(problem: &Problem, at: Lengths) -> Vec<Entry> {
    let (n, gamma, is_rows) = (problem.n, problem.gamma, problem.is_rows());
    let size = n as f64;
    // Rules for returns need the episode so far: features and reward of every step. Rows with given targets need no log.
    let log = if is_rows { 0.0 } else { at.longest as f64 * (size + 1.0) };
    let triangle = (size * size + size) / 2.0;
    let filter = |name: &str, parameters, grid, (formula, macs, words): (_, f64, f64), make| {
        Entry::new(name, parameters, grid, (formula, macs, words + log), make)
    };
    let mut all = vec![
        // φ·w and w.
        filter(
            "MC-SGD",
            &["step"],
            one(&decades(-9, 0)),
            ("2n", 2.0 * size, size),
            rows(move |s| Sgd { w: vec![0.0; n], step: s[0] }),
        ),
        // ‖φ‖², φ·w and w.
        filter(
            "NLMS",
            &["gain"],
            one(&Nlms::GAINS),
            ("3n", 3.0 * size, size),
            rows(move |s| Nlms::new(n, s[0], false)),
        ),
        filter(
            "NLMS k^-3/4",
            &["gain"],
            one(&[0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]),
            ("3n", 3.0 * size, size),
            rows(move |s| Nlms::new(n, s[0], true)),
        ),
        // φ·w, the gradient, its mean, its square and the mean of that, the step.
        filter(
            "Adam",
            &["step"],
            one(&decades(-7, 0)),
            ("6n, n roots, n divisions", 6.0 * size, 3.0 * size),
            rows(move |s| Adam::new(n, s[0])),
        ),
        // φ·w; the gradient, its agreement, x², its share of the time constant (2) and the size; the step (2) and its
        // reach; the step again, the change, αx², and the trace.
        filter(
            "Autostep",
            &["meta", "step"],
            with(one(&[1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1]), &[1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1]),
            ("14n, n exp, n divisions", 14.0 * size, 4.0 * size),
            rows(move |s| Autostep::new(n, s[0], s[1])),
        ),
        // φ·w, (x/s)², the gradient, its square, two products for the step.
        filter(
            "NAG (VW)",
            &["step"],
            one(&[0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0]),
            ("6n, n roots, 2n divisions", 6.0 * size, 3.0 * size),
            rows(move |s| Nag::new(n, s[0])),
        ),
    ];
    // Plain rows have nothing to bootstrap from: there TD is MC-SGD, and LSTD is RLS.
    if !is_rows {
        // φ·w, φ′·w and w; the last φ is remembered, as below.
        let cost = ("3n", 3.0 * size, 2.0 * size);
        all.push(Entry::new(
            "TD(0)",
            &["step"],
            one(&decades(-9, 0)),
            cost,
            steps(move |s| Td::new(n, gamma, s[0], 0.0)),
        ));
        all.push(Entry::new(
            "TD(lambda)",
            &["step", "lambda"],
            with(one(&decades(-9, 0)), &[0.5, 0.8, 0.95]),
            ("4n", 4.0 * size, 3.0 * size),
            steps(move |s| Td::new(n, gamma, s[0], s[1])),
        ));
    }
    let lambdas: &[f64] = if is_rows { &[0.0] } else { &[0.8, 0.95] };
    let metas = with(one(&[1e-6, 1e-5, 1e-4, 1e-3, 1e-2]), &[1e-4, 1e-3, 1e-2]);
    all.push(Entry::new(
        "SwiftTD",
        &["step", "meta", "bound", "lambda"],
        with(with(metas, &[0.01, 0.03, 0.1, 0.5]), lambdas),
        // φ·w; the change (2), the step, the slope, three decays; x², the rate, the overlap, what moved, the fresh part
        // (2), two traces, the slope's trace (2) and the next slope (4).
        ("22n, n exp, n divisions", 22.0 * size, 11.0 * size),
        steps(move |s| SwiftTd::new(n, Parameters { gamma, step: s[0], meta: s[1], bound: s[2], lambda: s[3] })),
    ));
    // Pφ; φ·Pφ, its multiple, φ·w, w; one triangle of P.
    all.push(filter(
        "RLS",
        &["prior", "forget"],
        with(one(&PRIORS), &FORGETTING),
        ("1.5n^2 + 4.5n", 1.5 * size * size + 4.5 * size, triangle + size),
        rows(move |s| Rls::new(n, s[0], s[1])),
    ));
    // The same, ‖φ‖² and its multiple of φ.
    all.push(filter(
        "RLS, unit rows",
        &["prior", "forget"],
        with(one(&PRIORS), &FORGETTING),
        ("1.5n^2 + 6.5n", 1.5 * size * size + 6.5 * size, triangle + size),
        rows(move |s| UnitRows(Rls::new(n, s[0], s[1]))),
    ));
    if !is_rows {
        all.push(Entry::new(
            "LSTD(lambda)",
            &["prior", "lambda"],
            with(one(&PRIORS), &[0.0, 0.8]),
            // Az, uᵀA, and the change of A, which is not symmetric; z, u, u·Az, u·w, a multiple, and w.
            ("3n^2 + 6n", 3.0 * size * size + 6.0 * size, size * size + 3.0 * size),
            steps(move |s| Lstd::new(n, gamma, s[0], s[1])),
        ));
    }
    all
}

/// The rivals and the library's rules for a problem, in the order of the tables.
pub fn all(problem: &Problem, at: Lengths) -> Vec<Entry> {
    let mut all = rivals(problem, at);
    all.extend(match problem.n {
        4 => own::<4>(problem, at),
        10 => own::<10>(problem, at),
        11 => own::<11>(problem, at),
        24 => own::<24>(problem, at),
        _ => unreachable!("no problem has this many features"),
    });
    all
}

fn own<const N: usize>(problem: &Problem, at: Lengths) -> Vec<Entry> {
    let f64 = ours::entries::<f64, f32, N>(problem, "f64", at);
    let q28 = ours::entries::<Q28, Q28, N>(problem, "q28", at);
    let mut all: Vec<Entry> = f64.into_iter().zip(q28).flat_map(|(f64, q28)| [f64, q28]).collect();
    if problem.has_columns_in_units() {
        // Scaled features are at most 1, so weights grow by what features shrink: 8 may not be enough.
        all.extend(ours::entries::<Q24, Q24, N>(problem, "q24", at).pop());
    }
    all
}

/// `tracking` with its defaults in every arithmetic, against the filters that an engineer would tune for these rows.
pub fn filters(problem: &Problem, _: Lengths) -> Vec<Entry> {
    let n = problem.n;
    let mut all = match n {
        4 => tracking::<4>(problem),
        10 => tracking::<10>(problem),
        32 => tracking::<32>(problem),
        _ => unreachable!("not a size of the table"),
    };
    let factors = one(&[1.0, 0.9995, 0.999, 0.998, 0.995, 0.99, 0.98, 0.95]);
    all.push(Entry::free("NLMS", one(&Nlms::GAINS), rows(move |s| Nlms::new(n, s[0], false))));
    all.push(Entry::free("RLS", factors, rows(move |s| Rls::new(n, 100.0, s[0]))));
    all
}

/// The same against TD(0.8), for steps.
pub fn bootstrapping(problem: &Problem, _: Lengths) -> Vec<Entry> {
    let gamma = problem.gamma;
    let mut all = tracking::<10>(problem);
    let sizes = one(&[0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1]);
    all.push(Entry::free("TD", sizes, steps(move |s| Td::new(10, gamma, s[0], 0.8))));
    all
}

/// `tracking` with columns in any units, with and without the online scaler.
pub fn scaled<const N: usize>(_: &Problem, _: Lengths) -> Vec<Entry> {
    let config = osculate::TrackingConfig { gamma: 0.0, ..osculate::TrackingConfig::DEFAULT };
    let entry = |name, has_scaler| {
        let make = move |_: &[f64]| ours::tracking_with::<f32, N>(config, has_scaler);
        Entry::free(name, vec![Vec::new()], Box::new(make))
    };
    vec![entry("unscaled", false), entry("scaled", true)]
}

fn tracking<const N: usize>(problem: &Problem) -> Vec<Entry> {
    let gamma = problem.gamma;
    let makes =
        [ours::tracking::<f64, N>, ours::tracking::<f32, N>, ours::tracking::<Q28, N>, ours::tracking::<Q24, N>];
    let entry = |(name, make): (&str, fn(f64) -> Box<dyn Contender>)| {
        Entry::free(name, vec![Vec::new()], Box::new(move |_| make(gamma)))
    };
    let mut all: Vec<Entry> = ARITHMETICS.into_iter().zip(makes).map(entry).collect();
    all.push(Entry::free("its mathematics", vec![Vec::new()], steps(move |_| plain::Tracking::new(N, gamma))));
    all
}
