//! The colours, by meaning; distinguishable with colour blindness, too.

use super::svg::Ink;

pub(crate) const PAPER: Ink = Ink { class: "paper", light: "#ffffff", dark: "#15181d" };
pub(crate) const TEXT: Ink = Ink { class: "text", light: "#1f2328", dark: "#e8eaed" };
pub(crate) const QUIET: Ink = Ink { class: "quiet", light: "#656d76", dark: "#9aa4b0" };
pub(crate) const GRID: Ink = Ink { class: "grid", light: "#e4e7ea", dark: "#2c323a" };
/// Blue from the palette of Okabe and Ito, as the two below.
pub(crate) const AGENT: Ink = Ink { class: "agent", light: "#0072b2", dark: "#56b4e9" };
/// Vermilion.
pub(crate) const THERMOSTAT: Ink = Ink { class: "thermostat", light: "#d55e00", dark: "#f08a4b" };
/// Bluish green.
pub(crate) const PI: Ink = Ink { class: "pi", light: "#008060", dark: "#35c79b" };
const ONE_STEP_AHEAD: Ink = Ink { class: "one-step-ahead", light: "#7d7d85", dark: "#a5a5ad" };

/// Orange.
pub(crate) const PLANNING: Ink = Ink { class: "planning", light: "#a56a00", dark: "#e69f00" };

/// All colours.
pub(crate) const ALL: [Ink; 9] = [PAPER, TEXT, QUIET, GRID, AGENT, THERMOSTAT, PI, ONE_STEP_AHEAD, PLANNING];

/// The colours of the baselines, in the order of a run's.
pub(crate) const BASELINES: [Ink; 4] = [THERMOSTAT, ONE_STEP_AHEAD, PI, PLANNING];
