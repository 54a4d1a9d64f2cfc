//! The picture: three evenings, what each evening costs, and many houses.

use osculate_apps::room::{PRICE, SET_POINT};
use osculate_lab::drawing::{Axis, Line, Panel, picture};
use osculate_lab::numbers::{least, mean, most};
use osculate_lab::room::plant::{Houses, WINDOW};
use osculate_lab::room::run_log::{LAST, RunLog, cost};
use osculate_lab::room::test_bed::Moment;

use super::neighbours::{Neighbours, Row};

/// Hours of a step.
const STEP: f64 = 5.0 / 60.0;
/// Evenings on each side to average over: how cold an evening begins is chance, and hides the learning.
const SIDE: usize = 2;

/// The colours of lines, by their numbers in a chart.
const AGENT: usize = 0;
const THERMOSTAT: usize = 1;
const PI: usize = 2;
const PLANNING: usize = 4;
const QUIET: usize = 5;
const FLOOR: usize = 7;

/// Draws a run of at least one evening.
pub(super) fn svg(run: &RunLog, neighbours: &Neighbours) -> String {
    let [thermostat, _, pi, _] = &run.baselines;
    let [thermostat, pi] = [thermostat, pi].map(|other| compared(run.last_cost(), other.last_cost()));
    let mut panels = evenings(run).to_vec();
    panels.push(costs(run));
    panels.extend([Houses::Near, Houses::Wild].map(|kind| houses(kind, neighbours)));
    let title = format!("A floor heating that learns its room: costs {thermostat} a thermostat, {pi} PI");
    picture(Some(&title), &panels)
}

/// Compares one cost with another, in words.
pub(super) fn compared(cost: f64, other: f64) -> String {
    let percent = (cost / other - 1.0) * 100.0;
    if percent.abs() < 0.5 {
        "as much as".to_owned()
    } else {
        format!("{:.0} % {} than", percent.abs(), if percent < 0.0 { "less" } else { "more" })
    }
}

/// The first evening, a late one, and the same one with the thermostat.
fn evenings(run: &RunLog) -> [Panel; 3] {
    let last = run.evenings.len();
    let window = run.scene.window_open.map(|evening| evening as usize);
    // An evening with an open window is the most interesting; the first one is shown anyway.
    let late = window.filter(|evening| (2..=last).contains(evening)).unwrap_or(last);
    let learned = if last == 1 { "the only one" } else { "learned" };
    let thermostat = &run.baselines[0].trails[late - 1];
    let trails = [&run.evenings[0].trail, &run.evenings[late - 1].trail, thermostat];
    // All three have the same axes.
    let rooms: Vec<f64> = trails.iter().flat_map(|trail| trail.iter()).map(|moment| moment.room).collect();
    let hours = trails.iter().map(|trail| trail.len() as f64 * STEP).fold(0.0, f64::max);
    // The heater has the degree below the coldest room to itself.
    let bottom = least(&rooms).floor() - 1.0;
    let titles = [
        (1, "Evening 1: nothing learned yet".to_owned(), AGENT),
        (late, format!("Evening {late}: {learned}"), AGENT),
        (late, format!("Evening {late}: thermostat"), THERMOSTAT),
    ];
    let mut trails = trails.into_iter();
    titles.map(|(evening, title, ink)| {
        let trail = trails.next().map_or(&[][..], Vec::as_slice);
        let outside = mean(&trail.iter().map(|moment| moment.outside).collect::<Vec<_>>());
        let note = format!("°C; {} outside; cost {:.2} per step", whole(outside), cost(trail));
        let (x, y) =
            (Axis::linear("hours").covering([0.0, hours]), Axis::linear(note).covering([bottom, most(&rooms)]));
        Panel::new(title, x, y, evening_lines(trail, bottom, ink, window == Some(evening)))
    })
}

fn evening_lines(trail: &[Moment], bottom: f64, ink: usize, has_window: bool) -> Vec<Line> {
    let aim = f64::from(SET_POINT);
    let points = |value: fn(&Moment) -> f64| -> Vec<(f64, f64)> {
        trail.iter().zip(1_u32..).map(|(moment, step)| (f64::from(step) * STEP, value(moment))).collect()
    };
    let room = points(|moment| moment.room);
    // The area between the room and its set-point is the cost of the evening.
    let band = room.iter().map(|(hour, room)| (*hour, room.min(aim), room.max(aim))).collect();
    let heater = trail.iter().zip(0_u32..).flat_map(|(moment, step)| {
        let level = bottom + 0.8 * moment.power;
        [(f64::from(step) * STEP, level), (f64::from(step + 1) * STEP, level)]
    });
    let heater: Vec<_> = heater.collect();
    let under = heater.iter().map(|(hour, level)| (*hour, bottom, *level)).collect();
    let mut lines = vec![
        Line { band, ..Line::plain("room", room).ink(ink) },
        Line::plain("set-point", points(|_| f64::from(SET_POINT))).ink(QUIET),
        Line { band: under, ..Line::plain("heater: off, half or full", heater).ink(PLANNING) },
    ];
    if has_window {
        let ends = [WINDOW.start, WINDOW.end].map(|step| (f64::from(step) * STEP, aim - 2.0));
        lines.push(Line::plain("window open", ends.to_vec()).ink(PI));
    }
    lines
}

/// An integer with a proper minus sign.
fn whole(value: f64) -> String {
    format!("{value:.0}").replace("-0", "0").replace('-', "−")
}

/// The learning curve: the cost of each evening, beside that of the other controllers.
fn costs(run: &RunLog) -> Panel {
    let own: Vec<f64> = run.evenings.iter().map(|evening| cost(&evening.trail)).collect();
    let mut lines = vec![levelled(&format!("learned: {:.2}", run.last_cost()), &own, AGENT)];
    for (baseline, ink) in run.baselines.iter().zip([THERMOSTAT, QUIET, PI, PLANNING]) {
        let costs: Vec<f64> = baseline.trails.iter().map(|trail| cost(trail)).collect();
        let name = format!("{}: {:.2}", baseline.name, baseline.last_cost());
        lines.push(Line { band: Vec::new(), ..levelled(&name, &costs, ink) });
    }
    let heights: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|(_, cost)| *cost).collect();
    let (low, high) = (least(&heights), most(&heights));
    let power_cut = run.power_cut.map(|cut| cut.evening);
    let events = [(run.scene.window_open, "window open"), (run.scene.carpet, "carpet"), (power_cut, "power cut")];
    for (evening, name) in events.into_iter().filter_map(|(evening, name)| Some((f64::from(evening?), name))) {
        lines.push(Line::plain(name, vec![(evening, low), (evening, high)]).ink(QUIET));
    }
    let y = Axis::log(format!("cost per step: °C off, + {PRICE} at full power"));
    let title = format!("What an evening costs; below, the last {}", own.len().min(LAST));
    Panel::new(title, Axis::linear("evening"), y, lines)
}

/// A moving average, and the range of what it is made of. It shrinks towards both ends, which stay as they are.
fn levelled(name: &str, costs: &[f64], ink: usize) -> Line {
    let around = |index: usize| {
        let side = SIDE.min(index).min(costs.len() - 1 - index);
        &costs[index - side..=index + side]
    };
    let evenings = || (0..costs.len()).map(|index| (index as f64 + 1.0, around(index)));
    let points = evenings().map(|(evening, costs)| (evening, mean(costs))).collect();
    let band = evenings().map(|(evening, costs)| (evening, least(costs), most(costs))).collect();
    Line { band, ..Line::plain(name, points).ink(ink) }
}

/// Many houses: each controller's costs, from the cheapest house to the dearest.
fn houses(kind: Houses, neighbours: &Neighbours) -> Panel {
    let (number, title) = match kind {
        Houses::Near => (0, "near the data sheet (± 10 %)"),
        Houses::Wild => (1, "far from it (× .6 … 1.6)"),
    };
    let line = |row: &Row| {
        let mut costs = row.elsewhere[number].clone();
        costs.sort_by(f64::total_cmp);
        let points = (1_u32..).map(f64::from).zip(costs).collect();
        Line::plain(format!("{}: {:.2}", row.name, row.medians()[number]), points)
    };
    let lines = neighbours.rows.iter().zip([THERMOSTAT, PI, PLANNING, 3, 6, FLOOR, AGENT]);
    let lines = lines.map(|(row, ink)| line(row).ink(ink)).collect();
    let both = neighbours.rows.iter().flat_map(|row| row.elsewhere.iter().flatten()).copied();
    let y = Axis::log(format!("cost per step, last {} evenings; medians below", neighbours.last)).covering(both);
    Panel::new(format!("{} houses {title}", neighbours.houses), Axis::linear("houses, the cheapest first"), y, lines)
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::*;
    use crate::demo::sample;

    fn drawn(run: &RunLog) -> String {
        svg(run, &sample::neighbours(run))
    }

    #[test]
    fn it_says_what_it_shows_and_needs_nothing_else() {
        let svg = drawn(&sample::run_log(7, 12));
        let document = Document::parse(&svg).unwrap();
        let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
        // The evening with the window is the last but one.
        for label in [
            "Evening 1",
            "Evening 11: learned",
            "Evening 11: thermostat",
            "window open",
            "PI",
            "room",
            "tracking",
            "paper",
            "2 houses near the data sheet",
            "2 houses far from it",
        ] {
            assert!(texts.iter().any(|text| text.contains(label)), "{label} is missing");
        }
        // The namespace is not a link.
        let svg = svg.replace("http://www.w3.org/2000/svg", "");
        for link in ["http", "src=", "href=", "@import", "url("] {
            assert!(!svg.contains(link), "{link} in the picture");
        }
    }

    #[test]
    fn without_a_window_the_last_evening_is_shown() {
        let mut run = sample::run_log(7, 3);
        run.scene.window_open = None;
        let svg = drawn(&run);
        assert!(svg.contains("Evening 3: learned") && svg.contains("Evening 3: thermostat") && !svg.contains("window"));
        // The first evening is shown anyway.
        run.scene.window_open = Some(1);
        let svg = drawn(&run);
        assert!(svg.contains("Evening 3: learned"));
        assert_eq!(
            svg.matches(">window open<").count(),
            2,
            "in the first evening's chart, and in that of all evenings"
        );
    }

    #[test]
    fn a_single_evening_makes_a_picture_of_numbers_only() {
        let svg = drawn(&sample::run_log(7, 1));
        assert!(svg.len() > 10_000 && Document::parse(&svg).is_ok());
        for nonsense in ["NaN", "inf"] {
            assert!(!svg.contains(nonsense), "{nonsense} in the picture");
        }
    }

    #[test]
    fn the_first_evening_and_the_last_stay_what_they_were() {
        let line = levelled("a", &[9.0, 3.0, 0.0, 1.0, 1.0, 4.0], AGENT);
        assert_eq!(line.points.iter().map(|(_, cost)| *cost).collect::<Vec<_>>(), [9.0, 4.0, 2.8, 1.8, 2.0, 4.0]);
        assert_eq!(line.band[2], (3.0, 0.0, 9.0));
    }
}
