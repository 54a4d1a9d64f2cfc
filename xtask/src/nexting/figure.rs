//! Predictions against the ground truth: one row per time scale, an early episode beside a late one.

use osculate_apps::nexting::{GAMMAS, STEPS};
use osculate_lab::nexting::{Moment, truth};

use crate::drawing::ink::{AGENT, GRID, PAPER, QUIET, TEXT};
use crate::drawing::scale::Scale;
use crate::drawing::svg::{Anchor, Svg, Type};

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 760.0;
const LEFT: f64 = 170.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 160.0;
const GAP: f64 = 30.0;
const ROW: f64 = 132.0;
const CURVE: f64 = 104.0;
/// Steps of an episode to draw: four turns of the wheel, few enough to be legible.
const SHOWN: usize = 160;

/// Draws the first episode and episode `last`, counted from 0.
pub(super) fn svg(moments: &[Moment], last: usize) -> String {
    const TITLE: &str = "A device that knows what comes next";
    let mut svg = Svg::new(WIDTH, HEIGHT);
    svg.rect([0.0, 0.0, WIDTH, HEIGHT], PAPER, 1.0);
    svg.text((LEFT, 46.0), Type::of(27.0, TEXT).bold(), TITLE);
    let note = "A compass beside a turning wheel: the discounted mean of its future readings, as expected at each step and as it came.";
    svg.text((LEFT, 74.0), Type::of(15.0, QUIET), note);

    let width = (WIDTH - LEFT - RIGHT - GAP) / 2.0;
    for (column, episode) in [0, last].into_iter().enumerate() {
        let left = LEFT + column as f64 * (width + GAP);
        let heading = format!("Episode {}", episode + 1);
        svg.text((left, TOP - 26.0), Type::of(17.0, TEXT).bold(), &heading);
        let x = Scale::linear((0.0, SHOWN as f64 - 1.0), (left, left + width));
        for (row, gamma) in GAMMAS.into_iter().enumerate() {
            let top = TOP + row as f64 * ROW;
            let first = episode * STEPS as usize;
            let came = &truth(moments, gamma)[first..first + SHOWN];
            let expected: Vec<f64> =
                moments[first..first + SHOWN].iter().map(|moment| moment.expected[row].into()).collect();
            // Slow time scales have small swings, so each row has its own scale, the same in both columns.
            let swing = came.iter().fold(0.1_f64, |most, value| most.max(value.abs())) * 1.15;
            let y = Scale::linear((-swing, swing), (top + CURVE, top));
            svg.line([left, y.at(0.0), left + width, y.at(0.0)], GRID, 1.0, "");
            let points = |values: &[f64]| -> Vec<(f64, f64)> {
                values.iter().enumerate().map(|(t, value)| (x.at(t as f64), y.at(*value))).collect()
            };
            svg.stroke(&points(came), QUIET, 5.0, 0.45);
            svg.stroke(&points(&expected), AGENT, 2.0, 1.0);
            if column == 0 {
                label(&mut svg, top, gamma);
            }
        }
        let bottom = TOP + 4.0 * ROW - 4.0;
        for step in (0..SHOWN).step_by(40) {
            let kind = Type::of(13.0, QUIET).anchor(Anchor::Middle);
            svg.text((x.at(step as f64), bottom), kind, &format!("step {step}"));
        }
    }
    let legend = HEIGHT - 26.0;
    svg.line([LEFT, legend - 5.0, LEFT + 34.0, legend - 5.0], AGENT, 2.0, "");
    svg.text((LEFT + 42.0, legend), Type::of(14.0, AGENT), "expected, on the device");
    svg.stroke(&[(LEFT + 230.0, legend - 5.0), (LEFT + 264.0, legend - 5.0)], QUIET, 5.0, 0.45);
    svg.text((LEFT + 272.0, legend), Type::of(14.0, QUIET), "what came");
    svg.finish(TITLE)
}

fn label(svg: &mut Svg, top: f64, gamma: f32) {
    let steps = 1.0 / (1.0 - gamma);
    let ahead = if steps == 1.0 { "the next step".into() } else { format!("{steps} steps ahead") };
    let middle = top + CURVE / 2.0;
    svg.text((LEFT - 16.0, middle), Type::of(14.0, TEXT).bold().anchor(Anchor::End), &ahead);
    svg.text((LEFT - 16.0, middle + 19.0), Type::of(13.0, QUIET).anchor(Anchor::End), &format!("γ = {gamma}"));
}
