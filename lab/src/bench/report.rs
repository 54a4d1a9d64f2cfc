//! What was measured: numbers, by what they are of and by their unit. The committed budget is one of these.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use osculate_programs::count::Part;
use serde::{Deserialize, Serialize};

/// How much a number may grow before it counts as a regression.
pub const GROWTH: f64 = 0.03;
/// How much a number may differ from the one of another compiler, which may compile some parts, above all its own
/// `memcpy`, better or worse.
pub const OTHER_COMPILER: f64 = 0.35;

/// Numbers, measured with one compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The compiler's version.
    pub compiler: String,
    /// The numbers of each thing, by their units.
    pub numbers: BTreeMap<String, BTreeMap<String, u32>>,
}

/// The cost of a part: in `instructions`, the model's `cycles`, and bytes of `stack`.
pub fn cost(board: &str, arith: &str, n: u32, part: Part) -> String {
    format!("{board} {arith} n={n} {}", part.name())
}

/// The RAM of learners: of a `stored`, a `streaming` and a `tracking` one.
pub fn memory(board: &str, arith: &str, n: u32) -> String {
    format!("{board} {arith} n={n} memory")
}

/// The flash of the [programs](super::size::PROGRAMS), as the recommended profile builds them.
pub fn flash(board: &str, arith: &str) -> String {
    format!("{board} {arith} flash")
}

impl Report {
    /// From JSON.
    ///
    /// # Errors
    /// If the text is not such a report.
    pub fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).context("not a report of what was measured")
    }

    /// As JSON, a line for each thing.
    ///
    /// # Errors
    /// Never in practice: these types always serialise.
    pub fn json(&self) -> Result<String> {
        let line = |(of, units)| Ok(format!("  \"{of}\": {}", serde_json::to_string(units)?));
        let lines = self.numbers.iter().map(line).collect::<Result<Vec<_>>>()?;
        Ok(format!("{{\"compiler\": \"{}\", \"numbers\": {{\n{}\n}}}}\n", self.compiler, lines.join(",\n")))
    }

    /// Adds a number.
    pub fn add(&mut self, of: String, unit: &str, number: u32) {
        self.numbers.entry(of).or_default().insert(unit.into(), number);
    }

    /// A number, if it was measured.
    pub fn get(&self, of: &str, unit: &str) -> Option<f64> {
        Some(f64::from(*self.numbers.get(of)?.get(unit)?))
    }

    /// Everything that has changed since `base` by more than this share, or is not in it, one line each.
    pub fn changes(&self, base: &Self, is_worth_a_line: impl Fn(f64) -> bool) -> String {
        let mut text = String::new();
        for (of, units) in &self.numbers {
            for (unit, is) in units {
                match base.get(of, unit) {
                    None => _ = writeln!(text, "{is:>9}     new  {of}, {unit}"),
                    Some(was) => {
                        let change = (f64::from(*is) - was) / was.max(1.0);
                        if f64::from(*is) != was && is_worth_a_line(change) {
                            _ = writeln!(text, "{is:>9} {:>+6.1}%  {of}, {unit}", change * 100.0);
                        }
                    }
                }
            }
        }
        text
    }

    /// How much more than `budget` is allowed.
    pub fn growth(&self, budget: &Self) -> f64 {
        if self.compiler == budget.compiler { GROWTH } else { OTHER_COMPILER }
    }

    /// Everything that is over the budget or missing from it, one line each.
    pub fn exceeded(&self, budget: &Self) -> String {
        self.changes(budget, |change| change > self.growth(budget))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(compiler: &str, numbers: [u32; 2]) -> Report {
        let mut report = Report { compiler: compiler.into(), ..Report::default() };
        report.add(cost("a", "f32", 8, Part::Pass1), "instructions", numbers[0]);
        report.add(memory("a", "f32", 8), "stored", numbers[1]);
        report
    }

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let report = report("1.0", [1000, 50]);
        let text = report.json().unwrap();
        assert_eq!(text.lines().count(), 4);
        assert_eq!(Report::parse(&text).unwrap(), report);
        assert!(Report::parse("[]").is_err());
    }

    #[test]
    fn what_grows_or_is_unknown_is_noticed() {
        let budget = report("1.0", [1000, 50]);
        for (compiler, numbers, lines) in [
            ("1.0", [1000, 50], 0),
            ("1.0", [1030, 51], 0),
            ("1.0", [1031, 50], 1),
            ("1.0", [900, 60], 1),
            ("1.0", [1031, 60], 2),
            ("1.1", [1350, 60], 0),
            ("1.1", [1351, 50], 1),
        ] {
            let exceeded = report(compiler, numbers).exceeded(&budget);
            assert_eq!(exceeded.lines().count(), lines, "{numbers:?}: {exceeded}");
        }
        let mut more = budget.clone();
        more.add(memory("b", "f32", 8), "stored", 1);
        assert!(more.exceeded(&budget).contains("new  b f32 n=8 memory, stored"));
        assert_eq!(budget.exceeded(&more), "");
        assert!(report("1.0", [990, 50]).changes(&budget, |_| true).contains("990   -1.0%  a f32 n=8 pass1"));
    }
}
