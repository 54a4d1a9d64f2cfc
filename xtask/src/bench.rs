//! `cargo xtask bench`
use anyhow::Result;
use clap::Args;
use osculate_host_tests::bench::device;
use osculate_host_tests::lab::boards::Board;
use osculate_host_tests::lab::firmware;

/// What to measure.
#[derive(Args)]
pub(crate) struct Options {
    #[arg(long)]
    board: Vec<String>,
    #[arg(long)]
    arith: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    for board in &options.board {
        let board = Board::named(board)?;
        for arith in &options.arith {
            let elf = firmware::build(board, &format!("bench_{arith}"), &["bench"])?;
            device::run(board, &elf, |c| {
                println!(
                    "{:11} {:4} {:13} {:4} {:8} {:6.3} {:6}",
                    board.name,
                    arith,
                    c.kernel,
                    c.n,
                    c.instructions,
                    f64::from(c.instructions) / f64::from(c.macs),
                    c.stack
                );
            })?;
        }
    }
    Ok(())
}
