//! What docs/rivals.md claims about rivals, on a part of the problems. `cargo xtask rivals` runs all of them.

use std::fs;

use osculate_host_tests::drift::Case;
use osculate_host_tests::jobs;
use osculate_host_tests::rivals::{Problem, Report, SEEDS, TUNING_SEEDS, markdown, report, show, trial, tune};
use osculate_lab::repository::repository;

/// The whole table of a problem.
fn table(problem: Problem, seeds: u64) -> Report {
    let trials = jobs::all(&TUNING_SEEDS.collect::<Vec<_>>(), |seed| trial(problem, *seed));
    let chosen = tune(problem, &trials);
    let outcomes = jobs::all(&(0..seeds).collect::<Vec<_>>(), |seed| show(problem, &chosen, *seed));
    report(problem, &trials, &chosen, &outcomes)
}

fn error(report: &Report, rule: &str) -> f64 {
    report.line(rule).unwrap_or_else(|| panic!("no {rule} in {}", report.problem.name)).errors[2]
}

#[test]
fn predictable_is_near_rls_for_a_fraction_of_its_work() {
    let mdp = table(Problem::MDP, SEEDS);
    let rls = mdp.line("RLS").expect("a line for RLS");
    for rule in ["predictable f64", "predictable q28", "tracking(0) f64", "tracking(0) q28"] {
        let own = mdp.line(rule).expect("a line for every rule");
        let (error, work) = (own.errors[2] / rls.errors[2], own.cost.macs / rls.cost.macs);
        println!("{rule}: {error:.2} of the error, 1/{:.1} of the work", 1.0 / work);
        assert!(error < 1.25, "{rule} has {error:.2} times the error of RLS");
        assert!(work < 1.0 / 8.0, "{rule} takes 1/{:.1} of the work of RLS", 1.0 / work);
    }
    the_pages_say(&mdp);
    // Losses: bootstrapping least squares is better than everything, and the paper's own rule is no match for RLS.
    for line in mdp.lines.iter().filter(|line| line.name != "LSTD(lambda)") {
        assert!(error(&mdp, "LSTD(lambda)") < line.errors[2], "{}", line.name);
    }
    assert!(error(&mdp, "paper q28") > 1.25 * rls.errors[2]);
}

/// The whole table is on its page, and a part of it on the front page.
fn the_pages_say(mdp: &Report) {
    let read = |page| fs::read_to_string(repository().join(page)).expect("the page");
    let (page, front, table) = (read("docs/rivals.md"), read("README.md"), markdown(mdp));
    assert!(page.contains(&table), "docs/rivals.md has another table than\n{table}");
    let named = [
        ("LSTD(lambda)", "LSTD(λ), tuned"),
        ("tracking q28", "`tracking`, q28"),
        ("TD(0)", "TD(0), tuned"),
        ("RLS", "RLS, tuned"),
        ("streaming q28", "`streaming`, q28"),
        ("NLMS", "NLMS, tuned"),
        ("SwiftTD", "SwiftTD, tuned"),
    ];
    for (rule, name) in named {
        let line = table.lines().find(|line| line.starts_with(&format!("| {rule} |"))).expect("a line for every rule");
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let told = format!("| {name} | {} | {} | {} |", cells[5], cells[7], cells[8]);
        assert!(front.contains(&told), "not on the front page: {told}");
    }
}

#[test]
fn units_of_equations_matter_to_least_squares_and_not_here() {
    let rows = Problem::rows(Case::Stationary);
    let [plain, scaled] = [rows, rows.equations(3.0)].map(|problem| table(problem, 12));
    let change = |rule: &str| error(&scaled, rule) / error(&plain, rule);
    for rule in ["paper q28", "predictable f64", "predictable q28", "streaming q28", "tracking q28", "NLMS"] {
        assert!((0.98..1.02).contains(&change(rule)), "{rule}: {:.3}", change(rule));
    }
    for rule in ["RLS", "MC-SGD", "Adam", "NAG (VW)", "SwiftTD"] {
        assert!(change(rule) > 2.0, "{rule}: {:.3}", change(rule));
    }
    // A loss: least squares on rows of length 1 is as indifferent, and better.
    assert!((0.98..1.02).contains(&change("RLS, unit rows")));
    assert!(error(&scaled, "RLS, unit rows") < error(&scaled, "predictable q28"));
}

#[test]
fn tracking_follows_jumps_and_the_rules_with_episodes_do_not() {
    let jumps = table(Problem::rows(Case::Jumps), 12);
    for line in jumps.lines.iter().filter(|line| !line.name.starts_with("tracking")) {
        assert!(error(&jumps, "tracking q28") < line.errors[2], "{}", line.name);
    }
    for rule in ["paper q28", "predictable q28", "streaming q28"] {
        assert!(error(&jumps, rule) > 3.0 * error(&jumps, "tracking q28"), "{rule}");
    }
}

#[test]
fn the_page_has_the_table_that_is_printed() {
    let page = fs::read_to_string(repository().join("docs/rivals.md")).expect("the page");
    for problem in [Problem::BOYAN, Problem::rows(Case::Stationary)] {
        let table = markdown(&table(problem, SEEDS));
        assert!(page.contains(&table), "docs/rivals.md has another table than\n{table}");
    }
}
