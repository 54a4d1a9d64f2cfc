//! The colours, by meaning; distinguishable with colour blindness, too.

use super::svg::Ink;

/// The background.
pub const PAPER: Ink = Ink { class: "paper", light: "#ffffff", dark: "#15181d" };
/// What is to be read.
pub const TEXT: Ink = Ink { class: "text", light: "#1f2328", dark: "#e8eaed" };
/// What is to be found by those who look for it.
pub const QUIET: Ink = Ink { class: "quiet", light: "#656d76", dark: "#9aa4b0" };
/// Lines behind the lines.
pub const GRID: Ink = Ink { class: "grid", light: "#e4e7ea", dark: "#2c323a" };
/// Blue from the palette of Okabe and Ito, as the two below.
pub const AGENT: Ink = Ink { class: "agent", light: "#0072b2", dark: "#56b4e9" };
/// Vermilion.
pub const THERMOSTAT: Ink = Ink { class: "thermostat", light: "#d55e00", dark: "#f08a4b" };
/// Bluish green.
const PI: Ink = Ink { class: "pi", light: "#008060", dark: "#35c79b" };
const ONE_STEP_AHEAD: Ink = Ink { class: "one-step-ahead", light: "#7d7d85", dark: "#a5a5ad" };
/// Orange.
const PLANNING: Ink = Ink { class: "planning", light: "#a56a00", dark: "#e69f00" };
/// Reddish purple.
const PURPLE: Ink = Ink { class: "purple", light: "#a8447f", dark: "#e08fbd" };
/// Sky blue, as far from the blue as both backgrounds allow.
const SKY: Ink = Ink { class: "sky", light: "#2c9bc4", dark: "#8fd7f5" };
const BROWN: Ink = Ink { class: "brown", light: "#6b4a2b", dark: "#c9a27c" };

/// All colours.
pub const ALL: [Ink; 12] =
    [PAPER, TEXT, QUIET, GRID, AGENT, THERMOSTAT, PI, ONE_STEP_AHEAD, PLANNING, PURPLE, SKY, BROWN];

/// The colours of the lines of a chart, in this order.
pub const SERIES: [Ink; 8] = [AGENT, THERMOSTAT, PI, PURPLE, PLANNING, ONE_STEP_AHEAD, SKY, BROWN];

/// The colours of a page; those of its pictures are in the pictures themselves.
pub fn page_css() -> String {
    let page = |paper: &str, text: &str, grid: &str| {
        format!("body {{ background: {paper}; color: {text}; }} th, td, pre {{ border-color: {grid}; }}\n")
    };
    let light = page(PAPER.light, TEXT.light, GRID.light);
    let dark = page(PAPER.dark, TEXT.dark, GRID.dark);
    format!("{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n")
}

/// The dark colours of a picture, by class.
pub(super) fn dark_css() -> String {
    let class = |ink: Ink| format!(".f-{0} {{ fill: {1}; }} .s-{0} {{ stroke: {1}; }}\n", ink.class, ink.dark);
    ALL.map(class).concat()
}
