//! The charts: the current evening, and the evenings before it.

use osculate_apps::room::SET_POINT;
use osculate_apps::room::agent::STEPS;
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Block, Chart, Dataset, GraphType};

use super::layout::{AGENT, BASELINES, QUIET};
use super::mean;
use super::state::ViewState;

/// The room around its set-point, and the heater's power along the bottom.
pub(super) fn evening(state: &ViewState) -> Drawing {
    let set_point = f64::from(SET_POINT);
    let farthest = state.trail.iter().map(|moment| (moment.room - set_point).abs()).fold(2.0, f64::max).ceil();
    let (low, high) = (set_point - farthest, set_point + farthest);
    let steps = || (1_u32..).map(f64::from).zip(&state.trail);
    Drawing {
        title: " room, °C; heater below ",
        lines: vec![
            // Full power is a sixth of the height.
            Curve::new(
                steps().map(|(x, moment)| (x - 0.5, low + moment.power * farthest / 3.0)).collect(),
                BASELINES[0],
                GraphType::Bar,
            ),
            Curve::level(set_point, STEPS as f64, QUIET),
            Curve::new(steps().map(|(x, moment)| (x, moment.room)).collect(), AGENT, GraphType::Line),
        ],
        x: ([0.0, STEPS as f64], vec!["0 h".to_owned(), "4 h".to_owned(), "8 h".to_owned()]),
        y: ([low, high], [low, set_point, high].map(|degrees| format!("{degrees:.0}")).to_vec()),
    }
}

/// The costs of the evenings so far, with a horizontal line for each of the other controllers.
pub(super) fn learning(state: &ViewState) -> Drawing {
    let baselines = state.header.baselines.each_ref().map(|baseline| mean(&baseline.evenings).unwrap_or(0.0));
    // The first evening and one step ahead cost several times as much, and would flatten everything else.
    let highest = (baselines[0] * 1.8).max(0.4);
    let last = f64::from(state.header.evenings.max(2));
    let levels = baselines.iter().zip(BASELINES).filter(|(level, _)| **level <= highest);
    let mut lines: Vec<Curve> = levels.map(|(level, colour)| Curve::level(*level, last, colour)).collect();
    let costs = (1_u32..).map(f64::from).zip(state.costs.iter().map(|cost| cost.min(highest)));
    lines.push(Curve::new(costs.collect(), AGENT, GraphType::Line));
    Drawing {
        title: " cost per step, evening by evening ",
        lines,
        x: ([1.0, last], vec!["1".to_owned(), format!("{last:.0}")]),
        y: ([0.0, highest], [0.0, highest / 2.0, highest].map(|cost| format!("{cost:.1}")).to_vec()),
    }
}

/// A chart that owns its points; ratatui's only borrows them.
pub(super) struct Drawing {
    title: &'static str,
    lines: Vec<Curve>,
    x: ([f64; 2], Vec<String>),
    y: ([f64; 2], Vec<String>),
}

struct Curve {
    points: Vec<(f64, f64)>,
    colour: Color,
    kind: GraphType,
}

impl Curve {
    fn new(points: Vec<(f64, f64)>, colour: Color, kind: GraphType) -> Self {
        Self { points, colour, kind }
    }

    /// A horizontal line from the left end to `right`.
    fn level(y: f64, right: f64, colour: Color) -> Self {
        Self::new(vec![(0.0, y), (right, y)], colour, GraphType::Line)
    }
}

impl Drawing {
    /// The chart to draw in a frame.
    pub(super) fn chart(&self) -> Chart<'_> {
        let lines = self.lines.iter().map(|curve| {
            Dataset::default().data(&curve.points).style(curve.colour).graph_type(curve.kind).marker(Marker::Braille)
        });
        let axis = |(bounds, labels): &([f64; 2], Vec<String>)| {
            Axis::default().bounds(*bounds).labels(labels.iter().cloned().map(Line::from)).style(QUIET)
        };
        let block = Block::bordered().border_style(QUIET).title(self.title);
        Chart::new(lines.collect()).x_axis(axis(&self.x)).y_axis(axis(&self.y)).legend_position(None).block(block)
    }
}
