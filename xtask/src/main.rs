//! The project's commands that need the lab: its boards, its emulators, the machine. [The front](../xtask) starts it.

use std::io;
use std::panic;
use std::path::PathBuf;
use std::process::{self, ExitCode};

use clap::{Parser, Subcommand};
pub(crate) use osculate_lab::repository::repository;

mod bench;
mod boards;
mod build;
mod check;
mod choice;
mod demo;
mod flash;
mod hygiene;
mod lint;
mod nexting;
mod qemu;
mod replay;
mod setup;
mod test;
mod torture;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    Demo(demo::Options),
    Nexting(nexting::Options),
    Replay(replay::Options),
    Boards(boards::Options),
    Flash(flash::Options),
    Setup(setup::Options),
    /// Show what this machine has, changing nothing
    Doctor,
    Test(test::Options),
    /// Check formatting and lints of host crates and firmware, warnings denied
    Lint,
    #[command(subcommand)]
    Dev(Dev),
}

#[derive(Subcommand)]
enum Dev {
    Bench(bench::Options),
    Build(build::Options),
    /// Run a firmware ELF file in the emulator of its board and show its log
    Qemu {
        /// The file, as cargo built it in firmware
        elf: PathBuf,
        /// A board of firmware/boards.toml, if not the one it was built for
        #[arg(long)]
        board: Option<String>,
    },
    /// Check what a release rests on: features, oldest compiler, package, documentation, Miri
    Hygiene,
    Torture(torture::Options),
}

fn main() -> ExitCode {
    end_quietly_without_readers();
    match run(Task::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads the output any more: no failure, and no word about it.
        Err(error) if is_closed_pipe(&error) => ExitCode::from(PIPE_CLOSED),
        // Not by returning it from here: that adds a backtrace if RUST_BACKTRACE is set.
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The exit code that a shell expects after `| head`.
const PIPE_CLOSED: u8 = 141;

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// `println!` panics if its output is closed, as after `| head`; that deserves no backtrace.
fn end_quietly_without_readers() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if info.payload_as_str().is_some_and(|message| message.starts_with("failed printing to stdout")) {
            process::exit(PIPE_CLOSED.into());
        }
        usual(info);
    }));
}

fn run(task: Task) -> anyhow::Result<()> {
    match task {
        Task::Demo(options) => demo::run(&options),
        Task::Nexting(options) => nexting::run(&options),
        Task::Replay(options) => replay::run(&options),
        Task::Boards(options) => boards::run(&options),
        Task::Flash(options) => flash::run(&options),
        Task::Setup(options) => setup::run(&options),
        Task::Doctor => setup::doctor::run(),
        Task::Test(options) => test::run(&options),
        Task::Lint => lint::run(),
        Task::Dev(Dev::Bench(options)) => bench::run(&options),
        Task::Dev(Dev::Build(options)) => build::run(&options),
        Task::Dev(Dev::Qemu { elf, board }) => qemu::run(&elf, board.as_deref()),
        Task::Dev(Dev::Hygiene) => hygiene::run(),
        Task::Dev(Dev::Torture(options)) => torture::run(&options),
    }
}
