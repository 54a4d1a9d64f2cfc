//! What the library promises to cost at most, in one table: the documents state it, the test `budget` enforces it.
//!
//! The budget notices when something grows; a limit is a number that we say in public, and changes once a year.

use osculate_programs::count::Part;

use super::report::{Report, cost, flash, memory};
use crate::boards::Board;

/// Megahertz for the times that are stated.
pub const CLOCK: f64 = 64.0;
/// Features in the table of what a user gets.
pub const USUAL: u32 = 10;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// Instructions, the model's cycles or bytes of stack of a part.
    Cost(Part, &'static str, Per),
    /// Microseconds of a part per row or sample, by the model's cycles.
    Time(Part),
    /// Instructions or cycles of a part, relative to those of another one.
    Ratio(Part, Part, &'static str),
    /// Bytes of flash of a program, as the recommended profile builds it.
    Flash(&'static str),
    /// Bytes of RAM of a learner.
    Ram(&'static str),
}

/// What a cost is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Per {
    /// Nothing.
    Part,
    /// Its rows or samples.
    Row,
    /// Its multiply-accumulates.
    Mac,
}

/// A limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The board, by its name in `boards.toml`.
    pub board: &'static str,
    /// The arithmetic.
    pub arith: &'static str,
    /// Features.
    pub n: u32,
    /// What is limited.
    pub what: What,
    /// The largest value allowed.
    pub most: f64,
}

impl Limit {
    /// The measured value, if it is in the report.
    pub fn measured(&self, report: &Report) -> Option<f64> {
        let Self { board, arith, n, .. } = *self;
        let get = |part, unit| report.get(&cost(board, arith, n, part), unit);
        let row = |part: Part, unit| Some(get(part, unit)? / f64::from(part.rows()));
        match self.what {
            What::Cost(part, unit, Per::Part) => get(part, unit),
            What::Cost(part, unit, Per::Row) => row(part, unit),
            What::Cost(part, unit, Per::Mac) => Some(row(part, unit)? / f64::from(part.macs()? * n)),
            What::Time(part) => Some(row(part, "cycles")? / CLOCK),
            What::Ratio(part, other, unit) => Some(row(part, unit)? / row(other, unit)?),
            What::Flash(program) => report.get(&flash(board, arith), program),
            What::Ram(learner) => report.get(&memory(board, arith, n), learner),
        }
    }

    /// What it is of.
    pub fn name(&self) -> String {
        let what = match self.what {
            What::Cost(part, unit, Per::Part) => format!("{}, {unit}", part.name()),
            What::Cost(part, unit, Per::Row) => format!("{}, {unit} a row", part.name()),
            What::Cost(part, unit, Per::Mac) => format!("{}, {unit} per MAC", part.name()),
            What::Time(part) => format!("{}, µs a row", part.name()),
            What::Ratio(part, other, unit) => format!("{} relative to {}, {unit}", part.name(), other.name()),
            What::Flash(program) => return format!("{} {}, bytes of flash of {program}", core(self.board), self.arith),
            What::Ram(learner) => format!("bytes of RAM, {learner}"),
        };
        format!("{} {}, n = {}: {what}", core(self.board), self.arith, self.n)
    }
}

/// The core of a board, in short.
pub fn core(board: &str) -> &str {
    let core = Board::named(board).map_or(board, |board| board.core.as_str());
    core.strip_prefix("Cortex-").unwrap_or(core)
}

const M4F: &str = "mps2-an386";
const M3: &str = "mps2-an385";
const M0: &str = "microbit";
const M33_DSP: &str = "mps2-an505-dsp";

/// What the front page says of a core and an arithmetic: µs of a sample with 10 features in f32, by the calls in [`CALLS`],
/// and bytes of a tracking and of a streaming learner.
type Stated = (&'static str, &'static str, [f64; 4], [f64; 2]);

/// `learn`, `step` without and with a discount of a tracking learner, and `step` of a streaming one.
pub const CALLS: [Part; 4] = [Part::TrackRow, Part::TrackPredict, Part::TrackStep, Part::StreamStep];

/// What the front page says.
pub const STATED: [Stated; 4] = [
    (M4F, "f32", [20.0, 20.0, 25.0, 15.0], [350.0, 450.0]),
    (M4F, "q28", [50.0, 50.0, 80.0, 60.0], [350.0, 550.0]),
    (M3, "q28", [80.0, 80.0, 120.0, 80.0], [350.0, 550.0]),
    (M0, "q28", [150.0, 150.0, 250.0, 150.0], [350.0, 550.0]),
];

const fn limit(board: &'static str, arith: &'static str, n: u32, what: What, most: f64) -> Limit {
    Limit { board, arith, n, what, most }
}

const PASS_NEAR: What = What::Ratio(Part::Pass1Near, Part::Pass1Cached, "instructions");
const PASS_NAIVE: What = What::Ratio(Part::Pass1, Part::NaivePass1, "cycles");
const UPDATE_NEAR: What = What::Ratio(Part::UpdateNear, Part::Update, "instructions");

/// What else is promised.
const OTHERS: [Limit; 32] = [
    limit(M4F, "f32", 8, What::Cost(Part::Pass1, "instructions", Per::Row), 85.0),
    limit(M4F, "f32", 8, What::Cost(Part::Pass1, "cycles", Per::Row), 170.0),
    limit(M4F, "f32", 16, What::Cost(Part::Pass1, "instructions", Per::Row), 135.0),
    limit(M4F, "f32", 64, What::Cost(Part::Pass1, "instructions", Per::Mac), 2.6),
    limit(M4F, "f32", 64, What::Cost(Part::Pass1, "cycles", Per::Mac), 5.0),
    limit(M4F, "q28", 64, What::Cost(Part::Pass1, "instructions", Per::Mac), 2.3),
    limit(M33_DSP, "q28", 64, What::Cost(Part::Pass1, "instructions", Per::Mac), 2.35),
    limit(M4F, "f32", 8, PASS_NAIVE, 1.0),
    limit(M4F, "f32", 10, PASS_NAIVE, 1.0),
    limit(M4F, "f32", 16, PASS_NAIVE, 1.0),
    limit(M4F, "f32", 64, PASS_NAIVE, 1.0),
    limit(M4F, "q28", 64, What::Cost(Part::Update, "instructions", Per::Part), 31_000.0),
    limit(M4F, "q28", 10, What::Cost(Part::Update, "instructions", Per::Part), 10_500.0),
    limit(M0, "q28", 10, What::Cost(Part::Update, "instructions", Per::Part), 34_000.0),
    limit(M4F, "f32", 10, PASS_NEAR, 1.1),
    limit(M4F, "f32", 10, UPDATE_NEAR, 1.1),
    limit(M4F, "f32", 64, PASS_NEAR, 1.1),
    limit(M4F, "f32", 64, UPDATE_NEAR, 1.1),
    limit(M4F, "q28", 10, PASS_NEAR, 1.1),
    limit(M4F, "q28", 10, UPDATE_NEAR, 1.1),
    limit(M4F, "q28", 64, PASS_NEAR, 1.1),
    limit(M4F, "q28", 64, UPDATE_NEAR, 1.1),
    limit(M4F, "f32", 10, What::Cost(Part::StreamStepRaw, "instructions", Per::Part), 450.0),
    limit(M4F, "q28", 10, What::Cost(Part::StreamStepRaw, "instructions", Per::Part), 1_900.0),
    limit(M4F, "f32", 10, What::Cost(Part::Episode, "instructions", Per::Part), 16_000.0),
    limit(M4F, "q28", 10, What::Cost(Part::Episode, "instructions", Per::Part), 28_000.0),
    limit(M4F, "f32", 64, What::Cost(Part::UpdateOdd, "stack", Per::Part), 800.0),
    limit(M4F, "q28", 64, What::Cost(Part::UpdateOdd, "stack", Per::Part), 1_300.0),
    limit(M4F, "f32", 16, What::Flash("sim"), 7_680.0),
    limit(M4F, "q28", 16, What::Flash("sim"), 12_288.0),
    limit(M4F, "f32", 8, What::Flash("tracking"), 5_120.0),
    limit(M4F, "q28", 8, What::Flash("tracking"), 8_192.0),
];

/// All limits, those of the front page first.
pub fn limits() -> Vec<Limit> {
    let stated = STATED.into_iter().flat_map(|(board, arith, times, bytes)| {
        let times = CALLS.map(What::Time).into_iter().zip(times);
        let bytes = ["tracking", "streaming"].map(What::Ram).into_iter().zip(bytes);
        times.chain(bytes).map(move |(what, most)| limit(board, arith, USUAL, what, most))
    });
    stated.chain(OTHERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_has_a_name_of_its_own() {
        let names: Vec<_> = limits().iter().map(Limit::name).collect();
        for (i, name) in names.iter().enumerate() {
            assert!(!names[..i].contains(name), "{name}");
        }
        assert_eq!(names[2], "M4F f32, n = 10: track_step, µs a row");
    }

    #[test]
    fn a_value_is_taken_from_a_report_or_missing() {
        let mut report = Report::default();
        report.add(cost(M4F, "f32", 8, Part::Pass1), "instructions", 3200);
        report.add(cost(M4F, "f32", 64, Part::Pass1), "cycles", 24_576);
        report.add(cost(M4F, "f32", 10, Part::TrackStep), "cycles", 16_384);
        report.add(flash(M4F, "q28"), "sim", 12_345);
        report.add(memory(M4F, "f32", 10), "tracking", 320);
        let measured: Vec<_> = limits().iter().filter_map(|limit| limit.measured(&report)).collect();
        assert_eq!(measured, [16.0, 320.0, 100.0, 4.0, 12_345.0]);
    }
}
