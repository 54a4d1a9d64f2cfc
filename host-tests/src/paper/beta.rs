//! The choice of β: a sweep without and with noise.

use osculate::{Q28, StoredConfig};

use super::figure::{Axis, Bound, Claim, Figure, Line, Panel, Summary};
use super::learning::{ARITHMETICS, CURVATURE, at, descent, to_goal};
use super::noisy::{self, EPISODES};
use super::problem::consistent;
use super::statistics::{least, log_spaced, median, most, over_seeds, summary};
use super::{Experiment, Size};

/// β in tenths.
const TENTHS: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
/// The ones whose error is drawn over the iterations.
const DRAWN: [usize; 5] = [0, 3, 5, 7, 9];
/// Updates without noise.
const LAST: u32 = 400;

/// What one world shows for one β and arithmetic: errors over all updates without noise, and at some with noise.
type Errors = [(Vec<f64>, Vec<f64>); 2];

/// The arithmetics of the sweep, and which of all they are.
const IN: [(&str, usize); 2] = [(ARITHMETICS[0], 0), (ARITHMETICS[2], 2)];

/// Error over iterations for several β, and where each ends.
pub(super) fn figure(size: Size) -> Experiment {
    let work = |seed| -> Vec<Errors> {
        let rows = consistent(seed, 100, 30);
        let descents = [descent::<f64, 30, 100>, descent::<Q28, 30, 100>];
        let of_beta = |tenths: u8| {
            let beta = f32::from(tenths) / 10.0;
            let noise_free = StoredConfig { beta, ..CURVATURE };
            let stochastic = StoredConfig { beta, ..StoredConfig::PAPER };
            let counts = log_spaced(noisy::LAST, 12);
            std::array::from_fn(|i| {
                (descents[i](noise_free, &rows, LAST), EPISODES[IN[i].1](stochastic, seed, &counts))
            })
        };
        TENTHS.map(of_beta).into()
    };
    Experiment::new(size.all_seeds(), work, move |runs| {
        let counts = log_spaced(noisy::LAST, 12);
        let noise_free = |beta: usize, i: usize| runs.iter().map(move |run| &run[beta][i].0);
        let stochastic = |beta: usize, i: usize| runs.iter().map(move |run| &run[beta][i].1);
        let iterations = |beta, i| -> Vec<f64> { noise_free(beta, i).map(|errors| to_goal(errors)).collect() };
        let last = |beta, i| -> Vec<f64> { stochastic(beta, i).map(|errors| errors[errors.len() - 1]).collect() };
        let few: Vec<u32> = (1..=100).collect();
        let name = |beta: usize| format!("β = {}", f64::from(TENTHS[beta]) / 10.0);
        let drawn = |curves: &dyn Fn(usize) -> Vec<Vec<f64>>, xs: &[u32]| -> Vec<Line> {
            let line = |beta: usize| {
                let mut line = over_seeds(name(beta), xs, &curves(beta), median);
                line.band.clear();
                line
            };
            DRAWN.map(line).into()
        };
        let sweep = |title: &str, y: Axis, values: &dyn Fn(usize, usize) -> Vec<f64>| {
            let line = |i: usize| {
                let at = |beta: usize| (f64::from(TENTHS[beta]) / 10.0, values(beta, i));
                let all: Vec<(f64, Vec<f64>)> = (0..TENTHS.len()).map(at).collect();
                Line {
                    name: IN[i].0.into(),
                    ink: None,
                    points: all.iter().map(|(x, values)| (*x, median(values))).collect(),
                    band: if i == 0 {
                        all.iter().map(|(x, values)| (*x, least(values), most(values))).collect()
                    } else {
                        Vec::new()
                    },
                }
            };
            Panel { title: title.into(), x: Axis::linear("β"), y, lines: vec![line(0), line(1)] }
        };
        let results = |quantity: &str, values: &dyn Fn(usize, usize) -> Vec<f64>| -> Vec<Summary> {
            let one = |beta: usize| (0..2).map(move |i| (beta, i));
            let all = (0..TENTHS.len()).flat_map(one);
            all.map(|(beta, i)| summary(quantity, format!("{}, {}", name(beta), IN[i].0), &values(beta, i))).collect()
        };
        let mut all = results("iterations to 1e-6, noise-free", &iterations);
        all.extend(results("relative error at k = 10^4, noisy", &last));
        let never = noise_free_never(&runs);
        Figure {
            id: "beta",
            title: "The choice of β".into(),
            caption: format!(
                "Heavy ball with β from 0 to 0.9. Without noise: 100 × 30 as in 1a, η = 1. With noise: 25 × 10 as in 2b, η = 1/k. Medians of {} seeds, \
                 the lines over iterations in f64; in the sweeps, f64 is shaded from best to worst, and q28 lies on top of it.",
                size.seeds
            ),
            rules: (0..TENTHS.len()).map(name).collect(),
            seeds: size.all_seeds(),
            panels: vec![
                Panel {
                    title: "a  without noise".into(),
                    x: Axis::linear("iterations"),
                    y: Axis::log("relative error"),
                    lines: drawn(&|beta| noise_free(beta, 0).map(|errors| at(errors, &few)).collect(), &few),
                },
                sweep("iterations to 1e-6 without noise", Axis::linear("iterations to 1e-6"), &iterations),
                Panel {
                    title: "b  with noise".into(),
                    x: Axis::log("episodes k"),
                    y: Axis::log("relative error"),
                    lines: drawn(&|beta| stochastic(beta, 0).cloned().collect(), &counts),
                },
                sweep("error after 10⁴ noisy episodes", Axis::log("error at k = 10⁴"), &last),
            ],
            results: all,
            claims: vec![
                Claim::new(
                    "runs without noise that do not reach 1e-6, any β and arithmetic",
                    never,
                    Bound::AtMost,
                    0.0,
                ),
                Claim::new(
                    "iterations to 1e-6, median, β = 0 over β = ½ (f64)",
                    median(&iterations(0, 0)) / median(&iterations(5, 0)),
                    Bound::Above,
                    1.0,
                ),
                Claim::new(
                    "noisy error at k = 10^4, median, β = 0 over β = ½ (f64)",
                    median(&last(0, 0)) / median(&last(5, 0)),
                    Bound::Above,
                    1.0,
                ),
            ],
        }
    })
}

/// How many noise-free runs end above the goal.
fn noise_free_never(runs: &[Vec<Errors>]) -> f64 {
    let all = runs.iter().flatten().flatten();
    all.filter(|(errors, _)| errors.iter().all(|error| *error > super::learning::GOAL)).count() as f64
}
