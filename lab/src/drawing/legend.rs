//! Legends: a stroke and a name for each line, in as many rows as it takes.

use super::ink::TEXT;
use super::svg::{Ink, Svg, Type};

/// A line, as the legend shows it.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) ink: Ink,
    pub(super) dash: &'static str,
}

/// The height of a row.
pub(super) const ROW: f64 = 23.0;
const STROKE: f64 = 24.0;
const GAP: f64 = 8.0;
const SIZE: f64 = 14.5;

/// Where each entry begins, by row and x, so that none is wider than `width`.
fn places(entries: &[Entry<'_>], width: f64) -> Vec<(usize, f64)> {
    // An estimate for a font that is not known here, on the safe side.
    let widest = |entry: &Entry<'_>| STROKE + GAP + entry.name.chars().count() as f64 * SIZE * 0.54 + 2.0 * GAP;
    let (mut row, mut x) = (0, 0.0);
    let mut place = |entry: &Entry<'_>| {
        if x > 0.0 && x + widest(entry) > width {
            (row, x) = (row + 1, 0.0);
        }
        let place = (row, x);
        x += widest(entry);
        place
    };
    entries.iter().map(&mut place).collect()
}

/// The height of the whole legend.
pub(super) fn height(entries: &[Entry<'_>], width: f64) -> f64 {
    places(entries, width).last().map_or(0.0, |(row, _)| (*row as f64 + 1.0) * ROW)
}

/// Draws it below and to the right of a corner.
pub(super) fn draw(svg: &mut Svg, entries: &[Entry<'_>], (left, top): (f64, f64), width: f64) {
    for (entry, (row, x)) in entries.iter().zip(places(entries, width)) {
        let (x, y) = (left + x, top + (row as f64 + 0.5) * ROW);
        svg.line([x, y, x + STROKE, y], entry.ink, 2.6, entry.dash);
        svg.text((x + STROKE + GAP, y + 5.0), Type::of(SIZE, TEXT), entry.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_fit_go_to_the_next_row() {
        let entry = |name| Entry { name, ink: TEXT, dash: "" };
        let entries = [entry("one"), entry("two"), entry("a rather long name that takes a row of its own")];
        let rows: Vec<usize> = places(&entries, 300.0).iter().map(|(row, _)| *row).collect();
        assert_eq!((rows, height(&entries, 300.0)), (vec![0, 0, 1], 2.0 * ROW));
    }
}
