//! `cargo xtask dev torture`: everything a device must survive, tried many times.

use anyhow::Result;
use clap::Args;
use osculate_lab::toolchain::ambient;

use crate::{check, repository, setup};

/// Try everything that a device must survive, many times: power cuts, faults, hangs, kills, arbitrary bits
#[derive(Args)]
pub(crate) struct Options {
    /// What the tests try by default, once they are built a minute's worth, instead of half an hour's
    #[arg(long)]
    quick: bool,
}

/// Runs the long forms of the tests that try things many times, then the fuzzer. Each says how often it has tried.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::ensure()?;
    let (all, calls) = if options.quick { ("0", "300000") } else { ("1", "100000000") };
    let mut tests = ambient("cargo");
    tests.args(["test", "--package", "osculate-host-tests", "--test", "survival", "--test", "sensors"]);
    tests.args(["--", "--nocapture"]).env("OSCULATE_ALL", all).current_dir(repository());
    let mut fuzz = ambient("cargo");
    fuzz.args(["run", "--quiet", "--package", "osculate-fuzz", "--", "--brief", "--calls", calls]);
    let survived = check::run("devices that fail, and what they must survive", &mut tests);
    check::run("arbitrary bits for everything that people call", fuzz.current_dir(repository())).and(survived)
}
