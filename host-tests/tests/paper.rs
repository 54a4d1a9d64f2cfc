//! Promise: the figures of the paper show what they must, and the documentation has the numbers that were measured.

use std::fs;

use osculate_host_tests::paper::{FIGURES, Figure, Size, experiments, run};
use osculate_lab::repository::repository;

/// The rows of the first table of a page, without its heading.
fn table(page: &str) -> Vec<Vec<String>> {
    let lines = page.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.skip(2).map(cells).collect()
}

fn rows(figures: &[Figure]) -> Vec<Vec<String>> {
    let row = |figure: &Figure| -> Vec<Vec<String>> {
        let claims = figure.claims.iter();
        claims.map(|claim| [&[figure.id.into(), claim.what.clone()], &claim.cells[..]].concat()).collect()
    };
    figures.iter().flat_map(row).collect()
}

#[test]
fn every_figure_shows_what_it_must_and_the_documentation_says_so() {
    let figures = run(experiments(Size::FULL), || ());
    assert_eq!(figures.iter().map(|figure| figure.id).collect::<Vec<_>>(), FIGURES);
    let measured = rows(&figures);
    for row in &measured {
        println!("{}", row.join(" | "));
    }
    for figure in &figures {
        let missing: Vec<_> = figure.claims.iter().filter(|claim| claim.required && !claim.met).collect();
        assert!(missing.is_empty(), "figure {}: {missing:#?}", figure.id);
        let lines = figure.panels.iter().flat_map(|panel| &panel.lines);
        for line in lines {
            assert!(line.points.iter().all(|(x, y)| x.is_finite() && y.is_finite()), "{}: {}", figure.id, line.name);
        }
    }
    let page = fs::read_to_string(repository().join("docs/paper.md")).unwrap();
    assert_eq!(table(&page), measured, "docs/paper.md: the table that `cargo xtask paper` prints");
}
