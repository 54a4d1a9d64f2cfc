//! Promise: no part of the learner takes more than its budget, and what the documents state stays within its limit.

use std::fs;
use std::sync::LazyLock;
use std::thread;

use anyhow::{Result, anyhow};
use osculate_lab::bench::device::{self, Part};
use osculate_lab::bench::limits::{USUAL, limits};
use osculate_lab::bench::report::{OTHER_COMPILER, Report};
use osculate_lab::bench::{MEASURED, OFTEN, SIZES, Scope, cycles};
use osculate_lab::boards::Board;
use osculate_lab::firmware;
use osculate_lab::repository::{repository, runs_all};

const FILE: &str = "host-tests/budget.json";
const ACCEPT: &str = "UPDATE_BUDGET";

fn is_accepting() -> bool {
    std::env::var_os(ACCEPT).is_some()
}

fn committed() -> Result<Report> {
    Report::parse(&fs::read_to_string(repository().join(FILE))?)
}

/// Everything that the budget covers, or what every run of the tests measures of it; once for all tests.
fn measured() -> Result<Report> {
    static MEASURED_ONCE: LazyLock<Result<Report, String>> =
        LazyLock::new(|| measure(runs_all() || is_accepting()).map_err(|error| format!("{error:#}")));
    MEASURED_ONCE.clone().map_err(|error| anyhow!(error))
}

fn measure(all: bool) -> Result<Report> {
    let mut report = Report::new()?;
    for (name, arith) in MEASURED.into_iter().take(if all { MEASURED.len() } else { OFTEN }) {
        let board = Board::named(name)?;
        let is_main = name == MEASURED[0].0;
        let scope = Scope {
            features: &SIZES,
            cycles: match (name, arith) {
                // There is no model of its core.
                ("mps2-an505-dsp", _) => &[],
                // Those with limits beside plain Rust.
                (_, "f32") if all => &SIZES,
                _ => &[USUAL],
            },
            memory: &[8, USUAL],
            flash: is_main,
        };
        report.measure(board, arith, &scope)?;
    }
    Ok(report)
}

#[test]
fn every_part_stays_within_its_budget() -> Result<()> {
    let measured = measured()?;
    if is_accepting() {
        return Ok(fs::write(repository().join(FILE), measured.json()?)?);
    }
    let budget = committed()?;
    let (over, growth) = (measured.exceeded(&budget), 100.0 * measured.growth(&budget));
    println!("rustc {}, the budget's is {}: {growth} % are allowed", measured.compiler, budget.compiler);
    let accept = format!("to accept: {ACCEPT}=1 cargo test -p osculate-board-tests --test budget");
    assert!(over.is_empty(), "more than {growth} % over the budget:\n{over}{accept}");
    Ok(())
}

/// What the documents state: see `lab/src/bench/limits.rs`.
#[test]
fn what_is_promised_stays_within_its_limit() -> Result<()> {
    let (measured, budget) = (measured()?, committed()?);
    let slack = if measured.compiler == budget.compiler { 0.0 } else { OTHER_COMPILER };
    let mut over = Vec::new();
    for limit in limits() {
        let (name, is) = (limit.name(), limit.measured(&measured));
        println!("{is:>12.2?} of {:>9.2}  {name}", limit.most);
        // What is measured for a release only was measured for the budget.
        let is = is.or_else(|| limit.measured(&budget));
        if is.is_none_or(|is| is > limit.most * (1.0 + slack)) {
            over.push(format!("{is:?} instead of {}: {name}", limit.most));
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
    Ok(())
}

/// Holds with every QEMU release, and while other traces run in the same checkout.
#[test]
fn the_model_of_cycles_follows_two_runs_at_once() -> Result<()> {
    let board = Board::named("mps2-an386")?;
    let elf = firmware::build(board, "bench", &["bench"])?;
    // Of different lengths, so that sharing a trace would be noticed.
    let (short, long) = thread::scope(|scope| {
        let short = scope.spawn(|| cycles::model(board, &elf, &[8]));
        let long = cycles::model(board, &elf, &[16]);
        (short.join().expect("it does not panic"), long)
    });
    let (short, long) = (short?, long?);
    assert!(short.len() == long.len() && short.iter().all(|(count, _)| count.n == 8));
    let (count, cycles) = long.iter().find(|(count, _)| count.part == Part::Pass1).expect("it was measured");
    let per_instruction = f64::from(*cycles) / f64::from(count.instructions);
    println!("{per_instruction:.2} cycles per instruction of pass 1 on the M4F, n = 16, f32, by the model");
    assert!((1.0..=2.5).contains(&per_instruction), "{per_instruction}");
    Ok(())
}

#[test]
fn a_device_refuses_sizes_that_it_does_not_know_and_counts_the_same_twice() -> Result<()> {
    let board = Board::named("mps2-an386")?;
    let elf = firmware::build(board, "bench", &["bench"])?;
    let error = device::run(board, &elf, &[16, 20]).unwrap_err().to_string();
    assert!(error.contains("`20` is neither `trace`, `memory` nor one of [8, 10, 16"), "{error}");
    // Each size, repeated more often than there are sizes.
    let counted = device::run(board, &elf, &[[8; 9], [10; 9]].concat())?;
    assert!([8, 10].iter().all(|n| counted.iter().any(|count| count.n == *n)), "{counted:?}");
    assert!(counted.iter().all(|count| count.n <= 10), "{counted:?}");
    assert_eq!(counted, device::run(board, &elf, &[8, 10])?);
    Ok(())
}
