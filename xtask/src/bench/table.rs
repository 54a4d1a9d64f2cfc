//! A table that is shown on a terminal or in a document.

use std::fmt::Write;

/// A table with a title.
pub(super) struct Table {
    pub(super) title: String,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(title: impl Into<String>, head: &[&str]) -> Self {
        Self { title: title.into(), head: head.iter().map(|cell| (*cell).into()).collect(), rows: Vec::new() }
    }

    /// For a terminal: nothing at all if there are no rows. The first two columns say what a row is about.
    pub(super) fn screen(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let lines = || [&self.head].into_iter().chain(&self.rows);
        let width = |column: usize| lines().filter_map(|line| Some(line.get(column)?.chars().count())).max();
        let mut text = format!("{}\n", self.title);
        for line in lines() {
            let cells = line.iter().enumerate().map(|(column, cell)| {
                let width = width(column).unwrap_or(0);
                if column < 2 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        text + "\n"
    }

    /// For a document: nothing at all if there are no rows.
    pub(super) fn markdown(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = vec!["---".to_owned(); self.head.len()];
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}\n\n{}{}{rows}\n", self.title, line(&self.head), line(&rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_two_forms_and_without_rows_none() {
        let mut table = Table::new("Title", &["core", "in", "µs"]);
        assert_eq!(table.screen() + &table.markdown(), "");
        table.rows.push(["M0", "q28", "12.5"].map(String::from).to_vec());
        assert_eq!(table.screen(), "Title\ncore  in     µs\nM0    q28  12.5\n\n");
        assert_eq!(table.markdown(), "Title\n\n| core | in | µs |\n| --- | --- | --- |\n| M0 | q28 | 12.5 |\n\n");
    }
}
