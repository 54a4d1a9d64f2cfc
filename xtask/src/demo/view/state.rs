//! The state that is shown.

use osculate_apps::room::agent::STEPS;
use osculate_lab::room::power_cut::PowerCut;
use osculate_lab::room::run_log::{Evening, LAST, cost};
use osculate_lab::room::test_bed::Moment;

use super::{Header, mean};

/// Everything that the screen shows.
#[derive(Debug)]
pub(super) struct ViewState {
    pub(super) header: Header,
    /// The current evening, from 1; 0 before the first.
    pub(super) evening: u32,
    /// Its steps so far.
    pub(super) trail: Vec<Moment>,
    /// The costs of the evenings before it.
    pub(super) costs: Vec<f64>,
    /// The last update.
    pub(super) update: Option<Update>,
    /// The power cut, if there was one.
    pub(super) power_cut: Option<PowerCut>,
}

/// An update of the weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Update {
    pub(super) theta: f32,
    pub(super) explored: u32,
    pub(super) fallbacks: u32,
    pub(super) steps: usize,
}

impl ViewState {
    pub(super) fn new(header: Header) -> Self {
        let trail = Vec::with_capacity(STEPS);
        Self { header, evening: 0, trail, costs: Vec::new(), update: None, power_cut: None }
    }

    /// Adds a step of an evening.
    pub(super) fn step(&mut self, evening: u32, moment: &Moment) {
        if self.evening != evening {
            self.evening = evening;
            self.trail.clear();
        }
        self.trail.push(*moment);
    }

    /// Ends an evening.
    pub(super) fn evening(&mut self, told: &Evening) {
        self.costs.push(cost(&told.trail));
        if told.is_reported() {
            let Evening { theta, explored, fallbacks, .. } = *told;
            self.update = Some(Update { theta, explored, fallbacks, steps: told.trail.len() });
        }
    }

    /// The cost per step of the current evening so far.
    pub(super) fn cost(&self) -> Option<f64> {
        (!self.trail.is_empty()).then(|| cost(&self.trail))
    }

    /// The mean cost of the last evenings, at most [`LAST`].
    pub(super) fn last_cost(&self) -> Option<f64> {
        mean(&self.costs[self.costs.len().saturating_sub(LAST)..])
    }

    /// The mean cost of a baseline in the same evenings.
    pub(super) fn baseline_last_cost(&self, baseline: usize) -> Option<f64> {
        let costs = &self.header.baselines[baseline].evenings;
        let costs = &costs[..self.costs.len().min(costs.len())];
        mean(&costs[costs.len().saturating_sub(LAST)..])
    }

    /// The progress of the run, from 0 to 1.
    pub(super) fn progress(&self) -> f64 {
        let over = self.costs.len() as f64;
        let under_way = self.costs.len() < self.evening as usize;
        let part = if under_way { self.trail.len() as f64 / STEPS as f64 } else { 0.0 };
        ((over + part) / f64::from(self.header.evenings.max(1))).clamp(0.0, 1.0)
    }
}
