//! Why not a PI controller? The demo's room: `cargo xtask demo --many 40` has all rules, and evenings that begin anew.

use std::ops::{Range, RangeInclusive};
use std::sync::atomic::Ordering;

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_lab::drawing::{Axis, Line, Panel};
use osculate_lab::numbers::median;
use osculate_lab::room::controller::Controller;
use osculate_lab::room::many::{CARPET, FIRST, LATE, Street};
use osculate_lab::room::plant::Houses;
use osculate_lab::text_table::Table;
use osculate_lab::waiting;

use super::tables::titled;

const SEEDS: RangeInclusive<u64> = 1..=40;
const EVENINGS: u32 = 90;
const WINDOWS: [(&str, Range<usize>); 3] = [("evenings 1–3", FIRST), ("51–60", LATE), ("81–90, carpet", 80..90)];
const STREETS: [(&str, Houses); 2] =
    [("houses near the data sheet", Houses::Near), ("houses far from it", Houses::Wild)];
const NAMES: [&str; 4] = ["thermostat", "PI", "tracking, f32", "tracking, q28"];

/// By street and controller: the median cost per step in each window, and the houses in which it is below PI's before the
/// carpet.
pub(super) struct Costs([[([f64; 3], usize); 4]; 2]);

impl Costs {
    /// Lives in every house with every controller.
    pub(super) fn measure() -> Result<Self> {
        let mut all = [[([0.0; 3], 0); 4]; 2];
        waiting::counting(2 * NAMES.len() * SEEDS.count(), "houses", |done| {
            let tell = || _ = done.fetch_add(1, Ordering::Relaxed);
            for ((_, houses), of_street) in STREETS.into_iter().zip(&mut all) {
                let street = Street { houses, restarts: false, seeds: SEEDS, carpet: Some(CARPET), evenings: EVENINGS };
                let agent = |arith| Controller::Agent(Rule::Tracking, arith);
                let controllers =
                    [Controller::Thermostat, Controller::pi(houses), agent(Arith::F32), agent(Arith::Q28)];
                let costs = controllers.map(|controller| street.run(controller, &tell));
                let costs = costs.into_iter().collect::<Result<Vec<_>>>()?;
                for (one, of_controller) in costs.iter().zip(of_street) {
                    let medians = WINDOWS.map(|(_, evenings)| median(one.of(evenings)));
                    *of_controller = (medians, one.houses_below(&costs[1], LATE));
                }
            }
            Ok(Self(all))
        })
    }

    /// The table with its title.
    pub(super) fn told(&self, markdown: bool) -> String {
        let (houses, first, last) = (SEEDS.count(), SEEDS.start(), SEEDS.end());
        let title = format!(
            "the room: cost per step, medians of {houses} houses (seeds {first} to {last}), evenings that follow each other"
        );
        titled(&title, &self.table(), markdown)
    }

    pub(super) fn table(&self) -> Table {
        let [a, b, c] = WINDOWS.map(|(name, _)| name);
        let mut table = Table::new("lrrrr", ["", a, b, c, "below PI"]);
        for ((street, _), costs) in STREETS.iter().zip(&self.0) {
            for (name, (cost, below)) in NAMES.iter().zip(costs) {
                let is_ours = name.starts_with("tracking");
                let below = if is_ours { format!("{below} of {}", SEEDS.count()) } else { String::new() };
                let [a, b, c] = cost.map(|cost| format!("{cost:.3}"));
                table.row([format!("{street}: {name}"), a, b, c, below]);
            }
        }
        table
    }

    /// A chart for each street. One arithmetic is enough here: the table has both.
    pub(super) fn panels(&self) -> Vec<Panel> {
        let panel = |street: usize| {
            let line = |controller: usize, ink| {
                let points = (0_u32..).map(f64::from).zip(self.0[street][controller].0).collect();
                Line::plain(NAMES[controller], points).ink(ink)
            };
            let x = Axis::named("evenings", WINDOWS.map(|(name, _)| name));
            Panel::new(
                STREETS[street].0,
                x,
                Axis::linear("median cost per step"),
                vec![line(0, 1), line(1, 2), line(3, 0)],
            )
        };
        vec![panel(0), panel(1)]
    }
}
