//! Why not least squares? Equations in units that spread over more and more decades.

use anyhow::Result;

use super::axes::{self, BOTTOM, LEFT, Log, TOP};
use super::numbers::Numbers;
use crate::drawing::ink::{AGENT, PI, PLANNING, QUIET, THERMOSTAT};
use crate::drawing::scale::Scale;
use crate::drawing::svg::{Anchor, Type};

const RIGHT: f64 = 510.0;

pub(super) fn svg(numbers: &Numbers) -> Result<String> {
    const TITLE: &str = "Why not least squares?";
    let note = "It serves large equations first. Every rival is tuned for every point.";
    let mut svg = axes::sheet(TITLE, note);
    let y = Log::between((0.004, 0.1), (BOTTOM, TOP), &[0.005, 0.01, 0.02, 0.05, 0.1]);
    y.draw_y(&mut svg, RIGHT, "relative error of the values");
    let x = Scale::linear((0.0, 3.0), (LEFT + 14.0, RIGHT - 14.0));
    for (spread, label) in ["as they are", "10^±1", "10^±2", "10^±3"].into_iter().enumerate() {
        let anchor = if spread == 0 { Anchor::Start } else { Anchor::Middle };
        let place = if spread == 0 { LEFT } else { x.at(spread as f64) };
        svg.text((place, BOTTOM + 22.0), Type::of(16.0, QUIET).anchor(anchor), label);
    }
    axes::x_title(&mut svg, RIGHT, "each equation times a factor of up to …");
    let lines = [
        ("MC-SGD", "stochastic gradient", QUIET, false),
        ("RLS", "least squares", THERMOSTAT, false),
        ("NLMS", "NLMS", PLANNING, false),
        ("RLS, unit rows", "LS on unit rows", PI, false),
        ("predictable q28", "predictable, q28", AGENT, true),
    ];
    let mut labels = Vec::new();
    for (rule, label, ink, bold) in lines {
        let errors = numbers.over_units(rule)?;
        let points: Vec<_> = errors.iter().zip(0..).map(|(&e, i)| (x.at(f64::from(i)), y.at(e))).collect();
        svg.stroke(&points, ink, if bold { 4.0 } else { 2.5 }, 1.0);
        points.iter().for_each(|point| svg.dot(*point, 4.0, ink, 1.0));
        labels.extend(points.last().map(|end| (*end, ink, label.to_owned(), bold)));
    }
    axes::labels(&mut svg, RIGHT + 16.0, &labels, 24.0);
    Ok(axes::finish(svg, TITLE))
}
