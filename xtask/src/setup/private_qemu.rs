//! A private QEMU for the user: packages of Debian and its derivatives, downloaded and unpacked but not installed.
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
use osculate_lab::toolchain::{
    ambient,
    emulator::{PROGRAM, private_folder, said_version},
};

use super::{
    apt::{Lists, Package, Plan},
    cache::{Cache, remove, write_script},
    step,
};

/// Unpacks `package` and the dependencies that the machine lacks; `plan` is apt's plan to install it.
///
/// It is unpacked beside its final place and moved there at the end, so that an interrupted setup leaves nothing that
/// could be mistaken for a QEMU.
pub(super) fn bring(package: &str, plan: Option<Plan>) -> Result<()> {
    let cache = Cache::open()?;
    let folder = private_folder().context("no cache folder")?;
    if said_version(&folder.join(PROGRAM)).is_some() {
        // Another setup has installed it while this one waited.
        return Ok(());
    }
    let draft = cache.folder.join("draft-qemu");
    remove(&draft)?;
    let packages = draft.join("packages");
    fs::create_dir_all(&packages)?;
    download(package, plan, &packages, &draft.join("apt"))?;
    unpack(&packages, &draft.join("root"))?;
    write_script(&draft.join(PROGRAM), &launcher(&draft.join("root"))?)?;
    ensure!(
        said_version(&draft.join(PROGRAM)).is_some(),
        "it does not start: {}",
        String::from_utf8_lossy(&ambient(draft.join(PROGRAM)).arg("--version").output()?.stderr).trim()
    );
    for scratch in [&packages, &draft.join("apt")] {
        remove(scratch)?;
    }
    remove(&folder)?;
    fs::rename(&draft, &folder)?;
    Ok(())
}

/// Uses the system's lists, or private ones if these are missing or name packages that the servers no longer have.
fn download(package: &str, plan: Option<Plan>, folder: &Path, private: &Path) -> Result<()> {
    if download_by(&Lists::System, plan, package, folder).is_ok() {
        return Ok(());
    }
    step::say("note", "the machine's lists of packages are missing or old: fetching them for this user");
    for needed in ["lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(private.join(needed))?;
    }
    let lists = Lists::Private(private.to_owned());
    // A single broken source makes this fail even if the others are fresh; only the download counts.
    _ = step::run_as("apt-get update, into a folder of this user", lists.command().arg("update"), None);
    download_by(&lists, lists.simulate(&[package]).ok(), package, folder)
}

fn download_by(lists: &Lists, plan: Option<Plan>, package: &str, folder: &Path) -> Result<()> {
    let packages = plan.map_or_else(|| lists.missing_for(package), |plan| Ok(plan.installs))?;
    ensure!(!packages.is_empty(), "{package} is installed, and does not work");
    let title = format!("download {} packages, for QEMU and the libraries that are missing", packages.len());
    let names = packages.iter().map(|Package { name, version }| format!("{name}={version}"));
    step::run_as(&title, lists.command().current_dir(folder).arg("download").args(names), None)
}

fn unpack(packages: &Path, root: &Path) -> Result<()> {
    let count = packages.read_dir()?.count();
    let mut shell = Command::new("sh");
    shell.args(["-c", "for file in *.deb; do dpkg-deb --extract \"$file\" \"$0\" || exit 1; done"]).arg(root);
    step::run_as(&format!("unpack {count} packages"), shell.current_dir(packages), None)
}

/// A script that starts QEMU from any folder. The library path is set for QEMU alone, not for its parent.
fn launcher(root: &Path) -> Result<String> {
    let mut folders = Vec::new();
    library_folders(root, &mut folders)?;
    let mut modules = root.join("usr/lib").read_dir()?.flatten().map(|entry| entry.path().join("qemu"));
    let modules = modules.find(|folder| folder.is_dir());
    let from_here = |folder: &PathBuf| {
        let inner = folder.strip_prefix(root).unwrap_or(folder);
        format!("$root/{}", inner.display())
    };
    let mut lines = vec!["root=${0%/*}/root".to_owned()];
    if !folders.is_empty() {
        let path = folders.iter().map(from_here).collect::<Vec<_>>().join(":");
        lines.push(format!("export LD_LIBRARY_PATH=\"{path}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\""));
    }
    lines.extend(modules.iter().map(|folder| format!("export QEMU_MODULE_DIR=\"{}\"", from_here(folder))));
    lines.push(format!("exec \"$root/usr/bin/{PROGRAM}\" -L \"$root/usr/share/qemu\" \"$@\""));
    Ok(lines.join("\n"))
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
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_launcher_works_wherever_its_folder_is_moved() {
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
        write_script(&draft.join(PROGRAM), &launcher(&draft.join("root")).unwrap()).unwrap();
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
