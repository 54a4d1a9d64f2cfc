//! rustup, where there is one.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, bail};
use osculate_host_tests::lab::toolchain::{Origin, Toolchain, ambient, ambient_sysroot, answer};

use crate::{repository, step};

/// The name under which rustup knows the matched toolchain.
const LINK: &str = "osculate-cortex-m";

/// A download that has not finished by then will not: the parts are a few megabytes each.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(180);

/// The version of rustup, if there is one.
pub(crate) fn version() -> Option<String> {
    let text = answer(ambient("rustup").arg("--version"))?;
    Some(text.split_whitespace().nth(1)?.to_owned())
}

/// The name of rustup's active toolchain, if the `rustc` on the PATH is rustup's.
pub(crate) fn active() -> Option<String> {
    let rustc = answer(ambient("rustup").args(["which", "rustc"]))?;
    let same = Path::new(&rustc).canonicalize().ok()?.starts_with(ambient_sysroot()?.canonicalize().ok()?);
    let text = answer(ambient("rustup").args(["show", "active-toolchain"])).filter(|_| same)?;
    Some(text.split_whitespace().next()?.to_owned())
}

/// What a person types to add these targets.
pub(crate) fn add_targets_by_hand(targets: &[&str]) -> String {
    format!("rustup target add {}", targets.join(" "))
}

/// Downloads the targets for this toolchain.
pub(crate) fn add_targets(toolchain: &str, targets: &[&str]) -> Result<()> {
    add("target", toolchain, targets)
}

/// Downloads components, such as clippy, for this toolchain.
pub(crate) fn add_components(toolchain: &str, components: &[&str]) -> Result<()> {
    add("component", toolchain, components)
}

fn add(what: &str, toolchain: &str, names: &[&str]) -> Result<()> {
    step::run(ambient("rustup").args([what, "add", "--toolchain", toolchain]).args(names), Some(DOWNLOAD_LIMIT))
}

/// Makes a plain `cargo` inside `firmware` use this toolchain: a matched one becomes known to rustup and active in
/// that folder, and no longer so once the ambient one will do. Without rustup there is nothing to do.
pub(crate) fn use_in_firmware(toolchain: &Toolchain) -> Result<()> {
    let Some(home) = answer(ambient("rustup").args(["show", "home"])).map(PathBuf::from) else { return Ok(()) };
    let Ok(firmware) = repository().join("firmware").canonicalize() else {
        bail!("{} has no folder `firmware`", repository().display());
    };
    let overridden = is_overridden(&firmware);
    match toolchain.origin() {
        Origin::Ambient if overridden => {
            step::run(ambient("rustup").args(["override", "unset", "--path"]).arg(&firmware), None)?;
        }
        Origin::Ambient => {}
        Origin::Matched => {
            let linked = home.join("toolchains").join(LINK).canonicalize().ok();
            if linked.is_none() || linked != toolchain.sysroot().canonicalize().ok() {
                step::run(ambient("rustup").args(["toolchain", "link", LINK]).arg(toolchain.sysroot()), None)?;
            }
            if !overridden {
                step::run(ambient("rustup").args(["override", "set", LINK, "--path"]).arg(&firmware), None)?;
            }
        }
    }
    Ok(())
}

fn is_overridden(firmware: &Path) -> bool {
    let list = answer(ambient("rustup").args(["override", "list"])).unwrap_or_default();
    lists_override(&list, &firmware.to_string_lossy())
}

/// Reads `rustup override list`: lines of a folder and a toolchain's name, with white space between.
fn lists_override(list: &str, folder: &str) -> bool {
    list.lines().any(|line| {
        let rest = line.trim().strip_prefix(folder).filter(|rest| rest.starts_with(char::is_whitespace));
        rest.is_some_and(|rest| rest.trim() == LINK)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_counts_for_its_own_folder_and_our_toolchain_only() {
        let list = "/repo/firmware  \tosculate-cortex-m\n/other folder\tosculate-cortex-m\n/repo\tstable-x86_64";
        assert!(lists_override(list, "/repo/firmware"));
        assert!(lists_override(list, "/other folder"));
        assert!(!lists_override(list, "/repo"));
        assert!(!lists_override(list, "/repo/firm"));
        assert!(!lists_override("no overrides", "/repo"));
    }
}
