//! Any controller in any house, on this machine.

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::agent::Settings;
use osculate_apps::room::thermostat::Thermostat;

use super::baseline::{ByModel, ControlLaw, Pi};
use super::host::{control, learn};
use super::plant::{Houses, Scene};
use super::run_log::cost;
use super::test_bed::{Moment, TestBed};

/// A controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Controller {
    /// The thermostat.
    Thermostat,
    /// One step ahead.
    OneStepAhead,
    /// PI, with these gains.
    Pi(f32, f32),
    /// Planning.
    Planning,
    /// The device's agent, on this machine.
    Agent(Rule, Arith),
}

impl Controller {
    /// PI with the gains for this kind of house.
    pub fn pi(houses: Houses) -> Self {
        let Pi { proportional, integral, .. } = Pi::tuned(houses);
        Self::Pi(proportional, integral)
    }

    /// Its name; that of an agent is its rule's.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Thermostat => "thermostat",
            Self::OneStepAhead => "one step ahead",
            Self::Pi(..) => "PI",
            Self::Planning => "planning",
            Self::Agent(rule, _) => rule.name(),
        }
    }

    /// Its name, and that of its arithmetic if it has one.
    pub fn name(self) -> String {
        if let Self::Agent(rule, arith) = self {
            format!("{}, {}", rule.name(), arith.name())
        } else {
            self.kind().into()
        }
    }

    /// The steps of each evening.
    pub fn trails(self, scene: &Scene, evenings: u32) -> Result<Vec<Vec<Moment>>> {
        let (seed, test_bed) = (scene.seed, TestBed::new(scene.clone()));
        let mut law: Box<dyn ControlLaw> = match self {
            Self::Thermostat => Box::new(Thermostat::new()),
            Self::OneStepAhead => Box::new(ByModel::one_step_ahead()),
            Self::Pi(proportional, integral) => Box::new(Pi::new(proportional, integral)),
            Self::Planning => Box::new(ByModel::planning()),
            Self::Agent(rule, arith) => {
                let learned = learn(test_bed, arith, &Settings { seed, evenings, rule })?;
                return Ok(learned.into_iter().map(|evening| evening.trail).collect());
            }
        };
        control(test_bed, &mut *law, seed, evenings)
    }

    /// The cost per step of each evening.
    pub fn costs(self, scene: &Scene, evenings: u32) -> Result<Vec<f64>> {
        Ok(self.trails(scene, evenings)?.iter().map(|trail| cost(trail)).collect())
    }
}
