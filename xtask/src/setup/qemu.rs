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

use anyhow::{Context, Result, bail, ensure};
use osculate_lab::toolchain::emulator::{Emulator, OLDEST, PROGRAM, private_folder, said_version};
use osculate_lab::toolchain::{ambient, answer, on_path};

use super::{Brought, draft, keep, say};
use crate::check;

const APT: &str = "apt-get";
const INSTALL: [&str; 3] = ["install", "--no-install-recommends", PROGRAM];
/// With these, apt refuses to remove or to downgrade anything.
const SAFELY: [&str; 6] = ["-y", "--no-remove", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::http::Timeout=30"];

/// Installs QEMU if there is no suitable one.
pub(super) fn bring() -> Result<Brought> {
    let brought = if Emulator::find().is_ok() { None } else { Some("QEMU") };
    if brought.is_some() {
        ensure!(
            on_path(APT).is_some(),
            "QEMU is missing, and so is `{APT}`: put `{PROGRAM}`, {OLDEST} or newer, on the PATH by your package manager"
        );
        if let Err(reason) = install() {
            say("note", format_args!("{reason}: unpacking a QEMU for this user instead, nothing is installed"));
            let by_hand = INSTALL.join(" ");
            unpack().with_context(|| {
                format!(
                    "QEMU is missing: {reason}, and a private one does not work, either; as root, `{APT} {by_hand}`"
                )
            })?;
        }
    }
    let Emulator { program, version } = Emulator::find()?;
    say("have", format_args!("QEMU {version}: {}", program.display()));
    Ok(brought)
}

/// The words before a command that make this user root.
///
/// # Errors
/// That there are none.
pub(super) fn becomes_root() -> Result<&'static [&'static str], String> {
    if answer(Command::new("id").arg("-u")).as_deref() == Some("0") {
        Ok(&[])
    } else if answer(Command::new("sudo").args(["-n", "true"])).is_some() {
        Ok(&["sudo", "-n"])
    } else {
        Err(format!("{APT} needs root here, and sudo is missing or asks for a password"))
    }
}

/// Installs the package, if nothing has to be removed or downgraded. The error is a reason.
fn install() -> Result<(), String> {
    let sudo = becomes_root()?;
    let run = |arguments: &[&str]| {
        // Through `env`, because sudo passes no variables on.
        let words: Vec<_> =
            sudo.iter().chain(&["env", "DEBIAN_FRONTEND=noninteractive", APT]).chain(arguments).collect();
        check::step(&format!("{APT} {}", arguments.join(" ")), Command::new(words[0]).args(&words[1..]))
    };
    // A single broken source makes this fail even if the others are fresh; only the installation counts.
    if run(&["update"]).is_err() {
        say("note", "going on with the lists of packages that are there");
    }
    if answer(ambient(APT).args(INSTALL).args(SAFELY).arg("--simulate")).is_none() {
        return Err(format!("{APT} would remove or downgrade something for {PROGRAM}, or does not have it"));
    }
    run(&[&INSTALL[..], &SAFELY].concat()).map_err(|error| format!("{error:#}"))
}

/// Downloads and unpacks the package and what it needs.
fn unpack() -> Result<()> {
    let (draft, packages, lists) = (draft()?, tempfile::tempdir()?, tempfile::tempdir()?);
    if download(&[], packages.path()).is_err() {
        say("note", "the machine's lists of packages are missing or old: fetching them for this user");
        let private = private_lists(lists.path())?;
        // A single broken source makes this fail even if the others are fresh; only the download counts.
        _ = check::step(&format!("{APT} update, into a folder of this user"), apt(&private).arg("update"));
        download(&private, packages.path())?;
    }
    let mut shell = Command::new("sh");
    shell.args(["-c", "for file in *.deb; do dpkg-deb --extract \"$file\" \"$0\" || exit 1; done"]);
    shell.arg(draft.path().join("root")).current_dir(&packages);
    check::step(&format!("unpack {} packages", packages.path().read_dir()?.count()), &mut shell)?;
    write_launcher(draft.path())?;
    let launcher = draft.path().join(PROGRAM);
    if said_version(&launcher).is_none() {
        let output = Command::new(&launcher).arg("--version").output()?;
        bail!("it does not start: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    keep(draft, &private_folder().context("no cache folder")?)
}

/// Options for lists of packages in this folder, made from the machine's sources: only root can refresh its own.
fn private_lists(folder: &Path) -> Result<Vec<String>> {
    for needed in ["lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(folder.join(needed))?;
    }
    // Root's private lists are in a folder that apt's own user may not enter.
    let sandbox = "APT::Sandbox::User=root".to_owned();
    let folders = [("Dir::State::Lists", "lists"), ("Dir::Cache", "cache")];
    let folders = folders.map(|(name, part)| format!("{name}={}", folder.join(part).display()));
    Ok(folders.into_iter().chain([sandbox]).flat_map(|option| ["-o".to_owned(), option]).collect())
}

/// `apt-get` with English output, and with these lists.
fn apt(lists: &[String]) -> Command {
    let mut command = ambient(APT);
    command.env("LC_ALL", "C").args(["-o", "Acquire::http::Timeout=30"]).args(lists);
    command
}

/// What an installation would bring, removals or not: in this folder nothing is in anybody's way.
fn download(lists: &[String], folder: &Path) -> Result<()> {
    let plan = answer(apt(lists).args(INSTALL).arg("--simulate"));
    let plan = plan.with_context(|| format!("{APT} does not find {PROGRAM}"))?;
    let packages: Vec<String> = plan.lines().filter_map(installs).collect();
    ensure!(!packages.is_empty(), "{PROGRAM} is installed, and does not work");
    let title = format!("download {} packages, for QEMU and what it needs", packages.len());
    check::step(&title, apt(lists).current_dir(folder).arg("download").args(packages))
}

/// `NAME=NEW`, of a line `Inst NAME [OLD] (NEW SOURCE [ARCHITECTURE]) …`; `[OLD]` is there only if it is installed.
fn installs(line: &str) -> Option<String> {
    let (name, rest) = line.strip_prefix("Inst ")?.split_once(' ')?;
    let version = rest.split_once('(')?.1.split([' ', ')']).next()?;
    Some(format!("{name}={version}"))
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
    fn what_apt_would_install_is_read_from_its_simulation() {
        let plan = "Reading package lists...\nRemv qemu-utils [1:10.0.2]\nInst libfdt1 [1.6.0-1] (1.6.1-4+b1 Debian:12)\n\
            Inst qemu-system-arm (1:7.2+dfsg-7 Debian:12 [amd64])\nConf qemu-system-arm (1:7.2+dfsg-7 Debian:12 [amd64])\n";
        let installs: Vec<_> = plan.lines().filter_map(installs).collect();
        assert_eq!(installs, ["libfdt1=1.6.1-4+b1", "qemu-system-arm=1:7.2+dfsg-7"]);
    }

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
