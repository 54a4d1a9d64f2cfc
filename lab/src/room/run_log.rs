//! The record of a run: the agent's evenings, and those of the other controllers in the same weather.

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::replay::format::Summary;
use serde_json::{Map, Value, json};

use super::controller::Controller;
use super::plant::Scene;
use super::power_cut::PowerCut;
use super::test_bed::Moment;
use crate::numbers::mean;
use osculate_apps::room::telemetry::{self, Known};

/// How many of the last evenings the summary covers.
pub const LAST: usize = 10;

/// An evening of the agent. All but its trail is the agent's report, which is empty if power failed before bedtime.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evening {
    /// Each step, as seen by the host.
    pub trail: Vec<Moment>,
    /// Number of random actions.
    pub explored: u32,
    /// Number of steps under the thermostat, too far from the set-point.
    pub fallbacks: u32,
    /// How often a thermometer did not answer.
    pub silences: u32,
    /// ϑ of the update at its end.
    pub theta: f32,
    /// ‖g‖ of the update.
    pub g_norm: f32,
    /// The bits of w after it.
    pub weights: Vec<u32>,
    /// The bits of the learned model, the floor's and the room's.
    pub model: Vec<u32>,
    /// The floor's surplus per °C of the room above the outside that holds the room, as the agent believes.
    pub holding: f32,
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
    /// The power cut, if there was one.
    pub power_cut: Option<PowerCut>,
    /// Thermostat, one step ahead, PI and planning, in this order.
    pub baselines: [Baseline; 4],
}

/// The mean cost per step of an evening.
pub fn cost(trail: &[Moment]) -> f64 {
    mean(&trail.iter().map(Moment::cost).collect::<Vec<_>>())
}

/// The mean of the last evenings' costs.
pub fn last_cost<'t>(trails: impl DoubleEndedIterator<Item = &'t [Moment]>) -> f64 {
    mean(&trails.rev().take(LAST).map(cost).collect::<Vec<_>>())
}

impl RunLog {
    /// The agent's [`last_cost`].
    pub fn last_cost(&self) -> f64 {
        last_cost(self.evenings.iter().map(|evening| evening.trail.as_slice()))
    }

    /// For machines: seed, arithmetic, rule, the baselines' costs per step in the last evenings, the agent's in each
    /// evening, the power cut and what the device said after it, and the bits of the last weights reported.
    pub fn to_json(&self) -> Value {
        let key = |baseline: &Baseline| baseline.name.to_lowercase().replace(' ', "_");
        let baselines: Map<String, Value> =
            self.baselines.iter().map(|baseline| (key(baseline), baseline.last_cost().into())).collect();
        let last = self.evenings.iter().rfind(|evening| evening.is_reported());
        let last = last.map(|evening| evening.weights.as_slice()).unwrap_or_default();
        let fallbacks = |evening: &Evening| evening.is_reported().then_some(evening.fallbacks);
        json!({
            "seed": self.scene.seed,
            "houses": self.scene.houses.name(),
            "restarts": self.scene.restarts,
            "arith": self.arith.name(),
            "rule": self.rule.name(),
            "baselines": baselines,
            "evenings": self.evenings.iter().map(|evening| cost(&evening.trail)).collect::<Vec<_>>(),
            "under_thermostat": self.evenings.iter().map(fallbacks).collect::<Vec<_>>(),
            "power_cut": self.power_cut.map(PowerCut::to_json),
            "weights_bits": last.iter().map(|bits| format!("{bits:08x}")).collect::<Vec<_>>(),
        })
    }
}

impl Baseline {
    /// All baselines, for the same evenings as the agent's.
    pub fn all(scene: &Scene, evenings: u32) -> Result<[Self; 4]> {
        let run = |controller: Controller| {
            anyhow::Ok(Self { name: controller.kind(), trails: controller.trails(scene, evenings)? })
        };
        let (pi, ahead) = (Controller::pi(scene.houses), Controller::OneStepAhead);
        Ok([run(Controller::Thermostat)?, run(ahead)?, run(pi)?, run(Controller::Planning)?])
    }

    /// Its [`last_cost`].
    pub fn last_cost(&self) -> f64 {
        last_cost(self.trails.iter().map(Vec::as_slice))
    }
}

impl Evening {
    /// From the ground truth and the agent's reports.
    pub fn new(trail: Vec<Moment>, known: &Known, told: &telemetry::Evening) -> Self {
        let telemetry::Evening { explored, fallbacks, silences, report, weights, .. } = *told;
        let Summary { step: theta, error: g_norm, .. } = report.summary();
        let model = known.model.as_flattened().iter().map(|weight| weight.to_bits()).collect();
        let (weights, holding) = (weights.to_vec(), known.holding);
        Self { trail, explored, fallbacks, silences, theta, g_norm, weights, model, holding }
    }

    /// Whether the agent has lived it to its end.
    pub fn is_reported(&self) -> bool {
        !self.weights.is_empty()
    }
}
