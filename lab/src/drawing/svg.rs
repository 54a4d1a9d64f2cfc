//! A minimal SVG writer: shapes, paths and text, written in order.

use std::fmt::{Display, Write};

use super::ink::dark_css;

/// The picture's font family; a browser may fall back to another.
const FONT: &str = "Noto Sans";

/// A drawing in progress.
#[derive(Clone, Debug)]
pub struct Svg {
    body: String,
    width: f64,
    height: f64,
}

/// The anchor of a text.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// Its first letter is at the place.
    Start,
    /// Its middle.
    Middle,
    /// Its last letter.
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// Its height in pixels.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub ink: Ink,
    /// What of it is at its place.
    pub anchor: Anchor,
}

/// A colour by its meaning. Its class lets a page choose another in dark mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// Its name in style sheets.
    pub class: &'static str,
    /// On a light page.
    pub light: &'static str,
    /// On a dark page.
    pub dark: &'static str,
}

impl Type {
    /// Regular weight, anchored at the start.
    pub fn of(size: f64, ink: Ink) -> Self {
        Self { size, bold: false, ink, anchor: Anchor::Start }
    }

    /// The same in bold.
    #[must_use]
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// The same at another anchor.
    #[must_use]
    pub fn anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }
}

impl Svg {
    /// An empty drawing.
    pub fn new(width: f64, height: f64) -> Self {
        Self { body: String::new(), width, height }
    }

    /// Takes the output of `format_args!`: writing to a string cannot fail.
    fn put(&mut self, element: impl Display) {
        let _ = writeln!(self.body, "{element}");
    }

    /// A filled rectangle.
    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], ink: Ink, opacity: f64) {
        let (right, bottom) = (x + width, y + height);
        self.area(&[(x, y), (right, y), (right, bottom), (x, bottom)], ink, opacity);
    }

    /// A straight line, dashed if `dash` is not empty.
    pub fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], ink: Ink, width: f64, dash: &str) {
        self.stroke(&[(x1, y1), (x2, y2)], ink, width, dash);
    }

    /// A line through points, dashed if `dash` is not empty.
    pub fn stroke(&mut self, points: &[(f64, f64)], ink: Ink, width: f64, dash: &str) {
        let Ink { class, light, .. } = ink;
        let (d, cap) = (path(points), if dash.is_empty() { "round" } else { "butt" });
        let dash = if dash.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dash}""#) };
        self.put(format_args!(
            r#"<path class="s-{class}" d="{d}" fill="none" stroke="{light}" stroke-width="{width}"{dash} stroke-linejoin="round" stroke-linecap="{cap}"/>"#
        ));
    }

    /// A filled polygon.
    pub fn area(&mut self, points: &[(f64, f64)], ink: Ink, opacity: f64) {
        let Ink { class, light, .. } = ink;
        let d = path(points);
        self.put(format_args!(
            r#"<path class="f-{class}" d="{d}Z" fill="{light}" fill-opacity="{opacity}" fill-rule="evenodd"/>"#
        ));
    }

    /// A dot.
    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, ink: Ink, opacity: f64) {
        let Ink { class, light, .. } = ink;
        self.put(format_args!(
            r#"<circle class="f-{class}" cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{light}" fill-opacity="{opacity}"/>"#
        ));
    }

    /// A text on its baseline.
    pub fn text(&mut self, (x, y): (f64, f64), kind: Type, text: &str) {
        let Type { size, bold, ink, anchor } = kind;
        let weight = if bold { r#" font-weight="700""# } else { "" };
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        self.put(format_args!(
            r#"<text class="f-{}" x="{x:.1}" y="{y:.1}" font-size="{size}"{weight}{anchor} fill="{}">{}</text>"#,
            ink.class,
            ink.light,
            escaped(text)
        ));
    }

    /// The whole file, with its colours for dark mode; `title` is for screen readers.
    pub fn finish(self, title: &str) -> String {
        let Self { body, width, height } = self;
        let (title, dark) = (escaped(title), dark_css());
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="'{FONT}', 'Segoe UI', Helvetica, Arial, sans-serif">
<title>{title}</title>
{body}<style>@media (prefers-color-scheme: dark) {{
{dark}}}</style>
</svg>
"#
        )
    }
}

fn path(points: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
    }
    d
}

/// Text escaped for XML and HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
