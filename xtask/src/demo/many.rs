//! The comparison in many houses: both kinds, evenings that follow each other and restarts, every rule.

use std::ops::{Range, RangeInclusive};
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use osculate_apps::choice::Arith;
use osculate_lab::numbers::median;
use osculate_lab::room::controller::Controller;
use osculate_lab::room::many::{CARPET, Costs, FIRST, LATE, Street};
use osculate_lab::room::plant::Houses;
use osculate_lab::text_table::Table;
use osculate_lab::waiting;

use super::neighbours::RULES;

/// Evenings before and after the carpet.
const EVENINGS: u32 = 90;
/// The last evenings with the carpet.
const LATE_WITH_CARPET: Range<usize> = 80..90;

/// Prints a table for every street, a line per controller.
pub(super) fn run(seeds: &RangeInclusive<u64>) -> Result<()> {
    let (first, last, count) = (seeds.start(), seeds.end(), seeds.clone().count());
    println!(
        "cost per step in {count} houses of each kind (seeds {first} to {last}), {EVENINGS} evenings each, on this machine, with the \
         device's code;\na carpet lies on the floor from evening {CARPET} on. Costs are medians over the houses."
    );
    let started = Instant::now();
    let total = 4 * controllers(Houses::Near).len() * count;
    waiting::counting(total, "houses", |done| {
        for (houses, restarts) in Houses::ALL.into_iter().flat_map(|houses| [(houses, false), (houses, true)]) {
            let street = Street { houses, restarts, carpet: Some(CARPET), seeds: seeds.clone(), evenings: EVENINGS };
            let costs = |controller| street.run(controller, &|| _ = done.fetch_add(1, Ordering::Relaxed));
            let rows = controllers(houses).into_iter().map(|controller| Ok((controller.name(), costs(controller)?)));
            let rows = rows.collect::<Result<Vec<_>>>()?;
            let name = if restarts { "evenings that begin anew" } else { "evenings that follow each other" };
            let spread = match houses {
                Houses::Near => "near the data sheet (± 10 %)",
                Houses::Wild => "far from it (× .6 … 1.6)",
            };
            waiting::print(&format!("\nhouses {spread}, {name}\n\n{}", table(&rows).trim_end()));
        }
        anyhow::Ok(())
    })?;
    println!("\ntook {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Thermostat and PI first: everything is compared with them.
fn controllers(houses: Houses) -> Vec<Controller> {
    let mut all = vec![Controller::Thermostat, Controller::pi(houses), Controller::OneStepAhead, Controller::Planning];
    all.extend(RULES.iter().flat_map(|rule| [Arith::F32, Arith::Q28].map(|arith| Controller::Agent(*rule, arith))));
    all
}

fn table(rows: &[(String, Costs)]) -> String {
    let name = |evenings: Range<usize>| format!("{}-{}", evenings.start + 1, evenings.end);
    let heads = ["worst", "vs PI", "below PI in", "above thermostat in"].map(String::from);
    let again = "below PI again after the carpet".to_owned();
    let head = [[String::new(), name(FIRST), name(LATE)].to_vec(), heads.to_vec(), vec![name(LATE_WITH_CARPET), again]];
    let mut table = Table::new("lrrrrrrrl", head.concat());
    let (thermostat, pi) = (&rows[0].1, &rows[1].1);
    for (number, (name, costs)) in rows.iter().enumerate() {
        let of = |evenings| median(costs.of(evenings));
        let worst = costs.of(LATE).into_iter().fold(0.0, f64::max);
        let against = 100.0 * (of(LATE) / median(pi.of(LATE)) - 1.0);
        let compared = [
            format!("{against:+.0} %"),
            costs.houses_below(pi, LATE).to_string(),
            thermostat.houses_below(costs, LATE).to_string(),
            self::again(costs, pi),
        ];
        let [against, below, above, again] = if number < 2 { [const { String::new() }; 4] } else { compared };
        let [first, late, carpet] = [FIRST, LATE, LATE_WITH_CARPET].map(|evenings| format!("{:.3}", of(evenings)));
        table.row([name.clone(), first, late, format!("{worst:.3}"), against, below, above, carpet, again]);
    }
    table.text()
}

/// How long it takes to be better than PI again after the carpet.
fn again(costs: &Costs, pi: &Costs) -> String {
    let recovery = costs.recovery(pi);
    let within = recovery.iter().flatten().filter(|evenings| **evenings <= 20).count();
    let never = f64::from(EVENINGS);
    let evenings = recovery.iter().map(|evenings| evenings.map_or(never, |evenings| evenings as f64));
    let middle = median(evenings.collect::<Vec<_>>());
    let middle = if middle < never { format!("{middle:.0} evenings") } else { "never".to_owned() };
    format!("{middle}; {within} within 20")
}
