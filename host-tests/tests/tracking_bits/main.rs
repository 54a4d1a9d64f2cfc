//! Promise: tracking is bit-exact with its specification in every arithmetic, at every step: w, w̄, the mark or probe,
//! trace, gain, statistics of the errors, bounds, predictions, refusals and counts.
//!
//! f32 is compared with an f64 reference that is rounded after every operation, f64 with the same reference without
//! that, and fixed point with two: in f64 pairs, and in `i128`.

mod compare;
mod factors;
mod story;
mod subject;

use compare::run;
use osculate::{Q24, Q28};
use subject::{Checked, New, library};

const STEPS: u32 = 100_000;

/// Learners of all these sizes.
macro_rules! sizes {
    ($format:ident: $($n:literal)*) => { [$(($n, library::<$format, $n> as New)),*] };
}

fn check<A: Checked>(seed: u64) {
    let seen = run::<A>(&sizes!(A: 1 2 3 5 8 17), STEPS, seed);
    println!("{}: every bit equal; {seen:?}", A::NAME);
    seen.expect(A::NAME);
}

#[test]
fn f32_equals_the_rounded_reference() {
    check::<f32>(0);
}

#[test]
fn f64_equals_the_unrounded_reference() {
    check::<f64>(1 << 40);
}

#[test]
fn q28_equals_model_and_oracle() {
    check::<Q28>(2 << 40);
}

#[test]
fn q24_equals_model_and_oracle() {
    check::<Q24>(3 << 40);
}
