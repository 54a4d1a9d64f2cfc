//! Promise: no part of the learner takes more instructions than its budget, and what is promised stays within its limit.

use std::sync::LazyLock;
use std::thread;

use anyhow::{Result, anyhow};
use osculate_lab::bench::budget::{
    Budget, FEATURES, GROWTH, MEASURED, OTHER_COMPILER, SIZED, committed, compiler, exceeded, updated,
};
use osculate_lab::bench::device::Part;
use osculate_lab::bench::limits::{LIMITS, is_limited};
use osculate_lab::bench::report::{Record, Report};
use osculate_lab::bench::size::{self, PROGRAMS};
use osculate_lab::bench::{cycles, device};
use osculate_lab::boards::Board;
use osculate_lab::firmware::{self, OptLevel};
use osculate_lab::repository::{repository, runs_all};

/// The committed budget.
const FILE: &str = include_str!("../budget.json");
const ACCEPT: &str = "to accept: UPDATE_BUDGET=1 OSCULATE_ALL=1 cargo test -p osculate-host-tests --test budget";

/// Everything that the budget covers, measured once for all tests.
fn measured() -> Result<Budget> {
    static MEASURED_ONCE: LazyLock<Result<Budget, String>> =
        LazyLock::new(|| measure().map_err(|error| format!("{error:#}")));
    MEASURED_ONCE.clone().map_err(|error| anyhow!(error))
}

fn measure() -> Result<Budget> {
    let mut budget = Budget { compiler: compiler()?, counts: Vec::new(), sizes: Vec::new(), ram: Vec::new() };
    for (name, arith) in MEASURED {
        let board = Board::named(name)?;
        let elf = firmware::build(board, "bench", size::features(arith))?;
        let counts = device::run(board, &elf, &FEATURES, |_| ())?;
        if runs_all() {
            assert_eq!(counts, device::run(board, &elf, &FEATURES, |_| ())?, "two runs count the same");
        }
        budget.counts.extend(counts.into_iter().map(|count| Record::new(name, arith, &count)));
        budget.ram.extend(size::ram(board, arith, &[8])?);
    }
    let board = Board::named(SIZED)?;
    for arith in ["f32", "q28"] {
        for program in PROGRAMS {
            for level in OptLevel::ALL.into_iter().filter(|level| *level == OptLevel::Recommended || runs_all()) {
                budget.sizes.push(size::measure(board, arith, program, level)?);
            }
        }
    }
    Ok(budget)
}

#[test]
fn every_part_stays_within_its_budget() -> Result<()> {
    let measured = measured()?;
    let compiler = &measured.compiler;
    let path = repository().join("host-tests/budget.json");
    if std::env::var_os("UPDATE_BUDGET").is_some() {
        assert!(runs_all(), "without OSCULATE_ALL=1, not everything was measured");
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
    Ok(())
}

/// In the same table as `cargo xtask dev bench --limits`: see `lab/src/bench/limits.rs`.
#[test]
fn what_is_promised_stays_within_its_limit() -> Result<()> {
    let Budget { compiler, mut counts, sizes, ram } = measured()?;
    let known = committed(FILE)?.iter().any(|budget| budget.compiler == compiler);
    let slack = if known { 0.0 } else { OTHER_COMPILER };
    println!("rustc {compiler}: at most {} % over a limit", 100.0 * slack);
    // Limits in cycles are those of the M4F in f32.
    let board = Board::named("mps2-an386")?;
    let elf = firmware::build(board, "bench", &["bench"])?;
    for (count, cycles) in cycles::model(board, &elf, &FEATURES)? {
        let modelled = Record::new("mps2-an386", "f32", &count);
        let record = counts.iter_mut().find(|record| record.matches(&modelled));
        record.expect("the same parts are counted").model_cycles = Some(cycles);
    }
    // Other cores have limits, too, but no budget: those are for a release.
    for (board, arith) in Board::cores().flat_map(|board| ["f32", "q28"].map(|arith| (board, arith))) {
        if runs_all() && is_limited(&board.name, arith) && !MEASURED.contains(&(&board.name, arith)) {
            let elf = firmware::build(board, "bench", size::features(arith))?;
            let more = device::run(board, &elf, &FEATURES, |_| ())?;
            counts.extend(more.iter().map(|count| Record::new(&board.name, arith, count)));
        }
    }
    let report = Report { counts, sizes, ram };
    let mut over = String::new();
    for limit in LIMITS {
        let measured = limit.measured(&report);
        println!("{}", limit.line(measured));
        let is_for_releases = !runs_all() && !MEASURED.contains(&(limit.board, limit.arith));
        assert!(measured.is_some() || is_for_releases, "every limit can be checked");
        if let Some(measured) = measured
            && measured > limit.most * (1.0 + slack)
        {
            over += &format!("{}\n", limit.line(Some(measured)));
        }
    }
    assert!(over.is_empty(), "measured / limit:\n{over}");
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
    let per_mac = f64::from(*cycles) / f64::from(count.macs);
    println!("{per_mac:.3} cycles per MAC of pass 1 on the M4F, n = 16, f32, by the model");
    assert!((1.0..=6.0).contains(&per_mac), "{per_mac}");
    Ok(())
}

#[test]
fn a_device_refuses_sizes_that_it_does_not_know() -> Result<()> {
    let board = Board::named("mps2-an386")?;
    let elf = firmware::build(board, "bench", &["bench"])?;
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
    assert!(!own.counts.is_empty() && own.sizes.len() >= 2);
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
        for ram in budget.ram.iter_mut().take(1) {
            ram.streaming += 100;
        }
        budget
    };
    assert_eq!(exceeded(&budgets, &slower(1.04)).lines().count(), 1);
    assert_eq!(exceeded(&budgets, &another(slower(1.04))), "");
    assert_eq!(exceeded(&budgets, &another(slower(1.8))).lines().count(), 1);
    assert_eq!(exceeded(&budgets, &larger(1.04)).lines().count(), 1 + own.ram.len().min(1), "flash and RAM");
    assert_eq!(exceeded(&budgets, &another(larger(1.04))), "");
    let mut other = own.clone();
    other.counts[1].kernel = "another".into();
    other.sizes[0].arith = "another".into();
    assert_eq!(exceeded(&budgets, &other).matches("no budget for").count(), 2);
    Ok(())
}
