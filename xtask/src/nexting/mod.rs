//! `cargo xtask nexting`: the smallest example. A device predicts its compass, and the host compares.

mod figure;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Result, ensure};
use clap::Args;
use osculate_apps::choice::Rule;
use osculate_apps::nexting::GAMMAS;
use osculate_lab::boards::{Board, Status};
use osculate_lab::firmware;
use osculate_lab::nexting::{CHANGE, Moment, STEPS, WINDOWS, covered, on_device, on_host, unforeseen};
use osculate_lab::waiting;

use crate::{repository, setup};
use osculate_lab::drawing;

/// Watch a device in its emulator predict its sensor on four time scales
#[derive(Args)]
pub(crate) struct Options {
    /// The seed of the wheel's jitter and the compass's noise
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A board of firmware/boards.toml that an emulator runs: see `cargo xtask boards`
    #[arg(long, default_value = "mps2-an386")]
    board: String,
    /// The folder for the picture [default: target/nexting]
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
}

/// Learns on the device, compares with the ground truth, and draws.
pub(crate) fn run(options: &Options) -> Result<()> {
    let board = Board::named(&options.board)?;
    let able = Board::all().iter().filter(|board| board.status == Status::Run && board.family.is_some());
    let names: Vec<_> = able.map(|board| board.name.as_str()).collect();
    ensure!(names.contains(&&*board.name), "no emulator runs {}; choose one of {}", board.name, names.join(", "));
    setup::ensure_for(board)?;
    let building = format!("building the firmware for {} ({})", board.name, board.core);
    waiting::during(&building, || firmware::build(board, "nexting", &[]))?;
    let moments = waiting::counting(STEPS as usize, "steps", |done| {
        on_device(board, options.seed, STEPS, |steps| done.store(steps, Ordering::Relaxed))
    })?;

    // The same readings on this machine, by the rule that cuts the stream into episodes.
    let others = on_host(Rule::Streaming, options.seed, STEPS)?;
    report(&[(Rule::Tracking, &moments), (Rule::Streaming, &others)]);
    let folder = options.pictures.clone().unwrap_or_else(|| repository().join("target").join("nexting"));
    let svg = drawing::write(&figure::svg(&moments), &folder, "nexting")?;
    println!("\npicture:  {}", svg.display());
    println!("repeat:   cargo xtask nexting --board {} --seed {}", board.name, options.seed);
    Ok(())
}

/// What was not foreseen with each rule before the wheel is changed, then, and later.
fn report(runs: &[(Rule, &[Moment])]) {
    let columns = |cells: [String; 3]| cells.map(|cell| format!("{cell:>15}")).concat();
    println!("\nhow much of the compass's future was not foreseen, as a share of its variance;");
    println!("at step {CHANGE} another wheel takes the place of the first\n");
    let steps = WINDOWS.map(|steps| format!("{}–{}", steps.start, steps.end));
    println!("  {:<10} {:>8} {:>12}{}", "rule", "gamma", "steps ahead", columns(steps));
    for (rule, moments) in runs {
        for (scale, gamma) in GAMMAS.iter().enumerate() {
            let missed = WINDOWS.map(|steps| format!("{:.4}", unforeseen(moments, scale, steps)));
            println!("  {:<10} {gamma:>8} {:>12}{}", rule.name(), 1.0 / (1.0 - gamma), columns(missed));
        }
        if let [Some(before), Some(then), Some(later)] = WINDOWS.map(|steps| covered(moments, steps)) {
            let shares = [before, then, later].map(|share| format!("{:.1} %", 100.0 * share));
            println!("  {:<10} {:>21}{}", rule.name(), "in the band of 95 %", columns(shares));
        }
    }
}
