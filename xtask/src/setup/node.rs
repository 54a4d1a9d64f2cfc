//! node, which runs rp2040js: an existing one, or else from the package manager, or else a private one.

use std::{fs, path::Path};

use anyhow::{Context, Result, anyhow, bail, ensure};
use osculate_lab::toolchain::{
    ambient, answer,
    rp2040js::{NODE, Node, OLDEST_NODE, is_new_enough, private_node},
};

use super::{
    Brought,
    packages::{Installer, Manager},
    private_program::{PrivateProgram, Start},
    qemu::both_failed,
    rights::Becoming,
    step::say,
};

/// Where Debian's node expects some of its own modules, and a path of the same length that the launcher can direct
/// anywhere: to what it has opened as file 9.
const MODULES: &[u8; 18] = b"/usr/share/nodejs/";
const DIRECTED: &[u8; 18] = b"/proc/self/fd/9/./";

/// Installs node if there is no suitable one.
pub(super) fn bring(installer: &mut Installer) -> Result<Brought> {
    let (node, brought) = match Node::find() {
        Ok(node) => (node, None),
        Err(_) => {
            install(installer)?;
            let too_old = || format!("node {OLDEST_NODE} or newer is needed: put its `{NODE}` on the PATH");
            (Node::find().with_context(too_old)?, Some("node"))
        }
    };
    let Node { program, source, version } = node;
    say("have", format_args!("node {version}, {source}: {}", program.display()));
    Ok(brought)
}

fn install(installer: &mut Installer) -> Result<()> {
    let package = installer.manager().map_or(NODE, Manager::node);
    if let Some(version) = installer.plan(&[package]).and_then(|plan| plan.version_of(package)) {
        ensure!(
            is_new_enough(version),
            "node {OLDEST_NODE} or newer is needed, this release has {version}: put a newer `{NODE}` on the PATH"
        );
    }
    let Err(refusal) = installer.install(&[package]) else { return Ok(()) };
    if installer.manager() != Some(Manager::Apt) {
        bail!("node is missing: {refusal}. {}", refusal.advice(&[package], Becoming::find()));
    }
    say("note", format_args!("{refusal}: unpacking a node for this user instead, nothing is installed"));
    let plan = installer.plan(&[package]).cloned();
    private()
        .bring(package, plan)
        .map_err(|error| anyhow!(both_failed("node", &refusal, &error, package, Becoming::find())))
}

fn private() -> PrivateProgram {
    PrivateProgram { name: "node", program: NODE, folder: private_node(), works, prepare }
}

/// Its version is not enough: that needs no modules.
fn works(program: &Path) -> bool {
    let script = "import { readFileSync } from 'node:fs'; console.log(typeof readFileSync)";
    answer(ambient(program).args(["--input-type=module", "--eval", script])).as_deref() == Some("function")
}

/// Debian's node has the absolute paths of some of its modules compiled in, and ends at once if they are not installed.
/// They are redirected in the unpacked copy.
fn prepare(root: &Path) -> Result<Start> {
    let libraries = root.join("usr/lib").read_dir()?.flatten().flat_map(|entry| {
        let files = entry.path().read_dir().into_iter().flatten().flatten();
        files.filter(|file| file.file_name().to_string_lossy().starts_with("libnode.so")).map(|file| file.path())
    });
    for file in libraries.chain([root.join("usr/bin").join(NODE)]) {
        if !file.is_symlink() {
            redirect(&file)?;
        }
    }
    Ok(Start { lines: vec!["exec 9<\"$root/usr/share/nodejs\"".to_owned()], options: "" })
}

fn redirect(file: &Path) -> Result<()> {
    let mut bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let places: Vec<_> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(MODULES)).collect();
    for at in &places {
        bytes[*at..*at + MODULES.len()].copy_from_slice(DIRECTED);
    }
    if !places.is_empty() {
        fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_paths_of_modules_change() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "\0/usr/share/nodejs/undici/undici.js\0/usr/share/nodejs:/usr/lib\0").unwrap();
        redirect(file.path()).unwrap();
        let expected = "\0/proc/self/fd/9/./undici/undici.js\0/usr/share/nodejs:/usr/lib\0";
        assert_eq!(fs::read(file.path()).unwrap(), expected.as_bytes());
    }
}
