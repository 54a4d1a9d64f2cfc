//! The learning curve: the cost of each evening, beside that of the other controllers.

use osculate_lab::room::run_log::{LAST, RunLog, cost};

use osculate_lab::drawing::Range;
use osculate_lab::drawing::ink::{AGENT, BASELINES, GRID, QUIET};
use osculate_lab::drawing::scale::{Scale, apart};
use osculate_lab::drawing::svg::{Anchor, Ink, Svg, Type};

/// Evenings on each side to average over: how cold an evening begins is chance, and hides the learning.
const SIDE: usize = 2;
/// With fewer evenings than this, nothing is averaged.
const FEW: usize = 8;

/// The note above the chart, which explains the lines.
pub(super) fn note(evenings: usize) -> &'static str {
    if evenings < FEW { "" } else { " (dots: evenings; lines: means of five)" }
}

/// A line of the chart.
struct Line {
    name: &'static str,
    ink: Ink,
    costs: Vec<f64>,
    last: f64,
}

/// Draws the curve into a box: left, top, right, bottom. The names are to its right.
pub(super) fn draw(svg: &mut Svg, run: &RunLog, [left, top, right, bottom]: [f64; 4]) {
    let lines = lines(run);
    let evenings = run.evenings.len();
    let x = Scale::linear((1.0, evenings.max(2) as f64), (left + 12.0, right));
    // One step ahead, and the agent's first evening, would squash all other lines to the bottom, so they are clipped.
    let highest = run.baselines[0].last_cost().max(run.last_cost()) * 1.6;
    let costs = Range::linear([0.0, highest].into_iter());
    let ((_, highest), y) = (costs.ends(), costs.scale((bottom, top)));
    let label = Type::of(13.0, QUIET);
    for (cost, text) in costs.ticks() {
        svg.line([left, y.at(cost), right, y.at(cost)], GRID, 1.0, "");
        svg.text((left - 8.0, y.at(cost) + 4.5), label.anchor(Anchor::End), &text);
    }
    let every = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|every| evenings / every <= 12).unwrap_or(200);
    for evening in (1..=evenings).filter(|evening| *evening == 1 || evening % every == 0) {
        svg.text((x.at(evening as f64), bottom + 20.0), label.anchor(Anchor::Middle), &evening.to_string());
    }
    svg.text((right + 14.0, bottom + 20.0), label, "evening");
    let power_cut = run.power_cut.map(|cut| cut.evening);
    for (event, name) in
        [(run.scene.window_open, "window open"), (run.scene.carpet, "carpet"), (power_cut, "power cut")]
    {
        let Some(evening) = event.filter(|evening| *evening as usize <= evenings) else { continue };
        let at = x.at(f64::from(evening));
        svg.line([at, top, at, bottom], QUIET, 1.0, "2 4");
        svg.text((at - 6.0, top + 14.0), Type::of(13.0, QUIET).anchor(Anchor::End), name);
    }

    for line in lines.iter().rev().filter(|line| line.last <= highest) {
        let learned = line.ink == AGENT;
        if learned {
            for (cost, evening) in line.costs.iter().zip(1_u32..) {
                let at = x.at(f64::from(evening));
                if *cost <= highest {
                    svg.dot((at, y.at(*cost)), 3.0, line.ink, 0.45);
                } else {
                    above(svg, (at, top), line.ink);
                    let kind = Type::of(13.0, line.ink).anchor(Anchor::Middle);
                    svg.text((at, top - 6.0), kind, &format!("{cost:.1}"));
                }
            }
        }
        let levels: Vec<_> = (1_u32..).map(f64::from).zip(levelled(&line.costs)).collect();
        let points: Vec<_> =
            below(&levels, highest).iter().map(|(evening, cost)| (x.at(*evening), y.at(*cost))).collect();
        svg.stroke(&points, line.ink, if learned { 3.2 } else { 1.8 }, 1.0);
    }
    names(svg, &lines, y, (right + 14.0, top), highest);
    let note = format!("mean of the last {}", evenings.min(LAST));
    svg.text((right + 14.0, top - 15.0), Type::of(13.0, QUIET), &note);
}

/// An arrow that points out of the chart.
fn above(svg: &mut Svg, (x, top): (f64, f64), ink: Ink) {
    svg.area(&[(x - 5.0, top + 9.0), (x, top), (x + 5.0, top + 9.0)], ink, 1.0);
}

/// The names at the ends of the lines, with their final costs.
fn names(svg: &mut Svg, lines: &[Line], y: Scale, (left, top): (f64, f64), highest: f64) {
    let mut places: Vec<f64> = lines.iter().map(|line| y.at(line.last)).collect();
    apart(&mut places, 21.0);
    for (line, place) in lines.iter().zip(places) {
        let kind = Type::of(15.0, line.ink);
        let kind = if line.ink == AGENT { kind.bold() } else { kind };
        let text = format!("{:.2}  {}", line.last, line.name);
        if line.last > highest {
            above(svg, (left + 5.0, top), line.ink);
            svg.text((left + 16.0, top + 10.0), kind, &text);
        } else {
            svg.text((left, place + 5.0), kind, &text);
        }
    }
}

/// Moving average. The window shrinks towards the first evening, which stays unchanged; at the end it is the last five
/// evenings.
fn levelled(costs: &[f64]) -> Vec<f64> {
    let most = if costs.len() < FEW { 0 } else { SIDE };
    let around = |index: usize| {
        let side = most.min(index);
        let from = (index - side).min(costs.len() - 1 - 2 * side);
        costs[from..=from + 2 * side].iter().sum::<f64>() / (2 * side + 1) as f64
    };
    (0..costs.len()).map(around).collect()
}

/// Clips a line at `highest`: it starts where it first comes into view. Later outliers touch the edge.
fn below(line: &[(f64, f64)], highest: f64) -> Vec<(f64, f64)> {
    let hidden = line.iter().take_while(|(_, y)| *y > highest).count();
    let mut seen = line[hidden..].to_vec();
    if let (Some((x1, y1)), Some((x2, y2))) = (hidden.checked_sub(1).map(|last| line[last]), seen.first().copied()) {
        seen.insert(0, (x2 - (x2 - x1) * (highest - y2) / (y1 - y2), highest));
    }
    seen
}

fn lines(run: &RunLog) -> Vec<Line> {
    let costs = run.evenings.iter().map(|evening| cost(&evening.trail)).collect();
    let mut lines = vec![Line { name: "learned", ink: AGENT, costs, last: run.last_cost() }];
    lines.extend(run.baselines.iter().zip(BASELINES).map(|(baseline, ink)| {
        let costs = baseline.trails.iter().map(|trail| cost(trail)).collect();
        Line { name: baseline.name, ink, costs, last: baseline.last_cost() }
    }));
    lines
}

#[cfg(test)]
mod tests {
    use super::{below, levelled};

    #[test]
    fn the_first_evening_stays_what_it_was() {
        let costs = [9.0, 3.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0];
        assert_eq!(levelled(&costs), [9.0, 4.0, 2.8, 1.2, 0.8, 1.2, 1.2, 1.2]);
        assert_eq!(levelled(&costs[..3]), costs[..3]);
    }

    #[test]
    fn a_line_begins_at_the_edge() {
        assert_eq!(below(&[(1.0, 4.0), (2.0, 2.0), (3.0, 1.0)], 3.0), [(1.5, 3.0), (2.0, 2.0), (3.0, 1.0)]);
        assert_eq!(below(&[(1.0, 2.0)], 3.0), [(1.0, 2.0)]);
        assert_eq!(below(&[(1.0, 4.0)], 3.0), []);
    }
}
