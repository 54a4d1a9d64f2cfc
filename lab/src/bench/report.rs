//! The results of a bench run, as text and as JSON.

use std::fmt::Write;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::device::Count;
use super::fit::Fit;

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
    /// Cycles by the model in `cycles`, for the cores that it covers.
    pub model_cycles: Option<u32>,
    /// Bytes of stack.
    pub stack: u32,
}

/// What a program that learns adds to a binary: see [`size::PROGRAMS`](super::size::PROGRAMS).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// The board.
    pub board: String,
    /// The arithmetic.
    pub arith: String,
    /// The program.
    #[serde(default = "sim")]
    pub program: String,
    /// The compiler's options, by the name of an [`OptLevel`](crate::firmware::OptLevel).
    pub opt_level: String,
    /// Bytes of flash.
    pub flash: u32,
    /// Bytes of static RAM.
    pub static_ram: u32,
}

/// The only program in files that name none.
fn sim() -> String {
    "sim".into()
}

impl Size {
    /// Whether both measure the same thing.
    pub fn matches(&self, other: &Self) -> bool {
        let key = |s: &Self| (s.board.clone(), s.arith.clone(), s.program.clone(), s.opt_level.clone());
        key(self) == key(other)
    }
}

/// The bytes of learners.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ram {
    /// The board.
    pub board: String,
    /// The arithmetic.
    pub arith: String,
    /// Features.
    pub n: u32,
    /// With 32 stored rows and a log of 32 steps.
    pub stored: u32,
    /// Streaming.
    pub streaming: u32,
    /// Tracking.
    pub tracking: u32,
}

impl Ram {
    /// Whether both measure the same thing.
    pub fn matches(&self, other: &Self) -> bool {
        (&self.board, &self.arith, self.n) == (&other.board, &other.arith, other.n)
    }

    /// In the order of the fields.
    pub fn bytes(&self) -> [u32; 3] {
        [self.stored, self.streaming, self.tracking]
    }
}

/// All results of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Instructions.
    pub counts: Vec<Record>,
    /// Flash and static RAM.
    pub sizes: Vec<Size>,
    /// RAM of learners.
    #[serde(default)]
    pub ram: Vec<Ram>,
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

    /// Instructions per row or sample.
    pub fn per_row(&self) -> f64 {
        f64::from(self.instructions) / f64::from(self.tau)
    }

    /// The model's cycles per row or sample, if the core is modelled.
    pub fn cycles_per_row(&self) -> Option<f64> {
        Some(f64::from(self.model_cycles?) / f64::from(self.tau))
    }

    /// The model's cycles per multiply-accumulate, if the core is modelled and there are any.
    pub fn cycles_per_mac(&self) -> Option<f64> {
        let cycles = self.model_cycles.filter(|_| self.macs > 0)?;
        Some(f64::from(cycles) / f64::from(self.macs))
    }

    /// Whether both records measure the same thing.
    pub fn matches(&self, other: &Self) -> bool {
        let key = |r: &Self| (r.board.clone(), r.arith.clone(), r.kernel.clone(), r.n, r.tau);
        key(self) == key(other)
    }

    /// A line of the table of all counts.
    pub fn line(&self) -> String {
        let number = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.3}"));
        format!(
            "{:<11} {:<5} {:<13} {:>4} {:>4} {:>9} {:>9.1} {:>9} {:>10} {:>6}",
            self.board,
            self.arith,
            self.kernel,
            self.n,
            self.tau,
            self.instructions,
            self.per_row(),
            number(self.per_mac()),
            number(self.cycles_per_mac()),
            self.stack
        )
    }

    /// The header of the columns of [`line`](Self::line).
    pub const HEADER: &str =
        "board       arith kernel           n  tau     insns insns/row insns/MAC cycles/MAC  stack";
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
        serde_json::from_str(text).context("not a report of `cargo xtask dev bench`")
    }

    /// As JSON, one record per line.
    ///
    /// # Errors
    /// Never in practice: these types always serialise.
    pub fn json(&self) -> Result<String> {
        let (counts, sizes, ram) = (lines(&self.counts)?, lines(&self.sizes)?, lines(&self.ram)?);
        Ok(format!("{{\"counts\": [\n  {counts}\n], \"sizes\": [\n  {sizes}\n], \"ram\": [\n  {ram}\n]}}\n"))
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
            let Size { board, arith, program, opt_level, flash, .. } = size;
            if let Some(old) = base.sizes.iter().find(|old| old.matches(size)).filter(|old| *old != size) {
                _ = writeln!(text, "flash {} -> {flash}: {board} {arith} {program}, {opt_level}", old.flash);
            }
        }
        for ram in &self.ram {
            if let Some(old) = base.ram.iter().find(|old| old.matches(ram)).filter(|old| *old != ram) {
                let Ram { board, arith, n, .. } = ram;
                _ = writeln!(text, "RAM {:?} -> {:?}: {board} {arith}, n = {n}", old.bytes(), ram.bytes());
            }
        }
        if text.is_empty() { "nothing has changed\n".into() } else { text }
    }

    /// A count.
    pub fn find(&self, board: &str, arith: &str, kernel: &str, n: u32, tau: u32) -> Option<&Record> {
        let wanted = (board, arith, kernel, n, tau);
        self.counts.iter().find(|r| (r.board.as_str(), r.arith.as_str(), r.kernel.as_str(), r.n, r.tau) == wanted)
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
