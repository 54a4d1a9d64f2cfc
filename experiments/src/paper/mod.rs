//! Every experiment of the paper, as pictures, numbers, and a page.

mod bias;
mod equations;
mod figure;
mod memory;
mod momentum;
mod noisy;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use osculate_lab::drawing::{self, picture};
use osculate_lab::repository::repository;
use osculate_lab::text_table::Table;

use self::figure::{Claim, Figure};

/// How much is run.
#[derive(Clone, Copy)]
struct Size {
    /// Worlds per figure, with the seeds 0, 1, 2, …
    seeds: u64,
    /// The same for figure 1b: small systems differ from seed to seed by more than the sizes do.
    many_seeds: u64,
    /// Runs whose mean compares the momentum methods.
    momentum_runs: u64,
    /// Episodes of the runs that show a limit.
    long: u32,
}

impl Size {
    /// As the figures are published: a minute on two cores.
    const FULL: Self = Self { seeds: 20, many_seeds: 20, momentum_runs: 10, long: 30_000 };
    /// Everything once over, with fewer seeds and shorter runs.
    const QUICK: Self = Self { seeds: 10, many_seeds: 20, momentum_runs: 10, long: 10_000 };
}

/// All figures, in the order of the page.
fn figures(size: Size) -> Vec<Figure> {
    let all = [
        equations::steps,
        equations::sizes,
        momentum::figure,
        noisy::rules,
        noisy::betas,
        equations::toy,
        equations::scale,
        noisy::arithmetics,
        bias::figure,
        memory::figure,
    ];
    all.into_iter().map(|figure| figure(size)).collect()
}

const AFTER_HELP: &str = "\
Writes one SVG per figure, `summary.json` (rules, medians, ranges, seeds, and what each figure must show) and `paper.html`, a
page that needs nothing else. Ends with exit code 1 if a figure does not show what it must.";

/// What to run, and where the results go.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Options {
    /// The folder for figures, numbers and the page [default: target/paper]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Half of the seeds, and shorter runs where a limit is shown
    #[arg(long)]
    quick: bool,
}

/// Runs the experiments, draws, and judges: it is an error if a figure does not show what it must.
pub(crate) fn run(options: &Options) -> Result<()> {
    let out = options.out.clone().unwrap_or_else(|| repository().join("target").join("paper"));
    // Before minutes of work rather than after.
    fs::create_dir_all(&out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    let figures = figures(if options.quick { Size::QUICK } else { Size::FULL });
    let command = if options.quick { "cargo xtask paper --quick" } else { "cargo xtask paper" };
    let page = write(&figures, command, &out)?;
    print!("{}", claims(&figures).aligned());
    println!("\npage:     {}", page.display());
    println!("repeat:   {command}");
    let failed = missing(&figures);
    if !failed.is_empty() {
        bail!("not shown: {}", failed.join("; "));
    }
    Ok(())
}

/// Writes all files; returns the page.
fn write(figures: &[Figure], command: &str, out: &Path) -> Result<PathBuf> {
    for figure in figures {
        drawing::write(&picture(Some(figure.title), &figure.panels), out, figure.id)?;
    }
    let summary = serde_json::to_string_pretty(figures)? + "\n";
    drawing::file(out.join("summary.json"), summary.as_bytes())?;
    drawing::file(out.join("paper.html"), page::html(figures, command).as_bytes())
}

/// What the figures must show, as a table that is also one in Markdown, as in docs/paper.md.
fn claims(figures: &[Figure]) -> Table {
    let mut table = Table::new("lllll", ["figure", "what it must show", "must be", "measured", "shown"]);
    for figure in figures {
        for claim in &figure.claims {
            table.row([figure.id.into(), claim.what.clone()].into_iter().chain(claim.cells()));
        }
    }
    table
}

/// What is required and not shown.
fn missing(figures: &[Figure]) -> Vec<String> {
    let told = |figure: &Figure, claim: &Claim| {
        let [bound, measured, _] = claim.cells();
        format!("{}: {} is {measured}, must be {bound}", figure.id, claim.what)
    };
    let all = figures.iter().flat_map(|figure| figure.claims.iter().map(move |claim| (figure, claim)));
    all.filter(|(_, claim)| claim.required && !claim.met).map(|(figure, claim)| told(figure, claim)).collect()
}

#[cfg(test)]
mod tests {
    use osculate_lab::documents;
    use osculate_lab::drawing::{Axis, Line};
    use osculate_lab::repository::runs_all;
    use roxmltree::Document;

    use super::*;
    use crate::curves::Summary;

    /// In the order of the page.
    const FIGURES: [&str; 10] = ["1a", "1b", "2a", "2b", "beta", "toy", "scale", "arithmetic", "bias", "memory"];

    /// Every figure once over.
    const SHORT: Size = Size { seeds: 4, many_seeds: 4, momentum_runs: 2, long: 10_000 };

    #[test]
    fn every_figure_shows_what_it_must_and_the_documentation_says_so() -> Result<()> {
        let figures = figures(if runs_all() { Size::FULL } else { SHORT });
        assert_eq!(figures.iter().map(|figure| figure.id).collect::<Vec<_>>(), FIGURES);
        let claims = claims(&figures).aligned();
        print!("{claims}");
        assert_eq!(missing(&figures), [""; 0]);
        for figure in &figures {
            for line in figure.panels.iter().flat_map(|panel| &panel.lines) {
                assert!(
                    line.points.iter().all(|(x, y)| x.is_finite() && y.is_finite()),
                    "{}: {}",
                    figure.id,
                    line.name
                );
            }
        }
        if runs_all() { documents::compare("docs/paper.md", "cargo xtask paper", &claims) } else { Ok(()) }
    }

    fn sample() -> Vec<Figure> {
        let line = |name: &str| Line::plain(name, vec![(1.0, 0.5), (10.0, 0.05), (100.0, 0.0)]);
        let figure = |id, claims: Vec<Claim>| {
            let figure = Figure::new(id, "A title", "What `tracking` does & why.").seeds(2).claims(claims);
            let lines = || vec![line("one <rule>"), line("another")];
            let add = |figure: Figure, title| figure.errors(title, Axis::log("episodes k"), lines());
            ["a", "b", "c"].into_iter().fold(figure, add).results([Summary::new("error", "one", &[0.25, 0.5, 1.0])])
        };
        let claim = |measured| Claim::at_most("a number", measured, 70.0);
        vec![figure("1a", vec![claim(54.5)]), figure("2a", vec![claim(80.0).remark(), claim(90.0)])]
    }

    #[test]
    fn figures_are_labelled_and_the_page_needs_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let page = fs::read_to_string(write(&sample(), "cargo xtask paper", folder.path()).unwrap()).unwrap();
        for id in ["1a", "2a"] {
            let svg = fs::read_to_string(folder.path().join(id).with_extension("svg")).unwrap();
            let document = Document::parse(&svg).unwrap();
            let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
            for label in ["A title", "episodes k", "relative error", "one <rule>", "another", "10", "0.1"] {
                assert!(texts.contains(&label), "{label} is missing in {id}");
            }
            // Nothing is drawn outside of the picture.
            let size = |name: &str| document.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
            for node in document.descendants().filter(|node| node.has_tag_name("text")) {
                let place = |name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
                assert!(place("x") < size("width") && place("y") < size("height"));
            }
        }
        assert!(page.contains("<code>tracking</code> does &amp; why") && page.matches("<svg").count() == 6);
        assert!(page.contains("width=device-width") && page.contains("prefers-color-scheme: dark"));
        let page = page.replace("http://www.w3.org/2000/svg", "");
        for link in ["http", "src=", "href=", "@import", "url("] {
            assert!(!page.contains(link), "{link} in the page");
        }
        let summary = fs::read_to_string(folder.path().join("summary.json")).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        assert_eq!(summary[0]["must_show"][0]["measured"], 54.5);
        assert!(summary[1]["results"][0]["median"] == 0.5 && summary[0].get("panels").is_none());
    }

    #[test]
    fn only_what_is_required_and_not_shown_is_an_error() {
        let figures = sample();
        assert_eq!(missing(&figures), ["2a: a number is 90, must be ≤ 70"]);
        let table = claims(&figures).aligned();
        assert!(table.contains("| 1a ") && table.contains("| NO ") && table.contains("| ≤ 70 "), "{table}");
    }
}
