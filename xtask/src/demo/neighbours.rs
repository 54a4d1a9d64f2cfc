//! The same controllers in many houses, on this machine, beside the one house on the device.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_lab::numbers::median;
use osculate_lab::room::controller::Controller;
use osculate_lab::room::many::{Costs, Street};
use osculate_lab::room::plant::{Houses, Scene};
use osculate_lab::room::run_log::LAST;

use crate::progress::Progress;

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
        let progress = Progress::new(2 * controllers.len() * houses as usize, "houses");
        let progress = Mutex::new(progress);
        let tell = || progress.lock().unwrap_or_else(PoisonError::into_inner).add_one();
        let row = |controller: &Controller| {
            let here = Costs(vec![controller.costs(scene, evenings)?]).of(late.clone())[0];
            let [mut near, mut wild] = [const { Vec::new() }; 2];
            for (kind, costs) in Houses::ALL.into_iter().zip([&mut near, &mut wild]) {
                let Scene { seed, restarts, carpet, .. } = *scene;
                let seeds = seed..=seed.saturating_add(houses - 1);
                let street = Street { houses: kind, restarts, carpet, seeds, evenings };
                // Each kind has its own gains.
                let controller =
                    if matches!(controller, Controller::Pi(..)) { Controller::pi(kind) } else { *controller };
                *costs = street.run(controller, &tell)?.of(late.clone());
            }
            let (name, rule) = match controller {
                Controller::Agent(rule, _) => (rule.name().to_owned(), Some(*rule)),
                other => (other.name(), None),
            };
            anyhow::Ok(Row { name, rule, here, elsewhere: [near, wild] })
        };
        Ok(Self { rows: controllers.iter().map(row).collect::<Result<_>>()?, houses, last })
    }

    /// The row of a rule; `plain` has none.
    pub(crate) fn rule(&self, rule: Rule) -> Option<&Row> {
        self.rows.iter().find(|row| row.rule == Some(rule))
    }

    /// The thermostat's row.
    pub(crate) fn thermostat(&self) -> &Row {
        &self.rows[0]
    }

    /// PI's row.
    pub(crate) fn pi(&self) -> &Row {
        &self.rows[1]
    }
}
