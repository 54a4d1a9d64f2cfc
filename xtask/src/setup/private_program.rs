//! A private program for the user: packages of Debian and its derivatives, downloaded and unpacked but not installed.
//!
//! ```text
//! qemu/                in the user's cache folder
//!   qemu-system-arm    starts the one in root with the libraries and the data there
//!   root/              the packages' files
//! ```

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use osculate_lab::toolchain::ambient;

use super::{
    apt::{Lists, Package, Plan},
    cache::{Cache, remove, write_script},
    step,
};

/// A program that can be unpacked.
pub(super) struct PrivateProgram {
    /// What it is called.
    pub(super) name: &'static str,
    /// The program in `usr/bin`.
    pub(super) program: &'static str,
    /// Its final place; `None` for a user without a cache folder.
    pub(super) folder: Option<PathBuf>,
    /// Whether the program at this path works.
    pub(super) works: fn(&Path) -> bool,
    /// Prepares the unpacked files.
    pub(super) prepare: fn(&Path) -> Result<Start>,
}

/// What the launcher of a program does.
pub(super) struct Start {
    /// Before it starts the program.
    pub(super) lines: Vec<String>,
    /// Options that it adds, each with a blank after it.
    pub(super) options: &'static str,
}

impl PrivateProgram {
    /// Unpacks `package` and the dependencies that the machine lacks; `plan` is apt's plan to install it.
    ///
    /// It is unpacked beside its final place and moved there at the end, so that an interrupted setup leaves nothing
    /// that could be mistaken for the program.
    pub(super) fn bring(&self, package: &str, plan: Option<Plan>) -> Result<()> {
        let cache = Cache::open()?;
        let folder = self.folder.as_ref().context("no cache folder")?;
        if (self.works)(&folder.join(self.program)) {
            // Another setup has installed it while this one waited.
            return Ok(());
        }
        let draft = cache.folder.join(format!("draft-{}", self.program.trim_end_matches("-system-arm")));
        let root = unpack(self.name, package, plan, &draft)?;
        let launcher = draft.join(self.program);
        let start = (self.prepare)(&root)?;
        write_script(&launcher, &self.launcher(&root, start)?)?;
        ensure!(
            (self.works)(&launcher),
            "it does not start: {}",
            String::from_utf8_lossy(&ambient(&launcher).arg("--version").output()?.stderr).trim()
        );
        remove(folder)?;
        fs::rename(&draft, folder)?;
        Ok(())
    }

    /// A script that starts the program from any folder. The library path is set for it alone, not for its parent.
    fn launcher(&self, root: &Path, start: Start) -> Result<String> {
        let mut folders = Vec::new();
        library_folders(root, &mut folders)?;
        let mut lines = vec!["root=${0%/*}/root".to_owned()];
        if !folders.is_empty() {
            let path = folders.iter().map(|folder| from_root(root, folder)).collect::<Vec<_>>().join(":");
            lines.push(format!("export LD_LIBRARY_PATH=\"{path}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\""));
        }
        lines.extend(start.lines);
        lines.push(format!("exec \"$root/usr/bin/{}\" {}\"$@\"", self.program, start.options));
        Ok(lines.join("\n"))
    }
}

/// A folder, as the launcher names it.
pub(super) fn from_root(root: &Path, folder: &Path) -> String {
    format!("$root/{}", folder.strip_prefix(root).unwrap_or(folder).display())
}

/// Downloads and unpacks `package` and the dependencies that the machine lacks. Returns the folder `root` in `draft`,
/// which is emptied first.
pub(super) fn unpack(name: &str, package: &str, plan: Option<Plan>, draft: &Path) -> Result<PathBuf> {
    remove(draft)?;
    let (packages, lists, root) = (draft.join("packages"), draft.join("apt"), draft.join("root"));
    fs::create_dir_all(&packages)?;
    download(name, package, plan, &packages, &lists)?;
    let count = packages.read_dir()?.count();
    let mut shell = Command::new("sh");
    shell.args(["-c", "for file in *.deb; do dpkg-deb --extract \"$file\" \"$0\" || exit 1; done"]).arg(&root);
    step::run_as(&format!("unpack {count} packages"), shell.current_dir(&packages), None)?;
    for scratch in [&packages, &lists] {
        remove(scratch)?;
    }
    Ok(root)
}

/// Uses the system's lists, or private ones if these are missing or name packages that the servers no longer have.
fn download(name: &str, package: &str, plan: Option<Plan>, folder: &Path, private: &Path) -> Result<()> {
    if download_by(name, &Lists::System, plan, package, folder).is_ok() {
        return Ok(());
    }
    step::say("note", "the machine's lists of packages are missing or old: fetching them for this user");
    for needed in ["lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(private.join(needed))?;
    }
    let lists = Lists::Private(private.to_owned());
    // A single broken source makes this fail even if the others are fresh; only the download counts.
    _ = step::run_as("apt-get update, into a folder of this user", lists.command().arg("update"), None);
    download_by(name, &lists, lists.simulate(&[package]).ok(), package, folder)
}

fn download_by(name: &str, lists: &Lists, plan: Option<Plan>, package: &str, folder: &Path) -> Result<()> {
    let packages = plan.map_or_else(|| lists.missing_for(package), |plan| Ok(plan.installs))?;
    ensure!(!packages.is_empty(), "{package} is installed, and does not work");
    let title = format!("download {} packages, for {name} and what it needs", packages.len());
    let names = packages.iter().map(|Package { name, version }| format!("{name}={version}"));
    step::run_as(&title, lists.command().current_dir(folder).arg("download").args(names), None)
}

/// Every folder with shared libraries: some packages keep theirs in a subfolder, behind a link that only an
/// installation creates.
fn library_folders(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<_> = folder.read_dir()?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let is_library = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("lib") && name.contains(".so")
    };
    if entries.iter().any(is_library) {
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
    use osculate_lab::toolchain::emulator::PROGRAM;

    use super::*;
    use crate::setup::qemu;

    #[cfg(unix)]
    #[test]
    fn the_launcher_works_wherever_its_folder_is_moved() {
        let qemu = qemu::private();
        let scratch = tempfile::tempdir().unwrap();
        let draft = scratch.path().join("a draft");
        for folder in ["root/usr/bin", "root/usr/lib/arch/qemu", "root/usr/lib/arch/more", "root/lib/arch"] {
            fs::create_dir_all(draft.join(folder)).unwrap();
        }
        for library in ["usr/lib/arch/liba.so.1", "usr/lib/arch/more/libb.so", "usr/lib/arch/qemu/ui.so"] {
            fs::write(draft.join("root").join(library), "").unwrap();
        }
        write_script(&draft.join("root/usr/bin").join(PROGRAM), "echo \"$LD_LIBRARY_PATH|$QEMU_MODULE_DIR|$*\"")
            .unwrap();
        let root = draft.join("root");
        let start = (qemu.prepare)(&root).unwrap();
        write_script(&draft.join(PROGRAM), &qemu.launcher(&root, start).unwrap()).unwrap();
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
