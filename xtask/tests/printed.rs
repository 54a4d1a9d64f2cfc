//! Promise: the numbers in the tables of the documents are those that the commands print.
//!
//! A table may say less than its command: fewer rows, fewer digits. Every number in it must be one that the command prints,
//! rounded as the table has it. The tables of the rivals and of the paper are compared verbatim, by the tests of these names.

use std::fs;
use std::process::Command;

use osculate_lab::bench::budget::compiler;
use osculate_lab::repository::repository;

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{arguments:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn page(name: &str) -> String {
    fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The rows of the table that begins with this line, without its head.
fn table<'t>(text: &'t str, head: &str) -> Vec<&'t str> {
    let rows = text.lines().skip_while(|line| !line.starts_with(head)).take_while(|line| line.starts_with('|'));
    let rows: Vec<&str> = rows.skip(2).collect();
    assert!(!rows.is_empty(), "no table begins with {head}");
    rows
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

/// The cells of a table's columns from the second on, each number of which must have been printed.
fn check(document: &str, head: &str, printed: &str) {
    let text = page(document);
    let known: Vec<f64> = numbers(printed).iter().filter_map(|number| number.parse().ok()).collect();
    let mut compared = 0;
    for row in table(&text, head) {
        for cell in row.split('|').skip(2) {
            for number in numbers(cell) {
                assert!(is_one_of(number, &known), "{document}: {number} in `{row}` is not printed");
                compared += 1;
            }
        }
    }
    println!("{document}, {head}: {compared} numbers are as printed");
}

#[test]
fn the_rules_are_compared_as_printed() {
    check("docs/choosing.md", "| | `paper` | `predictable` |", &printed(&["compare"]));
}

#[test]
fn tracking_follows_drifts_as_printed() {
    check("docs/tracking.md", "| | stationary |", &printed(&["compare", "--drift"]));
}

#[test]
fn tracking_controls_as_printed() {
    check("docs/tracking.md", "| steps per episode |", &printed(&["compare", "--control"]));
}

#[test]
fn the_room_costs_what_is_printed() {
    let printed = printed(&["demo", "--many", "40"]);
    check("docs/room.md", "| | near: evenings 1–3 |", &printed);
    check("docs/room.md", "| | 1–3 | 51–60 | worst house |", &printed);
}

#[test]
fn nexting_foresees_what_is_printed() {
    check("docs/nexting.md", "| γ | steps 500–2000 |", &printed(&["nexting"]));
}

/// Counts and sizes differ between compilers.
#[test]
fn costs_are_those_printed() {
    let known = compiler().unwrap();
    if !known.starts_with("1.95.") {
        println!("the tables are those of Rust 1.95, and this is {known}: not compared");
        return;
    }
    let [table, front] = ["docs/performance.md", "README.md"].map(page);
    for (board, arith, core) in [("mps2-an386", "f32", "M4F"), ("mps2-an386", "q28", "M4F"), ("microbit", "q28", "M0")]
    {
        let text = printed(&["bench", "--markdown", "--board", board, "--arith", arith]);
        let (text, _) = text.split_once("Costs as straight lines").expect("what follows is not on the page");
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with(&format!("| {core} | {arith} |"))).collect();
        assert!(rows.len() >= 4, "{text}");
        for row in &rows {
            assert!(table.contains(row), "docs/performance.md has no `{row}`");
        }
        assert!(front.contains(rows[1]), "the front page has no `{}`", rows[1]);
    }
}

#[test]
fn a_number_that_is_not_printed_is_found() {
    assert_eq!(numbers("−27 % | .275 and 39 of 40; 1.0."), ["27", ".275", "39", "40", "1.0"]);
    assert!(is_one_of(".28", &[0.2812]) && is_one_of("0.0014", &[0.00140]) && is_one_of("12", &[12.3]));
    assert!(!is_one_of(".28", &[0.291]) && !is_one_of("13", &[12.3]) && !is_one_of("0.001", &[0.0016]));
}
