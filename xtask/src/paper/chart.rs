//! A chart: axes, lines, the range of the seeds, and the legend.

use super::figures::{AxisOf, Line, Panel};
use crate::drawing::axis::Axis;
use crate::drawing::ink::{GRID, QUIET, SERIES, TEXT};
use crate::drawing::legend::{self, Entry};
use crate::drawing::scale::Scale;
use crate::drawing::svg::{Anchor, Ink, Svg, Type};

/// Narrow, so that its text is still readable on a phone.
pub(super) const WIDTH: f64 = 480.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 20.0;
/// From the top to the plot, the plot, and from there to the legend.
const HEAD: f64 = 60.0;
const PLOT: f64 = 236.0;
const FOOT: f64 = 54.0;
const LEGEND: f64 = WIDTH - 24.0;

const STROKE: f64 = 2.2;
const DASHES: [&str; 4] = ["", "7 4", "2 4", "10 3 2 3"];

/// The colour and the dashes of each line. Where lines share a colour or lie on top of each other, the later ones are
/// dashed.
fn looks(lines: &[Line], places: &[Vec<(f64, f64)>]) -> Vec<(Ink, &'static str)> {
    let ink = |index: usize| lines[index].ink.unwrap_or(index) % SERIES.len();
    let look = |index: usize| {
        let alike = |other: &usize| ink(*other) == ink(index) || covers(&places[*other], &places[index]);
        (SERIES[ink(index)], DASHES[(0..index).filter(alike).count() % DASHES.len()])
    };
    (0..lines.len()).map(look).collect()
}

/// Whether most of a line is less than a stroke away from another one.
fn covers(one: &[(f64, f64)], other: &[(f64, f64)]) -> bool {
    let near = one.iter().zip(other).filter(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < STROKE).count();
    one.len() == other.len() && 2 * near > one.len()
}

fn entries<'a>(panel: &'a Panel, looks: &[(Ink, &'static str)]) -> Vec<Entry<'a>> {
    panel.lines.iter().zip(looks).map(|(line, (ink, dash))| Entry { name: &line.name, ink: *ink, dash }).collect()
}

/// The height of a chart of [`WIDTH`].
pub(super) fn height(panel: &Panel) -> f64 {
    // Colours and dashes do not matter for that.
    let looks = vec![(TEXT, ""); panel.lines.len()];
    HEAD + PLOT + FOOT + legend::height(&entries(panel, &looks), LEGEND) + 6.0
}

fn axis(of: &AxisOf, values: impl Iterator<Item = f64>, is_x: bool) -> Axis {
    match (of.log, is_x) {
        (true, _) => Axis::log(values),
        (false, true) => Axis::tight(values),
        (false, false) => Axis::linear(values),
    }
}

/// Draws a chart with its top left corner at a place.
pub(super) fn draw(svg: &mut Svg, panel: &Panel, (x0, y0): (f64, f64)) {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    let bands = || panel.lines.iter().flat_map(|line| &line.band);
    let x_axis = axis(&panel.x, points().map(|(x, _)| *x), true);
    let y_axis =
        axis(&panel.y, points().map(|(_, y)| *y).chain(bands().flat_map(|(_, low, high)| [*low, *high])), false);
    let (left, right, top, bottom) = (x0 + LEFT, x0 + WIDTH - RIGHT, y0 + HEAD, y0 + HEAD + PLOT);
    let (x, y) = (x_axis.scale((left, right)), y_axis.scale((bottom, top)));

    svg.text((x0 + 12.0, y0 + 22.0), Type::of(16.0, TEXT).bold(), &panel.title);
    svg.text((x0 + 12.0, y0 + 46.0), Type::of(15.0, QUIET), &panel.y.label);
    let label = Type::of(15.0, QUIET);
    for tick in &y_axis.ticks {
        svg.line([left, y.at(*tick), right, y.at(*tick)], GRID, 1.0, "");
        svg.text((left - 6.0, y.at(*tick) + 5.0), label.anchor(Anchor::End), &y_axis.label(*tick));
    }
    for tick in &x_axis.ticks {
        svg.line([x.at(*tick), top, x.at(*tick), bottom], GRID, 1.0, "");
        svg.text((x.at(*tick), bottom + 20.0), label.anchor(Anchor::Middle), &x_axis.label(*tick));
    }
    svg.text(((left + right) / 2.0, bottom + 42.0), label.anchor(Anchor::Middle), &panel.x.label);

    let place = |line: &Line| -> Vec<_> { line.points.iter().map(|(a, b)| (x.at(*a), y.at(*b))).collect() };
    let places: Vec<_> = panel.lines.iter().map(place).collect();
    let looks = looks(&panel.lines, &places);
    for (line, (ink, _)) in panel.lines.iter().zip(&looks) {
        band(svg, line, *ink, x, y);
    }
    for (points, (ink, dash)) in places.iter().zip(&looks) {
        match *dash {
            "" => svg.stroke(points, *ink, STROKE, 1.0),
            dash => svg.dashed(points, *ink, STROKE, dash),
        }
    }
    legend::draw(svg, &entries(panel, &looks), (x0 + 12.0, bottom + FOOT), LEGEND);
}

fn band(svg: &mut Svg, line: &Line, ink: Ink, x: Scale, y: Scale) {
    let upper = line.band.iter().map(|(at, _, high)| (x.at(*at), y.at(*high)));
    let lower = line.band.iter().rev().map(|(at, low, _)| (x.at(*at), y.at(*low)));
    let edge: Vec<_> = upper.chain(lower).collect();
    if !edge.is_empty() {
        svg.area(&edge, ink, 0.14);
    }
}
