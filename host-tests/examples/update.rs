//! Makes as many updates as its argument says, n = 32, τ = 32, in the arithmetic named first: for callgrind to count.

use std::hint::black_box;

use osculate::{Arithmetic, Batch, Learner, Q28};
use osculate_host_tests::worlds::{Dice, row};

fn updates<A: Arithmetic>(count: u32) {
    let mut dice = Dice::new(1);
    let mut batch = Batch::<A, 32, 32>::new();
    while batch.push(&features::<A>(&mut dice), A::target(dice.uniform()).expect("a number")).is_ok() {}
    let mut learner = Learner::<A, 32>::default();
    for _ in 0..count {
        black_box(learner.update(black_box(&batch)));
    }
}

fn features<A: Arithmetic>(dice: &mut Dice) -> A::Features<32> {
    let row: [f32; 32] = row(dice, 32).try_into().expect("32 features");
    A::features(&row).expect("numbers")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count = arguments.get(1).and_then(|count| count.parse().ok()).unwrap_or(1);
    match arguments.first().map(String::as_str) {
        Some("q28") => updates::<Q28>(count),
        Some("f64") => updates::<f64>(count),
        _ => updates::<f32>(count),
    }
}
