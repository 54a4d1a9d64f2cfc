//! Rules, arithmetics and houses on the command line, by name, and files to write.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use osculate_apps::choice::{Arith, Rule};
use osculate_lab::room::plant::Houses;

/// One of these, by its name.
fn named<T: Copy + Send + Sync>(all: &'static [T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T> {
    // The parser accepts no other name.
    let parsed = move |text: String| all.iter().copied().find(|one| name(*one) == text).unwrap_or(all[0]);
    PossibleValuesParser::new(all.iter().map(|one| name(*one))).map(parsed)
}

/// `paper`, `predictable`, …
pub(crate) fn rules() -> impl TypedValueParser<Value = Rule> {
    named(&Rule::NAMES, |(name, _)| name).map(|(_, rule)| rule)
}

/// All arithmetics: those that a recording can be learned from in.
pub(crate) fn arithmetics() -> impl TypedValueParser<Value = Arith> {
    named(&Arith::ALL, Arith::name)
}

/// `f32` and `q28`: the arithmetics that the room's firmware can be built for.
pub(crate) fn arithmetics_of_the_room() -> impl TypedValueParser<Value = Arith> {
    named(&[Arith::F32, Arith::Q28], Arith::name)
}

/// `near` and `wild`.
pub(crate) fn houses() -> impl TypedValueParser<Value = Houses> {
    named(&Houses::ALL, Houses::name)
}

/// Refuses a file whose folder does not exist, before any work is done.
pub(crate) fn ensure_folder(file: &Option<PathBuf>) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(folder.is_dir(), "cannot write {}: there is no folder {}", file.display(), folder.display());
    Ok(())
}
