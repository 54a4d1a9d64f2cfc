//! The tables as a whole.

use osculate_lab::bench::budget::SIZED;
use osculate_lab::bench::report::{Ram, Size};

use super::*;

/// A report with everything that is measured by default, and numbers as large as they get.
fn everything() -> Report {
    let mut report = Report::default();
    for board in Board::cores() {
        for arith in ["f32", "q28"].iter().filter(|arith| **arith != "f32" || crate::bench::has_fpu(board)) {
            let parts = ["pass1", "pass1_cached", "pass1_near", "pass2", "update", "update_near"].map(|it| (it, 32));
            let samples = [("naive_pass1", 32), ("track_row", 16), ("track_predict", 16), ("track_step", 16)];
            for (kernel, tau) in parts.into_iter().chain(samples).chain([("stream_step", 1)]) {
                for n in crate::bench::SHOWN {
                    report.counts.push(Record {
                        board: board.name.clone(),
                        arith: (*arith).into(),
                        kernel: kernel.into(),
                        n,
                        tau,
                        instructions: 2400 * tau,
                        macs: 200 * tau,
                        model_cycles: Core::of(board).map(|_| 2600 * tau),
                        stack: 0,
                    });
                }
            }
            let (board, arith) = (board.name.clone(), (*arith).to_owned());
            report.ram.extend([8, 10].map(|n| Ram {
                board: board.clone(),
                arith: arith.clone(),
                n,
                stored: 9999,
                streaming: 999,
                tracking: 999,
            }));
            if board == SIZED {
                report.sizes.extend(PROGRAMS.iter().flat_map(|program| {
                    OptLevel::ALL.map(|level| Size {
                        board: board.clone(),
                        arith: arith.clone(),
                        program: (*program).into(),
                        opt_level: level.name().into(),
                        flash: 25_000,
                        static_ram: 0,
                    })
                }));
            }
        }
    }
    report
}

#[test]
fn what_is_shown_by_default_fits_a_screen() {
    let shown = crate::bench::shown(&everything());
    println!("{shown}");
    let widest = shown.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(shown.lines().count() <= 40 && widest <= 100, "{} lines, {widest} columns", shown.lines().count());
    for word in [
        "M0",
        "M3",
        "M4F",
        "M7",
        "M33",
        "40.6 (24615)",
        "12.00 (13.00)",
        "+0.0 %, +0.0 %",
        "2400 (2600) / 2400 (2600)",
        "25000",
    ] {
        assert!(shown.contains(word), "{word}");
    }
}

#[test]
fn a_document_has_every_table() {
    let text: String = document(&everything()).iter().map(Table::markdown).collect();
    let titles = [
        "What a user gets",
        "as an update runs",
        "multiply-accumulate",
        "plain Rust",
        "Flash",
        "through a log",
        "Limits",
    ];
    for title in titles {
        assert!(text.contains(title), "{title} in\n{text}");
    }
    assert!(text.contains("| M4F | f32 | 12.00 (13.00) | 12.00 (13.00) | 2400 / 2400 / 2400 | 2400 / 2400 / 2400 |"));
}
