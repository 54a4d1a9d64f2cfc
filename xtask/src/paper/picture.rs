//! A figure as a picture of its own: its charts in up to two columns.

use super::chart::{self, WIDTH};
use super::figures::{Figure, Panel};
use crate::drawing::ink::{PAPER, TEXT, dark_css};
use crate::drawing::svg::{Svg, Type};

/// From the top to the charts.
const TITLE: f64 = 44.0;

/// One chart, for a page with the heading elsewhere.
pub(super) fn of_panel(panel: &Panel) -> String {
    let height = chart::height(panel);
    let mut svg = Svg::new(WIDTH, height);
    chart::draw(&mut svg, panel, (0.0, 0.0));
    svg.finish(&panel.title)
}

/// The whole figure. Opened by itself it has a dark mode, too.
pub(super) fn of_figure(figure: &Figure) -> String {
    let columns = figure.panels.len().clamp(1, 2);
    let rows: Vec<&[Panel]> = figure.panels.chunks(columns).collect();
    let tall = |row: &[Panel]| row.iter().map(chart::height).fold(0.0, f64::max);
    let (width, height) = (WIDTH * columns as f64, TITLE + rows.iter().map(|row| tall(row)).sum::<f64>());
    let mut svg = Svg::new(width, height);
    svg.rect([0.0, 0.0, width, height], PAPER, 1.0);
    svg.text((12.0, 30.0), Type::of(17.0, TEXT).bold(), &figure.title);
    let mut top = TITLE;
    for row in rows {
        for (column, panel) in row.iter().enumerate() {
            chart::draw(&mut svg, panel, (column as f64 * WIDTH, top));
        }
        top += tall(row);
    }
    let style = format!("<style>@media (prefers-color-scheme: dark) {{\n{}}}</style>\n</svg>", dark_css());
    svg.finish(&figure.title).replace("</svg>", &style)
}
