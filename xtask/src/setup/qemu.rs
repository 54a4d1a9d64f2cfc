//! QEMU: an existing one, or else from the package manager, or else a private one: packages of Debian and its derivatives,
//! downloaded and unpacked but not installed.
//!
//! ```text
//! qemu/                in the user's cache folder
//!   qemu-system-arm    starts the one in root with the libraries and the data there
//!   root/              the packages' files
//! ```

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail, ensure};
use osculate_lab::toolchain::emulator::{Emulator, OLDEST, PROGRAM, is_new_enough, private_folder, said_version};

use super::Brought;
use super::apt::Lists;
use super::cache::{Cache, remove};
use super::packages::{APT, Manager};
use super::step::{self, say};

/// Installs QEMU if there is no suitable one.
pub(super) fn bring() -> Result<Brought> {
    let brought = if Emulator::find().is_ok() { None } else { Some("QEMU") };
    if brought.is_some() {
        install()?;
    }
    let Emulator { program, version } = Emulator::find()?;
    say("have", format_args!("QEMU {version}: {}", program.display()));
    Ok(brought)
}

fn install() -> Result<()> {
    let Some(manager) = Manager::find() else {
        bail!(
            "QEMU is missing, and no package manager that setup knows: put `{PROGRAM}`, {OLDEST} or newer, on the PATH"
        );
    };
    if manager.program == APT
        && let Some(version) = Lists::System.simulate(manager.qemu).ok().and_then(|plan| plan.version_of(manager.qemu))
    {
        ensure!(
            is_new_enough(&version),
            "QEMU {OLDEST} or newer is needed, this release has {version}: put a newer `{PROGRAM}` on the PATH"
        );
    }
    let Err(refusal) = manager.install(manager.qemu) else { return Ok(()) };
    if manager.program != APT {
        bail!("QEMU is missing: {}. {}", refusal.reason, refusal.advice);
    }
    say("note", format_args!("{}: unpacking a QEMU for this user instead, nothing is installed", refusal.reason));
    bring_private(manager.qemu).map_err(|error| {
        let (reason, advice) = (&refusal.reason, &refusal.advice);
        anyhow!("QEMU is missing: {reason}, and a private one does not work, either: {error:#}. {advice}")
    })
}

/// Unpacks the package and what it needs beside its final place, and moves it there at the end: an interrupted setup
/// leaves nothing that could be mistaken for the program.
fn bring_private(package: &str) -> Result<()> {
    let cache = Cache::open()?;
    let folder = private_folder().context("no cache folder")?;
    if said_version(&folder.join(PROGRAM)).is_some() {
        // Another setup has installed it while this one waited.
        return Ok(());
    }
    let draft = cache.folder.join("draft-qemu");
    remove(&draft)?;
    unpack(package, &draft)?;
    let launcher = draft.join(PROGRAM);
    write_launcher(&draft)?;
    if said_version(&launcher).is_none() {
        let output = Command::new(&launcher).arg("--version").output()?;
        bail!("it does not start: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    remove(&folder)?;
    fs::rename(&draft, &folder)?;
    Ok(())
}

/// Downloads and unpacks into the folder `root` of the draft.
fn unpack(package: &str, draft: &Path) -> Result<()> {
    let (packages, lists, root) = (draft.join("packages"), draft.join("apt"), draft.join("root"));
    fs::create_dir_all(&packages)?;
    if download(package, &Lists::System, &packages).is_err() {
        say("note", "the machine's lists of packages are missing or old: fetching them for this user");
        let private = Lists::private(&lists)?;
        // A single broken source makes this fail even if the others are fresh; only the download counts.
        _ = step::run_as("apt-get update, into a folder of this user", private.command().arg("update"), None);
        download(package, &private, &packages)?;
    }
    let count = packages.read_dir()?.count();
    let mut shell = Command::new("sh");
    shell.args(["-c", "for file in *.deb; do dpkg-deb --extract \"$file\" \"$0\" || exit 1; done"]).arg(root);
    step::run_as(&format!("unpack {count} packages"), shell.current_dir(&packages), None)?;
    Ok(remove(&packages).and_then(|()| remove(&lists))?)
}

fn download(package: &str, lists: &Lists, folder: &Path) -> Result<()> {
    let packages = lists.simulate(package)?.installs;
    ensure!(!packages.is_empty(), "{package} is installed, and does not work");
    let title = format!("download {} packages, for QEMU and what it needs", packages.len());
    let names = packages.iter().map(|(name, version)| format!("{name}={version}"));
    step::run_as(&title, lists.command().current_dir(folder).arg("download").args(names), None)
}

/// A script that starts the program from any folder. The library path is set for it alone, not for its parent. QEMU looks
/// for its modules and its data where they would be installed.
fn write_launcher(draft: &Path) -> Result<()> {
    let root = draft.join("root");
    let mut folders = Vec::new();
    library_folders(&root, &mut folders)?;
    let mut modules = root.join("usr/lib").read_dir()?.flatten().map(|entry| entry.path().join("qemu"));
    let modules = modules.find(|folder| folder.is_dir());
    let from_root = |folder: &PathBuf| format!("$root/{}", folder.strip_prefix(&root).unwrap_or(folder).display());
    let libraries = folders.iter().map(from_root).collect::<Vec<_>>().join(":");
    let modules = modules.as_ref().map(from_root).unwrap_or_default();
    let script = format!(
        "#!/bin/sh\nroot=${{0%/*}}/root\n\
         export LD_LIBRARY_PATH=\"{libraries}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\" QEMU_MODULE_DIR=\"{modules}\"\n\
         exec \"$root/usr/bin/{PROGRAM}\" -L \"$root/usr/share/qemu\" \"$@\"\n"
    );
    fs::write(draft.join(PROGRAM), script)?;
    Ok(fs::set_permissions(draft.join(PROGRAM), fs::Permissions::from_mode(0o755))?)
}

/// Every folder with shared libraries: some packages keep theirs in a subfolder, behind a link that only an
/// installation creates.
fn library_folders(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<_> = folder.read_dir()?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    if entries.iter().map(name).any(|name| name.starts_with("lib") && name.contains(".so")) {
        found.push(folder.to_owned());
    }
    for entry in entries {
        if entry.file_type()?.is_dir() {
            library_folders(&entry.path(), found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_works_wherever_its_folder_is_moved() {
        let scratch = tempfile::tempdir().unwrap();
        let draft = scratch.path().join("a draft");
        let program = draft.join("root/usr/bin").join(PROGRAM);
        let libraries = ["usr/lib/arch/liba.so.1", "usr/lib/arch/more/libb.so", "usr/lib/arch/qemu/ui.so"];
        for file in libraries.map(|file| draft.join("root").join(file)).iter().chain([&program]) {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "#!/bin/sh\necho \"$LD_LIBRARY_PATH|$QEMU_MODULE_DIR|$*\"\n").unwrap();
        }
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        write_launcher(&draft).unwrap();
        let moved = scratch.path().join("its place");
        fs::rename(&draft, &moved).unwrap();
        let told = |path: Option<&str>| {
            let mut command = Command::new(moved.join(PROGRAM));
            command.args(["-M", "b c"]).env_remove("LD_LIBRARY_PATH").envs(path.map(|path| ("LD_LIBRARY_PATH", path)));
            String::from_utf8(command.output().unwrap().stdout).unwrap().replace(&*moved.to_string_lossy(), "HERE")
        };
        let libraries = "HERE/root/usr/lib/arch:HERE/root/usr/lib/arch/more";
        let rest = "HERE/root/usr/lib/arch/qemu|-L HERE/root/usr/share/qemu -M b c\n";
        assert_eq!(told(None), format!("{libraries}|{rest}"));
        assert_eq!(told(Some("/opt/lib")), format!("{libraries}:/opt/lib|{rest}"));
    }
}
