//! Legends: a stroke and a name for each line, in as many rows as it takes.

use super::chart::{Line, Look};
use super::ink::TEXT;
use super::svg::{Svg, Type};

/// The height of a row.
const ROW: f64 = 23.0;
const STROKE: f64 = 24.0;
const GAP: f64 = 8.0;
const SIZE: f64 = 14.5;

/// Where each entry begins, by row and x, so that none is wider than `width`.
fn places(lines: &[Line], width: f64) -> Vec<(usize, f64)> {
    // An estimate for a font that is not known here, on the safe side.
    let widest = |line: &Line| STROKE + GAP + line.name.chars().count() as f64 * SIZE * 0.54 + 2.0 * GAP;
    let (mut row, mut x) = (0, 0.0);
    let mut place = |line: &Line| {
        if x > 0.0 && x + widest(line) > width {
            (row, x) = (row + 1, 0.0);
        }
        let place = (row, x);
        x += widest(line);
        place
    };
    lines.iter().map(&mut place).collect()
}

/// The height of the whole legend.
pub(super) fn height(lines: &[Line], width: f64) -> f64 {
    places(lines, width).last().map_or(0.0, |(row, _)| (*row as f64 + 1.0) * ROW)
}

/// Draws it below and to the right of a corner.
pub(super) fn draw(svg: &mut Svg, lines: &[Line], looks: &[Look], (left, top): (f64, f64), width: f64) {
    for ((line, (ink, dash)), (row, x)) in lines.iter().zip(looks).zip(places(lines, width)) {
        let (x, y) = (left + x, top + (row as f64 + 0.5) * ROW);
        svg.line([x, y, x + STROKE, y], *ink, 2.6, dash);
        svg.text((x + STROKE + GAP, y + 5.0), Type::of(SIZE, TEXT), &line.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_fit_go_to_the_next_row() {
        let lines = ["one", "two", "a rather long name that takes a row of its own"];
        let lines = lines.map(|name| Line::plain(name, Vec::new()));
        let rows: Vec<usize> = places(&lines, 300.0).iter().map(|(row, _)| *row).collect();
        assert_eq!((rows, height(&lines, 300.0)), (vec![0, 0, 1], 2.0 * ROW));
    }
}
