//! `cargo xtask dev dist`: the files that real boards are flashed from.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use osculate_lab::image_files::Format;

use crate::build::{self, shown};
use crate::columns::{Align, lines};
use crate::{boards, repository, setup};

/// What to write, and where.
#[derive(Args)]
pub(crate) struct Options {
    /// Only this board; may be repeated
    #[arg(long, value_name = "NAME")]
    board: Vec<String>,
    /// The folder for the files; target/dist, if none is named
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Builds, writes, reads back, and prints a table.
pub(crate) fn run(options: &Options) -> Result<()> {
    let boards = boards::chosen(&options.board, |board| board.chip.is_some())?;
    for board in &boards {
        ensure!(board.chip.is_some(), "{} exists only in an emulator: there is nothing to flash", board.name);
    }
    setup::ensure_compiler()?;
    let out = options.out.clone().unwrap_or_else(|| repository().join("target/dist"));
    fs::create_dir_all(&out).with_context(|| format!("cannot create {}", out.display()))?;
    let mut rows = vec![["board", "format", "bytes", "file"].map(String::from)];
    let mut wrong = Vec::new();
    for board in boards {
        let built = build::application(board)?;
        if !built.report.complaints.is_empty() {
            wrong.extend(built.report.complaints.iter().map(|complaint| format!("{}: {complaint}", board.name)));
            continue;
        }
        for format in Format::of(board) {
            let path = out.join(format!("{}.{}", board.name, format.extension()));
            let bytes = format.save(board, &built.elf, &path)?;
            let file = shown(&path).display().to_string();
            rows.push([board.name.clone(), format.extension().into(), bytes.to_string(), file]);
        }
    }
    println!();
    for line in lines([Align::Left, Align::Left, Align::Right, Align::Left], &rows) {
        println!("{line}");
    }
    println!("\nread back and compared with what was linked: all equal");
    if !wrong.is_empty() {
        bail!("these images were not written:\n  {}", wrong.join("\n  "));
    }
    Ok(())
}
