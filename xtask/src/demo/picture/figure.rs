//! The whole picture: three evenings above, the learning curve below, and at the bottom many houses.

use osculate_apps::room::{PRICE, SET_POINT};
use osculate_lab::room::run_log::{LAST, RunLog, cost};
use osculate_lab::room::test_bed::Moment;

use super::evening::{self, Axes, Panel};
use super::{curve, strips};
use crate::demo::neighbours::Neighbours;
use osculate_lab::drawing::ink::{AGENT, PAPER, QUIET, TEXT, THERMOSTAT};
use osculate_lab::drawing::svg::{Ink, Svg, Type};

const WIDTH: f64 = 1200.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 28.0;
/// The gap between two evenings.
const GAP: f64 = 30.0;
/// The top of the evenings, top and bottom of the curve, the top of the houses, and the width of the names beside the curve.
const EVENINGS: f64 = 152.0;
const CURVE: (f64, f64) = (562.0, 788.0);
const HOUSES: f64 = 906.0;
const NAMES: f64 = 170.0;

/// The picture's title.
pub(super) const TITLE: &str = "A floor heating that learns its room";

/// Draws a run of at least one evening.
pub(super) fn svg(run: &RunLog, neighbours: &Neighbours) -> String {
    let height = HOUSES + strips::height(neighbours) + 44.0;
    let mut svg = Svg::new(WIDTH, height);
    svg.rect([0.0, 0.0, WIDTH, height], PAPER, 1.0);
    svg.text((LEFT, 46.0), Type::of(27.0, TEXT).bold(), TITLE);
    svg.text((LEFT, 74.0), Type::of(15.0, QUIET), &headline(run));

    let panels = panels(run);
    let axes = Axes::of(&panels.each_ref().map(|panel| panel.trail));
    let width = (WIDTH - LEFT - RIGHT - 2.0 * GAP) / 3.0;
    for (index, panel) in panels.iter().enumerate() {
        let left = LEFT + index as f64 * (width + GAP);
        evening::draw(&mut svg, panel, &axes, (left, EVENINGS), width, index == 0);
    }

    let heading = EVENINGS + evening::HEIGHT + 48.0;
    svg.text((LEFT, heading), Type::of(17.0, TEXT).bold(), "What an evening costs");
    let note = format!(
        "per step of five minutes: the distance to {SET_POINT:.0} °C, plus {PRICE} for the heater at full power{}",
        curve::note(run.evenings.len())
    );
    svg.text((LEFT, heading + 21.0), Type::of(14.0, QUIET), &note);
    curve::draw(&mut svg, run, [LEFT, CURVE.0, WIDTH - RIGHT - NAMES, CURVE.1]);

    let heading = format!("The same in {} houses of each kind", neighbours.houses);
    svg.text((LEFT, HOUSES - 46.0), Type::of(17.0, TEXT).bold(), &heading);
    let note = format!(
        "a dot is a house: cost per step, mean of its last {} evenings; {}, run on the host with the device's code",
        neighbours.last,
        run.arith.name()
    );
    svg.text((LEFT, HOUSES - 25.0), Type::of(14.0, QUIET), &note);
    strips::draw(&mut svg, neighbours, (LEFT, HOUSES), WIDTH - LEFT - RIGHT, GAP);

    let (seed, arith, rule) = (run.scene.seed, run.arith.name(), run.rule.name());
    let begin = if run.scene.restarts { "evenings that begin anew" } else { "evenings that follow each other" };
    let kind = run.scene.houses.name();
    let origin = format!("above: seed {seed}, a {kind} house, {begin}, {arith}, rule {rule}, on {}", run.place);
    svg.text((LEFT, height - 16.0), Type::of(12.0, QUIET), &origin);
    svg.finish(TITLE)
}

/// The result, in a sentence.
pub(super) fn headline(run: &RunLog) -> String {
    let [thermostat, _, pi, _] =
        run.baselines.each_ref().map(|baseline| compared(run.last_cost(), baseline.last_cost()));
    let evenings = run.evenings.len();
    let last = match evenings {
        1 => "In its only evening".to_owned(),
        _ if evenings > LAST => format!("In the last {LAST} of {evenings} evenings"),
        _ => format!("In its {evenings} evenings"),
    };
    format!("{last} it costs {thermostat} the thermostat and {pi} PI in the same house and weather.")
}

/// Compares one cost with another, in words.
pub(in crate::demo) fn compared(cost: f64, other: f64) -> String {
    let percent = (cost / other - 1.0) * 100.0;
    if percent.abs() < 0.5 {
        "as much as".to_owned()
    } else {
        format!("{:.0} % {} than", percent.abs(), if percent < 0.0 { "less" } else { "more" })
    }
}

fn panels(run: &RunLog) -> [Panel<'_>; 3] {
    let last = run.evenings.len();
    let window = run.scene.window_open.map(|evening| evening as usize);
    // An evening with an open window is the most interesting; the first one is shown anyway.
    let late = window.filter(|evening| (2..=last).contains(evening)).unwrap_or(last);
    let trail = |evening: usize| run.evenings.get(evening - 1).map_or(&[][..], |told| told.trail.as_slice());
    let thermostat = run.baselines[0].trails.get(late - 1).map_or(&[][..], Vec::as_slice);
    let panel = |evening: usize, title: String, ink: Ink, trail| Panel {
        title,
        note: note(trail, window == Some(evening)),
        ink,
        trail,
        window: window == Some(evening),
    };
    let learned = if last == 1 { "the only one" } else { "learned" };
    [
        panel(1, "Evening 1: nothing learned yet".to_owned(), AGENT, trail(1)),
        panel(late, format!("Evening {late}: {learned}"), AGENT, trail(late)),
        panel(late, format!("Evening {late}: thermostat"), THERMOSTAT, thermostat),
    ]
}

fn note(trail: &[Moment], window: bool) -> String {
    let outside = trail.iter().map(|moment| moment.outside).sum::<f64>() / trail.len() as f64;
    let window = if window { ", a window open" } else { "" };
    format!("cost {:.2} per step, {} °C outside{window}", cost(trail), whole(outside))
}

/// An integer with a proper minus sign.
fn whole(value: f64) -> String {
    format!("{value:.0}").replace("-0", "0").replace('-', "−")
}
