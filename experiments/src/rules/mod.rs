//! The rules, with the settings to choose from. Rivals are in f64, tuned for every problem on other seeds than those that
//! are shown; the library's have their defaults.

mod differences;
mod filters;
pub(crate) mod ours;
#[cfg(test)]
mod tests;

use osculate::{Q24, Q28, TrackingConfig};

use self::differences::{Parameters, lstd, swift_td, td};
use self::filters::{GAINS, adam, autostep, nag, nlms, rls, sgd, unit_rows};
use crate::contender::Contender;
use crate::tuning::{Entry, Lengths, Setting};
use crate::worlds::Problem;

/// The arithmetics, in the order of [`tracking`] and of the paper's figures.
pub(crate) const ARITHMETICS: [&str; 4] = ["f64", "f32", "q28", "q24"];

/// From 10^low to 10^high, two per decade.
fn decades(low: i32, high: i32) -> Vec<f64> {
    let digits = (low..high).flat_map(|power| [format!("1e{power}"), format!("3e{power}")]);
    digits.chain([format!("1e{high}")]).map(|number| number.parse().expect("a number")).collect()
}

/// Every combination of the values of the parameters.
fn grid(values: &[&[f64]]) -> Vec<Setting> {
    let with = |settings: Vec<Setting>, values: &&[f64]| {
        let pairs = settings.iter().flat_map(|setting| values.iter().map(move |value| (setting, value)));
        pairs.map(|(setting, value)| [setting.as_slice(), &[*value]].concat()).collect()
    };
    values.iter().fold(vec![Vec::new()], with)
}

/// What the inverses of RLS and LSTD begin with, on their diagonals.
const PRIORS: [f64; 8] = [1e-8, 1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6];
const FORGETTING: [f64; 6] = [1.0, 0.9995, 0.998, 0.99, 0.98, 0.95];

/// A rule for rows of n features, and the words of the log that it needs.
fn filter<R: FnMut(&mut [f64], &[f32], f32) + 'static>(
    (n, log): (usize, f64),
    name: &str,
    parameters: &'static [&'static str],
    grid: Vec<Setting>,
    new: impl Fn(&[f64]) -> R + Send + Sync + 'static,
) -> Entry {
    let entry = Entry::new(name, parameters, grid, move |setting| Contender::rows(n, new(setting)));
    Entry { words: log, ..entry }
}

/// The rivals for a problem, in the order of the tables. The roots, divisions and exponentials that some need for every
/// feature are not multiply-accumulates and come on top.
fn rivals(problem: &Problem, at: Lengths) -> Vec<Entry> {
    let (n, gamma, is_rows) = (problem.n, problem.gamma, problem.is_rows());
    // Rules for returns need the episode so far: features and reward of every step. Rows with given targets need no log.
    let rows = (n, if is_rows { 0.0 } else { at.longest as f64 * (n as f64 + 1.0) });
    let gains = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
    let metas = grid(&[&[1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1], &[1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1]]);
    let sizes = grid(&[&[0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0]]);
    let adam = filter(rows, "Adam", &["step"], grid(&[&decades(-7, 0)]), move |s| adam(n, s[0]));
    let autostep = filter(rows, "Autostep", &["meta", "step"], metas, move |s| autostep(n, s[0], s[1]));
    let nag = filter(rows, "NAG (VW)", &["step"], sizes, move |s| nag(n, s[0]));
    let mut all = vec![
        // φ·w and w.
        filter(rows, "MC-SGD", &["step"], grid(&[&decades(-9, 0)]), |s| sgd(s[0])).costs(n, [0.0, 2.0], "", [0.0, 1.0]),
        // ‖φ‖², φ·w and w.
        filter(rows, "NLMS", &["gain"], grid(&[&GAINS]), |s| nlms(s[0], false)).costs(n, [0.0, 3.0], "", [0.0, 1.0]),
        filter(rows, "NLMS k^-3/4", &["gain"], grid(&[&gains]), |s| nlms(s[0], true)).costs(
            n,
            [0.0, 3.0],
            "",
            [0.0, 1.0],
        ),
        // φ·w, the gradient, its mean, its square and the mean of that, the step.
        adam.costs(n, [0.0, 6.0], ", n roots, n divisions", [0.0, 3.0]),
        // φ·w; the gradient, its agreement, x², its share of the time constant (2) and the size; the step (2) and its
        // reach; the step again, the change, αx², and the trace.
        autostep.costs(n, [0.0, 14.0], ", n exp, n divisions", [0.0, 4.0]),
        // φ·w, (x/s)², the gradient, its square, two products for the step.
        nag.costs(n, [0.0, 6.0], ", n roots, 2n divisions", [0.0, 3.0]),
    ];
    // Plain rows have nothing to bootstrap from: there TD is MC-SGD, and LSTD is RLS.
    if !is_rows {
        // φ·w, φ′·w and w; the last φ is remembered, as below.
        let entry = Entry::new("TD(0)", &["step"], grid(&[&decades(-9, 0)]), move |s| td(n, gamma, s[0], 0.0));
        all.push(entry.costs(n, [0.0, 3.0], "", [0.0, 2.0]));
        let grid = grid(&[&decades(-9, 0), &[0.5, 0.8, 0.95]]);
        let entry = Entry::new("TD(lambda)", &["step", "lambda"], grid, move |s| td(n, gamma, s[0], s[1]));
        all.push(entry.costs(n, [0.0, 4.0], "", [0.0, 3.0]));
    }
    let lambdas: &[f64] = if is_rows { &[0.0] } else { &[0.8, 0.95] };
    let settings = grid(&[&[1e-6, 1e-5, 1e-4, 1e-3, 1e-2], &[1e-4, 1e-3, 1e-2], &[0.01, 0.03, 0.1, 0.5], lambdas]);
    let entry = Entry::new("SwiftTD", &["step", "meta", "bound", "lambda"], settings, move |s| {
        swift_td(n, Parameters { gamma, step: s[0], meta: s[1], bound: s[2], lambda: s[3] })
    });
    // φ·w; the change (2), the step, the slope, three decays; x², the rate, the overlap, what moved, the fresh part (2),
    // two traces, the slope's trace (2) and the next slope (4).
    all.push(entry.costs(n, [0.0, 22.0], ", n exp, n divisions", [0.0, 11.0]));
    let (names, settings) = (&["prior", "forget"], grid(&[&PRIORS, &FORGETTING]));
    // Pφ; φ·Pφ, its multiple, φ·w, w; one triangle of P.
    let entry = filter(rows, "RLS", names, settings.clone(), move |s| rls(n, s[0], s[1]));
    all.push(entry.costs(n, [1.5, 4.5], "", [0.5, 1.5]));
    // The same, ‖φ‖² and its multiple of φ.
    let entry = filter(rows, "RLS, unit rows", names, settings, move |s| unit_rows(rls(n, s[0], s[1])));
    all.push(entry.costs(n, [1.5, 6.5], "", [0.5, 1.5]));
    if !is_rows {
        let grid = grid(&[&PRIORS, &[0.0, 0.8]]);
        let entry = Entry::new("LSTD(lambda)", &["prior", "lambda"], grid, move |s| lstd(n, gamma, s[0], s[1]));
        // Az, uᵀA, and the change of A, which is not symmetric; z, u, u·Az, u·w, a multiple, and w.
        all.push(entry.costs(n, [3.0, 6.0], "", [1.0, 3.0]));
    }
    all
}

/// The rivals and the library's rules for a problem, in the order of the tables.
pub(crate) fn all(problem: &Problem, at: Lengths) -> Vec<Entry> {
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
pub(crate) fn filters(problem: &Problem, _: Lengths) -> Vec<Entry> {
    let n = problem.n;
    let mut all = match n {
        4 => tracking::<4>(problem),
        10 => tracking::<10>(problem),
        32 => tracking::<32>(problem),
        _ => unreachable!("not a size of the table"),
    };
    let factors = grid(&[&[1.0, 0.9995, 0.999, 0.998, 0.995, 0.99, 0.98, 0.95]]);
    all.push(filter((n, 0.0), "NLMS", &["setting"], grid(&[&GAINS]), |s| nlms(s[0], false)));
    all.push(filter((n, 0.0), "RLS", &["setting"], factors, move |s| rls(n, 100.0, s[0])));
    all
}

/// The same against TD(0.8), for steps.
pub(crate) fn bootstrapping(problem: &Problem, _: Lengths) -> Vec<Entry> {
    let gamma = problem.gamma;
    let mut all = tracking::<10>(problem);
    let sizes = grid(&[&[0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1]]);
    all.push(Entry::new("TD", &["setting"], sizes, move |s| td(10, gamma, s[0], 0.8)));
    all
}

/// `tracking` with columns in any units, with and without the online scaler.
pub(crate) fn scaled<const N: usize>(_: &Problem, _: Lengths) -> Vec<Entry> {
    const CONFIG: TrackingConfig = TrackingConfig { gamma: 0.0, ..TrackingConfig::DEFAULT };
    let entry = |name, has_scaler| Entry::fixed(name, move || ours::tracking_with::<f32, N>(CONFIG, has_scaler));
    vec![entry("unscaled", false), entry("scaled", true)]
}

fn tracking<const N: usize>(problem: &Problem) -> Vec<Entry> {
    let gamma = problem.gamma;
    let makes =
        [ours::tracking::<f64, N>, ours::tracking::<f32, N>, ours::tracking::<Q28, N>, ours::tracking::<Q24, N>];
    let entry = |(name, make): (&str, fn(f64) -> Contender)| Entry::fixed(name, move || make(gamma));
    ARITHMETICS.into_iter().zip(makes).map(entry).collect()
}
