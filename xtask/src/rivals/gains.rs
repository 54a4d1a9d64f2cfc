//! Why not NLMS, why not TD? Their errors against the one number that has to be chosen.

use anyhow::Result;

use super::axes::{self, BOTTOM, LEFT, Log, TOP};
use super::numbers::Numbers;
use crate::drawing::ink::{AGENT, PI, QUIET, THERMOSTAT};
use crate::drawing::svg::{Anchor, Ink, Type};

const RIGHT: f64 = 560.0;
const INKS: [Ink; 3] = [AGENT, PI, THERMOSTAT];

struct Plot<'a> {
    title: &'a str,
    note: &'a str,
    rival: &'a str,
    /// Which of its settings are drawn.
    wanted: fn(&[f64]) -> bool,
    x: (i32, i32),
    y: (i32, i32),
    what: &'a str,
    /// Problems and their labels.
    problems: [(&'a str, &'a str); 3],
}

pub(super) fn nlms(numbers: &Numbers) -> Result<String> {
    let plot = Plot {
        title: "Why not NLMS?",
        note: "The best gain (lines) depends on the world; tracking (dashed) finds its own.",
        rival: "NLMS",
        wanted: |_| true,
        x: (-3, 0),
        y: (-2, 0),
        what: "gain of NLMS",
        problems: [("steady rows", "steady"), ("drifting rows", "drifting"), ("jumping rows", "jumping")],
    };
    plot.svg(numbers)
}

pub(super) fn td(numbers: &Numbers) -> Result<String> {
    let plot = Plot {
        title: "Why not TD?",
        note: "TD(0.8) with a wrong step learns nothing, or diverges; tracking (dashed) has none.",
        rival: "TD(lambda)",
        wanted: |setting| setting.get(1) == Some(&0.8),
        x: (-6, 0),
        y: (-3, 1),
        what: "step of TD(0.8)",
        problems: [
            ("Boyan's chain", "Boyan's chain"),
            ("random MDP", "random MDP"),
            ("random MDP, columns in any units", "MDP, any units"),
        ],
    };
    plot.svg(numbers)
}

impl Plot<'_> {
    fn svg(&self, numbers: &Numbers) -> Result<String> {
        let mut svg = axes::sheet(self.title, self.note);
        let y = Log::new(self.y, (BOTTOM, TOP));
        let x = Log::new(self.x, (LEFT + 10.0, RIGHT - 10.0));
        y.draw_y(&mut svg, RIGHT, "relative error of the values; 1 is a learner that says 0");
        x.draw_x(&mut svg, self.what);
        let mut labels = Vec::new();
        for ((problem, label), ink) in self.problems.into_iter().zip(INKS) {
            let curve = numbers.rule(problem, self.rival)?.curve;
            let within = 10_f64.powi(self.x.0) * 0.99;
            let points: Vec<_> = curve
                .iter()
                .filter(|(setting, _)| (self.wanted)(setting) && setting[0] >= within)
                .map(|(setting, error)| (x.at(setting[0]), y.at(*error)))
                .collect();
            svg.stroke(&points, ink, 2.5, 1.0);
            points.iter().for_each(|point| svg.dot(*point, 3.5, ink, 1.0));
            // Columns in any units need the scaler; on the tuning seeds, as the curve.
            let ours = if problem.contains("columns") { "scaled tracking f64" } else { "tracking f64" };
            let own = y.at(numbers.rule(problem, ours)?.curve.first().map_or(f64::INFINITY, |(_, error)| *error));
            svg.line([LEFT, own, RIGHT, own], ink, 3.5, "9 6");
            labels.push(((RIGHT, own), ink, label.to_owned(), true));
        }
        let kind = Type::of(15.0, QUIET).anchor(Anchor::Start);
        svg.text((RIGHT + 12.0, TOP - 14.0), kind, "tracking:");
        axes::labels(&mut svg, RIGHT + 12.0, &labels, 24.0);
        Ok(axes::finish(svg, self.title))
    }
}
