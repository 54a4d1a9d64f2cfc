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
    /// Instructions of a part.
    Instructions(Part),
    /// Instructions of a part per row or sample.
    PerRow(Part),
    /// Instructions of a part per multiply-accumulate.
    PerMac(Part),
    /// The model's cycles of a part per row or sample.
    CyclesPerRow(Part),
    /// The model's cycles of a part per multiply-accumulate.
    CyclesPerMac(Part),
    /// Microseconds of a part per row or sample, by the model's cycles.
    Time(Part),
    /// Bytes of stack of a part.
    Stack(Part),
    /// Instructions of a part near the solution, relative to the other part, far from it.
    Near(Part, Part),
    /// The model's cycles of pass 1, relative to plain Rust.
    Naive,
    /// Bytes of flash of a program, as the recommended profile builds it.
    Flash(&'static str),
    /// Bytes of RAM of a learner.
    Ram(&'static str),
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
        let mac = |part: Part, unit| Some(row(part, unit)? / f64::from(part.macs()? * n));
        match self.what {
            What::Instructions(part) => get(part, "instructions"),
            What::PerRow(part) => row(part, "instructions"),
            What::PerMac(part) => mac(part, "instructions"),
            What::CyclesPerRow(part) => row(part, "cycles"),
            What::CyclesPerMac(part) => mac(part, "cycles"),
            What::Time(part) => Some(row(part, "cycles")? / CLOCK),
            What::Stack(part) => get(part, "stack"),
            What::Near(near, far) => Some(row(near, "instructions")? / row(far, "instructions")?),
            What::Naive => Some(row(Part::Pass1, "cycles")? / row(Part::NaivePass1, "cycles")?),
            What::Flash(program) => report.get(&flash(board, arith), program),
            What::Ram(learner) => report.get(&memory(board, arith, n), learner),
        }
    }

    /// What it is of.
    pub fn name(&self) -> String {
        let what = match self.what {
            What::Instructions(part) => format!("{}, instructions", part.name()),
            What::PerRow(part) => format!("{}, instructions a row", part.name()),
            What::PerMac(part) => format!("{}, instructions per MAC", part.name()),
            What::CyclesPerRow(part) => format!("{}, cycles a row", part.name()),
            What::CyclesPerMac(part) => format!("{}, cycles per MAC", part.name()),
            What::Time(part) => format!("{}, µs a row", part.name()),
            What::Stack(part) => format!("{}, bytes of stack", part.name()),
            What::Near(near, far) => format!("{} relative to {}", near.name(), far.name()),
            What::Naive => "pass1, cycles relative to plain Rust".into(),
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

const PASS_NEAR: What = What::Near(Part::Pass1Near, Part::Pass1Cached);
const UPDATE_NEAR: What = What::Near(Part::UpdateNear, Part::Update);

/// What else is promised.
const OTHERS: [Limit; 32] = [
    limit(M4F, "f32", 8, What::PerRow(Part::Pass1), 85.0),
    limit(M4F, "f32", 8, What::CyclesPerRow(Part::Pass1), 170.0),
    limit(M4F, "f32", 16, What::PerRow(Part::Pass1), 135.0),
    limit(M4F, "f32", 64, What::PerMac(Part::Pass1), 2.6),
    limit(M4F, "f32", 64, What::CyclesPerMac(Part::Pass1), 5.0),
    limit(M4F, "q28", 64, What::PerMac(Part::Pass1), 2.3),
    limit(M33_DSP, "q28", 64, What::PerMac(Part::Pass1), 2.35),
    limit(M4F, "f32", 8, What::Naive, 1.0),
    limit(M4F, "f32", 10, What::Naive, 1.0),
    limit(M4F, "f32", 16, What::Naive, 1.0),
    limit(M4F, "f32", 64, What::Naive, 1.0),
    limit(M4F, "q28", 64, What::Instructions(Part::Update), 31_000.0),
    limit(M4F, "q28", 10, What::Instructions(Part::Update), 10_500.0),
    limit(M0, "q28", 10, What::Instructions(Part::Update), 34_000.0),
    limit(M4F, "f32", 10, PASS_NEAR, 1.1),
    limit(M4F, "f32", 10, UPDATE_NEAR, 1.1),
    limit(M4F, "f32", 64, PASS_NEAR, 1.1),
    limit(M4F, "f32", 64, UPDATE_NEAR, 1.1),
    limit(M4F, "q28", 10, PASS_NEAR, 1.1),
    limit(M4F, "q28", 10, UPDATE_NEAR, 1.1),
    limit(M4F, "q28", 64, PASS_NEAR, 1.1),
    limit(M4F, "q28", 64, UPDATE_NEAR, 1.1),
    limit(M4F, "f32", 10, What::Instructions(Part::StreamStepRaw), 450.0),
    limit(M4F, "q28", 10, What::Instructions(Part::StreamStepRaw), 1_900.0),
    limit(M4F, "f32", 10, What::Instructions(Part::Episode), 16_000.0),
    limit(M4F, "q28", 10, What::Instructions(Part::Episode), 28_000.0),
    limit(M4F, "f32", 64, What::Stack(Part::UpdateOdd), 800.0),
    limit(M4F, "q28", 64, What::Stack(Part::UpdateOdd), 1_300.0),
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
