//! `tracking` with its defaults against rivals that are tuned for each case, in worlds that stay, drift or jump.

mod bands;
mod contestants;
mod markov;
mod problem;
mod rivals;
mod table;
mod units;

pub use bands::{Coverage, coverage};
pub(crate) use contestants::product;
pub use contestants::{ARITHMETICS, Contestant, reference, tracking};
pub use markov::{MARKOV_CASES, MarkovCell, markov_cell};
pub use problem::{CASES, Case, Problem, Sample};
pub use rivals::{Nlms, Rls};
pub use table::{Cell, SIZES, Tuned, cell, median};
pub use units::{Units, units};

/// Rows per run. Errors count from a quarter of them on.
pub const ROWS: usize = 40_000;
/// Rivals are tuned on these seeds; the comparison runs on the seeds from 0.
pub const TUNING_SEEDS: std::ops::Range<u64> = 1_000..1_004;
