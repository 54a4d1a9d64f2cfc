//! Runs the number of updates given as its argument, with n = 32, τ = 32, in the arithmetic named first, for callgrind
//! to count.

use std::hint::black_box;

use osculate::Learner;
use osculate::{Arithmetic, Log, Q28, Stored, StoredConfig};
use osculate_host_tests::worlds::{Dice, row};

fn updates<A: Arithmetic>(count: u32) {
    let mut dice = Dice::new(1);
    let mut learner = Stored::new(StoredConfig::PAPER, Log::<A, 32, 1, 32>::NEW);
    for _ in 0..32 {
        let features: [f32; 32] = row(&mut dice, 32).try_into().expect("32 features");
        learner.learn(dice.uniform(), &features).expect("numbers");
    }
    for _ in 0..count {
        black_box(black_box(&mut learner).update());
    }
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
