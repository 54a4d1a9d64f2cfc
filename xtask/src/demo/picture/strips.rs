//! Many houses at a glance: for each controller a strip with a dot per house, and its median.

use osculate_lab::room::plant::Houses;

use crate::demo::neighbours::{Neighbours, Row};
use osculate_lab::drawing::Range;
use osculate_lab::drawing::ink::{AGENT, GRID, PI, PLANNING, QUIET, TEXT, THERMOSTAT};
use osculate_lab::drawing::scale::Scale;
use osculate_lab::drawing::svg::{Anchor, Ink, Svg, Type};

/// The height of a strip, and the width of the names before it and of the median after it.
const STRIP: f64 = 32.0;
const NAMES: f64 = 104.0;
const MEDIANS: f64 = 52.0;

/// The height of all strips, including the labels below.
pub(super) fn height(neighbours: &Neighbours) -> f64 {
    neighbours.rows.len() as f64 * STRIP + 50.0
}

/// Draws both kinds of houses side by side, with the top left corner at this position.
pub(super) fn draw(svg: &mut Svg, neighbours: &Neighbours, (left, top): (f64, f64), width: f64, gap: f64) {
    let width = (width - gap) / 2.0;
    // The same scale for both kinds; the thermostat's houses fit.
    let most = neighbours.rows[0].elsewhere.iter().flatten().copied().fold(0.0, f64::max);
    let costs = Range::linear([0.0, most.min(2.0)].into_iter());
    for (kind, houses) in Houses::ALL.into_iter().enumerate() {
        let left = left + kind as f64 * (width + gap);
        let title = match houses {
            Houses::Near => "near the data sheet (each number ± 10 %)",
            Houses::Wild => "far from it (each number × .6 … 1.6)",
        };
        svg.text((left, top + 8.0), Type::of(15.0, TEXT).bold(), title);
        let x = costs.scale((left + NAMES, left + width - MEDIANS));
        let (first, bottom) = (top + 24.0, top + 24.0 + neighbours.rows.len() as f64 * STRIP);
        for (tick, text) in costs.ticks() {
            svg.line([x.at(tick), first, x.at(tick), bottom], GRID, 1.0, "");
            let label = Type::of(13.0, QUIET).anchor(Anchor::Middle);
            svg.text((x.at(tick), bottom + 18.0), label, &text);
        }
        svg.text((left + width, first - 6.0), Type::of(13.0, QUIET).anchor(Anchor::End), "median");
        for (index, row) in neighbours.rows.iter().enumerate() {
            strip(svg, row, kind, x, first + (index as f64 + 0.5) * STRIP, left, left + width);
        }
    }
}

fn strip(svg: &mut Svg, row: &Row, kind: usize, x: Scale, middle: f64, left: f64, right: f64) {
    let ink = ink(row);
    let name = Type::of(15.0, ink);
    let name = if row.rule.is_some() { name.bold() } else { name };
    svg.text((left, middle + 5.0), name, &row.name);
    for (cost, house) in row.elsewhere[kind].iter().zip(0_u32..) {
        // Apart from each other, but always in the same way.
        let shift = f64::from(house * 7 % 11) - 5.0;
        svg.dot((x.at(*cost), middle + 1.6 * shift), 3.0, ink, 0.5);
    }
    let median = row.medians()[kind];
    svg.line([x.at(median), middle - 12.0, x.at(median), middle + 12.0], ink, 2.6, "");
    svg.text((right, middle + 5.0), name.anchor(Anchor::End), &format!("{median:.2}"));
}

fn ink(row: &Row) -> Ink {
    match row.name.as_str() {
        _ if row.rule.is_some() => AGENT,
        "PI" => PI,
        "planning" => PLANNING,
        _ => THERMOSTAT,
    }
}
