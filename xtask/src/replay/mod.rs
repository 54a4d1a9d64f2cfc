//! `cargo xtask replay`: recorded data through the learner, on the host or on a board in QEMU.

mod options;
mod report;

use std::fs::{self, File};
use std::io::BufReader;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, Result};
use osculate_lab::firmware;
use osculate_lab::replay::prequential::Predictions;
use osculate_lab::replay::{Job, Learned, columns, csv, device, host, json};
use osculate_lab::waiting;

use crate::{choice, setup};

pub(crate) use options::Options;

/// Reads, learns, and prints. The JSON file is written last, or not at all.
pub(crate) fn run(options: &Options) -> Result<()> {
    let arith = options.arith;
    let config = options.config()?;
    let board = options.board()?;
    choice::ensure_folder(&options.json)?;
    let name = options.file.display();
    let file = File::open(&options.file).with_context(|| format!("cannot open {name}"))?;
    let trace = csv::read(BufReader::new(file)).with_context(|| format!("{name}"))?;
    println!("{name}: {} episodes, {} steps, {} features", trace.episodes(), trace.steps(), trace.features());
    println!("learning in {} on {}: {}", arith.name(), options.on, report::parameters(&config));
    for warning in columns::warnings(&trace) {
        eprintln!("warning: {warning}");
    }

    let job = Job { trace: &trace, arith, config };
    let mut predictions = Predictions::new(job);
    let (mut reports, mut last) = (Vec::new(), None);
    let mut keep = |learned: Learned| {
        predictions.update(&learned);
        reports.push(learned.report);
        last = Some(learned);
    };
    let elf = board.map(|board| {
        setup::ensure_for(board)?;
        let building = format!("building the firmware for {} ({})", board.name, board.core);
        waiting::during(&building, || firmware::build(board, "replay", &[]))
    });
    let (elf, started) = (elf.transpose()?, Instant::now());
    waiting::counting(trace.episodes(), "updates", |done| match board.zip(elf) {
        None => host::run(&job, &mut |learned| {
            keep(learned);
            done.fetch_add(1, Ordering::Relaxed);
        }),
        Some((board, elf)) => {
            device::run(board, &elf, &job, |count| done.store(count as usize, Ordering::Relaxed), &mut keep)
        }
    })?;
    let took = started.elapsed();

    let last = last.context("a recording has an episode")?;
    report::episodes(config.rule, &reports);
    report::weights("weights", arith, &last.weights);
    if config.rule.reports_average() {
        report::weights("averaged", arith, &last.estimate);
    }
    let prequential = predictions.measure();
    println!("\n{}", report::learned(&job, &prequential));
    println!("took {:.2} s", took.as_secs_f64());
    if let Some(out) = &options.json {
        let results = json::results(&job, &reports, &last, &prequential);
        fs::write(out, results).with_context(|| format!("cannot write {}", out.display()))?;
        println!("wrote {}", out.display());
    }
    Ok(())
}
