//! Any controller in any house, on this machine.

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::agent::Settings;
use osculate_apps::room::thermostat::Thermostat;

use super::baseline::{ControlLaw, OneStepAhead, Pi};
use super::host::{control, learn};
use super::planning::Planning;
use super::plant::{Houses, Scene};
use super::run_log::cost;
use super::test_bed::TestBed;

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

    /// The name for display.
    pub fn name(self) -> String {
        match self {
            Self::Thermostat => Thermostat::new().name().into(),
            Self::OneStepAhead => OneStepAhead::new().name().into(),
            Self::Pi(..) => Pi::tuned(Houses::Near).name().into(),
            Self::Planning => Planning::new().name().into(),
            Self::Agent(rule, arith) => format!("{}, {}", rule.name(), arith.name()),
        }
    }

    /// The cost per step of each evening.
    ///
    /// # Errors
    /// If a thermometer does not answer.
    pub fn costs(self, scene: &Scene, evenings: u32) -> Result<Vec<f64>> {
        let rule = if let Self::Agent(rule, _) = self { rule } else { Rule::Paper };
        let settings = Settings { seed: scene.seed, evenings, rule };
        let test_bed = TestBed::new(scene.clone());
        let controlled = |controller: &mut dyn ControlLaw| {
            let trails = control(test_bed.clone(), controller, &settings)?;
            anyhow::Ok(trails.iter().map(|trail| cost(trail)).collect())
        };
        match self {
            Self::Thermostat => controlled(&mut Thermostat::new()),
            Self::OneStepAhead => controlled(&mut OneStepAhead::new()),
            Self::Pi(proportional, integral) => controlled(&mut Pi::new(proportional, integral)),
            Self::Planning => controlled(&mut Planning::new()),
            Self::Agent(_, arith) => {
                let evenings = learn(test_bed.clone(), arith, &settings)?;
                Ok(evenings.iter().map(|evening| cost(&evening.trail)).collect())
            }
        }
    }
}
