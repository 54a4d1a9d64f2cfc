//! Promise: the figures of the paper show what they must, and the documentation has the numbers that were measured.

use anyhow::Result;
use osculate_experiments::paper::{FIGURES, Size, figures, missing, table};
use osculate_lab::documents;
use osculate_lab::repository::runs_all;

/// Every figure once over.
const SHORT: Size = Size { seeds: 4, many_seeds: 4, momentum_runs: 2, long: 10_000 };

#[test]
fn every_figure_shows_what_it_must_and_the_documentation_says_so() -> Result<()> {
    let figures = figures(if runs_all() { Size::FULL } else { SHORT });
    assert_eq!(figures.iter().map(|figure| figure.id).collect::<Vec<_>>(), FIGURES);
    print!("{}", table(&figures));
    assert_eq!(missing(&figures), [""; 0]);
    for figure in &figures {
        for line in figure.panels.iter().flat_map(|panel| &panel.lines) {
            assert!(line.points.iter().all(|(x, y)| x.is_finite() && y.is_finite()), "{}: {}", figure.id, line.name);
        }
    }
    if runs_all() { documents::compare("docs/paper.md", "cargo xtask paper", &table(&figures)) } else { Ok(()) }
}
