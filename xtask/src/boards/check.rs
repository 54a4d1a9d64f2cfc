//! The images of the boards, built and checked.

use anyhow::{Result, bail};
use osculate_lab::boards::Board;
use osculate_lab::firmware::APPLICATION;
use osculate_lab::image_check::ASSUMPTION;
use osculate_lab::image_check::{Report, Stack};
use osculate_lab::text_table::Table;

use crate::build;
use crate::setup;

const HEADER: [&str; 5] = ["board", "flash", "static RAM", "stack", "result"];
/// Demangled names can be very long.
const QUOTED: usize = 160;

pub(super) fn run(boards: &[&Board]) -> Result<()> {
    setup::ensure_compiler()?;
    let mut reports = Vec::new();
    for (number, board) in (1..).zip(boards) {
        println!("{number} of {}", boards.len());
        // One board that fails must not hide what is wrong with the others.
        reports.push((*board, build::application(board).map(|built| built.report)));
    }
    print!("\n{}", table(&reports));
    println!("\nbytes used of those that the chip has for it; {APPLICATION} as it is flashed");
    if reports.iter().any(|(_, report)| report.as_ref().is_ok_and(|report| build::assumes(&report.stack))) {
        println!("*: {ASSUMPTION}");
    }
    notes(&reports).iter().for_each(|note| println!("{note}"));
    let wrong: Vec<_> = reports.iter().filter(|(_, report)| !is_fine(report)).map(|(board, _)| &*board.name).collect();
    if !wrong.is_empty() {
        bail!("{} of {} images would not do, see above: {}", wrong.len(), boards.len(), wrong.join(", "));
    }
    Ok(())
}

type Checked<'b> = (&'b Board, Result<Report>);

fn is_fine(report: &Result<Report>) -> bool {
    report.as_ref().is_ok_and(|report| report.complaints.is_empty() && matches!(report.stack, Stack::Known { .. }))
}

fn table(reports: &[Checked]) -> String {
    let row = |(board, report): &Checked| match report {
        Err(_) => [board.name.clone(), "-".into(), "-".into(), "-".into(), "not built".into()],
        Ok(report) => {
            let flash = format!("{} of {}", report.flash, board.program().bytes);
            let ram = format!("{} of {}", report.ram, board.ram.bytes);
            let result = match report.complaints.len() {
                0 if matches!(report.stack, Stack::Unknown(_)) => "stack not known".into(),
                0 => "ok".into(),
                1 => "1 complaint".into(),
                count => format!("{count} complaints"),
            };
            let mark = if build::assumes(&report.stack) { " *" } else { "" };
            [board.name.clone(), flash, ram, format!("{}{mark}", build::stack(&report.stack)), result]
        }
    };
    let mut table = Table::new("lrrrl", HEADER);
    reports.iter().map(row).for_each(|cells| table.row(cells));
    table.text()
}

/// What does not fit into the table.
fn notes(reports: &[Checked]) -> Vec<String> {
    let mut notes = Vec::new();
    for (board, report) in reports {
        match report {
            Err(error) => notes.push(format!("{}: {error:#}", board.name)),
            Ok(report) => {
                if let Stack::Unknown(reason) = &report.stack {
                    let reason: String = reason.chars().take(QUOTED).collect();
                    notes.push(format!("{}: the stack's bound is not known: {reason}", board.name));
                }
                notes.extend(report.complaints.iter().map(|complaint| format!("{}: {complaint}", board.name)));
            }
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use anyhow::anyhow;

    use super::*;

    #[test]
    fn whatever_is_wrong_is_in_the_table_and_told() {
        let board = Board::named("microbit").unwrap();
        let stack = Stack::Known { bytes: 900, available: 16_000, start: 0x2000_3f00, assumed: BTreeSet::new() };
        let fine = Report { flash: 9000, ram: 200, stack, complaints: Vec::new() };
        let Stack::Known { bytes, available, start, .. } = fine.stack else { panic!("{fine:?}") };
        let stack = Stack::Known { bytes, available, start, assumed: BTreeSet::from(["format".into()]) };
        let assuming = Report { stack, ..fine.clone() };
        let unknown = Report { stack: Stack::Unknown("recursion: a → a".into()), ..fine.clone() };
        let wrong = Report { complaints: vec!["no boot2".into(), "too large".into()], ..fine.clone() };
        let reports = [Ok(fine), Ok(assuming), Ok(unknown), Ok(wrong), Err(anyhow!("it does not compile"))];
        assert_eq!(reports.each_ref().map(is_fine), [true, true, false, false, false]);
        let reports = reports.map(|report| (board, report));
        let table = table(&reports);
        let ends = ["900 of 16000  ok", "900 of 16000 *  ok", "stack not known", "2 complaints", "not built"];
        for (line, end) in table.lines().skip(1).zip(ends) {
            assert!(line.starts_with("microbit  ") && line.ends_with(end) && line.len() <= 100, "{line}");
        }
        assert_eq!(
            notes(&reports),
            [
                "microbit: the stack's bound is not known: recursion: a → a",
                "microbit: no boot2",
                "microbit: too large",
                "microbit: it does not compile"
            ]
        );
    }
}
