//! Why not a PI controller? The demo's room: `cargo xtask demo --many 40` has all rules, and evenings that begin anew.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_lab::room::controller::Controller;
use osculate_lab::room::many::{CARPET, FIRST, LATE, Street, median};
use osculate_lab::room::plant::Houses;

use super::axes;
use crate::drawing::ink::{AGENT, PI, QUIET, TEXT};
use crate::drawing::svg::{Anchor, Ink, Type};
use crate::progress::Progress;

const SEEDS: std::ops::RangeInclusive<u64> = 1..=40;
const EVENINGS: u32 = 90;
const LATE_WITH_CARPET: Range<usize> = 80..90;
const WINDOWS: [(&str, Range<usize>); 3] =
    [("evenings 1–3", FIRST), ("51–60", LATE), ("81–90, carpet", LATE_WITH_CARPET)];
const STREETS: [(&str, Houses); 2] =
    [("houses near the data sheet", Houses::Near), ("houses far from it", Houses::Wild)];
const NAMES: [(&str, Ink); 4] =
    [("thermostat", QUIET), ("PI, tuned for such houses", PI), ("tracking, f32", AGENT), ("tracking, q28", AGENT)];

/// The median cost per step by street, controller and window, and the houses in which it is below PI's in the last two.
pub(super) struct Costs([[([f64; 3], usize); 4]; 2]);

impl Costs {
    /// Lives in every house with every controller.
    pub(super) fn measure() -> Result<Self> {
        let houses = (SEEDS.end() - SEEDS.start() + 1) as usize;
        let progress = Mutex::new(Progress::new(2 * NAMES.len() * houses, "houses"));
        let tell = || progress.lock().unwrap_or_else(PoisonError::into_inner).add_one();
        let mut all = [[([0.0; 3], 0); 4]; 2];
        for ((_, houses), street_costs) in STREETS.into_iter().zip(&mut all) {
            let street = Street { houses, restarts: false, seeds: SEEDS, carpet: Some(CARPET), evenings: EVENINGS };
            let agent = |arith| Controller::Agent(Rule::Tracking, arith);
            let controllers = [Controller::Thermostat, Controller::pi(houses), agent(Arith::F32), agent(Arith::Q28)];
            let mut pi = None;
            for (i, controller) in controllers.into_iter().enumerate() {
                let costs = street.run(controller, &tell)?;
                if i == 1 {
                    pi = Some(costs.clone());
                }
                let below = pi.as_ref().map_or(0, |pi| costs.houses_below(pi, LATE));
                street_costs[i] = (WINDOWS.map(|(_, evenings)| median(costs.of(evenings))), below);
            }
        }
        Ok(Self(all))
    }

    pub(super) fn print(&self, markdown: bool) {
        let houses = SEEDS.end() - SEEDS.start() + 1;
        println!(
            "{}the room: cost per step, medians of {houses} houses (seeds {} to {}), evenings that follow each other\n\n{}",
            if markdown { "### " } else { "" },
            SEEDS.start(),
            SEEDS.end(),
            self.table(markdown)
        );
    }

    fn table(&self, markdown: bool) -> String {
        let houses = SEEDS.end() - SEEDS.start() + 1;
        let line = |cells: [String; 5]| {
            let [name, a, b, c, below] = cells;
            if markdown {
                format!("| {name} | {a} | {b} | {c} | {below} |\n")
            } else {
                format!("  {name:<42} {a:>12} {b:>8} {c:>14} {below:>9}\n")
            }
        };
        let [a, b, c] = WINDOWS.map(|(name, _)| name.to_owned());
        let mut text = line([String::new(), a, b, c, "below PI".into()]);
        if markdown {
            text += &line(["---", "---:", "---:", "---:", "---:"].map(String::from));
        }
        for ((street, _), costs) in STREETS.iter().zip(&self.0) {
            for ((name, _), (cost, below)) in NAMES.iter().zip(costs) {
                let [a, b, c] = cost.map(|cost| format!("{cost:.3}"));
                let below = if name.starts_with("tracking") { format!("{below} of {houses}") } else { String::new() };
                text += &line([format!("{street}: {}", name.split(", tuned").next().unwrap_or(name)), a, b, c, below]);
            }
        }
        text
    }

    pub(super) fn svg(&self) -> String {
        const TITLE: &str = "Why not a PI controller?";
        let note = "Heating a room, 40 houses of each kind: median cost per step, less is better.";
        let mut svg = axes::sheet(TITLE, note);
        let most = self.0.iter().flatten().flat_map(|(costs, _)| costs).fold(0.0_f64, |most, cost| most.max(*cost));
        let (left, column, bar) = (16.0, 234.0, 24.0);
        let length = (column - 76.0) / most;
        // One arithmetic is enough here: the table has both.
        let shown = [0, 1, 3];
        for (row, ((street, _), costs)) in STREETS.iter().zip(&self.0).enumerate() {
            let top = 106.0 + 160.0 * row as f64;
            svg.text((left, top), Type::of(17.0, TEXT).bold(), street);
            for (i, (name, _)) in WINDOWS.iter().enumerate() {
                let x = left + column * i as f64;
                svg.text((x, top + 26.0), Type::of(16.0, QUIET), name);
                for (line, controller) in shown.into_iter().enumerate() {
                    let (cost, y) = (costs[controller].0[i], top + 36.0 + (bar + 5.0) * line as f64);
                    svg.rect([x, y, length * cost, bar], NAMES[controller].1, 0.9);
                    let kind = Type::of(16.0, TEXT).anchor(Anchor::Start);
                    svg.text((x + length * cost + 7.0, y + bar - 7.0), kind, &format!("{cost:.2}"));
                }
            }
        }
        let mut x = left;
        for (controller, width) in shown.into_iter().zip([140.0, 250.0, 0.0]) {
            let (name, ink) = NAMES[controller];
            svg.rect([x, 432.0, 16.0, 16.0], ink, 0.9);
            svg.text((x + 23.0, 446.0), Type::of(16.0, ink), name);
            x += width;
        }
        axes::finish(svg, TITLE)
    }
}

#[cfg(test)]
mod tests {
    use osculate_lab::documents;

    use super::*;

    #[test]
    fn the_page_has_the_table_that_is_printed() -> Result<()> {
        documents::compare("docs/rivals.md", "cargo xtask rivals, the room", &Costs::measure()?.table(true))
    }
}
