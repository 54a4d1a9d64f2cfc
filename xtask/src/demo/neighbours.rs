//! The same controllers in many houses, on this machine, beside the one house on the device.

use std::sync::atomic::Ordering;

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_lab::numbers::median;
use osculate_lab::room::controller::Controller;
use osculate_lab::room::many::{Costs, Street};
use osculate_lab::room::plant::{Houses, Scene};
use osculate_lab::room::run_log::LAST;
use osculate_lab::waiting;

/// The number of houses of each kind.
pub(crate) const HOUSES: u64 = 40;
/// The rules to compare.
pub(super) const RULES: [Rule; 4] = [Rule::Paper, Rule::Predictable, Rule::Streaming, Rule::Tracking];

/// Every controller in the device's house and in many others.
#[derive(Clone, Debug)]
pub(crate) struct Neighbours {
    /// The thermostat first, then PI, planning, and the four rules.
    pub(crate) rows: Vec<Row>,
    /// The number of houses of each kind.
    pub(crate) houses: u64,
    /// The number of last evenings that the costs are means of.
    pub(crate) last: usize,
}

/// A controller's costs per step in the last evenings.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The controller's name; without the arithmetic, which is the same for all.
    pub(crate) name: String,
    /// The agent's rule, if it is one.
    pub(crate) rule: Option<Rule>,
    /// In the device's house.
    pub(crate) here: f64,
    /// In each house near the data sheet, and in each one far from it.
    pub(crate) elsewhere: [Vec<f64>; 2],
}

impl Row {
    /// The medians of both kinds of houses.
    pub(crate) fn medians(&self) -> [f64; 2] {
        self.elsewhere.each_ref().map(|costs| median(costs.clone()))
    }

    /// The numbers of houses, of both kinds, in which it costs less than another.
    pub(crate) fn below(&self, other: &Self) -> [usize; 2] {
        let below = |kind: usize| {
            self.elsewhere[kind].iter().zip(&other.elsewhere[kind]).filter(|(own, other)| own < other).count()
        };
        [below(0), below(1)]
    }
}

impl Neighbours {
    /// Runs all of them, in this many houses of each kind from the scene's seed on.
    pub(super) fn visit(scene: &Scene, evenings: u32, arith: Arith, houses: u64) -> Result<Self> {
        let last = LAST.min(evenings as usize);
        let late = evenings as usize - last..evenings as usize;
        let mut controllers = vec![Controller::Thermostat, Controller::pi(scene.houses), Controller::Planning];
        controllers.extend(RULES.map(|rule| Controller::Agent(rule, arith)));
        let late = |costs: Costs| costs.of(late.clone());
        let total = 2 * controllers.len() * houses as usize;
        let rows = waiting::counting(total, "houses", |done| {
            let row = |controller: Controller| {
                let elsewhere = Houses::ALL.map(|kind| {
                    let Scene { seed, restarts, carpet, .. } = *scene;
                    let seeds = seed..=seed.saturating_add(houses - 1);
                    let street = Street { houses: kind, restarts, carpet, seeds, evenings };
                    // Each kind has its own gains.
                    let is_pi = matches!(controller, Controller::Pi(..));
                    let controller = if is_pi { Controller::pi(kind) } else { controller };
                    street.run(controller, &|| _ = done.fetch_add(1, Ordering::Relaxed)).map(late)
                });
                let [near, wild] = elsewhere;
                let rule = if let Controller::Agent(rule, _) = controller { Some(rule) } else { None };
                let here = late(Costs(vec![controller.costs(scene, evenings)?]))[0];
                anyhow::Ok(Row { name: controller.kind().to_owned(), rule, here, elsewhere: [near?, wild?] })
            };
            controllers.into_iter().map(row).collect::<Result<_>>()
        })?;
        Ok(Self { rows, houses, last })
    }

    /// The row of a rule; `plain` has none.
    pub(crate) fn rule(&self, rule: Rule) -> Option<&Row> {
        self.rows.iter().find(|row| row.rule == Some(rule))
    }

    /// PI's row.
    pub(crate) fn pi(&self) -> &Row {
        &self.rows[1]
    }
}
