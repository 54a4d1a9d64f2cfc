//! `cargo xtask rivals`: the rules against those that an engineer would otherwise take. An example of the tests' crate
//! measures them, as for `compare`; the room comes from the demo's houses; the pictures are drawn here.

mod axes;
mod cost;
mod gains;
mod numbers;
mod room;
mod units;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use osculate_lab::toolchain::ambient;

use crate::{check, drawing, repository};
use numbers::Numbers;

/// What is compared, and where the results go.
#[derive(Args)]
pub(crate) struct Options {
    /// The tables come from the seeds 0, 1, 2, …; rivals are tuned on others [default: 40]
    #[arg(long)]
    seeds: Option<u64>,
    /// Only tables of problems with this in their names, and no pictures
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Print tables for a document
    #[arg(long)]
    markdown: bool,
    /// Also write the numbers to this file
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    /// Measure nothing, but draw from the numbers that --json has written
    #[arg(long, value_name = "JSON", conflicts_with_all = ["seeds", "only", "json"])]
    from: Option<PathBuf>,
    /// The folder for the pictures [default: target/rivals]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Measures, prints and draws.
pub(crate) fn run(options: &Options) -> Result<()> {
    let own = repository().join("target").join("rivals");
    let folder = options.out.clone().unwrap_or_else(|| own.clone());
    let json = options.from.clone().or_else(|| options.json.clone()).unwrap_or_else(|| own.join("rivals.json"));
    if options.from.is_none() {
        fs::create_dir_all(&own).with_context(|| format!("cannot make the folder {}", own.display()))?;
        measure(options, &json)?;
    }
    if options.only.is_some() {
        return Ok(());
    }
    let numbers = Numbers::read(&json)?;
    let costs = room::Costs::measure()?;
    costs.print(options.markdown);
    let pictures = [
        ("least-squares", units::svg(&numbers)?),
        ("nlms", gains::nlms(&numbers)?),
        ("td", gains::td(&numbers)?),
        ("rls", cost::svg(&numbers)?),
        ("pi", costs.svg()),
    ];
    for (name, svg) in pictures {
        println!("picture:  {}", drawing::write(&svg, &folder, name)?.display());
    }
    Ok(())
}

/// Runs what measures, and prints.
fn measure(options: &Options, json: &Path) -> Result<()> {
    let mut cargo = ambient("cargo");
    cargo.args(["run", "--package", "osculate-host-tests", "--example", "rivals", "--manifest-path"]);
    cargo.arg(repository().join("Cargo.toml")).arg("--").arg("--json").arg(json);
    if let Some(seeds) = options.seeds {
        cargo.arg("--seeds").arg(seeds.to_string());
    }
    if let Some(only) = &options.only {
        cargo.arg("--only").arg(only);
    }
    if options.markdown {
        cargo.arg("--markdown");
    }
    check::run("comparing; the first time, what does it is built", &mut cargo)
}
