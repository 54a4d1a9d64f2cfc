//! rp2040js, by npm: into the user's cache folder, in the one version that the runner of the Pico is written for.
//!
//! npm checks what it downloads against the lock file in `lab/pico`.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use osculate_lab::toolchain::{
    ambient, on_path,
    rp2040js::{Node, Rp2040js, VERSION, folder, is_package, package_in},
};

use super::{
    Brought,
    cache::{Cache, remove},
    packages::{Installer, Manager},
    private_program::unpack,
    rights::Becoming,
    step::{self, say},
};
use crate::repository;

/// Where Debian's packages have modules, below `usr`. Some are in a folder of the machine's architecture, below `lib`.
const MODULES: [&str; 2] = ["share/nodejs", "lib/nodejs"];

/// Installs the emulator's package if it is missing.
pub(super) fn bring(installer: &mut Installer) -> Result<Brought> {
    let brought = match Rp2040js::find() {
        Ok(_) => None,
        Err(_) => {
            install(installer).map_err(|error| anyhow!("rp2040js, which runs the Pico, is missing: {error:#}"))?;
            Some("rp2040js")
        }
    };
    say("have", format_args!("rp2040js {VERSION}: {}", Rp2040js::find()?.package.display()));
    Ok(brought)
}

fn install(installer: &mut Installer) -> Result<()> {
    let node = Node::find()?;
    let cache = Cache::open()?;
    let npm = match on_path("npm") {
        Some(npm) => Npm { command: vec![npm], modules: None, scratch: None },
        None => bring_npm(installer, &node, &cache)?,
    };
    let fetched = fetch(&npm, &cache);
    if let Some(scratch) = &npm.scratch {
        remove(scratch)?;
    }
    fetched
}

/// An npm that can be started.
struct Npm {
    command: Vec<PathBuf>,
    /// Where it finds its modules, if it is not installed.
    modules: Option<OsString>,
    /// What is deleted after its use.
    scratch: Option<PathBuf>,
}

/// Debian's npm would install hundreds of packages for this one download, so it is unpacked, used and deleted.
fn bring_npm(installer: &mut Installer, node: &Node, cache: &Cache) -> Result<Npm> {
    let package = installer.manager().map_or("npm", Manager::npm);
    if installer.manager() != Some(Manager::Apt) {
        installer
            .install(&[package])
            .map_err(|refusal| anyhow!("{refusal}. {}", refusal.advice(&[package], Becoming::find())))?;
        let Some(npm) = on_path("npm") else { bail!("there is no `npm` on the PATH, although it is installed") };
        return Ok(Npm { command: vec![npm], modules: None, scratch: None });
    }
    say("note", "there is no npm: unpacking one for this download, nothing is installed");
    let scratch = cache.folder.join("draft-npm");
    let plan = installer.plan(&[package]).cloned();
    let root = unpack("npm", package, plan, &scratch).context("npm cannot be downloaded")?;
    let program = root.join("usr/share/nodejs/npm/bin/npm-cli.js");
    let modules = env::join_paths(module_folders(&root.join("usr")))?;
    Ok(Npm { command: vec![node.program.clone(), program], modules: Some(modules), scratch: Some(scratch) })
}

fn module_folders(usr: &Path) -> Vec<PathBuf> {
    let by_architecture = usr.join("lib").read_dir().into_iter().flatten().flatten();
    let by_architecture = by_architecture.map(|entry| entry.path().join("nodejs"));
    let folders = MODULES.iter().map(|folder| usr.join(folder)).chain(by_architecture);
    folders.filter(|folder| folder.is_dir()).collect()
}

/// Downloads beside the final place, and moves it there at the end.
fn fetch(npm: &Npm, cache: &Cache) -> Result<()> {
    let folder = folder().context("no cache folder")?;
    if is_package(&package_in(&folder)) {
        // Another setup has installed it while this one waited.
        return Ok(());
    }
    let draft = cache.folder.join("draft-rp2040js");
    remove(&draft)?;
    fs::create_dir_all(&draft)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(repository().join("lab/pico").join(file), draft.join(file))?;
    }
    let downloads = draft.join("downloads");
    step::run_as("npm ci, for rp2040js", &mut command(npm, &draft, &downloads), None)?;
    ensure!(is_package(&package_in(&draft)), "npm has installed something else");
    remove(&downloads)?;
    remove(&folder)?;
    fs::rename(&draft, &folder)?;
    Ok(())
}

fn command(npm: &Npm, draft: &Path, downloads: &Path) -> Command {
    let mut command = ambient(&npm.command[0]);
    command.args(&npm.command[1..]).envs(npm.modules.iter().map(|folders| ("NODE_PATH", folders)));
    command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--prefix"]).arg(draft);
    command.arg("--cache").arg(downloads).current_dir(draft);
    command
}
