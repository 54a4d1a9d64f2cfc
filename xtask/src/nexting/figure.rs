//! Predictions against the ground truth: for each time scale, while the wheel is changed, and later.

use std::ops::Range;

use osculate_apps::nexting::GAMMAS;
use osculate_lab::drawing::{Axis, Line, Panel, picture};
use osculate_lab::nexting::{CHANGE, Moment, truth};
use osculate_lab::numbers::{least, most};

/// The columns, with their headings. The first one is long enough to see the slow time scales recover.
const COLUMNS: [(&str, Range<usize>); 2] = [("Another wheel takes its place", 2440..2700), ("Later", 5360..5460)];

/// Draws both parts of a run.
pub(super) fn svg(moments: &[Moment]) -> String {
    let scales = 0..GAMMAS.len();
    let panels = scales.flat_map(|scale| COLUMNS.map(|(heading, steps)| panel(moments, scale, heading, steps)));
    picture(Some("A device that knows what comes next: a compass beside a turning wheel"), &panels.collect::<Vec<_>>())
}

/// A time scale in one column.
fn panel(moments: &[Moment], scale: usize, heading: &str, steps: Range<usize>) -> Panel {
    let gamma = GAMMAS[scale];
    let ahead = 1.0 / (1.0 - gamma);
    let ahead = if ahead == 1.0 { "the next step".into() } else { format!("{ahead} steps ahead") };
    let truth = truth(moments, gamma);
    let expected = |step: usize| f64::from(moments[step].expected[scale]);
    let points = |value: &dyn Fn(usize) -> f64| steps.clone().map(|step| (step as f64, value(step))).collect();
    // Only the next step has a band.
    let edges = |step: usize| {
        let (middle, side) = (expected(step), f64::from(moments[step].band?));
        Some((step as f64, middle - side, middle + side))
    };
    let band = if scale == 0 { steps.clone().filter_map(edges).collect() } else { Vec::new() };
    let name =
        if band.is_empty() { "expected, on the device" } else { "expected, on the device; 95 % come in its band" };
    let mut lines = vec![
        Line::plain("what came", points(&|step| truth[step])).ink(5),
        Line { band, ..Line::plain(name, points(&expected)).ink(0) },
    ];
    if steps.contains(&(CHANGE as usize)) {
        let change = f64::from(CHANGE);
        let ends = [least(&truth[steps.clone()]), most(&truth[steps.clone()])];
        lines.push(Line::plain("the change", ends.map(|end| (change, end)).to_vec()).ink(1));
    }
    // Slow time scales have small swings, so each has its own axis, the same in both columns.
    let shown = COLUMNS.into_iter().flat_map(|(_, steps)| steps).flat_map(|step| [truth[step], expected(step)]);
    let y = Axis::linear(format!("γ = {gamma}")).covering(shown);
    Panel::new(format!("{heading}: {ahead}"), Axis::linear("step"), y, lines)
}
