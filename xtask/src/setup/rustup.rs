//! rustup, if installed.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use osculate_lab::toolchain::{Origin, Toolchain, ambient, ambient_sysroot, answer, missing_targets};

use super::step;
use crate::repository;

/// rustup's name for the matched toolchain.
const LINK: &str = "osculate-cortex-m";

/// A download that takes longer has failed, even on a slow line and a busy machine: the parts are a few megabytes each,
/// and rustup itself gives up on a server that does not answer.
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(600);

/// The version of rustup, if installed.
pub(super) fn version() -> Option<String> {
    let text = answer(ambient("rustup").arg("--version"))?;
    Some(text.split_whitespace().nth(1)?.to_owned())
}

/// The name of rustup's active toolchain, if the `rustc` on the PATH is rustup's.
pub(super) fn active() -> Option<String> {
    let rustc = answer(ambient("rustup").args(["which", "rustc"]))?;
    let same = Path::new(&rustc).canonicalize().ok()?.starts_with(ambient_sysroot()?.canonicalize().ok()?);
    let text = answer(ambient("rustup").args(["show", "active-toolchain"])).filter(|_| same)?;
    Some(text.split_whitespace().next()?.to_owned())
}

/// The command to add these targets by hand.
pub(super) fn add_targets_by_hand(targets: &[&str]) -> String {
    format!("rustup target add {}", targets.join(" "))
}

/// Downloads the targets for this toolchain, including those whose files are gone although rustup lists them as
/// installed.
pub(super) fn bring_targets(toolchain: &str, targets: &[&str]) -> Result<()> {
    add("target", toolchain, targets)?;
    let sysroot = ambient_sysroot().context("no working `rustc` on the PATH")?;
    let gone: Vec<_> = missing_targets(&sysroot).into_iter().filter(|target| targets.contains(target)).collect();
    if gone.is_empty() {
        return Ok(());
    }
    step::say(
        "note",
        format_args!("rustup takes {} for installed, but the files are gone: mending it", gone.join(", ")),
    );
    for target in &gone {
        restore_files(&sysroot, target)?;
    }
    let remove = &mut ambient("rustup");
    step::run(remove.args(["target", "remove", "--toolchain", toolchain]).args(&gone), Some(DOWNLOAD_LIMIT))?;
    add("target", toolchain, &gone)
}

/// Creates an empty file for each missing file in rustup's list: rustup refuses to remove a target without them.
fn restore_files(sysroot: &Path, target: &str) -> Result<()> {
    let list = sysroot.join("lib/rustlib").join(format!("manifest-rust-std-{target}"));
    let list = fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
    for file in list.lines().filter_map(|line| line.strip_prefix("file:")) {
        let path = sysroot.join(file);
        // Only below the target's own folder, and never over an existing file.
        if Path::new(file).starts_with(Path::new("lib/rustlib").join(target)) && !path.exists() {
            fs::create_dir_all(path.parent().unwrap_or(sysroot))?;
            File::create_new(path)?;
        }
    }
    Ok(())
}

/// Downloads components, such as clippy, for this toolchain.
pub(super) fn add_components(toolchain: &str, components: &[&str]) -> Result<()> {
    add("component", toolchain, components)
}

/// Downloads a toolchain without extras, and these targets for it, unless they are already installed.
///
/// # Errors
/// If there is no rustup, or the download fails.
pub(crate) fn bring_toolchain(name: &str, targets: &[&str]) -> Result<()> {
    version().context("there is no rustup")?;
    let list = answer(ambient("rustup").args(["target", "list", "--installed", "--toolchain", name]));
    let installed: Vec<_> = list.iter().flat_map(|list| list.lines()).collect();
    if targets.iter().all(|target| installed.contains(target)) {
        return Ok(());
    }
    let mut install = ambient("rustup");
    install.args(["toolchain", "install", name, "--profile", "minimal", "--no-self-update"]);
    install.args(targets.iter().flat_map(|target| ["--target", target]));
    step::run(&mut install, Some(DOWNLOAD_LIMIT))
}

/// Downloads Miri for the nightly toolchain, unless it is already installed. The toolchain itself is not updated.
///
/// # Errors
/// If there is no rustup or no nightly toolchain, or the download fails.
pub(crate) fn bring_miri() -> Result<()> {
    version().context("there is no rustup")?;
    let nightly = |arguments: &[&str]| answer(ambient("rustup").args(["run", "nightly"]).args(arguments));
    nightly(&["rustc", "--version"]).context("there is no nightly toolchain")?;
    let list = answer(ambient("rustup").args(["component", "list", "--installed", "--toolchain", "nightly"]));
    let has = |name: &str| list.iter().flat_map(|list| list.lines()).any(|line| line.starts_with(name));
    if has("rust-src") && nightly(&["cargo", "miri", "--version"]).is_some() {
        return Ok(());
    }
    add_components("nightly", &["miri", "rust-src"])
}

fn add(what: &str, toolchain: &str, names: &[&str]) -> Result<()> {
    step::run(ambient("rustup").args([what, "add", "--toolchain", toolchain]).args(names), Some(DOWNLOAD_LIMIT))
}

/// Makes a plain `cargo` inside `firmware` use this toolchain: a matched one is registered with rustup and made active
/// in that folder, and released again once the ambient one is sufficient. Without rustup, does nothing.
pub(super) fn use_in_firmware(toolchain: &Toolchain) -> Result<()> {
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

/// Parses `rustup override list`: lines of a folder and a toolchain name, separated by white space.
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
    fn files_that_are_gone_are_restored_and_others_left_alone() {
        let sysroot = tempfile::tempdir().unwrap();
        let file = |name: &str| sysroot.path().join("lib/rustlib").join(name);
        fs::create_dir_all(file("t/lib")).unwrap();
        fs::write(file("t/lib/liballoc-2.rlib"), "kept").unwrap();
        let list = "file:lib/rustlib/t/lib/libcore-1.rlib\nfile:lib/rustlib/t/lib/liballoc-2.rlib\nfile:bin/other\n";
        fs::write(file("manifest-rust-std-t"), list).unwrap();
        restore_files(sysroot.path(), "t").unwrap();
        assert_eq!(fs::read(file("t/lib/libcore-1.rlib")).unwrap(), b"");
        assert_eq!(fs::read(file("t/lib/liballoc-2.rlib")).unwrap(), b"kept");
        assert!(!sysroot.path().join("bin/other").exists());
        assert!(restore_files(sysroot.path(), "unknown").is_err());
    }

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
