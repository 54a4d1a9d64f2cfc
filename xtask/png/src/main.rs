//! Writes `NAME.png` beside each `NAME.svg` given.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, Result};

fn main() -> ExitCode {
    for file in env::args_os().skip(1) {
        if let Err(error) = draw(Path::new(&file)) {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn draw(file: &Path) -> Result<()> {
    let name = file.display();
    let svg = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    let picture = file.with_extension("png");
    let pixels = xtask_png::of(&svg).with_context(|| format!("{name}"))?;
    fs::write(&picture, pixels).with_context(|| format!("cannot write {}", picture.display()))?;
    println!("picture:  {}", picture.display());
    Ok(())
}
