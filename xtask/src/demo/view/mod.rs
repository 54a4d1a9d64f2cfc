//! Shows a run in progress: full-screen on a terminal, otherwise one line per evening.

use std::io::{IsTerminal, stdout};

use anyhow::{Result, ensure};
use osculate_apps::choice::Arith;
use osculate_apps::choice::Rule;
use osculate_lab::room::power_cut::PowerCut;
use osculate_lab::room::run_log::{Baseline, Evening, cost};
use osculate_lab::room::test_bed::Moment;

use screen::Screen;
use state::ViewState;

pub(crate) use stop::{Signals, Stop};

mod charts;
mod digits;
mod layout;
mod plain;
mod screen;
mod state;
mod stop;
#[cfg(test)]
mod tests;

/// Everything known before the first evening.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// The seed of the house, its weather and the agent.
    pub(crate) seed: u64,
    /// The arithmetic.
    pub(crate) arith: Arith,
    /// The step-size rule.
    pub(crate) rule: Rule,
    /// Where the agent runs.
    pub(crate) place: String,
    /// The number of evenings.
    pub(crate) evenings: u32,
    /// Thermostat, one step ahead, PI and planning, in this order.
    pub(crate) baselines: [Costs; 4],
}

impl Header {
    /// What the rule's step size is called.
    fn step_name(&self) -> &'static str {
        if self.rule.is_episodic() { "theta" } else { "gain" }
    }
}

/// The costs of another controller.
#[derive(Clone, Debug)]
pub(crate) struct Costs {
    /// Its name.
    name: &'static str,
    /// The cost per step of each evening.
    evenings: Vec<f64>,
    /// The costs of each evening's steps.
    steps: Vec<Vec<f64>>,
}

impl Costs {
    /// The cost per step of an evening, counted from 1.
    fn of(&self, evening: u32) -> Option<f64> {
        self.evenings.get((evening as usize).checked_sub(1)?).copied()
    }

    /// The same over the first steps only, as many as the agent has made.
    fn so_far(&self, evening: u32, steps: usize) -> Option<f64> {
        let costs = self.steps.get((evening as usize).checked_sub(1)?)?;
        mean(&costs[..steps.min(costs.len())])
    }
}

impl From<&Baseline> for Costs {
    fn from(baseline: &Baseline) -> Self {
        let Baseline { name, trails } = baseline;
        let steps = trails.iter().map(|trail| trail.iter().map(Moment::cost).collect());
        Self { name, evenings: trails.iter().map(|trail| cost(trail)).collect(), steps: steps.collect() }
    }
}

/// `None` if there are no costs.
fn mean(costs: &[f64]) -> Option<f64> {
    (!costs.is_empty()).then(|| costs.iter().sum::<f64>() / costs.len() as f64)
}

/// Shows a run. If it has taken over a terminal, that is restored when this is dropped, and also on a panic.
pub(crate) struct View {
    state: ViewState,
    signals: Signals,
    /// `None`: plain lines.
    screen: Option<Screen>,
}

impl View {
    /// Takes over the terminal, if the output is one that can be drawn on.
    pub(crate) fn start(header: Header, signals: &Signals) -> Result<Self> {
        let able = stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        // If a terminal refuses, it still shows lines.
        let screen = if able { Screen::take().ok() } else { None };
        let mut view = Self { state: ViewState::new(header), signals: signals.clone(), screen };
        if let Some(screen) = &mut view.screen {
            screen.draw(&view.state)?;
        }
        Ok(view)
    }

    /// Shows a step of an evening, both counted from 1. Cheap: it redraws only now and then.
    ///
    /// Fails with [`Stop`] if the user asked to stop.
    pub(crate) fn step(&mut self, evening: u32, moment: &Moment) -> Result<()> {
        self.state.step(evening, moment);
        let stop = self.poll_stop()?;
        ensure!(!stop, Stop::Asked);
        Ok(())
    }

    /// Shows the end of an evening, counted from 1.
    ///
    /// Fails with [`Stop`] if the output is closed.
    pub(crate) fn evening(&mut self, evening: u32, told: &Evening) -> Result<()> {
        self.state.evening(told);
        match self.screen {
            Some(_) => Ok(()),
            None => plain::evening(&mut stdout().lock(), &self.state.header, evening, told),
        }
    }

    /// Shows that power has failed, or what the device says when it is back.
    ///
    /// Fails with [`Stop`] if the output is closed.
    pub(crate) fn power_cut(&mut self, cut: PowerCut) -> Result<()> {
        self.state.power_cut = Some(cut);
        match &mut self.screen {
            Some(screen) => screen.draw(&self.state),
            None if cut.start.is_some() => plain::power_cut(&mut stdout().lock(), &cut),
            None => Ok(()),
        }
    }

    /// Whether the user asked to stop, by a key or a signal; called during waits. Keeps the screen up to date.
    pub(crate) fn poll_stop(&mut self) -> Result<bool> {
        if self.signals.arrived() {
            return Ok(true);
        }
        match &mut self.screen {
            Some(screen) => screen.refresh(&self.state),
            None => Ok(false),
        }
    }

    /// Shows the result and restores the terminal.
    pub(crate) fn finish(mut self) -> Result<()> {
        match &mut self.screen {
            Some(screen) => screen.draw(&self.state),
            None => Ok(()),
        }
    }
}
