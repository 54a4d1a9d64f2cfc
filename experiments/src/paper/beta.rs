//! The choice of β: a sweep without and with noise.

use osculate::StoredConfig;
use osculate_lab::drawing::{Axis, Line, Panel};
use osculate_lab::numbers::median;

use super::figure::{Claim, Curves, Figure, Summary, by_seed, least, log_spaced, most};
use super::learning::{CURVATURE, GOAL, descent, in_all, to_goal};
use super::noisy::{self, in_noise};
use super::{ARITHMETICS, FEATURES, STATES, Size};
use crate::contender::Contender;
use crate::worlds::equations::consistent;

/// The β of the sweep, and the ones whose error is drawn over the iterations.
const BETAS: [f32; 10] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const DRAWN: [usize; 5] = [0, 3, 5, 7, 9];
/// Updates without noise.
const LAST: u32 = 400;
/// The arithmetics of the sweep.
const IN: [usize; 2] = [0, 2];

/// For each β a learner in f64 and one in q28.
fn learners<const ROWS: usize, const N: usize>(config: StoredConfig) -> Vec<Box<dyn Contender>> {
    let in_two = |beta| {
        let [f64, _, q28, _] = in_all::<N, ROWS>(StoredConfig { beta, ..config });
        [f64, q28]
    };
    BETAS.into_iter().flat_map(in_two).collect()
}

/// Error over iterations for several β, and where each ends.
pub(super) fn figure(size: Size) -> Figure {
    let name = |beta: usize| format!("β = {}", BETAS[beta]);
    let names = || (0..BETAS.len()).flat_map(|beta| IN.map(|i| format!("{}, {}", name(beta), ARITHMETICS[i])));
    let exact = by_seed("beta", size.seeds, names(), |seed| {
        let rows = consistent(seed, 100, 30);
        learners::<100, 30>(CURVATURE).iter_mut().map(|one| descent(&mut **one, &rows, LAST)).collect()
    });
    let noisy = by_seed("beta, noisy", size.seeds, names(), |seed| {
        in_noise(&mut learners::<STATES, FEATURES>(StoredConfig::PAPER), seed)
    });
    let few: Vec<u32> = (1..=100).collect();
    let drawn = |runs: &[Curves], xs: &[u32]| -> Vec<Line> {
        DRAWN.map(|beta| Curves { name: name(beta), ..runs[2 * beta].clone() }.thin(xs)).into()
    };
    let sweep = |title: &str, y: Axis, number: &dyn Fn(usize) -> Vec<f64>, runs: usize| {
        let line = |i: usize| {
            let all: Vec<_> = (0..runs / 2).map(|beta| (f64::from(BETAS[beta]), number(2 * beta + i))).collect();
            let band = |(x, values): &(f64, Vec<f64>)| (*x, least(values), most(values));
            Line {
                points: all.iter().map(|(x, values)| (*x, median(values.as_slice()))).collect(),
                band: if i == 0 { all.iter().map(band).collect() } else { Vec::new() },
                ..Line::plain(ARITHMETICS[IN[i]], Vec::new())
            }
        };
        Panel::new(title, Axis::linear("β"), y, vec![line(0), line(1)])
    };
    let iterations = |run: usize| exact[run].each(to_goal);
    let ends = |run: usize| noisy[run].last();
    let mut results: Vec<Summary> =
        exact.iter().map(|run| Summary::new("iterations to 1e-6, noise-free", &run.name, &run.each(to_goal))).collect();
    results.extend(noisy.iter().map(|run| run.ends("relative error at k = 10^4, noisy")));
    let never = |run: &Curves| run.each(|errors| f64::from(u8::from(errors.iter().all(|error| *error > GOAL))));
    Figure {
        id: "beta",
        title: "The choice of β",
        caption: format!(
            "Heavy ball with β from 0 to 0.9. Without noise: 100 × 30 as in 1a, η = 1. With noise: 25 × 10 as in 2b, η = 1/k. Medians of {} seeds, \
             the lines over iterations in f64; in the sweeps, f64 is shaded from best to worst, and q28 lies on top of it.",
            size.seeds
        ),
        seeds: size.all_seeds(),
        panels: vec![
            Panel::new(
                "a  without noise",
                Axis::linear("iterations"),
                Axis::log("relative error"),
                drawn(&exact.iter().map(|run| run.at(&few)).collect::<Vec<_>>(), &few),
            ),
            sweep("iterations to 1e-6 without noise", Axis::linear("iterations to 1e-6"), &iterations, exact.len()),
            Panel::new(
                "b  with noise",
                Axis::log("episodes k"),
                Axis::log("relative error"),
                drawn(&noisy, &log_spaced(noisy::LAST, 12)),
            ),
            sweep("error after 10⁴ noisy episodes", Axis::log("error at k = 10⁴"), &ends, noisy.len()),
        ],
        results,
        claims: vec![
            Claim::at_most(
                "runs without noise that do not reach 1e-6, any β and arithmetic",
                exact.iter().flat_map(never).sum(),
                0.0,
            ),
            Claim::above_one(
                "iterations to 1e-6, median, β = 0 over β = ½ (f64)",
                median(iterations(0)) / median(iterations(10)),
            ),
            Claim::above_one(
                "noisy error at k = 10^4, median, β = 0 over β = ½ (f64)",
                median(ends(0)) / median(ends(10)),
            ),
        ],
    }
}
