//! The record of a run: the agent's evenings, and those of the other controllers in the same weather.

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use serde_json::{Map, Value, json};

use super::baseline::{ControlLaw, OneStepAhead, Pi, Thermostat};
use super::host::control;
use super::plant::Scene;
use super::test_bed::{Moment, TestBed};
use osculate_apps::room::agent::Settings;
use osculate_apps::room::telemetry;

/// How many of the last evenings the summary covers.
pub const LAST: usize = 10;

/// An evening of the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Evening {
    /// Each step, as seen by the host.
    pub trail: Vec<Moment>,
    /// Number of random actions.
    pub explored: u32,
    /// How often a thermometer did not answer.
    pub silences: u32,
    /// ϑ of the update at its end.
    pub theta: f32,
    /// ‖g‖ of the update.
    pub g_norm: f32,
    /// The bits of w after it.
    pub weights: Vec<u32>,
}

/// Another controller in the same house and weather.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// Its name.
    pub name: &'static str,
    /// The steps of each evening.
    pub trails: Vec<Vec<Moment>>,
}

/// A whole run.
#[derive(Clone, Debug)]
pub struct RunLog {
    /// The house and its weather; its seed is also the agent's.
    pub scene: Scene,
    /// The arithmetic.
    pub arith: Arith,
    /// The step-size rule.
    pub rule: Rule,
    /// Where the agent ran.
    pub place: String,
    /// The agent's evenings.
    pub evenings: Vec<Evening>,
    /// Thermostat, one step ahead and PI, in this order.
    pub baselines: [Baseline; 3],
}

/// The mean cost per step of an evening.
pub fn cost(trail: &[Moment]) -> f64 {
    trail.iter().map(Moment::cost).sum::<f64>() / trail.len() as f64
}

/// The mean of the last evenings' costs.
pub fn last_cost<'t>(trails: impl DoubleEndedIterator<Item = &'t [Moment]>) -> f64 {
    let costs: Vec<f64> = trails.rev().take(LAST).map(cost).collect();
    costs.iter().sum::<f64>() / costs.len() as f64
}

impl RunLog {
    /// The agent's [`last_cost`].
    pub fn last_cost(&self) -> f64 {
        last_cost(self.evenings.iter().map(|evening| evening.trail.as_slice()))
    }
}

impl RunLog {
    /// For machines: seed, arithmetic, rule, the baselines' costs per step in the last evenings, the agent's in each
    /// evening, and the bits of its final weights.
    pub fn to_json(&self) -> Value {
        let baselines: Map<String, Value> =
            self.baselines.iter().map(|baseline| (baseline.key(), baseline.last_cost().into())).collect();
        let last = self.evenings.last().map(|evening| evening.weights.as_slice()).unwrap_or_default();
        json!({
            "seed": self.scene.seed,
            "arith": self.arith.name(),
            "rule": self.rule.name(),
            "baselines": baselines,
            "evenings": self.evenings.iter().map(|evening| cost(&evening.trail)).collect::<Vec<_>>(),
            "weights_bits": last.iter().map(|bits| format!("{bits:08x}")).collect::<Vec<_>>(),
        })
    }
}

impl Baseline {
    /// All baselines, for the same evenings as the agent's.
    ///
    /// # Errors
    /// If a thermometer does not answer.
    pub fn all(scene: &Scene, settings: &Settings) -> Result<[Self; 3]> {
        let run = |controller: &mut dyn ControlLaw| {
            let trails = control(TestBed::new(scene.clone()), controller, settings)?;
            anyhow::Ok(Self { name: controller.name(), trails })
        };
        Ok([run(&mut Thermostat::default())?, run(&mut OneStepAhead)?, run(&mut Pi::tuned())?])
    }

    /// Its name as a JSON key.
    fn key(&self) -> String {
        self.name.to_lowercase().replace(' ', "_")
    }

    /// Its [`last_cost`].
    pub fn last_cost(&self) -> f64 {
        last_cost(self.trails.iter().map(Vec::as_slice))
    }
}

impl Evening {
    /// From the ground truth and the agent's report.
    pub fn new(trail: Vec<Moment>, told: &telemetry::Evening) -> Self {
        let telemetry::Evening { explored, silences, update, weights, .. } = *told;
        let (theta, g_norm) = (update.theta, update.g_norm);
        Self { trail, explored, silences, theta, g_norm, weights: weights.to_vec() }
    }
}
