//! `cargo xtask dev torture`: everything a device must survive, tried many times.

use std::process::Command;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use osculate_lab::toolchain::ambient;

use crate::{check, repository, setup};

/// The command's options.
#[derive(Args)]
pub(crate) struct Options {
    /// What the tests try by default, once they are built a minute's worth, instead of half an hour's
    #[arg(long)]
    quick: bool,
}

/// Runs the long forms of the tests that try things many times, then the fuzzer. Each says how often it has tried.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::ensure()?;
    let started = Instant::now();
    let mut failed = Vec::new();
    for (about, mut command) in parts(options.quick) {
        command.current_dir(repository());
        if !check::passes(about, &mut command, |_| ())? {
            failed.push(about);
        }
    }
    println!("{} s", started.elapsed().as_secs());
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn parts(quick: bool) -> [(&'static str, Command); 3] {
    let mut store = ambient("cargo");
    store.args(["test", "--package", "checkpoint-ring", "--test", "ring", "--", "--nocapture"]);
    store.env("CHECKPOINT_RING_WRITES", if quick { "3" } else { "172" });
    let mut tests = ambient("cargo");
    tests.args(["test", "--package", "osculate-host-tests", "--test", "survival", "--test", "sensors"]);
    tests.args(["--", "--nocapture"]).env("OSCULATE_ALL", if quick { "0" } else { "1" });
    let mut fuzz = ambient("cargo");
    fuzz.args(["run", "--quiet", "--package", "osculate-fuzz", "--", "--brief", "--calls"]);
    fuzz.arg(if quick { "300000" } else { "100000000" });
    [
        ("power that fails while a checkpoint is stored", store),
        ("devices that fail, and what they must survive", tests),
        ("arbitrary bits for everything that people call", fuzz),
    ]
}
