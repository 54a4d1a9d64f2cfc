//! The comparison in many houses: both kinds, evenings that follow each other and restarts, every rule.

use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use osculate_apps::choice::Arith;
use osculate_lab::numbers::median;
use osculate_lab::room::controller::Controller;
use osculate_lab::room::many::{CARPET, Costs, FIRST, LATE, Street};
use osculate_lab::room::plant::Houses;

use super::neighbours::RULES;
use crate::progress::Progress;

/// Evenings before and after the carpet.
const EVENINGS: u32 = 90;
/// The last evenings with the carpet.
const LATE_WITH_CARPET: std::ops::Range<usize> = 80..90;

/// Prints a table for every street, a line per controller.
pub(super) fn run(seeds: &RangeInclusive<u64>) -> Result<()> {
    let (first, last, count) = (seeds.start(), seeds.end(), seeds.clone().count());
    println!(
        "cost per step in {count} houses of each kind (seeds {first} to {last}), {EVENINGS} evenings each, on this machine, with the \
         device's code;\na carpet lies on the floor from evening {CARPET} on. Costs are medians over the houses."
    );
    let streets = Houses::ALL.into_iter().flat_map(|houses| [false, true].map(|restarts| (houses, restarts)));
    let streets: Vec<Street> = streets
        .map(|(houses, restarts)| Street {
            houses,
            restarts,
            carpet: Some(CARPET),
            seeds: seeds.clone(),
            evenings: EVENINGS,
        })
        .collect();
    let total = streets.iter().map(|street| controllers(street.houses).len()).sum::<usize>() * count;
    let progress = Mutex::new(Progress::new(total, "houses"));
    for street in &streets {
        let mut lines = Vec::new();
        for controller in controllers(street.houses) {
            let costs =
                street.run(controller, &|| progress.lock().unwrap_or_else(PoisonError::into_inner).add_one())?;
            lines.push((controller.name(), costs));
        }
        print(street, &lines);
    }
    let took = progress.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
    println!("\ntook {:.0} s", took.as_secs_f64());
    Ok(())
}

/// Thermostat and PI first: everything is compared with them.
fn controllers(houses: Houses) -> Vec<Controller> {
    let mut all = vec![Controller::Thermostat, Controller::pi(houses), Controller::OneStepAhead, Controller::Planning];
    for rule in RULES {
        all.extend([Arith::F32, Arith::Q28].map(|arith| Controller::Agent(rule, arith)));
    }
    all
}

fn print(street: &Street, lines: &[(String, Costs)]) {
    let name = if street.restarts { "evenings that begin anew" } else { "evenings that follow each other" };
    let spread = match street.houses {
        Houses::Near => "near the data sheet (± 10 %)",
        Houses::Wild => "far from it (× .6 … 1.6)",
    };
    let (thermostat, pi) = (&lines[0].1, &lines[1].1);
    let early = format!("{}-{}", FIRST.start + 1, FIRST.end);
    let late = format!("{}-{}", LATE.start + 1, LATE.end);
    let carpet = format!("{}-{}", LATE_WITH_CARPET.start + 1, LATE_WITH_CARPET.end);
    println!("\nhouses {spread}, {name}\n");
    println!(
        "{:<18} {early:>6} {late:>6} {:>6} {:>7} {:>9} {:>10} {carpet:>6}  below PI again",
        "", "worst", "vs PI", "beats PI", "loses to"
    );
    println!(
        "{:<18} {:>6} {:>6} {:>6} {:>7} {:>9} {:>10} {:>6}  after the carpet",
        "", "", "", "", "", "in", "thermostat", "carpet"
    );
    for (name, costs) in lines {
        let of = |evenings| median(costs.of(evenings));
        let worst = costs.of(LATE).into_iter().fold(0.0, f64::max);
        let against = 100.0 * (of(LATE) / median(pi.of(LATE)) - 1.0);
        let (against, beats, loses, again) = if costs == pi || costs == thermostat {
            (String::new(), String::new(), String::new(), String::new())
        } else {
            let beats = costs.houses_below(pi, LATE);
            let loses = thermostat.houses_below(costs, LATE);
            (format!("{against:+.0} %"), beats.to_string(), loses.to_string(), again(costs, pi))
        };
        println!(
            "{name:<18} {:>6.3} {:>6.3} {worst:>6.3} {against:>7} {beats:>9} {loses:>10} {:>6.3}  {again}",
            of(FIRST),
            of(LATE),
            of(LATE_WITH_CARPET)
        );
    }
}

/// How long it takes to be better than PI again after the carpet.
fn again(costs: &Costs, pi: &Costs) -> String {
    let recovery = costs.recovery(pi);
    let within = recovery.iter().flatten().filter(|evenings| **evenings <= 20).count();
    let never = f64::from(EVENINGS);
    let middle =
        median(recovery.iter().map(|evenings| evenings.map_or(never, |evenings| evenings as f64)).collect::<Vec<_>>());
    let middle = if middle < never { format!("{middle:.0} evenings") } else { "never".to_owned() };
    format!("{middle}; {within} within 20")
}
