//! `cargo xtask nexting`: the smallest example. A device predicts its compass, and the host compares.

mod figure;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use osculate_apps::nexting::{GAMMAS, STEPS};
use osculate_lab::firmware;
use osculate_lab::nexting::{on_device, unforeseen};
use osculate_lab::waiting;

use crate::progress::Progress;
use crate::{drawing, repository, sensors, setup};

/// How the device learns, and where.
#[derive(Args)]
pub(crate) struct Options {
    /// How many episodes of 256 steps to learn for
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=1000))]
    episodes: u32,
    /// The seed of the wheel's jitter and the compass's noise
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A board of firmware/boards.toml with a bus for the compass: mps2-an385, mps2-an386 or mps2-an500
    #[arg(long)]
    board: Option<String>,
    /// The folder for the picture [default: target/nexting]
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
}

/// Learns on the device, compares with the ground truth, and draws.
pub(crate) fn run(options: &Options) -> Result<()> {
    let board = sensors::board(options.board.as_deref())?;
    setup::ensure()?;
    let building = format!("building the firmware for {} ({})", board.name, board.core);
    waiting::during(&building, || firmware::build(board, "nexting", &[]))?;
    let all = (options.episodes * STEPS) as usize;
    let mut progress = Progress::new(all, "steps");
    let moments = on_device(board, options.seed, options.episodes, |steps| {
        progress.show(steps);
        Ok(())
    })?;
    drop(progress);

    // The future of the last episode is unknown.
    let last = options.episodes as usize - 2;
    println!("\nhow much of the compass's future was not foreseen, as a share of its variance\n");
    println!("  {:>8} {:>12} {:>14} {:>14}", "gamma", "steps ahead", "episode 1", format!("episode {}", last + 1));
    for (scale, gamma) in GAMMAS.iter().enumerate() {
        let percent = |episode| format!("{:.1} %", 100.0 * unforeseen(&moments, scale, episode));
        println!("  {gamma:>8} {:>12} {:>14} {:>14}", 1.0 / (1.0 - gamma), percent(0), percent(last));
    }
    let folder = options.pictures.clone().unwrap_or_else(|| repository().join("target").join("nexting"));
    let svg = drawing::write(&figure::svg(&moments, last), &folder, "nexting")?;
    println!("\npicture:  {}", svg.display());
    println!("repeat:   cargo xtask nexting --seed {} --episodes {}", options.seed, options.episodes);
    Ok(())
}
