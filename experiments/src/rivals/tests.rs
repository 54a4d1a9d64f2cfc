//! What docs/rivals.md claims about rivals, and that it has the tables that `cargo xtask rivals` prints, digit by digit.

use std::sync::LazyLock;

use osculate_lab::documents::{self, fenced};
use osculate_lab::repository::runs_all;

use super::*;
use crate::tuning::Lengths;

const PAGE: &str = "docs/rivals.md";

/// Every table, or those that are claimed something about: with fewer seeds, and with the settings that the page has.
static TABLES: LazyLock<Vec<Report>> = LazyLock::new(|| {
    if runs_all() {
        return compare(&Problem::all(), SEEDS);
    }
    let rows = Problem::rows(Case::Stationary);
    let problems = [Problem::MDP, rows.clone(), rows.equations(3.0), Problem::rows(Case::Jumps)];
    let page = documents::read(PAGE).expect("the page");
    compare_as_in(&page, &problems, 8).expect("the page has the setting of every rival")
});

/// The same with settings that were chosen before: those that a table in a document has. `None` if there is one without.
fn compare_as_in(document: &str, problems: &[Problem], seeds: u64) -> Option<Vec<Report>> {
    let chosen = |problem: &Problem| -> Option<Vec<usize>> {
        let table = document.split_once(&format!("### {}\n", problem.name))?.1;
        let chosen = |one: tuning::Entry| {
            let row = table.lines().find(|line| line.starts_with(&format!("| {} |", one.name)))?;
            let setting = row.split('|').nth(2)?.trim();
            if one.ours { Some(0) } else { one.grid.iter().position(|values| tables::plain(values) == setting) }
        };
        rules::all(problem, Lengths::default()).into_iter().map(chosen).collect()
    };
    let chosen: Option<Vec<_>> = problems.iter().map(chosen).collect();
    Some(tuning::show(&tasks(problems), &chosen?, seeds))
}

fn table(problem: Problem) -> &'static Report {
    TABLES.iter().find(|report| report.problem == problem).expect("a table for every problem")
}

#[test]
fn predictable_is_near_rls_for_a_fraction_of_its_work() {
    let mdp = table(Problem::MDP);
    let rls = mdp.line("RLS").expect("a line for RLS");
    for rule in ["predictable f64", "predictable q28", "tracking(0) f64", "tracking(0) q28"] {
        let own = mdp.line(rule).expect("a line for every rule");
        let (error, work) = (mdp.error(rule) / mdp.error("RLS"), own.rule.macs / rls.rule.macs);
        println!("{rule}: {error:.2} of the error, 1/{:.1} of the work", 1.0 / work);
        assert!(error < 1.25, "{rule} has {error:.2} times the error of RLS");
        assert!(work < 1.0 / 8.0, "{rule} takes 1/{:.1} of the work of RLS", 1.0 / work);
    }
    // Losses: bootstrapping least squares is better than everything, and the paper's own rule is no match for RLS.
    for line in mdp.lines.iter().filter(|line| line.rule.name != "LSTD(lambda)") {
        assert!(mdp.error("LSTD(lambda)") < mdp.error(&line.rule.name), "{}", line.rule.name);
    }
    assert!(mdp.error("paper q28") > 1.25 * mdp.error("RLS"));
}

#[test]
fn units_of_equations_matter_to_least_squares_and_not_here() {
    let rows = Problem::rows(Case::Stationary);
    let (plain, scaled) = (table(rows.clone()), table(rows.equations(3.0)));
    let change = |rule: &str| scaled.error(rule) / plain.error(rule);
    for rule in ["paper q28", "predictable f64", "predictable q28", "streaming q28", "tracking q28", "NLMS"] {
        assert!((0.98..1.02).contains(&change(rule)), "{rule}: {:.3}", change(rule));
    }
    for rule in ["RLS", "MC-SGD", "Adam", "NAG (VW)", "SwiftTD"] {
        assert!(change(rule) > 2.0, "{rule}: {:.3}", change(rule));
    }
    // A loss: least squares on rows of length 1 is as indifferent, and better.
    assert!((0.98..1.02).contains(&change("RLS, unit rows")));
    assert!(scaled.error("RLS, unit rows") < scaled.error("predictable q28"));
}

#[test]
fn tracking_follows_jumps_and_the_rules_with_episodes_do_not() {
    let jumps = table(Problem::rows(Case::Jumps));
    for line in jumps.lines.iter().filter(|line| !line.rule.name.starts_with("tracking")) {
        assert!(jumps.error("tracking q28") < jumps.error(&line.rule.name), "{}", line.rule.name);
    }
    for rule in ["paper q28", "predictable q28", "streaming q28"] {
        assert!(jumps.error(rule) > 3.0 * jumps.error("tracking q28"), "{rule}");
    }
}

#[test]
fn the_page_has_all_tables_as_they_are_printed() -> Result<()> {
    if !runs_all() {
        return Ok(());
    }
    let all: Vec<String> = TABLES.iter().map(|report| told(report, true)).chain([costs(&TABLES, true)]).collect();
    assert_eq!(all.len(), 11);
    let all = all.iter().map(|table| table.trim_end()).collect::<Vec<_>>().join("\n\n");
    let page = |part: &str, text: &str| documents::compare(PAGE, &format!("cargo xtask rivals, {part}"), text);
    page("all tables", &all)?;
    page("least squares", &fenced(&against_least_squares(&TABLES)))?;
    page("losses", &fenced(&losses(&TABLES)))?;
    page("the room", &Costs::measure()?.table().markdown())
}

/// The front page has a part of one table, with the names that the rules have there.
#[test]
fn the_front_page_has_a_part_of_one_table() -> Result<()> {
    let named = [
        ("LSTD(lambda)", "LSTD(λ), tuned"),
        ("tracking q28", "`tracking`, q28"),
        ("TD(0)", "TD(0), tuned"),
        ("RLS", "RLS, tuned"),
        ("streaming q28", "`streaming`, q28"),
        ("NLMS", "NLMS, tuned"),
        ("SwiftTD", "SwiftTD, tuned"),
    ];
    let page = documents::read(PAGE)?;
    let table = page.split_once("### random MDP\n").expect("the table of the random MDP").1;
    let mut text = String::from(
        "| rule | error | multiply-accumulates per row | numbers to remember |\n| --- | ---: | ---: | ---: |\n",
    );
    for (rule, name) in named {
        let line = table.lines().find(|line| line.starts_with(&format!("| {rule} |"))).expect("a line for every rule");
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        text += &format!("| {name} | {} | {} | {} |\n", cells[5], cells[7], cells[8]);
    }
    documents::compare("README.md", "cargo xtask rivals", &text)
}

/// What is printed in a page, and what somebody has written around it.
fn printed_and_written(page: &str) -> (String, String) {
    let (mut printed, mut written, mut is_printed) = (String::new(), String::new(), false);
    for line in page.lines() {
        is_printed = line.starts_with("<!-- from here") || is_printed && !line.starts_with("<!-- until here");
        let text = if is_printed { &mut printed } else { &mut written };
        *text += &format!("{line}\n");
    }
    (printed, written)
}

/// The numbers with digits after the point, as they are written.
fn decimals(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.')).map(|word| word.trim_end_matches('.'));
    words.filter(|word| word.contains('.') && word.parse::<f64>().is_ok()).collect()
}

#[test]
fn the_words_of_the_page_are_about_numbers_of_its_tables() -> Result<()> {
    let (printed, written) = printed_and_written(&documents::read(PAGE)?);
    let known: Vec<f64> = decimals(&printed).iter().filter_map(|number| number.parse().ok()).collect();
    let written = decimals(&written);
    for number in &written {
        let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
        let value: f64 = number.parse()?;
        // A table may have one digit more, rounded.
        let near = |known: &f64| (known - value).abs() <= 0.501 * 0.1_f64.powi(digits as i32);
        assert!(known.iter().any(near), "{PAGE}: {number} is in none of its tables");
    }
    assert!(written.len() > 30, "only {} numbers: was the page looked through?", written.len());
    Ok(())
}
