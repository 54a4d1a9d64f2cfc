//! Tables on a terminal.

/// How the cells of a column are aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// The lines of a table: as wide as its cells need, two blanks between columns, nothing after the last one.
pub(crate) fn lines<const N: usize>(aligns: [Align; N], rows: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).zip(aligns).map(|((cell, width), align)| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["board", "KiB", "by"], ["µ", "4096", ""]].map(|row| row.map(String::from));
        assert_eq!(lines([Align::Left, Align::Right, Align::Left], &rows), ["board   KiB  by", "µ      4096"]);
    }
}
