//! Promise: the figures of the paper show what they must, and the documentation has the numbers that were measured. To
//! accept a change: `UPDATE_DOCS=1 cargo test -p osculate-host-tests --test paper`.

use anyhow::Result;
use osculate_host_tests::paper::{FIGURES, Figure, Size, experiments, run};
use osculate_lab::documents::{self, aligned};

/// The table that `cargo xtask paper` prints.
fn table(figures: &[Figure]) -> String {
    let mut rows = vec![["figure", "what it must show", "must be", "measured", "shown"].map(String::from)];
    for figure in figures {
        for claim in &figure.claims {
            let [bound, measured, verdict] = claim.cells.clone();
            rows.push([figure.id.into(), claim.what.clone(), bound, measured, verdict]);
        }
    }
    aligned(&rows)
}

#[test]
fn every_figure_shows_what_it_must_and_the_documentation_says_so() -> Result<()> {
    let figures = run(experiments(Size::FULL), || ());
    assert_eq!(figures.iter().map(|figure| figure.id).collect::<Vec<_>>(), FIGURES);
    print!("{}", table(&figures));
    for figure in &figures {
        let missing: Vec<_> = figure.claims.iter().filter(|claim| claim.required && !claim.met).collect();
        assert!(missing.is_empty(), "figure {}: {missing:#?}", figure.id);
        let lines = figure.panels.iter().flat_map(|panel| &panel.lines);
        for line in lines {
            assert!(line.points.iter().all(|(x, y)| x.is_finite() && y.is_finite()), "{}: {}", figure.id, line.name);
        }
    }
    documents::compare("docs/paper.md", "cargo xtask paper", &table(&figures))
}
