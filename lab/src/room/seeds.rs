//! The same comparison in many houses.

use std::ops::RangeInclusive;

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};

use super::baseline::{ControlLaw, OneStepAhead, Pi, Thermostat};
use super::host::{control, learn};
use super::plant::Scene;
use super::run_log::last_cost;
use super::test_bed::TestBed;
use osculate_apps::room::agent::Settings;

/// A controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Controller {
    /// The thermostat.
    Thermostat,
    /// One step ahead.
    OneStepAhead,
    /// PI, with these gains.
    Pi(f32, f32),
    /// The device's agent, on this machine.
    Agent(Rule, Arith),
}

impl Controller {
    /// All controllers, the thermostat first.
    pub fn all() -> Vec<Self> {
        let tuned = Pi::tuned();
        let mut all = vec![Self::Thermostat, Self::OneStepAhead, Self::Pi(tuned.proportional, tuned.integral)];
        for rule in [Rule::Paper, Rule::Predictable, Rule::Streaming] {
            all.extend([Arith::F32, Arith::Q28].map(|arith| Self::Agent(rule, arith)));
        }
        all
    }

    /// The name for display.
    pub fn name(self) -> String {
        match self {
            Self::Thermostat => Thermostat::default().name().into(),
            Self::OneStepAhead => OneStepAhead.name().into(),
            Self::Pi(..) => Pi::tuned().name().into(),
            Self::Agent(rule, arith) => format!("SIM {}, {}", rule.name(), arith.name()),
        }
    }

    /// The mean cost per step in the last ten evenings of a seed.
    ///
    /// # Errors
    /// If a thermometer does not answer.
    pub fn last_cost(self, seed: u64, evenings: u32) -> Result<f64> {
        let test_bed = TestBed::new(Scene::new(seed));
        let rule = if let Self::Agent(rule, _) = self { rule } else { Rule::Paper };
        let settings = Settings { seed, evenings, rule };
        let controlled = |controller: &mut dyn ControlLaw| control(test_bed.clone(), controller, &settings);
        let trails = match self {
            Self::Thermostat => controlled(&mut Thermostat::default())?,
            Self::OneStepAhead => controlled(&mut OneStepAhead)?,
            Self::Pi(proportional, integral) => controlled(&mut Pi::new(proportional, integral))?,
            Self::Agent(_, arith) => learn(test_bed, arith, &settings)?.trails,
        };
        Ok(last_cost(trails.iter().map(Vec::as_slice)))
    }

    /// The same for many seeds.
    ///
    /// # Errors
    /// As [`last_cost`](Self::last_cost).
    pub fn spread(self, seeds: RangeInclusive<u64>, evenings: u32) -> Result<Spread> {
        seeds.map(|seed| self.last_cost(seed, evenings)).collect::<Result<_>>().map(Spread::new)
    }
}

/// Costs over many seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread(Vec<f64>);

impl Spread {
    fn new(mut costs: Vec<f64>) -> Self {
        costs.sort_by(f64::total_cmp);
        Self(costs)
    }

    /// The lowest.
    pub fn lowest(&self) -> f64 {
        self.0[0]
    }

    /// The middle one, or the mean of the two middle ones.
    pub fn median(&self) -> f64 {
        let half = self.0.len() / 2;
        if self.0.len() % 2 == 1 { self.0[half] } else { (self.0[half - 1] + self.0[half]) / 2.0 }
    }

    /// The highest.
    pub fn highest(&self) -> f64 {
        self.0[self.0.len() - 1]
    }
}
