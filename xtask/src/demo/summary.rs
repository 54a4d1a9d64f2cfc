//! The summary of a run.

use std::time::Duration;

use osculate_apps::choice::Rule;
use osculate_lab::room::device::Size;
use osculate_lab::room::run_log::{LAST, RunLog};

/// Prints a table.
pub(super) fn print(run: &RunLog, size: &Size, took: Duration) {
    let last = run.evenings.len().min(LAST);
    let agent = run.last_cost();
    println!("\ncost per step, last {last} evenings (°C away from 21, plus 0.15 at full power)\n");
    for baseline in &run.baselines {
        let (name, cost) = (baseline.name, baseline.last_cost());
        let difference = 100.0 * (agent / cost - 1.0);
        let verdict = if difference < 0.0 { "less" } else { "more" };
        println!("  {name:<16} {cost:>6.3}   the device costs {:.0} % {verdict}", difference.abs());
    }
    println!("  {:<16} {agent:>6.3}   SIM, {}, {}", "the device", run.rule.name(), run.arith.name());
    let Size { flash, statics, stack } = size;
    let learner = if run.rule == Rule::Streaming { "learner" } else { "learner and its log" };
    println!("\nfirmware: {flash} bytes of flash, {} of RAM", statics + stack);
    println!("          ({statics} static, {stack} of stack with the {learner})");
    println!("took {:.1} s on {}\n", took.as_secs_f64(), run.place);
}
