//! Predictions against the ground truth: one row per time scale, before the wheel is changed, then, and later.

use std::ops::Range;

use osculate_apps::nexting::GAMMAS;
use osculate_lab::nexting::{CHANGE, Moment, truth};

use osculate_lab::drawing::ink::{AGENT, GRID, PAPER, QUIET, TEXT, THERMOSTAT};
use osculate_lab::drawing::scale::Scale;
use osculate_lab::drawing::svg::{Anchor, Svg, Type};

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 760.0;
const LEFT: f64 = 170.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 160.0;
const GAP: f64 = 26.0;
const ROW: f64 = 132.0;
const CURVE: f64 = 104.0;
/// The columns, with their headings. The middle one is long enough to see the slow time scales recover.
const COLUMNS: [(&str, Range<usize>); 3] =
    [("One wheel", 2360..2460), ("Another wheel takes its place", 2460..2760), ("Later", 5360..5460)];

/// Draws the three parts of a run.
pub(super) fn svg(moments: &[Moment]) -> String {
    const TITLE: &str = "A device that knows what comes next";
    let mut svg = Svg::new(WIDTH, HEIGHT);
    svg.rect([0.0, 0.0, WIDTH, HEIGHT], PAPER, 1.0);
    svg.text((LEFT, 46.0), Type::of(27.0, TEXT).bold(), TITLE);
    let note = "A compass beside a turning wheel: the discounted mean of its future readings, as expected at each step and as it came.";
    svg.text((LEFT, 74.0), Type::of(15.0, QUIET), note);

    let steps: usize = COLUMNS.iter().map(|(_, steps)| steps.len()).sum();
    let per_step = (WIDTH - LEFT - RIGHT - 2.0 * GAP) / steps as f64;
    let mut left = LEFT;
    for (heading, steps) in COLUMNS {
        let right = left + per_step * steps.len() as f64;
        let x = Scale::linear((steps.start as f64, steps.end as f64 - 1.0), (left, right));
        svg.text((left, TOP - 26.0), Type::of(17.0, TEXT).bold(), heading);
        for row in 0..GAMMAS.len() {
            curves(&mut svg, moments, row, steps.clone(), x);
        }
        let bottom = TOP + 4.0 * ROW - 4.0;
        if steps.contains(&(CHANGE as usize)) {
            let change = x.at(f64::from(CHANGE));
            svg.line([change, TOP - 12.0, change, bottom - 18.0], THERMOSTAT, 1.5, "5 4");
        }
        for step in steps.step_by(100).map(|step| step + 40) {
            let kind = Type::of(13.0, QUIET).anchor(Anchor::Middle);
            svg.text((x.at(step as f64), bottom), kind, &format!("step {step}"));
        }
        left = right + GAP;
    }
    for (row, gamma) in GAMMAS.into_iter().enumerate() {
        label(&mut svg, TOP + row as f64 * ROW, gamma);
    }
    legend(&mut svg, moments.iter().any(|moment| moment.band.is_some()));
    svg.finish(TITLE)
}

/// A time scale in one column.
fn curves(svg: &mut Svg, moments: &[Moment], row: usize, steps: Range<usize>, x: Scale) {
    let top = TOP + row as f64 * ROW;
    let truth = truth(moments, GAMMAS[row]);
    // Slow time scales have small swings, so each row has its own scale, the same in all columns.
    let shown = COLUMNS.into_iter().flat_map(|(_, steps)| steps);
    let swing = shown.fold(0.1_f64, |most, step| most.max(truth[step].abs())) * 1.25;
    let y = Scale::linear((-swing, swing), (top + CURVE, top));
    let at = |step: usize, value: f64| (x.at(step as f64), y.at(value));
    let (start, end) = (at(steps.start, 0.0), at(steps.end - 1, 0.0));
    svg.line([start.0, start.1, end.0, end.1], GRID, 1.0, "");
    let expected = |step: usize| f64::from(moments[step].expected[row]);
    if row == 0 {
        let edge =
            |side: f64| move |step: usize| Some(at(step, expected(step) + side * f64::from(moments[step].band?)));
        let band = steps.clone().filter_map(edge(1.0)).chain(steps.clone().rev().filter_map(edge(-1.0)));
        svg.area(&band.collect::<Vec<_>>(), AGENT, 0.25);
    }
    svg.stroke(&steps.clone().map(|step| at(step, truth[step])).collect::<Vec<_>>(), QUIET, 5.0, 0.45);
    svg.stroke(&steps.map(|step| at(step, expected(step))).collect::<Vec<_>>(), AGENT, 2.0, 1.0);
}

fn label(svg: &mut Svg, top: f64, gamma: f32) {
    let steps = 1.0 / (1.0 - gamma);
    let ahead = if steps == 1.0 { "the next step".into() } else { format!("{steps} steps ahead") };
    let middle = top + CURVE / 2.0;
    svg.text((LEFT - 16.0, middle), Type::of(14.0, TEXT).bold().anchor(Anchor::End), &ahead);
    svg.text((LEFT - 16.0, middle + 19.0), Type::of(13.0, QUIET).anchor(Anchor::End), &format!("γ = {gamma}"));
}

fn legend(svg: &mut Svg, has_band: bool) {
    let y = HEIGHT - 26.0;
    svg.line([LEFT, y - 5.0, LEFT + 34.0, y - 5.0], AGENT, 2.0, "");
    svg.text((LEFT + 42.0, y), Type::of(14.0, AGENT), "expected, on the device");
    svg.stroke(&[(LEFT + 230.0, y - 5.0), (LEFT + 264.0, y - 5.0)], QUIET, 5.0, 0.45);
    svg.text((LEFT + 272.0, y), Type::of(14.0, QUIET), "what came");
    if has_band {
        svg.rect([LEFT + 372.0, y - 12.0, 34.0, 14.0], AGENT, 0.25);
        let text = "where 95 of 100 readings should come (only the next step has a band)";
        svg.text((LEFT + 414.0, y), Type::of(14.0, AGENT), text);
    }
}
