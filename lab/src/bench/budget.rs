//! The committed budget: how many instructions each part may take, and how many bytes of flash the whole learner may
//! take.
//!
//! There is one budget per compiler version. A new compiler may compile some parts, above all its own `memcpy`, a few
//! per cent better or worse, and the budget is not meant to catch that.

use std::fmt::Write;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::report::{self, Record, Size};
use crate::toolchain::{Toolchain, answer};

/// How much a count may grow before it counts as a regression.
pub const GROWTH: f64 = 0.03;
/// How much a count may differ from the one of another compiler.
pub const OTHER_COMPILER: f64 = 0.35;

/// The boards and arithmetics that the budget covers.
pub const MEASURED: [(&str, &str); 3] = [("mps2-an386", "f32"), ("mps2-an386", "q28"), ("microbit", "q28")];
/// The board whose flash the budget covers, in both arithmetics.
pub const SIZED: &str = "mps2-an386";
/// Numbers of features in the budget.
pub const FEATURES: [u32; 2] = [16, 64];

/// The counts measured with one compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The compiler's version.
    pub compiler: String,
    /// The counts.
    pub counts: Vec<Record>,
    /// Flash and RAM used by the learner.
    #[serde(default)]
    pub sizes: Vec<Size>,
}

/// The version of the compiler that builds the firmware.
///
/// # Errors
/// If no compiler is found.
pub fn compiler() -> Result<String> {
    let text = answer(Toolchain::find()?.rustc().arg("--version")).context("rustc does not tell its version")?;
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
        let (records, sizes) = (report::lines(&budget.counts)?, report::lines(&budget.sizes)?);
        let name = &budget.compiler;
        Ok(format!("{{\"compiler\": \"{name}\", \"counts\": [\n  {records}\n], \"sizes\": [\n  {sizes}\n]}}"))
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
    for count in &measured.counts {
        let known = budgets.iter().flat_map(|budget| &budget.counts).filter(|budget| budget.matches(count));
        match known.map(|budget| budget.instructions).max() {
            None => _ = writeln!(text, "no budget for {}", count.line()),
            Some(budget) if f64::from(count.instructions) > f64::from(budget) * (1.0 + growth) => {
                _ = writeln!(text, "{} instead of {budget}: {}", count.instructions, count.line());
            }
            Some(_) => {}
        }
    }
    for size in &measured.sizes {
        let known = budgets.iter().flat_map(|budget| &budget.sizes);
        let known = known.filter(|known| (&known.board, &known.arith) == (&size.board, &size.arith));
        let bytes = |size: &Size| [size.flash, size.stored, size.streaming, size.tracking];
        let most = known.map(bytes).reduce(|a, b| std::array::from_fn(|i| a[i].max(b[i])));
        let Size { board, arith, .. } = size;
        let Some(most) = most else {
            _ = writeln!(text, "no budget for the flash of {board}, {arith}");
            continue;
        };
        for ((what, is), most) in
            ["flash", "RAM with a log", "RAM of streaming", "RAM of tracking"].iter().zip(bytes(size)).zip(most)
        {
            if f64::from(is) > f64::from(most) * (1.0 + growth) {
                _ = writeln!(text, "{is} bytes instead of {most}: {what}, {board}, {arith}");
            }
        }
    }
    text
}
