//! The experiments of the paper, with the learners of the crate.

mod arithmetic;
mod beta;
mod bias;
mod experiment;
mod figure;
mod learning;
mod memory;
mod momentum;
mod noise_free;
mod noisy;
mod optimiser;
mod problem;
mod scale;
mod size;
mod statistics;
mod toy;
mod walker;

pub use experiment::{Experiment, run};
pub use figure::{Axis, Bound, Claim, Figure, Line, Panel, Summary};
pub use size::Size;

/// The names of the figures, in the order of the page.
pub const FIGURES: [&str; 10] = ["1a", "1b", "2a", "2b", "beta", "toy", "scale", "arithmetic", "bias", "memory"];

/// All experiments, in the order of the page.
pub fn experiments(size: Size) -> Vec<Experiment> {
    let all = [
        noise_free::steps,
        noise_free::sizes,
        momentum::figure,
        noisy::figure,
        beta::figure,
        toy::figure,
        scale::figure,
        arithmetic::figure,
        bias::figure,
        memory::figure,
    ];
    all.into_iter().map(|experiment| experiment(size)).collect()
}
