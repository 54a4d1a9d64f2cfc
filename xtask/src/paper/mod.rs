//! `cargo xtask paper`: every experiment of the paper, as pictures, numbers, and a page.

mod chart;
mod figures;
mod page;
mod picture;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use figures::Figure;
use osculate_lab::documents::aligned;
use osculate_lab::toolchain::ambient;

use crate::progress::Progress;
use crate::{drawing, repository};

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

/// Runs the experiments, draws, and judges.
pub(crate) fn run(options: &Options) -> Result<()> {
    let out = options.out.clone().unwrap_or_else(|| repository().join("target").join("paper"));
    // Before minutes of work rather than after.
    fs::create_dir_all(&out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    let figures = measured(options.quick, &out)?;
    let mut command = String::from("cargo xtask paper");
    if options.quick {
        command += " --quick";
    }
    let page = write(&figures, &command, &out)?;
    print!("{}", table(&figures));
    println!("\npage:     {}", page.display());
    println!("repeat:   {command}");
    let failed = missing(&figures);
    if !failed.is_empty() {
        bail!("not shown: {}", failed.join("; "));
    }
    Ok(())
}

/// Runs the experiments, which the tests' crate has: they need its references and worlds.
fn measured(quick: bool, out: &Path) -> Result<Vec<Figure>> {
    println!("running the experiments; the first time, what does it is built");
    let file = out.join("figures.json");
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--quiet", "--package", "osculate-host-tests", "--example", "paper", "--manifest-path"]);
    cargo.arg(repository().join("Cargo.toml")).arg("--").arg("--json").arg(&file);
    if quick {
        cargo.arg("--quick");
    }
    let mut child = cargo.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let lines = BufReader::new(child.stdout.take().context("the output is a pipe")?).lines();
    let mut progress = None;
    for line in lines {
        let line = line.context("cannot read what the experiments say")?;
        if let Some((done, total)) =
            line.split_once(" of ").and_then(|(done, total)| Some((done.parse().ok()?, total.parse().ok()?)))
        {
            progress.get_or_insert_with(|| Progress::new(total, "runs")).show(done);
        }
    }
    drop(progress);
    ensure!(child.wait()?.success(), "the experiments failed");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not what was expected", file.display()))
}

/// Writes all files; returns the page.
fn write(figures: &[Figure], command: &str, out: &Path) -> Result<PathBuf> {
    for figure in figures {
        drawing::write(&picture::of_figure(figure), out, &figure.id)?;
    }
    let summary = serde_json::to_string_pretty(&figures::summary(figures))? + "\n";
    drawing::file(out.join("summary.json"), summary.as_bytes())?;
    drawing::file(out.join("paper.html"), page::html(figures, command).as_bytes())
}

/// The must-shows as a table that is also one in Markdown, as in docs/paper.md.
fn table(figures: &[Figure]) -> String {
    let mut rows = vec![["figure", "what it must show", "must be", "measured", "shown"].map(String::from)];
    for figure in figures {
        for claim in &figure.claims {
            let [bound, measured, verdict] = claim.cells.clone();
            rows.push([figure.id.clone(), claim.what.clone(), bound, measured, verdict]);
        }
    }
    aligned(&rows)
}

/// What is required and not shown.
fn missing(figures: &[Figure]) -> Vec<String> {
    let of = |figure: &Figure| -> Vec<String> {
        let failed = figure.claims.iter().filter(|claim| claim.required && !claim.met);
        failed
            .map(|claim| format!("{}: {} is {}, must be {}", figure.id, claim.what, claim.cells[1], claim.cells[0]))
            .collect()
    };
    figures.iter().flat_map(of).collect()
}
