//! Tables for a terminal and for documents.

/// A table, written row by row.
#[derive(Clone, Debug)]
pub struct Table {
    aligns: &'static str,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Its head. For every column `l` or `r`: whether it is aligned to the left or to the right.
    pub fn new<T: Into<String>>(aligns: &'static str, head: impl IntoIterator<Item = T>) -> Self {
        Self { aligns, rows: vec![head.into_iter().map(Into::into).collect()] }
    }

    /// Adds a row.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The rows below the head.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows[1..]
    }

    /// How wide each column must be.
    fn widths(&self) -> Vec<usize> {
        let wide = |column: usize| self.rows.iter().filter_map(move |row| Some(row.get(column)?.chars().count()));
        (0..self.rows[0].len()).map(|column| wide(column).max().unwrap_or(0)).collect()
    }

    /// For a terminal: as wide as the cells need, two blanks between columns.
    pub fn text(&self) -> String {
        let widths = self.widths();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).zip(self.aligns.chars()).map(|((cell, width), align)| match align {
                'l' => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        };
        self.rows.iter().map(line).collect()
    }

    /// For a document.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = self.aligns.chars().map(|align| if align == 'l' { "---" } else { "---:" }.to_owned());
        let rows: String = self.rows().iter().map(|row| line(row)).collect();
        line(&self.rows[0]) + &line(&rule.collect::<Vec<_>>()) + &rows
    }

    /// For a document, and as wide as the cells need: a table on a terminal, too.
    pub fn aligned(&self) -> String {
        let widths = self.widths();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<0$}", (*width).max(3)));
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        let rule = line(&vec!["---".into(); widths.len()]);
        line(&self.rows[0]) + &rule + &self.rows().iter().map(line).collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new("lrl", ["board", "KiB", "by"]);
        table.row(["µ", "4096", ""]);
        assert_eq!(table.text(), "board   KiB  by\nµ      4096\n");
        assert_eq!(table.markdown(), "| board | KiB | by |\n| --- | ---: | --- |\n| µ | 4096 |  |\n");
        assert_eq!(table.aligned(), "| board | KiB  | by  |\n| ---   | ---  | --- |\n| µ     | 4096 |     |\n");
    }
}
