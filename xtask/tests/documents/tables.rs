//! The numbers on the pages are those of what is enforced or printed.
//!
//! A table that a person has arranged may say less than its command: fewer rows, fewer digits. Every number in it must
//! be one that the command prints, rounded as the table has it. The commands take minutes: they run with
//! `cargo xtask test --all`. What stands between `<!-- from here: … -->` and `<!-- until here -->` is printed by that
//! command, word for word; to accept a change there, set `UPDATE_DOCS`.

use std::process::Command;

use osculate_lab::bench::page::{front, page};
use osculate_lab::bench::report::Report;
use osculate_lab::documents;
use osculate_lab::repository::{repository, runs_all};
use osculate_lab::toolchain::ambient;

use crate::read;

/// The document, the head of the table, and the command.
const TABLES: [(&str, &str, &[&str]); 6] = [
    ("docs/choosing.md", "| | `paper` | `predictable` |", &["dev", "compare"]),
    ("docs/tracking.md", "| | stationary |", &["dev", "compare", "--drift"]),
    ("docs/tracking.md", "| steps per episode |", &["dev", "compare", "--control"]),
    ("docs/room.md", "| | near: evenings 1–3 |", &["demo", "--many", "40"]),
    ("docs/room.md", "| | 1–3 | 51–60 | worst house |", &["demo", "--many", "40"]),
    ("docs/nexting.md", "| γ | steps 500–2000 |", &["nexting"]),
];

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_lab")).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{arguments:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// The numbers in a text, as they are written.
fn numbers(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    words.map(|word| word.trim_end_matches('.')).filter(|word| word.bytes().any(|c| c.is_ascii_digit())).collect()
}

/// Whether a number is one of those printed, as far as its digits go.
fn is_one_of(number: &str, printed: &[f64]) -> bool {
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    let Ok(value) = number.parse::<f64>() else { return false };
    let unit = 0.1_f64.powi(digits as i32);
    // What was rounded when it was printed may be half a unit of its last digit off.
    printed.iter().any(|printed| (printed - value).abs() <= unit * 0.501)
}

/// The rows of the table that begins with this line, without its head.
fn table<'t>(text: &'t str, head: &str) -> Vec<&'t str> {
    let rows = text.lines().skip_while(|line| !line.starts_with(head)).take_while(|line| line.starts_with('|'));
    let rows: Vec<&str> = rows.skip(2).collect();
    assert!(!rows.is_empty(), "no table begins with {head}");
    rows
}

#[test]
fn arranged_tables_say_what_is_printed() {
    for (document, head, command) in TABLES {
        let text = read(document);
        let rows = table(&text, head);
        // The columns from the second on.
        let cells: Vec<&str> = rows.iter().flat_map(|row| row.split('|').skip(2)).flat_map(numbers).collect();
        assert!(cells.len() > 4, "{document}: only {cells:?} below {head}");
        if runs_all() {
            let text = printed(command);
            let known: Vec<f64> = numbers(&text).iter().filter_map(|number| number.parse().ok()).collect();
            let missing: Vec<_> = cells.iter().filter(|number| !is_one_of(number, &known)).collect();
            assert!(missing.is_empty(), "{document}: {missing:?} below {head} are not printed by {command:?}");
        }
    }
}

/// That they hold is for the test `budget` to say.
#[test]
fn the_front_page_states_the_limits() {
    documents::compare("README.md", "lab/src/bench/limits.rs", &front()).unwrap();
}

/// Renewed for a release: what changes a count moves the budget alone.
#[test]
fn generated_measurements_are_those_of_the_budget() {
    let budget = Report::parse(&read("host-tests/budget.json")).unwrap();
    if runs_all() || documents::accepting() {
        documents::compare("docs/measurements.md", "cargo xtask dev bench --markdown", &page(&budget)).unwrap();
    }
}

#[test]
fn the_first_example_prints_what_the_front_page_shows() {
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--quiet", "--example", "predict_sensor", "-p", "osculate"]).current_dir(repository());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let front = read("README.md");
    let shown = front.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("what it prints");
    let mut printed = text.lines();
    for line in shown.lines().filter(|line| *line != "…") {
        assert!(printed.any(|other| other == line), "`{line}` is not printed there:\n{text}");
    }
}

#[test]
fn a_number_that_is_not_printed_is_found() {
    assert_eq!(numbers("−27 % | .275 and 39 of 40; 1.0."), ["27", ".275", "39", "40", "1.0"]);
    assert!(is_one_of(".28", &[0.2812]) && is_one_of("0.0014", &[0.00140]) && is_one_of("12", &[12.3]));
    assert!(!is_one_of(".28", &[0.291]) && !is_one_of("13", &[12.3]) && !is_one_of("0.001", &[0.0016]));
}
