//! `cargo xtask replay`: recorded data through the learner, on the host or on a board in QEMU.

mod options;
mod report;

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use osculate_lab::firmware;
use osculate_lab::replay::json::Results;
use osculate_lab::replay::prequential::Predictions;
use osculate_lab::replay::{Job, Learned, columns, csv, device, host};
use osculate_lab::waiting;

use crate::progress::Progress;
use crate::setup;

pub(crate) use options::Options;

/// Reads, learns, and prints. The JSON file is written last, or not at all.
pub(crate) fn run(options: &Options) -> Result<()> {
    let arith = options.arith();
    let config = options.config()?;
    let board = options.board()?;
    if let Some(out) = &options.json {
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        ensure!(folder.is_dir(), "cannot write {}: there is no folder {}", out.display(), folder.display());
    }
    let name = options.file.display();
    let file = File::open(&options.file).with_context(|| format!("cannot open {name}"))?;
    let trace = csv::read(BufReader::new(file)).with_context(|| format!("{name}"))?;
    println!("{name}: {} episodes, {} steps, {} features", trace.episodes(), trace.steps(), trace.features());
    println!("learning in {} on {}: {}", arith.name(), options.on, report::parameters(&config));
    for warning in columns::warnings(&trace) {
        eprintln!("warning: {warning}");
    }

    let job = Job { trace: &trace, arith, config };
    let mut progress = Progress::new(trace.episodes(), "updates");
    let mut predictions = Predictions::new(job);
    let (mut reports, mut weights, mut estimate) = (Vec::new(), Vec::new(), Vec::new());
    let mut keep = |learned: Learned<'_>| {
        predictions.update(learned);
        reports.push(learned.report);
        weights = learned.weights.to_vec();
        estimate = learned.estimate.to_vec();
    };
    match board {
        None => host::run(&job, &mut |learned| {
            keep(learned);
            progress.add_one();
        })?,
        Some(board) => {
            setup::ensure_for(board)?;
            let building = format!("building the firmware for {} ({})", board.name, board.core);
            let elf = waiting::during(&building, || firmware::build(board, "replay", &[]))?;
            progress.restart();
            device::run(board, &elf, &job, |done| progress.show(done as usize), &mut keep)?;
        }
    }
    let took = progress.elapsed();
    drop(progress);

    report::episodes(config.rule, &reports);
    report::weights("weights", arith, &weights);
    if config.rule.reports_average() {
        report::weights("averaged", arith, &estimate);
    }
    let prequential = predictions.measure();
    println!("\n{}", report::learned(&job, &prequential));
    println!("took {:.2} s", took.as_secs_f64());
    if let Some(out) = &options.json {
        let results = Results::new(&job, &reports, &weights, &estimate, prequential);
        fs::write(out, results.to_text()?).with_context(|| format!("cannot write {}", out.display()))?;
        println!("wrote {}", out.display());
    }
    Ok(())
}
