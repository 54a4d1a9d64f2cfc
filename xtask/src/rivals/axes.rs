//! What the pictures have in common: size, title, logarithmic axes, labels at the ends of lines.

use crate::drawing::ink::{ALL, GRID, PAPER, QUIET, TEXT};
use crate::drawing::scale::{Scale, apart};
use crate::drawing::svg::{Anchor, Ink, Svg, Type};

pub(super) const WIDTH: f64 = 720.0;
pub(super) const HEIGHT: f64 = 470.0;
pub(super) const LEFT: f64 = 64.0;
pub(super) const TOP: f64 = 100.0;
pub(super) const BOTTOM: f64 = HEIGHT - 66.0;
const SIZE: f64 = 16.0;

/// A picture with its title and a line below it.
pub(super) fn sheet(title: &str, note: &str) -> Svg {
    let mut svg = Svg::new(WIDTH, HEIGHT);
    svg.rect([0.0, 0.0, WIDTH, HEIGHT], PAPER, 1.0);
    svg.text((16.0, 34.0), Type::of(23.0, TEXT).bold(), title);
    svg.text((16.0, 61.0), Type::of(SIZE, QUIET), note);
    svg
}

/// The file, with colours for dark mode.
pub(super) fn finish(svg: Svg, title: &str) -> String {
    let colours = ALL.map(|ink| format!(".f-{0}{{fill:{1}}}.s-{0}{{stroke:{1}}}", ink.class, ink.dark)).concat();
    let style = format!("<style>@media (prefers-color-scheme: dark) {{{colours}}}</style>");
    svg.finish(title).replacen("</title>", &format!("</title>\n{style}"), 1)
}

/// A logarithmic axis.
pub(super) struct Log {
    scale: Scale,
    ticks: Vec<f64>,
}

impl Log {
    /// From one power of ten to another.
    pub(super) fn new(powers: (i32, i32), places: (f64, f64)) -> Self {
        // Parsed, so that they are the nearest numbers and print as such.
        let ticks: Vec<f64> = (powers.0..=powers.1).filter_map(|power| format!("1e{power}").parse().ok()).collect();
        Self::between((ticks[0], ticks[ticks.len() - 1]), places, &ticks)
    }

    /// Between two numbers, marked at some.
    pub(super) fn between(values: (f64, f64), places: (f64, f64), ticks: &[f64]) -> Self {
        Self { scale: Scale::logarithmic(values, places), ticks: ticks.into() }
    }

    /// The place of a value, at the edge if it is beyond.
    pub(super) fn at(&self, value: f64) -> f64 {
        self.scale.at(value)
    }

    fn marks(&self) -> impl Iterator<Item = (f64, String)> {
        let label = |tick: f64| if tick < 1e-3 { format!("{tick:e}") } else { format!("{tick}") };
        self.ticks.iter().map(move |tick| (self.at(*tick), label(*tick)))
    }

    /// Lines across, with numbers to their left.
    pub(super) fn draw_y(&self, svg: &mut Svg, right: f64, what: &str) {
        for (y, label) in self.marks() {
            svg.line([LEFT, y, right, y], GRID, 1.0, "");
            svg.text((LEFT - 8.0, y + 5.0), Type::of(SIZE, QUIET).anchor(Anchor::End), &label);
        }
        svg.text((16.0, TOP - 14.0), Type::of(SIZE, QUIET), what);
    }

    /// Numbers below.
    pub(super) fn draw_x(&self, svg: &mut Svg, what: &str) {
        let mut last = LEFT;
        for (x, label) in self.marks() {
            svg.line([x, TOP, x, BOTTOM], GRID, 1.0, "");
            svg.text((x, BOTTOM + 22.0), Type::of(SIZE, QUIET).anchor(Anchor::Middle), &label);
            last = x;
        }
        x_title(svg, last, what);
    }
}

/// What the x axis shows.
pub(super) fn x_title(svg: &mut Svg, right: f64, what: &str) {
    svg.text((f64::midpoint(LEFT, right), BOTTOM + 48.0), Type::of(SIZE, QUIET).anchor(Anchor::Middle), what);
}

/// A label: where its line comes from, its colour and text, and whether it is bold.
pub(super) type Label = ((f64, f64), Ink, String, bool);

/// Labels beside the ends of lines, moved apart.
pub(super) fn labels(svg: &mut Svg, x: f64, labels: &[Label], gap: f64) {
    let mut places: Vec<f64> = labels.iter().map(|((_, y), ..)| *y).collect();
    apart(&mut places, gap);
    labels_at(svg, x, labels, &places, SIZE);
}

/// Labels at these heights; a thin line leads to each.
pub(super) fn labels_at(svg: &mut Svg, x: f64, labels: &[Label], places: &[f64], size: f64) {
    for (((from, y), ink, text, bold), place) in labels.iter().zip(places) {
        svg.line([*from, *y, x - 6.0, *place], *ink, 0.8, "");
        let kind = Type::of(size, *ink);
        svg.text((x, place + 5.0), if *bold { kind.bold() } else { kind }, text);
    }
}
