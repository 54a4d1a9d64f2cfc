//! Promise: no part of the learner takes more instructions than its budget, and the hot loops meet their targets.

use std::thread;

use anyhow::Result;
use osculate_lab::bench::budget::{
    Budget, FEATURES, GROWTH, MEASURED, OTHER_COMPILER, SIZED, committed, compiler, exceeded, updated,
};
use osculate_lab::bench::device::Part;
use osculate_lab::bench::report::Record;
use osculate_lab::bench::{cycles, device, size};
use osculate_lab::boards::Board;
use osculate_lab::firmware::{self, OptLevel};
use osculate_lab::repository::repository;

/// The committed budget.
const FILE: &str = include_str!("../budget.json");
const ACCEPT: &str = "to accept: UPDATE_BUDGET=1 cargo test -p osculate-host-tests --test budget";

fn measured() -> Result<Budget> {
    let mut records = Vec::new();
    for (name, arith) in MEASURED {
        let board = Board::named(name)?;
        let elf = firmware::build(board, &format!("bench_{arith}"), &["bench"])?;
        let counts = device::run(board, &elf, &FEATURES, |_| ())?;
        assert_eq!(counts, device::run(board, &elf, &FEATURES, |_| ())?, "two runs count the same");
        records.extend(counts.into_iter().map(|count| Record::new(name, arith, &count)));
    }
    let board = Board::named(SIZED)?;
    let sizes = ["f32", "q28"].map(|arith| size::measure(board, arith, OptLevel::Fast));
    Ok(Budget { compiler: compiler()?, counts: records, sizes: sizes.into_iter().collect::<Result<_>>()? })
}

#[test]
fn every_part_stays_within_its_budget() -> Result<()> {
    let measured = measured()?;
    let compiler = &measured.compiler;
    let path = repository().join("host-tests/budget.json");
    if std::env::var_os("UPDATE_BUDGET").is_some() {
        // Read the current file: this binary may be older.
        let budgets = committed(&std::fs::read_to_string(&path)?).unwrap_or_default();
        std::fs::write(&path, updated(budgets, measured)?)?;
        return Ok(());
    }
    let budgets = committed(FILE)?;
    let known = budgets.iter().any(|budget| budget.compiler == *compiler);
    let growth = 100.0 * if known { GROWTH } else { OTHER_COMPILER };
    println!(
        "rustc {compiler}: {} of its own, so {growth} % are allowed",
        if known { "a budget" } else { "no budget" }
    );
    let over = exceeded(&budgets, &measured);
    assert!(over.is_empty(), "more than {growth} % over the budget:\n{over}{ACCEPT}");

    for (arith, most) in [("f32", 2.6), ("q28", 2.3)] {
        let is_target = |r: &&Record| (r.board.as_str(), r.kernel.as_str(), r.n) == ("mps2-an386", "pass1", 64);
        let record = measured.counts.iter().filter(is_target).find(|r| r.arith == arith).expect("it was measured");
        let per_mac = record.per_mac().expect("it multiplies");
        println!("{arith}: {per_mac:.3} instructions per MAC of pass 1 on the M4F, n = 64 (at most {most})");
        assert!(per_mac <= most);
    }
    Ok(())
}

/// Holds with every QEMU release, and while other traces run in the same checkout.
#[test]
fn the_model_of_cycles_follows_two_runs_at_once() -> Result<()> {
    let board = Board::named("mps2-an386")?;
    let elf = firmware::build(board, "bench_f32", &["bench"])?;
    // Of different lengths, so that sharing a trace would be noticed.
    let (short, long) = thread::scope(|scope| {
        let short = scope.spawn(|| cycles::model(board, &elf, &[8]));
        let long = cycles::model(board, &elf, &[64]);
        (short.join().expect("it does not panic"), long)
    });
    let (short, long) = (short?, long?);
    assert!(short.len() == long.len() && short.iter().all(|(count, _)| count.n == 8));
    let (count, cycles) = long.iter().find(|(count, _)| count.part == Part::Pass1).expect("it was measured");
    let per_mac = f64::from(*cycles) / f64::from(count.macs);
    println!("{per_mac:.3} cycles per MAC of pass 1 on the M4F, n = 64, f32, by the model (at most 5)");
    assert!((1.0..=5.0).contains(&per_mac), "{per_mac}");
    Ok(())
}

#[test]
fn a_device_refuses_sizes_that_it_does_not_know() -> Result<()> {
    let board = Board::named("mps2-an386")?;
    let elf = firmware::build(board, "bench_f32", &["bench"])?;
    let error = device::run(board, &elf, &[16, 20], |_| ()).unwrap_err().to_string();
    assert!(error.contains("`20` is neither `trace`, `memory` nor one of [8, 10, 16"), "{error}");
    // Each size, repeated more often than there are sizes.
    let counted = device::run(board, &elf, &[[8; 9], [10; 9]].concat(), |_| ())?;
    assert!([8, 10].iter().all(|n| counted.iter().any(|count| count.n == *n)), "{counted:?}");
    assert!(counted.iter().all(|count| count.n <= 10), "{counted:?}");
    Ok(())
}

#[test]
fn what_grows_or_is_unknown_is_noticed() -> Result<()> {
    let budgets = committed(FILE)?;
    let own = &budgets[0];
    assert!(!own.counts.is_empty() && own.sizes.len() == 2);
    assert_eq!(exceeded(&budgets, own), "");
    assert_eq!(committed(&updated(budgets.clone(), own.clone())?)?, budgets);

    let another = |budget: Budget| Budget { compiler: "another".into(), ..budget };
    let slower = |by: f64| {
        let mut budget = own.clone();
        budget.counts[0].instructions = (f64::from(budget.counts[0].instructions) * by) as u32;
        budget
    };
    let larger = |by: f64| {
        let mut budget = own.clone();
        budget.sizes[1].flash = (f64::from(budget.sizes[1].flash) * by) as u32;
        budget.sizes[1].streaming += 100;
        budget
    };
    assert_eq!(exceeded(&budgets, &slower(1.04)).lines().count(), 1);
    assert_eq!(exceeded(&budgets, &another(slower(1.04))), "");
    assert_eq!(exceeded(&budgets, &another(slower(1.8))).lines().count(), 1);
    assert_eq!(exceeded(&budgets, &larger(1.04)).lines().count(), 2, "flash and RAM");
    assert_eq!(exceeded(&budgets, &another(larger(1.04))), "");
    let mut other = own.clone();
    other.counts[1].kernel = "another".into();
    other.sizes[0].arith = "another".into();
    assert_eq!(exceeded(&budgets, &other).matches("no budget for").count(), 2);
    Ok(())
}
