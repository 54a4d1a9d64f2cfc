//! The committed budget: how many instructions each part may take.

use std::fmt::Write;

use super::device::Count;
use super::report::{Record, Report};

/// How much a count may grow before it is a mistake.
pub const GROWTH: f64 = 0.03;

/// What the budget is about: boards, their arithmetics, and numbers of features.
pub const MEASURED: [(&str, &str); 3] = [("mps2-an386", "f32"), ("mps2-an386", "q28"), ("microbit", "q28")];
/// Numbers of features in the budget.
pub const FEATURES: [u32; 2] = [16, 64];

/// The budget, as it is committed.
pub const FILE: &str = include_str!("../../budget.json");

impl Count {
    /// With the board and the arithmetic that it was counted on.
    pub fn on(self, board: &str, arith: &str) -> Record {
        Record {
            board: board.into(),
            arith: arith.into(),
            kernel: self.kernel,
            n: self.n,
            tau: self.tau,
            instructions: self.instructions,
            macs: self.macs,
            model_cycles: None,
            stack: self.stack,
        }
    }
}

/// What is over the budget, or not in it, a line each.
pub fn exceeded(budget: &Report, counts: &[Record]) -> String {
    let mut text = String::new();
    for count in counts {
        match budget.counts.iter().find(|budget| budget.matches(count)) {
            None => _ = writeln!(text, "no budget for {}", count.line()),
            Some(budget) if f64::from(count.instructions) > f64::from(budget.instructions) * (1.0 + GROWTH) => {
                _ = writeln!(text, "{} instead of {}: {}", count.instructions, budget.instructions, count.line());
            }
            Some(_) => {}
        }
    }
    text
}
