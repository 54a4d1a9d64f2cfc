//! The committed budget: how many instructions each part may take, and how many bytes of flash the whole learner may
//! take.
//!
//! There is one budget per compiler version. A new compiler may compile some parts, above all its own `memcpy`, a few
//! per cent better or worse, and the budget is not meant to catch that.

use std::fmt::Write;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::report::{self, Ram, Record, Size};
use crate::toolchain::{ambient, answer};

/// How much a count may grow before it counts as a regression.
pub const GROWTH: f64 = 0.03;
/// How much a count may differ from the one of another compiler.
pub const OTHER_COMPILER: f64 = 0.35;

/// The boards and arithmetics that the budget covers.
pub const MEASURED: [(&str, &str); 3] = [("mps2-an386", "f32"), ("mps2-an386", "q28"), ("microbit", "q28")];
/// The board whose flash the budget covers, in both arithmetics.
pub const SIZED: &str = "mps2-an386";
/// Numbers of features in the budget.
pub const FEATURES: [u32; 4] = [8, 10, 16, 64];

/// The counts measured with one compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The compiler's version.
    pub compiler: String,
    /// The counts.
    pub counts: Vec<Record>,
    /// Flash and static RAM used by learning.
    #[serde(default)]
    pub sizes: Vec<Size>,
    /// RAM of learners.
    #[serde(default)]
    pub ram: Vec<Ram>,
}

/// The version of the compiler that builds the firmware.
///
/// # Errors
/// If no compiler is found.
pub fn compiler() -> Result<String> {
    let text = answer(ambient("rustc").arg("--version")).context("rustc does not tell its version")?;
    Ok(text.split_whitespace().nth(1).unwrap_or_default().into())
}

/// All committed budgets.
///
/// # Errors
/// If the text is not a budget file.
pub fn committed(file: &str) -> Result<Vec<Budget>> {
    serde_json::from_str(file).context("not a file of budgets")
}

/// The file with the counts of one compiler replaced, a record per line.
///
/// # Errors
/// Never in practice: these types always serialise.
pub fn updated(mut budgets: Vec<Budget>, measured: Budget) -> Result<String> {
    budgets.retain(|budget| budget.compiler != measured.compiler);
    budgets.push(measured);
    budgets.sort_by(|a, b| a.compiler.cmp(&b.compiler));
    let entry = |budget: &Budget| {
        let [counts, sizes, ram] =
            [report::lines(&budget.counts)?, report::lines(&budget.sizes)?, report::lines(&budget.ram)?]
                .map(|lines| format!("[\n  {lines}\n]"));
        let name = &budget.compiler;
        Ok(format!("{{\"compiler\": \"{name}\", \"counts\": {counts}, \"sizes\": {sizes}, \"ram\": {ram}}}"))
    };
    let entries = budgets.iter().map(entry).collect::<Result<Vec<_>>>()?;
    Ok(format!("[{}]\n", entries.join(",\n")))
}

/// Everything that is over the budget or missing from it, one line each.
///
/// A compiler without a budget of its own is checked against the largest of the others, with more tolerance.
pub fn exceeded(budgets: &[Budget], measured: &Budget) -> String {
    let own: Vec<_> = budgets.iter().filter(|budget| budget.compiler == measured.compiler).collect();
    let (budgets, growth) = if own.is_empty() { (budgets.iter().collect(), OTHER_COMPILER) } else { (own, GROWTH) };
    let mut text = String::new();
    let mut check = |what: &str, is: u32, most: Option<u32>| match most {
        None => _ = writeln!(text, "no budget for {what}"),
        Some(most) if f64::from(is) > f64::from(most) * (1.0 + growth) => {
            _ = writeln!(text, "{is} instead of {most}: {what}");
        }
        Some(_) => {}
    };
    for count in &measured.counts {
        let known = budgets.iter().flat_map(|budget| &budget.counts).filter(|budget| budget.matches(count));
        check(&count.line(), count.instructions, known.map(|budget| budget.instructions).max());
    }
    for size in &measured.sizes {
        let known = budgets.iter().flat_map(|budget| &budget.sizes).filter(|budget| budget.matches(size));
        let Size { board, arith, program, opt_level, flash, .. } = size;
        let what = format!("bytes of flash, {program}, {board}, {arith}, opt-level {opt_level}");
        check(&what, *flash, known.map(|budget| budget.flash).max());
    }
    for ram in &measured.ram {
        let known: Vec<_> = budgets.iter().flat_map(|budget| &budget.ram).filter(|known| known.matches(ram)).collect();
        for (i, learner) in ["stored", "streaming", "tracking"].iter().enumerate() {
            let what = format!("bytes of RAM, {learner}, {}, {}, n = {}", ram.board, ram.arith, ram.n);
            check(&what, ram.bytes()[i], known.iter().map(|known| known.bytes()[i]).max());
        }
    }
    text
}
