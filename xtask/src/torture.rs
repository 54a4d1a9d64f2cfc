//! `cargo xtask dev torture`: everything a device must survive, tried many times.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use osculate_lab::boards::Board;
use osculate_lab::survival::bus_faults::bus_faults;
use osculate_lab::survival::faults::{causes, overflows};
use osculate_lab::survival::kills::kills_while_storing;
use osculate_lab::survival::resets::{absent_devices, hangs, kills_in_the_room};
use osculate_lab::survival::sensors;
use osculate_lab::survival::soak::soak;
use osculate_lab::survival::{Progress, Tally, bit_flips, power_cuts};
use osculate_lab::toolchain::ambient;
use osculate_lab::waiting;
use serde_json::Value;

use crate::{check, repository, setup};

/// The command's options.
#[derive(Args)]
pub(crate) struct Options {
    /// A minute's worth, once it is built, instead of half an hour's
    #[arg(long)]
    quick: bool,
    /// Only the parts whose names contain this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Write the counts to a file: a list of {"promise", "tries", "failures"}
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
}

/// A part: its name, and what it tries.
type Part = (&'static str, Box<dyn Fn(&Progress) -> Result<Vec<Tally>>>);

/// Prints a table of promises, tries and failures. Any failure is an error.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::ensure()?;
    let started = Instant::now();
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only));
    let names: Vec<_> = parts(options.quick).into_iter().map(|(name, _)| name).chain([FUZZ]).collect();
    let count = names.iter().filter(|name| wanted(name)).count();
    if count == 0 {
        bail!("there is no such part; the parts are {}", names.join(", "));
    }
    println!(
        "{count} parts, {}",
        if options.quick { "a minute once they are built" } else { "half an hour on two cores" }
    );
    let mut tallies = Vec::new();
    println!("{:>12} {:>8}  promise", "tries", "failures");
    for (name, part) in parts(options.quick).into_iter().filter(|(name, _)| wanted(name)) {
        let progress = Progress::default();
        let state = || {
            let (done, total) = progress.so_far();
            format!("{name}: {done} of {total}, after {} s", started.elapsed().as_secs())
        };
        let tried = waiting::showing(state, || part(&progress)).unwrap_or_else(|error| {
            // The other parts are worth trying.
            let mut tally = Tally::new(name);
            tally.count(Err(format!("{error:#}")));
            vec![tally]
        });
        for tally in tried {
            show(&tally);
            tallies.push(tally);
        }
    }
    let mut list: Vec<Value> = tallies.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
    if wanted(FUZZ) {
        for tally in fuzz(if options.quick { 300_000 } else { 100_000_000 })? {
            let [tries, failures] = ["tries", "failures"].map(|key| tally[key].as_u64().unwrap_or(0));
            println!("{tries:>12} {failures:>8}  {}", tally["promise"].as_str().unwrap_or(""));
            list.push(tally);
        }
    }
    let count = |key: &str| list.iter().filter_map(|tally| tally[key].as_u64()).sum::<u64>();
    let (tries, failures) = (count("tries"), count("failures"));
    println!("{tries} tries, {failures} failures, in {} s", started.elapsed().as_secs());
    if let Some(file) = &options.json {
        write(file, &Value::Array(list))?;
    }
    if failures > 0 {
        bail!("{failures} of {tries} tries have failed");
    }
    Ok(())
}

const FUZZ: &str = "fuzz";

/// The parts.
fn parts(quick: bool) -> Vec<Part> {
    let of = move |short: u32, long: u32| if quick { short } else { long };
    vec![
        ("power cuts", Box::new(move |progress| power_cuts(of(20, 1200), progress))),
        ("bit flips", Box::new(move |progress| bit_flips(of(2, 40), progress))),
        ("bus faults", Box::new(move |progress| bus_faults(of(23, 1), progress))),
        ("sensor faults", Box::new(move |progress| sensors::faults(of(4, 40), progress))),
        ("healthy sensors", Box::new(move |progress| sensors::healthy(of(2, 80).into(), of(10, 90), progress))),
        ("absent devices", Box::new(absent_devices)),
        ("kills while storing", Box::new(move |progress| Ok(vec![kills_while_storing(of(10, 100), progress)?.0]))),
        ("kills in the room", Box::new(move |progress| kills_in_the_room(of(4, 40), progress))),
        ("hangs", Box::new(move |progress| hangs(of(1, 10), progress))),
        ("overflows", Box::new(|progress| overflows(&boards(), progress))),
        ("causes", Box::new(|progress| causes(&boards(), progress))),
        ("soak", Box::new(move |progress| soak(of(20_000, 1_000_000), progress))),
    ]
}

/// Every core.
fn boards() -> Vec<&'static Board> {
    Board::cores().collect()
}

fn show(tally: &Tally) {
    waiting::print(&format!("{:>12} {:>8}  {}", tally.tries, tally.failures, tally.promise));
    if let Some(first) = &tally.first {
        waiting::print(&format!("{:>12} {:>8}  the first failure: {first}", "", ""));
    }
}

/// Arbitrary bits for everything that people call. The fuzzer is large, so it is built only on request.
fn fuzz(calls: u64) -> Result<Vec<Value>> {
    let file = tempfile::NamedTempFile::new()?;
    let mut cargo = ambient("cargo");
    cargo
        .args(["run", "--quiet", "--package", "osculate-fuzz", "--manifest-path"])
        .arg(repository().join("Cargo.toml"));
    cargo.args(["--", "--brief", "--calls", &calls.to_string(), "--json"]).arg(file.path());
    // What it finds is in the file.
    check::passes("fuzzing; the first time, what does it is built", &mut cargo, |_| ())?;
    let text = fs::read_to_string(file.path())?;
    serde_json::from_str(&text).context("the fuzzer has counted nothing")
}

fn write(file: &Path, list: &Value) -> Result<()> {
    let text = serde_json::to_string_pretty(list)?;
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
