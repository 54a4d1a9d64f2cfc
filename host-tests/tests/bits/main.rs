//! Promise: every rule is bit-exact with its specification in every arithmetic: all bits of what it answers and of all
//! that it knows, every count and every verdict, whatever it is told.
//!
//! | arithmetic | compared with |
//! | --- | --- |
//! | f32 | f64, rounded to 24 bits after every operation |
//! | f64, for tracking | the same, not rounded |
//! | q28, q24 | two readings of fixed point: in pairs of f64, and in `i128` |
//!
//! Learners have random parameters, and 1 to 32 features. They encounter unusable rows and readings, repeated states,
//! full logs, cut episodes, restarts, and numbers that leave the range.

/// Learners of all these sizes.
macro_rules! sizes {
    ($new:ident, $format:ty: $($n:literal)*) => { [$(($n, $new::<$format, $n> as $crate::subject::New)),*] };
}

mod compare;
mod edges;
mod ends;
mod factors;
mod plan;
mod rules;
mod story;
mod subject;

use rules::{library, of_rows};
use subject::{Checked, New};

/// Every size, because the loops over features are specialised for each. They do not depend on the rule.
fn every_size<A: Checked>() -> [(usize, New); 32] {
    sizes!(of_rows, A: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
}

fn some_sizes<A: Checked>() -> [(usize, New); 5] {
    sizes!(library, A: 1 2 3 8 17)
}
