//! The rules of the library against the rules that an engineer would otherwise take, on the same episodes. The rivals'
//! parameters are tuned for every problem, on other seeds than those shown; the library's are its defaults.

mod cost;
mod problems;
mod rules;
mod run;
mod tables;
mod verdict;

pub use cost::{Cost, Lengths};
pub use problems::{Data, Episode, Problem, Step};
pub use rules::{Contender, Make, Rule, Setting, contenders};
pub use run::{Line, Report, compare, quartiles};
pub use tables::{costs, markdown, text};
pub use verdict::{against_least_squares, losses};

use crate::drift::product;

/// Errors are measured after this many episodes.
pub const CHECKPOINTS: [usize; 3] = [10, 100, 1_000];
/// Rivals are tuned on these seeds; the tables come from the seeds from 0 on.
pub const TUNING_SEEDS: std::ops::Range<u64> = 1_000..1_004;
/// How many seeds the tables come from, unless told otherwise.
pub const SEEDS: u64 = 40;
