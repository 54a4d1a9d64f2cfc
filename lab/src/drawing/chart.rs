//! A chart: axes, lines, the range of the seeds, marks with their names, and the legend.

use super::axis::Axis;
use super::ink::{GRID, PAPER, QUIET, SERIES, TEXT};
use super::legend;
use super::svg::{Anchor, Ink, Svg, Type};

/// A chart.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Its heading.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub lines: Vec<Line>,
    /// Points with names, which stand to the right of the chart.
    pub marks: Vec<Mark>,
}

/// A line of a chart.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// Points in order of x.
    pub points: Vec<(f64, f64)>,
    /// The least and the most of all seeds at each x, if that is to be seen.
    pub band: Vec<(f64, f64, f64)>,
    /// Which colour it has, if not its own. Lines of one colour are dashed differently.
    pub ink: Option<usize>,
}

/// A point with a name.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// Its place.
    pub at: (f64, f64),
    /// Its colour.
    pub ink: Ink,
}

impl Panel {
    /// A chart of lines.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, lines: Vec<Line>) -> Self {
        Self { title: title.into(), x, y, lines, marks: Vec::new() }
    }
}

impl Line {
    /// A line without a band.
    pub fn plain(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, ..Self::default() }
    }

    /// With the n-th colour.
    #[must_use]
    pub fn ink(self, ink: usize) -> Self {
        Self { ink: Some(ink), ..self }
    }
}

/// The colour and the dashes of a line.
pub(super) type Look = (Ink, &'static str);

/// Narrow, so that its text is still readable on a phone.
const WIDTH: f64 = 480.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 20.0;
/// From the top to the plot, the plot, and from there to the legend.
const HEAD: f64 = 60.0;
const PLOT: f64 = 236.0;
const FOOT: f64 = 54.0;
const LEGEND: f64 = WIDTH - 24.0;
/// The height of a mark's name, and how much wider names make a chart.
const NAME: f64 = 20.0;
const NAMES: f64 = 280.0;
/// From the top of a picture to its charts.
const TITLE: f64 = 44.0;

const STROKE: f64 = 2.2;
const DASHES: [&str; 4] = ["", "7 4", "2 4", "10 3 2 3"];

/// Charts in up to two columns below a title, or a single one for a page that has its title elsewhere.
pub fn picture(title: Option<&str>, panels: &[Panel]) -> String {
    let head = if title.is_some() { TITLE } else { 0.0 };
    let columns = panels.len().clamp(1, 2);
    let tall = |row: &[Panel]| row.iter().map(height).fold(0.0, f64::max);
    let wide = panels.iter().map(width).fold(0.0, f64::max);
    let (width, height) = (wide * columns as f64, head + panels.chunks(columns).map(tall).sum::<f64>());
    let mut svg = Svg::new(width, height);
    if let Some(title) = title {
        svg.rect([0.0, 0.0, width, height], PAPER, 1.0);
        svg.text((12.0, 30.0), Type::of(17.0, TEXT).bold(), title);
    }
    let mut top = head;
    for row in panels.chunks(columns) {
        for (column, panel) in row.iter().enumerate() {
            draw(&mut svg, panel, (column as f64 * wide, top));
        }
        top += tall(row);
    }
    let title = title.or(panels.first().map(|panel| panel.title.as_str())).unwrap_or_default();
    svg.finish(title)
}

/// The colour and the dashes of each line. Where lines share a colour or lie on top of each other, the later ones are
/// dashed.
fn looks(lines: &[Line], places: &[Vec<(f64, f64)>]) -> Vec<Look> {
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

/// The height of the plot.
fn plot(panel: &Panel) -> f64 {
    PLOT.max(NAME * panel.marks.len() as f64)
}

fn width(panel: &Panel) -> f64 {
    WIDTH + if panel.marks.is_empty() { 0.0 } else { NAMES }
}

fn height(panel: &Panel) -> f64 {
    HEAD + plot(panel) + FOOT + legend::height(&panel.lines, LEGEND) + 6.0
}

/// Draws a chart with its top left corner at a place.
fn draw(svg: &mut Svg, panel: &Panel, (x0, y0): (f64, f64)) {
    let points = || panel.lines.iter().flat_map(|line| &line.points).chain(panel.marks.iter().map(|mark| &mark.at));
    let bands = || panel.lines.iter().flat_map(|line| &line.band);
    let x_range = panel.x.across(points().map(|(x, _)| *x));
    let y_range = panel.y.up(points().map(|(_, y)| *y).chain(bands().flat_map(|(_, low, high)| [*low, *high])));
    let (left, right, top, bottom) = (x0 + LEFT, x0 + WIDTH - RIGHT, y0 + HEAD, y0 + HEAD + plot(panel));
    let x = |value: f64| x_range.place(value, (left, right));
    let y = |value: f64| y_range.place(value, (bottom, top));

    svg.text((x0 + 12.0, y0 + 22.0), Type::of(16.0, TEXT).bold(), &panel.title);
    svg.text((x0 + 12.0, y0 + 46.0), Type::of(15.0, QUIET), &panel.y.label);
    let label = Type::of(15.0, QUIET);
    for (tick, text) in y_range.ticks() {
        svg.line([left, y(tick), right, y(tick)], GRID, 1.0, "");
        svg.text((left - 6.0, y(tick) + 5.0), label.anchor(Anchor::End), &text);
    }
    for (tick, text) in if panel.x.names.is_empty() { x_range.ticks() } else { panel.x.names.clone() } {
        svg.line([x(tick), top, x(tick), bottom], GRID, 1.0, "");
        // The name of the last place may be long.
        let anchor = if panel.x.names.is_empty() || x(tick) < right - 1.0 { Anchor::Middle } else { Anchor::End };
        svg.text((x(tick), bottom + 20.0), label.anchor(anchor), &text);
    }
    svg.text(((left + right) / 2.0, bottom + 42.0), label.anchor(Anchor::Middle), &panel.x.label);

    let place = |line: &Line| -> Vec<_> { line.points.iter().map(|(a, b)| (x(*a), y(*b))).collect() };
    let places: Vec<_> = panel.lines.iter().map(place).collect();
    let looks = looks(&panel.lines, &places);
    for (line, (ink, _)) in panel.lines.iter().zip(&looks) {
        band(svg, line, *ink, &x, &y);
    }
    for (points, (ink, dash)) in places.iter().zip(&looks) {
        svg.stroke(points, *ink, STROKE, dash);
    }
    marks(svg, &panel.marks, &x, &y, right + 16.0);
    legend::draw(svg, &panel.lines, &looks, (x0 + 12.0, bottom + FOOT), LEGEND);
}

/// Where a value is in the picture.
type Place<'p> = &'p dyn Fn(f64) -> f64;

fn band(svg: &mut Svg, line: &Line, ink: Ink, x: Place<'_>, y: Place<'_>) {
    let upper = line.band.iter().map(|(at, _, high)| (x(*at), y(*high)));
    let lower = line.band.iter().rev().map(|(at, low, _)| (x(*at), y(*low)));
    let edge: Vec<_> = upper.chain(lower).collect();
    if !edge.is_empty() {
        svg.area(&edge, ink, 0.14);
    }
}

/// Dots, and thin lines from them to their names.
fn marks(svg: &mut Svg, marks: &[Mark], x: Place<'_>, y: Place<'_>, left: f64) {
    let mut places: Vec<f64> = marks.iter().map(|mark| y(mark.at.1)).collect();
    apart(&mut places, NAME);
    for (mark, place) in marks.iter().zip(places) {
        let (from, to) = (x(mark.at.0), y(mark.at.1));
        svg.line([from, to, left - 6.0, place], mark.ink, 0.8, "");
        svg.dot((from, to), 5.5, mark.ink, 1.0);
        svg.text((left, place + 5.0), Type::of(15.0, mark.ink), &mark.name);
    }
}

/// Moves positions apart until neighbours are at least `gap` apart, keeping their order.
fn apart(places: &mut [f64], gap: f64) {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    // Each round splits the missing distance between two neighbours; a few rounds settle a handful of labels.
    for _ in 0..100 {
        for pair in order.windows(2) {
            let missing = gap - (places[pair[1]] - places[pair[0]]);
            if missing > 0.0 {
                places[pair[0]] -= missing / 2.0;
                places[pair[1]] += missing / 2.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_colour_has_different_dashes_and_marks_have_names() {
        let line = |ink| Line { ink, ..Line::plain("one <rule>", vec![(1.0, 0.5), (10.0, 0.05)]) };
        let mut panel = Panel::new("a", Axis::log("k"), Axis::log("error"), vec![line(None), line(Some(0))]);
        let svg = picture(None, std::slice::from_ref(&panel));
        assert_eq!(svg.matches("stroke-dasharray=\"7 4\"").count(), 2, "the second line and its legend entry");
        assert!(svg.contains("prefers-color-scheme: dark") && svg.contains(">one &lt;rule&gt;<"));
        panel.marks.push(Mark { name: "RLS".into(), at: (100.0, 0.01), ink: TEXT });
        let svg = picture(Some("title"), &[panel.clone(), panel]);
        assert_eq!(svg.matches(">RLS<").count(), 2);
        assert!(svg.contains(">10²<") || svg.contains(">100<"), "the axis reaches to the mark");
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn labels_do_not_touch() {
        let mut places = [10.0, 11.0, 100.0, 9.0];
        apart(&mut places, 15.0);
        assert!(places[3] + 14.9 < places[0] && places[0] + 14.9 < places[1] && places[1] < 60.0);
        assert_eq!(places[2], 100.0);
    }
}
