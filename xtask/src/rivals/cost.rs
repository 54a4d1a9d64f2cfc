//! Why not RLS? What the error costs, on the random MDP.

use anyhow::Result;

use super::axes::{self, BOTTOM, LEFT, Log, TOP};
use super::numbers::{Numbers, Rule};
use crate::drawing::ink::{AGENT, QUIET, THERMOSTAT};
use crate::drawing::svg::Ink;

const RIGHT: f64 = 450.0;

fn ink(rule: &Rule) -> Ink {
    match rule.name.as_str() {
        "RLS" | "RLS, unit rows" | "LSTD(lambda)" => THERMOSTAT,
        _ if rule.ours => AGENT,
        _ => QUIET,
    }
}

pub(super) fn svg(numbers: &Numbers) -> Result<String> {
    const TITLE: &str = "Why not RLS?";
    let note = "Random MDP, 24 features, 1000 episodes. Red: n × n numbers, and as many MACs.";
    let mut svg = axes::sheet(TITLE, note);
    let y = Log::between((0.09, 0.3), (BOTTOM, TOP), &[0.1, 0.15, 0.2, 0.3]);
    let x = Log::between((40.0, 2500.0), (LEFT + 10.0, RIGHT - 10.0), &[50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0]);
    y.draw_y(&mut svg, RIGHT, "relative error of the values");
    x.draw_x(&mut svg, "multiply-accumulates per row");
    let mut rules = numbers.rules("random MDP")?;
    rules.retain(|rule| !rule.name.ends_with("f64"));
    // From the top, so that the lines to the labels do not cross more than they must.
    rules.sort_by(|a, b| b.error.total_cmp(&a.error));
    let label = |rule: &Rule| {
        let point = (x.at(rule.macs), y.at(rule.error));
        let text = format!("{}  {:.3}, {:.0} words", rule.name.trim_end_matches(" q28"), rule.error, rule.words);
        (point, ink(rule), text, rule.ours)
    };
    let labels: Vec<_> = rules.iter().map(label).collect();
    for (point, ink, _, ours) in &labels {
        svg.dot(*point, if *ours { 7.0 } else { 5.5 }, *ink, 1.0);
    }
    let gap = (BOTTOM - TOP + 60.0) / (labels.len() - 1).max(1) as f64;
    let places: Vec<f64> = (0..labels.len()).map(|i| TOP - 20.0 + gap * i as f64).collect();
    axes::labels_at(&mut svg, RIGHT + 14.0, &labels, &places, 15.0);
    Ok(axes::finish(svg, TITLE))
}
