//! The Cortex-M targets, by rustup.

use anyhow::{Result, ensure};
use osculate_lab::toolchain::{self, ambient, answer, missing_targets, sysroot};

use super::{Brought, say};
use crate::check;

/// The version of rustup, if installed.
pub(super) fn version() -> Option<String> {
    let text = answer(ambient("rustup").arg("--version"))?;
    Some(text.split_whitespace().nth(1)?.to_owned())
}

/// Downloads the targets that the active toolchain lacks.
///
/// # Errors
/// If there is no rustup, or it cannot, or the compiler on the PATH still lacks them.
pub(super) fn bring_targets() -> Result<Brought> {
    let missing = missing_targets(&sysroot()?);
    if !missing.is_empty() {
        let names = missing.join(" ");
        ensure!(version().is_some(), "no Cortex-M targets ({names}), and no rustup: see https://rustup.rs");
        let mut add = ambient("rustup");
        check::step(&format!("rustup target add {names}"), add.args(["target", "add"]).args(&missing))?;
        let active = answer(ambient("rustup").args(["show", "active-toolchain"])).unwrap_or_default();
        let active = active.split_whitespace().next().unwrap_or("stable");
        ensure!(
            missing_targets(&sysroot()?).is_empty(),
            "rustup has installed {}, but {} does not find them. Is it another compiler than rustup's? If not, their \
             files are gone; to get them back:\n  rustup toolchain uninstall {active} && rustup toolchain install {active}",
            missing.join(", "),
            toolchain::on_path("rustc").unwrap_or_default().display()
        );
    }
    say("have", format_args!("Cortex-M targets in {}", sysroot()?.display()));
    Ok((!missing.is_empty()).then_some("the Cortex-M targets"))
}
