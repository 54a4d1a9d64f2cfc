//! The summary of a run.

use std::time::Duration;

use osculate_apps::choice::Rule;
use osculate_lab::room::device::Size;
use osculate_lab::room::run_log::{LAST, RunLog};

use super::neighbours::Neighbours;
use super::picture::compared;
use super::view::sentence;

/// Prints a table.
pub(super) fn print(run: &RunLog, neighbours: &Neighbours, size: &Size, took: Duration) {
    let last = run.evenings.len().min(LAST);
    let (own, houses) = (run.last_cost(), neighbours.houses);
    println!("\ncost per step, last {last} evenings (°C away from 21, plus 0.15 at full power)\n");
    println!(
        "  {:<16} {:>10} {:>12} {:>12}   medians",
        "",
        "this house",
        format!("{houses} near"),
        format!("{houses} wild")
    );
    for row in &neighbours.rows {
        let [near, wild] = row.medians();
        let device = if row.rule == Some(run.rule) { "   the device's rule" } else { "" };
        println!("  {:<16} {:>10.3} {near:>12.3} {wild:>12.3}{device}", row.name, row.here);
    }
    println!("\n  the device, {}, {}: {own:.3}", run.rule.name(), run.arith.name());
    for baseline in &run.baselines {
        println!("    {} {} ({:.3})", compared(own, baseline.last_cost()), baseline.name, baseline.last_cost());
    }
    if let Some(rule) = neighbours.rule(run.rule) {
        let [near, wild] = rule.below(neighbours.pi());
        println!("  {} costs less than PI in {near} of {houses} near and {wild} of {houses} wild houses", rule.name);
    }
    let reported = || run.evenings.iter().filter(|evening| evening.is_reported());
    let under = reported().map(|evening| evening.fallbacks).sum::<u32>();
    let steps = reported().map(|evening| evening.trail.len()).sum::<usize>();
    println!("  the thermostat acted in {under} of {steps} steps, where the room was 1 °C off");
    if let Some(cut) = &run.power_cut {
        println!("  {}", sentence(cut));
    }
    let Size { flash, statics, stack } = size;
    let learner = if matches!(run.rule, Rule::Streaming | Rule::Tracking) { "learner" } else { "learner and its log" };
    println!("\nfirmware: {flash} bytes of flash, {} of RAM", statics + stack);
    println!("          ({statics} static, {stack} of stack with the {learner})");
    println!("took {:.1} s on {}\n", took.as_secs_f64(), run.place);
}
