//! Promise: the numbers in the tables of the documents are those that the commands print.
//!
//! A table may say less than its command: fewer rows, fewer digits. Every number in it must be one that the command prints,
//! rounded as the table has it. What stands between `<!-- from here: … -->` and `<!-- until here -->` is compared verbatim,
//! that of the rivals and of the paper by the tests of these names. To accept a change there:
//! `UPDATE_DOCS=1 cargo test -p xtask --test printed images`, or `costs_are`.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use osculate_lab::bench::budget::compiler;
use osculate_lab::documents::{self, ACCEPT, fenced};
use osculate_lab::repository::repository;
use osculate_lab::toolchain::ambient;

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{arguments:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn page(name: &str) -> String {
    documents::read(name).unwrap()
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

/// The page leaves some lines out.
#[test]
fn the_first_example_prints_what_the_front_page_shows() {
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--quiet", "--example", "predict_sensor", "-p", "osculate"]).current_dir(repository());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let front = page("README.md");
    let shown = front.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("what it prints");
    let mut printed = text.lines();
    for line in shown.lines().filter(|line| *line != "…") {
        assert!(printed.any(|other| other == line), "`{line}` is not printed there:\n{text}");
    }
}

/// Counts and sizes differ between compilers.
fn is_the_compiler_of_the_tables() -> bool {
    let known = compiler().unwrap();
    let same = known.starts_with("1.95.");
    if !same {
        println!("the tables are those of Rust 1.95, and this is {known}: not compared");
    }
    same
}

/// Images with a vendor's drivers contain the paths of their sources.
fn is_the_home_of_the_tables() -> bool {
    const LENGTH: usize = 12;
    let own = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo"));
    let length = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(own).map_or(0, |home| home.as_os_str().len());
    if length != LENGTH {
        println!("images name cargo's folder: {length} characters here, {LENGTH} in the tables: not compared");
    }
    length == LENGTH
}

#[test]
fn images_take_what_is_printed() {
    if !is_the_compiler_of_the_tables() || !is_the_home_of_the_tables() {
        return;
    }
    const COMMAND: &str = "boards --check";
    let text = printed(&COMMAND.split(' ').collect::<Vec<_>>());
    // What comes before is how far it is.
    let from = text.find("\nboard ").expect("the head of the table") + 1;
    documents::compare("docs/boards.md", &format!("cargo xtask {COMMAND}"), &fenced(&text[from..])).unwrap();
}

/// Three of the measurements: all of them take longer than a test should. What is accepted is all of them.
#[test]
fn costs_are_those_printed() {
    if !is_the_compiler_of_the_tables() {
        return;
    }
    const COMMAND: &str = "cargo xtask bench --markdown";
    if documents::accepting() {
        let text = printed(&["bench", "--markdown"]);
        documents::compare("docs/performance.md", COMMAND, &text).unwrap();
        documents::compare("README.md", COMMAND, &for_the_front_page(&text)).unwrap();
    }
    let [table, front] = ["docs/performance.md", "README.md"].map(page);
    for (board, arith) in [("mps2-an386", "f32"), ("mps2-an386", "q28"), ("microbit", "q28")] {
        let text = printed(&["bench", "--markdown", "--board", board, "--arith", arith]);
        for (document, known, text) in
            [("docs/performance.md", &table, text.clone()), ("README.md", &front, for_the_front_page(&text))]
        {
            let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
            assert!(rows.len() >= 3, "{text}");
            for row in rows {
                assert!(known.contains(row), "{document} has no `{row}`; {ACCEPT}=1 with this test accepts it");
            }
        }
        if board == "mps2-an386" {
            documents::says("README.md", &format!("{:.1} KiB in {arith}", f64::from(flash(&text)) / 1024.0)).unwrap();
        }
    }
}

/// The bytes of a tracking predictor of what comes next, as recommended.
fn flash(text: &str) -> u32 {
    let (_, rest) = text.split_once("| core | in | SIM |").expect("the table of flash and RAM");
    let cell = rest.lines().nth(2).and_then(|row| row.split('|').nth(4)).expect("one row");
    cell.split('/').next_back().and_then(|bytes| bytes.trim().parse().ok()).expect("a number of bytes")
}

/// The first table, without its title.
fn for_the_front_page(text: &str) -> String {
    let rows = text.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_number_that_is_not_printed_is_found() {
    assert_eq!(numbers("−27 % | .275 and 39 of 40; 1.0."), ["27", ".275", "39", "40", "1.0"]);
    assert!(is_one_of(".28", &[0.2812]) && is_one_of("0.0014", &[0.00140]) && is_one_of("12", &[12.3]));
    assert!(!is_one_of(".28", &[0.291]) && !is_one_of("13", &[12.3]) && !is_one_of("0.001", &[0.0016]));
}
