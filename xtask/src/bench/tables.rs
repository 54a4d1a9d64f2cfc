//! The tables of a report.

use osculate_lab::bench::limits::LIMITS;
use osculate_lab::bench::report::{Record, Report};
use osculate_lab::bench::size::PROGRAMS;
use osculate_lab::bench::timing::Core;
use osculate_lab::boards::Board;
use osculate_lab::firmware::OptLevel;

use super::table::Table;

/// Megahertz for the times that are shown.
const CLOCK: f64 = 64.0;
/// Features in the table of what a user gets.
pub(super) const USUAL: u32 = 10;
/// Features in the tables of costs per multiply-accumulate.
const MANY: u32 = 64;
/// Features in the tables that compare sizes.
const COMPARED: [u32; 3] = [8, 16, 64];
const NONE: &str = "–";

/// The tables that fit a screen.
pub(super) fn screen(report: &Report) -> [Table; 4] {
    [user(report), per_mac(report), naive(report), memory(report)]
}

/// The tables of docs/performance.md, in its order; the first is also on the front page.
pub(super) fn document(report: &Report) -> [Table; 7] {
    let [user, per_mac, naive, memory] = screen(report);
    [user, brief(report), per_mac, naive, memory, samples(report), limits(report)]
}

/// The core of a board, in short.
fn core(board: &str) -> String {
    let core = Board::named(board).map_or(board, |board| board.core.as_str());
    core.strip_prefix("Cortex-").unwrap_or(core).into()
}

/// The boards and arithmetics of a report, in its order.
fn groups(report: &Report) -> Vec<(&str, &str)> {
    let mut groups = Vec::new();
    for record in &report.counts {
        let group = (record.board.as_str(), record.arith.as_str());
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// A row that begins with its core and arithmetic; none if it has no numbers.
fn push(table: &mut Table, board: &str, arith: &str, cells: Vec<String>) {
    if cells.iter().any(|cell| cell != NONE) {
        table.rows.push([core(board), arith.into()].into_iter().chain(cells).collect());
    }
}

/// A number, and cycles if they are known.
fn with_cycles(number: Option<f64>, cycles: Option<f64>, digits: usize) -> String {
    match (number, cycles) {
        (None, _) => NONE.into(),
        (Some(number), None) => format!("{number:.digits$}"),
        (Some(number), Some(cycles)) => format!("{number:.digits$} ({cycles:.digits$})"),
    }
}

fn user(report: &Report) -> Table {
    let title =
        format!("What a user gets: n = {USUAL}, {CLOCK} MHz, µs per sample (samples per second), cycles by the model");
    let head = ["core", "in", "tracking row", "predict", "step", "streaming step", "RAM tracking", "streaming"];
    let mut table = Table::new(title, &head);
    for (board, arith) in groups(report) {
        let times = [("track_row", 16), ("track_predict", 16), ("track_step", 16), ("stream_step", 1)];
        let time = |(kernel, tau)| {
            let cycles = report.find(board, arith, kernel, USUAL, tau)?.cycles_per_row()?;
            Some(format!("{:.1} ({:.0})", cycles / CLOCK, (CLOCK * 1e6 / cycles).floor()))
        };
        let mut cells: Vec<_> = times.map(|time_of| time(time_of).unwrap_or(NONE.into())).into();
        if cells.iter().all(|cell| cell == NONE) {
            continue;
        }
        let ram =
            report.ram.iter().find(|ram| (ram.board.as_str(), ram.arith.as_str(), ram.n) == (board, arith, USUAL));
        cells
            .extend(ram.map_or([NONE.into(), NONE.into()], |ram| [ram.tracking, ram.streaming].map(|x| x.to_string())));
        push(&mut table, board, arith, cells);
    }
    table
}

fn per_mac(report: &Report) -> Table {
    let title =
        format!("Instructions per multiply-accumulate, n = {MANY}, tau = 32 (cycles by the model); near: n = {USUAL}");
    let near = "near: pass 1, update".to_owned();
    let head = ["core", "in", "pass 1", "in an update", "pass 2", "update", &near];
    let mut table = Table::new(title, &head);
    for (board, arith) in groups(report) {
        let cell = |kernel| {
            let record = report.find(board, arith, kernel, MANY, 32);
            with_cycles(record.and_then(Record::per_mac), record.and_then(Record::cycles_per_mac), 2)
        };
        let mut cells: Vec<_> = ["pass1", "pass1_cached", "pass2", "update"].map(cell).into();
        cells.push(near_the_solution(report, board, arith).unwrap_or(NONE.into()));
        push(&mut table, board, arith, cells);
    }
    table
}

/// How much dearer the first pass and an update are near the solution.
fn near_the_solution(report: &Report, board: &str, arith: &str) -> Option<String> {
    let of = |kernel| report.find(board, arith, kernel, USUAL, 32).map(Record::per_row);
    let dearer = |near: f64, far: f64| format!("{:+.1} %", (near / far - 1.0) * 100.0);
    let pass = dearer(of("pass1_near")?, of("pass1_cached")?);
    Some(format!("{pass}, {}", dearer(of("update_near")?, of("update")?)))
}

fn naive(report: &Report) -> Table {
    let mut table = Table::new(
        "Pass 1 with ‖φ‖², instructions a row (cycles by the model): this library / plain Rust",
        &["core", "in", "n = 8", "n = 16", "n = 64"],
    );
    for (board, arith) in groups(report) {
        let cell = |n| {
            let of = |kernel| {
                let record = report.find(board, arith, kernel, n, 32)?;
                Some(with_cycles(Some(record.per_row()), record.cycles_per_row(), 0))
            };
            of("pass1").zip(of("naive_pass1")).map_or(NONE.into(), |(ours, naive)| format!("{ours} / {naive}"))
        };
        // Cycles are what matters here: plain Rust loads one number at a time.
        if Board::named(board).is_ok_and(|board| Core::of(board).is_none()) {
            continue;
        }
        push(&mut table, board, arith, COMPARED.map(cell).into());
    }
    table
}

fn memory(report: &Report) -> Table {
    let mut table = Table::new(
        "Flash at opt-level 3/s/recommended: SIM, n = 16, tau = 32; tracking, n = 8. RAM of learners, n = 8",
        &["core", "in", "SIM", "tracking, n = 8", "stored", "streaming", "tracking"],
    );
    for (board, arith) in groups(report) {
        let flash = |program: &str, level: OptLevel| {
            let wanted = (board, arith, program, level.name());
            let same = |s: &&osculate_lab::bench::report::Size| {
                (s.board.as_str(), s.arith.as_str(), s.program.as_str(), s.opt_level.as_str()) == wanted
            };
            report.sizes.iter().find(same).map_or(NONE.into(), |size| size.flash.to_string())
        };
        let none = OptLevel::ALL.map(|_| NONE).join("/");
        let all = PROGRAMS.iter().map(|program| OptLevel::ALL.map(|level| flash(program, level)).join("/"));
        let mut cells: Vec<_> = all.collect();
        if cells.iter().all(|cell| *cell == none) {
            continue;
        }
        let ram = report.ram.iter().find(|ram| (ram.board.as_str(), ram.arith.as_str(), ram.n) == (board, arith, 8));
        cells.extend(ram.map_or([NONE; 3].map(String::from), |ram| ram.bytes().map(|bytes| bytes.to_string())));
        push(&mut table, board, arith, cells);
    }
    table
}

fn brief(report: &Report) -> Table {
    let head = [
        "core",
        "in",
        "pass 1 per MAC, n = 64",
        "update per MAC, n = 64",
        "tracking row, n = 8 / 16 / 64",
        "streaming step, n = 8 / 16 / 64",
    ];
    let mut table = Table::new("Instructions (cycles by the model): per MAC as an update runs, and per sample", &head);
    for (board, arith) in groups(report) {
        let of = |kernel, n, tau| report.find(board, arith, kernel, n, tau);
        let mac = |kernel| {
            let record = of(kernel, MANY, 32);
            with_cycles(record.and_then(Record::per_mac), record.and_then(Record::cycles_per_mac), 2)
        };
        let sample = |kernel, tau| {
            let cells = COMPARED.map(|n| of(kernel, n, tau).map(|record| format!("{:.0}", record.per_row())));
            if cells.iter().all(Option::is_none) {
                return NONE.to_owned();
            }
            cells.map(|cell| cell.unwrap_or(NONE.into())).join(" / ")
        };
        let cells = vec![mac("pass1_cached"), mac("update"), sample("track_row", 16), sample("stream_step", 1)];
        push(&mut table, board, arith, cells);
    }
    table
}

fn samples(report: &Report) -> Table {
    let head = ["core", "in", "n = 8", "n = 10", "n = 16", "n = 64"];
    let title = "Instructions per sample: one row through a log / tracking row / predict / step / streaming step";
    let mut table = Table::new(title, &head);
    for (board, arith) in groups(report) {
        let cell = |n| {
            let parts =
                [("plain_row", 1), ("track_row", 16), ("track_predict", 16), ("track_step", 16), ("stream_step", 1)];
            let parts = parts.map(|(kernel, tau)| report.find(board, arith, kernel, n, tau).map(Record::per_row));
            if parts.iter().all(Option::is_none) {
                return NONE.to_owned();
            }
            parts.map(|part| part.map_or(NONE.into(), |part| format!("{part:.0}"))).join(" / ")
        };
        push(&mut table, board, arith, [8, 10, 16, 64].map(cell).into());
    }
    table
}

/// The straight lines through the costs.
pub(super) fn lines(report: &Report) -> Table {
    let title = "Costs as straight lines: constant + slope · n with tau = 32, and constant + slope · tau";
    let mut table = Table::new(title, &["cost", "over", "constant", "slope", "worst deviation"]);
    for fit in report.fits() {
        let numbers =
            [format!("{:.0}", fit.constant), format!("{:.1}", fit.slope), format!("{:.1} %", fit.worst * 100.0)];
        table.rows.push([fit.title, fit.variable.into()].into_iter().chain(numbers).collect());
    }
    table
}

fn limits(report: &Report) -> Table {
    let mut table = Table::new("Limits: measured, and at most", &["what, on the M4F unless said", "measured", "limit"]);
    for limit in LIMITS {
        let digits = if limit.most < 10.0 { 2 } else { 0 };
        if let Some(is) = limit.measured(report) {
            table.rows.push(vec![limit.name.into(), format!("{is:.digits$}"), format!("{:.digits$}", limit.most)]);
        }
    }
    table
}

#[cfg(test)]
mod tests;
