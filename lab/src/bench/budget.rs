//! The committed budget: how many instructions each part may take, and how many bytes of flash all of them.
//!
//! One for each compiler that it was measured with: a new one may compile some parts, and above all its own `memcpy`, a few per
//! cent better or worse, which is not what a budget is to catch.

use std::fmt::Write;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::report::{self, Record, Size};
use crate::toolchain::{Toolchain, answer};

/// How much a count may grow before it is a mistake.
pub const GROWTH: f64 = 0.03;
/// How much it may differ from what another compiler has made of it.
pub const OTHER_COMPILER: f64 = 0.35;

/// What the budget is about: boards, their arithmetics, and numbers of features.
pub const MEASURED: [(&str, &str); 3] = [("mps2-an386", "f32"), ("mps2-an386", "q28"), ("microbit", "q28")];
/// The board whose flash the budget is about, in both arithmetics.
pub const SIZED: &str = "mps2-an386";
/// Numbers of features in the budget.
pub const FEATURES: [u32; 2] = [16, 64];

/// The counts that one compiler came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Its version.
    pub compiler: String,
    /// What they were.
    pub counts: Vec<Record>,
    /// What learning took of flash and RAM.
    #[serde(default)]
    pub sizes: Vec<Size>,
}

/// The version of the compiler that builds the firmware.
///
/// # Errors
/// Where there is none.
pub fn compiler() -> Result<String> {
    let text = answer(Toolchain::find()?.rustc().arg("--version")).context("rustc does not tell its version")?;
    Ok(text.split_whitespace().nth(1).unwrap_or_default().into())
}

/// All budgets, as they are committed.
///
/// # Errors
/// Where the file is none of ours.
pub fn committed(file: &str) -> Result<Vec<Budget>> {
    serde_json::from_str(file).context("not a file of budgets")
}

/// The file with the counts of one compiler replaced, a record per line.
///
/// # Errors
/// None that could happen with what is in here.
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

/// What is over the budget, or not in it, a line each.
///
/// A compiler without a budget of its own is held to the largest of the others', less strictly.
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
        let bytes = |size: &Size| [size.flash, size.stored, size.streaming];
        let most = known.map(bytes).reduce(|a, b| std::array::from_fn(|i| a[i].max(b[i])));
        let Size { board, arith, .. } = size;
        let Some(most) = most else {
            _ = writeln!(text, "no budget for the flash of {board}, {arith}");
            continue;
        };
        for ((what, is), most) in ["flash", "RAM with a log", "RAM without"].iter().zip(bytes(size)).zip(most) {
            if f64::from(is) > f64::from(most) * (1.0 + growth) {
                _ = writeln!(text, "{is} bytes instead of {most}: {what}, {board}, {arith}");
            }
        }
    }
    text
}
