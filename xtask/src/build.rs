//! `cargo xtask dev build`: builds the firmware for a board, and writes the file that its drive takes.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use clap::Args;
use osculate_lab::boards::Board;
use osculate_lab::firmware::{self, APPLICATION};
use osculate_lab::image_check::{ASSUMPTION, Report, Stack, check};
use osculate_lab::{image_files, waiting};

use crate::{boards, setup};

/// Build the firmware for a board, and show where it is and what it takes
#[derive(Args)]
pub(crate) struct Options {
    /// A board that `cargo xtask boards` lists
    #[arg(long, value_name = "NAME")]
    board: String,
    /// A program of firmware/src/bin or firmware/examples
    #[arg(long, value_name = "NAME", default_value = APPLICATION)]
    bin: String,
    /// Also write the ELF file and what the board's USB drive takes, hex or UF2, into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// A binary for a board.
pub(crate) struct Built {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// The ELF file.
    pub(crate) elf: Vec<u8>,
    /// What it takes, and what is wrong with it.
    pub(crate) report: Report,
}

impl Built {
    /// Whether nothing is wrong with it, and it is known how deep its stack gets.
    pub(crate) fn is_fine(&self) -> bool {
        self.report.complaints.is_empty() && matches!(self.report.stack, Stack::Known { .. })
    }

    /// Prints its place, its sizes and the complaints.
    pub(crate) fn show(&self, board: &Board) {
        let Report { flash, ram, stack, complaints } = &self.report;
        println!("{}", shown(&self.path).display());
        println!("  flash       {flash} of {} bytes", board.program().bytes);
        println!("  static RAM  {ram} of {} bytes", board.ram.bytes);
        match stack {
            Stack::Known { bytes, available, assumed, .. } => {
                let condition = if assumed.is_empty() { String::new() } else { format!(", {ASSUMPTION}") };
                println!("  stack       {bytes} of {available} bytes{condition}");
            }
            // Demangled names can be very long.
            Stack::Unknown(reason) => println!("  stack       not known: {reason:.160}"),
        }
        complaints.iter().for_each(|complaint| println!("warning: {complaint}"));
    }
}

/// Builds it, and shows it.
pub(crate) fn run(options: &Options) -> Result<()> {
    let board = boards::buildable(&options.board)?;
    setup::ensure_compiler()?;
    let built = binary(board, &options.bin)?;
    built.show(board);
    let Some(folder) = &options.out else { return Ok(()) };
    ensure!(built.report.complaints.is_empty(), "nothing is written: this image would not do");
    let (extension, bytes) = image_files::for_drive(board, &built.elf)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (extension, bytes) in [("elf", &built.elf), (extension, &bytes)] {
        let file = folder.join(format!("{}.{extension}", board.name));
        fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
        println!("{}", file.display());
    }
    Ok(())
}

/// Builds the application as it is flashed, and checks its image.
///
/// # Errors
/// If it cannot be built.
pub(crate) fn application(board: &Board) -> Result<Built> {
    binary(board, APPLICATION)
}

fn binary(board: &Board, bin: &str) -> Result<Built> {
    // The other binaries talk to the lab, by semihosting.
    let features = if bin == APPLICATION { firmware::application_features(board) } else { &[] };
    let what = format!("building {bin} for {}; the first time takes a minute or two", board.name);
    let path = waiting::during(&what, || firmware::build(board, bin, features))?;
    let elf = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let report = check(board, &elf)?;
    Ok(Built { path, elf, report })
}

/// The path as seen from here.
pub(crate) fn shown(path: &Path) -> &Path {
    env::current_dir().ok().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path)
}
