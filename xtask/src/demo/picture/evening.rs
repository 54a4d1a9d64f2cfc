//! An evening: the room around its set-point, the floor, and the heater, one below the other.

use osculate_apps::room::SET_POINT;
use osculate_apps::room::agent::STEPS;
use osculate_lab::room::plant::WINDOW;
use osculate_lab::room::test_bed::Moment;

use osculate_lab::drawing::Range;
use osculate_lab::drawing::ink::{GRID, QUIET, TEXT};
use osculate_lab::drawing::scale::Scale;
use osculate_lab::drawing::svg::{Anchor, Ink, Svg, Type};

/// Hours of a step.
const STEP: f64 = 5.0 / 60.0;
/// Top and bottom of room, floor and heater, relative to the top of a panel.
const ROOM: (f64, f64) = (0.0, 170.0);
const FLOOR: (f64, f64) = (194.0, 246.0);
const HEATER: (f64, f64) = (264.0, 292.0);
/// The height of a panel, including the hour labels.
pub(super) const HEIGHT: f64 = HEATER.1 + 22.0;

/// An evening to draw.
pub(super) struct Panel<'s> {
    pub(super) title: String,
    pub(super) note: String,
    pub(super) ink: Ink,
    pub(super) trail: &'s [Moment],
    /// Whether a window is open for part of it.
    pub(super) window: bool,
}

/// The axes that all panels share.
pub(super) struct Axes {
    room: Range,
    floor: Range,
    hours: Range,
}

impl Axes {
    /// Axes that cover all these evenings.
    pub(super) fn of(trails: &[&[Moment]]) -> Self {
        let set_point = f64::from(SET_POINT);
        let moments = || trails.iter().flat_map(|trail| trail.iter());
        let longest = trails.iter().map(|trail| trail.len()).max().unwrap_or(STEPS);
        Self {
            room: Range::linear(moments().map(|moment| moment.room).chain([set_point - 2.0, set_point + 2.0])),
            floor: Range::linear(moments().map(|moment| moment.floor).chain([22.0, 28.0])),
            hours: Range::tight([0.0, (longest as f64 * STEP).ceil()].into_iter()),
        }
    }
}

/// Draws a panel with its top left corner at this position. Only the `first` one of a row labels its axes.
pub(super) fn draw(svg: &mut Svg, panel: &Panel<'_>, axes: &Axes, (left, top): (f64, f64), width: f64, first: bool) {
    let Panel { ink, trail, .. } = *panel;
    let right = left + width;
    let x = axes.hours.scale((left, right));
    let room = axes.room.scale((top + ROOM.1, top + ROOM.0));
    let floor = axes.floor.scale((top + FLOOR.1, top + FLOOR.0));
    let power = Scale::linear((0.0, 1.0), (top + HEATER.1, top + HEATER.0));
    let set_point = room.at(f64::from(SET_POINT));

    svg.text((left, top - 34.0), Type::of(17.0, ink).bold(), &panel.title);
    svg.text((left, top - 13.0), Type::of(14.0, QUIET), &panel.note);

    if panel.window {
        let [from, to] = [WINDOW.start, WINDOW.end].map(|step| x.at(f64::from(step) * STEP));
        svg.rect([from, top, to - from, HEATER.1], QUIET, 0.15);
        let name = Type::of(13.0, QUIET).anchor(Anchor::Middle);
        svg.text(((from + to) / 2.0, top + ROOM.1 + 15.0), name, "window open");
    }
    let label = Type::of(13.0, QUIET).anchor(Anchor::End);
    for (degrees, text) in axes.room.ticks() {
        svg.line([left, room.at(degrees), right, room.at(degrees)], GRID, 1.0, "");
        if first {
            let aim = degrees == f64::from(SET_POINT);
            let label = if aim { Type { ink: TEXT, ..label.bold() } } else { label };
            svg.text((left - 8.0, room.at(degrees) + 4.5), label, &format!("{text}°"));
        }
    }
    let (low, high) = axes.floor.ends();
    for degrees in [low, high] {
        svg.line([left, floor.at(degrees), right, floor.at(degrees)], GRID, 1.0, "");
        if first {
            svg.text((left - 8.0, floor.at(degrees) + 4.5), label, &format!("{degrees:.0}°"));
        }
    }
    svg.line([left, power.at(0.0), right, power.at(0.0)], GRID, 1.0, "");

    // The area between the room and its set-point is the cost of the evening.
    let points = |value: fn(&Moment) -> f64, y: Scale| -> Vec<(f64, f64)> {
        trail.iter().zip(1_u32..).map(|(moment, step)| (x.at(f64::from(step) * STEP), y.at(value(moment)))).collect()
    };
    let line = points(|moment| moment.room, room);
    if let (Some(begin), Some(end)) = (line.first(), line.last()) {
        let mut closed = line.clone();
        closed.extend([(end.0, set_point), (begin.0, set_point)]);
        svg.area(&closed, ink, 0.16);
    }
    svg.line([left, set_point, right, set_point], TEXT, 1.2, "5 4");
    svg.stroke(&line, ink, 2.6, 1.0);
    svg.stroke(&points(|moment| moment.floor, floor), ink, 1.6, 0.9);

    let mut steps = vec![(x.at(0.0), power.at(0.0))];
    for (moment, step) in trail.iter().zip(0_u32..) {
        let y = power.at(moment.power);
        steps.extend([(x.at(f64::from(step) * STEP), y), (x.at(f64::from(step + 1) * STEP), y)]);
    }
    steps.push((x.at(trail.len() as f64 * STEP), power.at(0.0)));
    svg.area(&steps, ink, 0.55);

    if first {
        let name = Type::of(13.0, TEXT).bold();
        svg.text((left + 6.0, top + ROOM.0 + 16.0), name, "room");
        svg.text((left + 6.0, top + FLOOR.0 + 15.0), name, "floor");
        svg.text((left - 8.0, power.at(0.5) + 4.5), name.anchor(Anchor::End), "heater");
        // Below the line, unless the room is.
        let late = &trail[trail.len() - trail.len() / 4..];
        let above = late.iter().filter(|moment| moment.room > f64::from(SET_POINT)).count() * 2 >= late.len();
        let place = if above { set_point + 16.0 } else { set_point - 6.0 };
        svg.text((right - 4.0, place), Type::of(13.0, TEXT).anchor(Anchor::End), "set-point");
    }
    let hour = Type::of(13.0, QUIET).anchor(Anchor::Middle);
    for (hours, text) in axes.hours.ticks().into_iter().step_by(2) {
        svg.text((x.at(hours), top + HEIGHT - 3.0), hour, &format!("{text} h"));
    }
}
