//! The comparison over many houses.

use std::io::{IsTerminal, Write, stderr};
use std::ops::RangeInclusive;

use anyhow::Result;
use osculate_lab::room::seeds::Controller;

/// Prints the median cost and its spread for every controller.
pub(super) fn run(seeds: RangeInclusive<u64>, evenings: u32) -> Result<()> {
    let (first, last) = (seeds.start(), seeds.end());
    println!(
        "cost per step in the last 10 of {evenings} evenings, in the houses of seeds {first} to {last}, on this machine\n"
    );
    println!("{:<24} {:>8} {:>8} {:>8}   {:>14} {:>9}", "", "lowest", "median", "highest", "vs thermostat", "vs PI");
    let mut medians = Vec::new();
    for controller in Controller::all() {
        if stderr().is_terminal() {
            eprint!("\r{} …\x1b[K", controller.name());
            _ = stderr().flush();
        }
        let spread = controller.spread(seeds.clone(), evenings)?;
        medians.push(spread.median());
        let against = |index: usize| match medians.get(index) {
            Some(other) if index + 1 < medians.len() => format!("{:+.0} %", 100.0 * (spread.median() / other - 1.0)),
            _ => String::new(),
        };
        if stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
        let (lowest, median, highest) = (spread.lowest(), spread.median(), spread.highest());
        let (thermostat, pi) = (against(0), against(2));
        println!("{:<24} {lowest:>8.3} {median:>8.3} {highest:>8.3}   {thermostat:>14} {pi:>9}", controller.name());
    }
    Ok(())
}
