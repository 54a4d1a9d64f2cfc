//! The results of a bench run, as text and as JSON.

use std::fmt::Write;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::device::Count;

/// A count of instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The board, by its name in `boards.toml`.
    pub board: String,
    /// The arithmetic.
    pub arith: String,
    /// The part of the learner.
    pub kernel: String,
    /// Features.
    pub n: u32,
    /// Rows.
    pub tau: u32,
    /// Instructions.
    pub instructions: u32,
    /// Multiply-accumulates.
    pub macs: u32,
    /// Cycles of a Cortex-M4, by the model in `cycles`; only for this core.
    pub model_cycles: Option<u32>,
    /// Bytes of stack.
    pub stack: u32,
}

/// Memory used by a learner: SIM, n = 16, τ = 32 for flash; n = 8, τ = 32 for RAM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// The board.
    pub board: String,
    /// The arithmetic.
    pub arith: String,
    /// The compiler's `opt-level`.
    pub opt_level: String,
    /// Bytes of flash that learning adds to a binary.
    pub flash: u32,
    /// Bytes of static RAM that it adds.
    pub static_ram: u32,
    /// Bytes of a learner with 8 features, 32 stored rows and a log of 32 steps.
    pub stored: u32,
    /// Bytes of a learner with 8 features and no log.
    pub streaming: u32,
    /// Bytes of a tracking learner with 8 features.
    pub tracking: u32,
}

/// All results of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Instructions.
    pub counts: Vec<Record>,
    /// Flash and RAM.
    pub sizes: Vec<Size>,
}

impl Record {
    /// A record of one count on a board, in an arithmetic.
    pub fn new(board: &str, arith: &str, count: &Count) -> Self {
        let Count { part, n, tau, instructions, macs, stack, .. } = *count;
        let (board, arith, kernel) = (board.into(), arith.into(), part.name().into());
        Self { board, arith, kernel, n, tau, instructions, macs, model_cycles: None, stack }
    }

    /// Instructions per multiply-accumulate, if there are any.
    pub fn per_mac(&self) -> Option<f64> {
        (self.macs > 0).then(|| f64::from(self.instructions) / f64::from(self.macs))
    }

    /// Whether both records measure the same thing.
    pub fn matches(&self, other: &Self) -> bool {
        let key = |r: &Self| (r.board.clone(), r.arith.clone(), r.kernel.clone(), r.n, r.tau);
        key(self) == key(other)
    }

    /// A line of the table.
    pub fn line(&self) -> String {
        let number = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.3}"));
        let cycles = self.model_cycles.filter(|_| self.macs > 0).map(|c| f64::from(c) / f64::from(self.macs));
        format!(
            "{:<11} {:<5} {:<13} {:>4} {:>4} {:>9} {:>8} {:>10} {:>7}",
            self.board,
            self.arith,
            self.kernel,
            self.n,
            self.tau,
            self.instructions,
            number(self.per_mac()),
            number(cycles),
            self.stack
        )
    }

    /// The header of the columns of [`line`](Self::line).
    pub const HEADER: &str = "board       arith kernel           n  tau     insns insns/MAC cycles/MAC   stack";
}

/// As JSON without brackets, one record per line.
pub(super) fn lines(records: &[impl Serialize]) -> Result<String> {
    Ok(records.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?.join(",\n  "))
}

impl Report {
    /// From JSON.
    ///
    /// # Errors
    /// If the text is not such a report.
    pub fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).context("not a report of `cargo xtask bench`")
    }

    /// As JSON, one record per line.
    ///
    /// # Errors
    /// Never in practice: these types always serialise.
    pub fn json(&self) -> Result<String> {
        let (counts, sizes) = (lines(&self.counts)?, lines(&self.sizes)?);
        Ok(format!("{{\"counts\": [\n  {counts}\n], \"sizes\": [\n  {sizes}\n]}}\n"))
    }

    /// Everything that changed since `base`, one line each.
    pub fn compare(&self, base: &Self) -> String {
        let mut text = String::new();
        for record in &self.counts {
            let Some(old) = base.counts.iter().find(|old| old.matches(record)) else {
                _ = writeln!(text, "new      {}", record.line());
                continue;
            };
            let change = f64::from(record.instructions) / f64::from(old.instructions) - 1.0;
            if record.instructions != old.instructions {
                _ = writeln!(text, "{:>+7.2}% {}", change * 100.0, record.line());
            }
        }
        for size in &self.sizes {
            let same =
                |old: &&Size| (&old.board, &old.arith, &old.opt_level) == (&size.board, &size.arith, &size.opt_level);
            if let Some(old) = base.sizes.iter().find(same).filter(|old| *old != size) {
                _ = writeln!(
                    text,
                    "flash {} -> {}, RAM {} -> {}: {} {}",
                    old.flash, size.flash, old.stored, size.stored, size.board, size.arith
                );
            }
        }
        if text.is_empty() { "nothing has changed\n".into() } else { text }
    }

    /// The README's table: instructions per multiply-accumulate with 64 features.
    pub fn markdown(&self) -> String {
        let mut text = String::from(
            "| board, arithmetic | n | pass 1 | pass 2 | update, τ = 32 | cycles of pass 1 (model) |\n| --- | --- | --- | --- | --- | --- |\n",
        );
        let groups: Vec<_> = self.counts.iter().map(|r| (&r.board, &r.arith)).collect();
        for (i, (board, arith)) in groups.iter().enumerate().filter(|(i, group)| !groups[..*i].contains(group)) {
            let n = 64;
            let find = |kernel: &str| {
                let same = |r: &&Record| {
                    (&r.board, &r.arith, r.kernel.as_str(), r.n, r.tau) == (*board, *arith, kernel, n, 32)
                };
                self.counts[i..].iter().find(same)
            };
            let per_mac =
                |kernel: &str| find(kernel).and_then(Record::per_mac).map_or("–".into(), |x| format!("{x:.2}"));
            let cycles = find("pass1").and_then(|r| Some(f64::from(r.model_cycles?) / f64::from(r.macs)));
            let cycles = cycles.map_or("–".into(), |x| format!("{x:.2}"));
            let (one, two, all) = (per_mac("pass1"), per_mac("pass2"), per_mac("update"));
            _ = writeln!(text, "| {board}, {arith} | {n} | {one} | {two} | {all} | {cycles} |");
        }
        text
    }

    /// How linear the costs are: for each part, the fitted line and the worst deviation from it.
    pub fn fits(&self) -> Vec<Fit> {
        let mut fits: Vec<Fit> = Vec::new();
        for first in &self.counts {
            let same = |r: &&Record| (&r.board, &r.arith, &r.kernel) == (&first.board, &first.arith, &first.kernel);
            let title = format!("{} {} {}", first.board, first.arith, first.kernel);
            let by_n = self.counts.iter().filter(same).filter(|r| r.tau == first.tau);
            let by_n: Vec<_> = by_n.map(|r| (r.n, r.instructions)).collect();
            let by_tau = self.counts.iter().filter(same).filter(|r| r.n == first.n);
            let by_tau: Vec<_> = by_tau.map(|r| (r.tau, r.instructions)).collect();
            for (variable, points) in [("n", by_n), ("tau", by_tau)] {
                let title = if variable == "n" { title.clone() } else { format!("{title}, n = {}", first.n) };
                let known = fits.iter().any(|fit| fit.title == title && fit.variable == variable);
                if points.len() > 2 && !known {
                    fits.push(Fit::through(title, variable, &points));
                }
            }
        }
        fits
    }
}

/// A straight line fitted to costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The part it describes.
    pub title: String,
    /// The independent variable.
    pub variable: &'static str,
    /// Instructions at zero.
    pub constant: f64,
    /// Instructions per unit of the variable.
    pub slope: f64,
    /// The largest distance of a measurement from the line, relative to the line.
    pub worst: f64,
}

impl Fit {
    /// By least squares of relative deviations, so that small sizes weigh as much as large ones.
    fn through(title: String, variable: &'static str, points: &[(u32, u32)]) -> Self {
        let mut sums = [0.0; 5];
        for &(x, y) in points {
            let (x, y) = (f64::from(x), f64::from(y));
            let weight = 1.0 / (y * y);
            for (sum, term) in sums.iter_mut().zip([1.0, x, x * x, y, x * y]) {
                *sum += weight * term;
            }
        }
        let [w, x, xx, y, xy] = sums;
        let slope = (w * xy - x * y) / (w * xx - x * x);
        let constant = (y - slope * x) / w;
        let deviation = |&(x, y): &(u32, u32)| (f64::from(y) / (constant + slope * f64::from(x)) - 1.0).abs();
        let worst = points.iter().map(deviation).fold(0.0, f64::max);
        Self { title, variable, constant, slope, worst }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_and_so_is_what_leaves_it() {
        let straight = Fit::through(String::new(), "n", &[(8, 26), (16, 42), (32, 74)]);
        assert!(
            (straight.constant - 10.0).abs() < 1e-9 && (straight.slope - 2.0).abs() < 1e-9 && straight.worst < 1e-9
        );
        let bent = Fit::through(String::new(), "n", &[(8, 64), (16, 256), (32, 1024)]);
        assert!(bent.worst > 0.2);
    }
}
