//! What was measured, as tables: on a terminal, and in docs/measurements.md.

use std::fmt::Write;

use osculate_programs::count::Part;

use super::limits::{CALLS, CLOCK, STATED, USUAL, core, limits};
use super::report::{Report, cost, flash, memory};
use super::size::PROGRAMS;
use super::{MEASURED, SIZES};
use crate::text_table::Table;

const NONE: &str = "–";
/// Features in the table of costs per multiply-accumulate.
const MANY: u32 = 64;

/// A number with this many digits, if there is one.
fn cell(number: Option<f64>, digits: usize) -> String {
    number.map_or(NONE.into(), |number| format!("{number:.digits$}"))
}

/// A row for each board and arithmetic that was measured; nothing if there are none.
fn table<const N: usize>(title: &str, head: [&str; N], row: impl Fn(&str, &str) -> [String; N]) -> String {
    let rows = MEASURED.iter().map(|(board, arith)| row(board, arith));
    let rows: Vec<_> = rows.filter(|row| row.iter().skip(2).any(|cell| cell.contains(char::is_numeric))).collect();
    if rows.is_empty() { String::new() } else { format!("{title}\n\n{}\n", aligned(head, rows)) }
}

fn aligned<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut table = Table::new("", head);
    rows.into_iter().for_each(|row| table.row(row));
    table.aligned()
}

/// Cells with the name of the core and the arithmetic before them.
fn named<const N: usize>(board: &str, arith: &str, mut cells: impl Iterator<Item = String>) -> [String; N] {
    let mut names = [core(board).to_owned(), arith.to_owned()].into_iter();
    std::array::from_fn(|_| names.next().or_else(|| cells.next()).unwrap_or_default())
}

/// Everything that was measured, and the limits.
pub fn page(report: &Report) -> String {
    let per = |board: &str, arith: &str, n, part: Part, unit: &str| {
        Some(report.get(&cost(board, arith, n, part), unit)? / f64::from(part.rows()))
    };
    let pairs = [(Part::TrackRow, Part::TrackRowRaw), (Part::TrackPredict, Part::TrackPredictRaw)];
    let pairs = pairs.into_iter().chain([(Part::TrackStep, Part::TrackStepRaw)]);
    let pairs: Vec<_> = pairs.chain([(Part::StreamStep, Part::StreamStepRaw)]).collect();
    let user = table(
        &format!("What a user gets: µs per sample at {CLOCK} MHz, n = {USUAL}, by the model; features in f32 / raw"),
        ["core", "in", "learn", "step, γ = 0", "step, γ > 0", "streaming step", "RAM tracking", "streaming"],
        |board, arith| {
            let time = |part| cell(per(board, arith, USUAL, part, "cycles").map(|cycles| cycles / CLOCK), 1);
            let times = pairs.iter().map(|(floats, raw)| format!("{} / {}", time(*floats), time(*raw)));
            let bytes = ["tracking", "streaming"].map(|it| cell(report.get(&memory(board, arith, USUAL), it), 0));
            named(board, arith, times.chain(bytes))
        },
    );
    let samples = table(
        "Instructions per sample, features in f32: learn / step, γ = 0 / step, γ > 0 / streaming step / a row through a log",
        ["core", "in", "n = 8", "n = 10", "n = 16", "n = 64"],
        |board, arith| {
            let parts = || CALLS.into_iter().chain([Part::PlainRow]);
            let count = |n, part| cell(per(board, arith, n, part, "instructions"), 0);
            let cells = SIZES.map(|n| parts().map(|part| count(n, part)).collect::<Vec<_>>().join(" / "));
            named(board, arith, cells.into_iter())
        },
    );
    let macs = table(
        &format!("Instructions (cycles by the model) per multiply-accumulate, n = {MANY}, τ = 32"),
        ["core", "in", "pass 1", "in an update", "pass 2", "update", "pass 1 in plain Rust"],
        |board, arith| {
            let parts = [Part::Pass1, Part::Pass1Cached, Part::Pass2, Part::Update, Part::NaivePass1];
            let cells = parts.map(|part| {
                let mac = |unit| Some(per(board, arith, MANY, part, unit)? / f64::from(part.macs()? * MANY));
                format!("{} ({})", cell(mac("instructions"), 2), cell(mac("cycles"), 2))
            });
            named(board, arith, cells.into_iter())
        },
    );
    let bytes = table(
        "Bytes of flash by the recommended profile: SIM, n = 16, τ = 32; tracking, n = 8. Bytes of RAM, n = 8",
        ["core", "in", "SIM", "tracking, n = 8", "stored", "streaming", "tracking"],
        |board, arith| {
            let flash = PROGRAMS.map(|program| cell(report.get(&flash(board, arith), program), 0));
            let learners = ["stored", "streaming", "tracking"];
            let ram = learners.map(|learner| cell(report.get(&memory(board, arith, 8), learner), 0));
            named(board, arith, flash.into_iter().chain(ram))
        },
    );
    user + &samples + &macs + &bytes + &promised(report)
}

/// Every limit that was measured.
fn promised(report: &Report) -> String {
    let mut text = String::new();
    for limit in limits() {
        let digits = if limit.most < 10.0 { 2 } else { 0 };
        if let Some(is) = limit.measured(report) {
            let over = if is > limit.most { " **exceeded**" } else { "" };
            _ = writeln!(text, "| {} | {is:.digits$} | {:.digits$}{over} |", limit.name(), limit.most);
        }
    }
    if text.is_empty() { text } else { format!("Limits\n\n| what | measured | at most |\n| --- | --- | --- |\n{text}") }
}

/// The table of the front page: limits, whatever is measured.
pub fn front() -> String {
    let head =
        ["core", "in", "`learn`", "`step`, γ = 0", "`step`, γ > 0", "streaming `step`", "RAM tracking", "streaming"];
    let rows = STATED.iter().map(|(board, arith, times, bytes)| {
        named(board, arith, times.iter().chain(bytes).map(|most| format!("{most}")))
    });
    aligned(head, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_every_table_of_what_was_measured() {
        let mut report = Report::default();
        assert_eq!(page(&report), "");
        let of = |n, part| cost("mps2-an386", "q28", n, part);
        report.add(of(10, Part::TrackStep), "cycles", 64 * 16 * 30);
        report.add(of(64, Part::Update), "instructions", 64 * 32 * 4 * 5);
        report.add(of(64, Part::Update), "cycles", 64 * 32 * 4 * 6);
        report.add(memory("mps2-an386", "q28", 8), "streaming", 416);
        report.add(flash("mps2-an386", "q28"), "sim", 20_000);
        let page = page(&report);
        for row in ["| 30.0 / – ", "5.00 (6.00)", "| 20000", "| 416", "flash of sim | 20000 | 12288 **exceeded** |"] {
            assert!(page.contains(row), "{row} in\n{page}");
        }
        assert!(!page.contains("M0"), "{page}");
    }

    #[test]
    fn the_front_page_has_a_row_for_each_core_and_arithmetic() {
        let front = front();
        assert_eq!(front.lines().count(), 2 + STATED.len());
        assert!(front.lines().skip(2).all(|row| row.split('|').count() == 10), "{front}");
    }
}
