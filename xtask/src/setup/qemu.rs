//! QEMU: an existing one, or else from the package manager, or else a private one.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use osculate_lab::toolchain::emulator::{Emulator, OLDEST, PROGRAM, is_new_enough, private_folder, said_version};

use super::{
    Brought,
    packages::{Installer, Manager, Refusal},
    private_program::{PrivateProgram, Start, from_root},
    rights::Becoming,
    step::say,
};

/// Installs QEMU if there is no suitable one.
pub(super) fn bring(installer: &mut Installer) -> Result<Brought> {
    let (emulator, brought) = match Emulator::find() {
        Ok(emulator) => (emulator, None),
        Err(_) => {
            install(installer)?;
            let too_old = || format!("QEMU {OLDEST} or newer is needed: put its `{PROGRAM}` on the PATH");
            (Emulator::find().with_context(too_old)?, Some("QEMU"))
        }
    };
    let Emulator { program, source, version } = emulator;
    say("have", format_args!("QEMU {version}, {source}: {}", program.display()));
    Ok(brought)
}

fn install(installer: &mut Installer) -> Result<()> {
    let package = installer.manager().map_or(PROGRAM, Manager::qemu);
    if let Some(version) = installer.plan(&[package]).and_then(|plan| plan.version_of(package)) {
        ensure!(
            is_new_enough(version),
            "QEMU {OLDEST} or newer is needed, this release has {version}: put a newer `{PROGRAM}` on the PATH"
        );
    }
    let Err(refusal) = installer.install(&[package]) else { return Ok(()) };
    if installer.manager() != Some(Manager::Apt) {
        bail!("QEMU is missing: {refusal}. {}", refusal.advice(&[package], Becoming::find()));
    }
    say("note", format_args!("{refusal}: unpacking a QEMU for this user instead, nothing is installed"));
    let plan = installer.plan(&[package]).cloned();
    private()
        .bring(package, plan)
        .map_err(|error| anyhow::anyhow!(both_failed("QEMU", &refusal, &error, package, Becoming::find())))
}

/// The QEMU that is unpacked for a user.
pub(super) fn private() -> PrivateProgram {
    PrivateProgram {
        name: "QEMU",
        program: PROGRAM,
        folder: private_folder(),
        works: |program| said_version(program).is_some(),
        prepare,
    }
}

/// QEMU looks for its modules and its data where they would be installed.
fn prepare(root: &Path) -> Result<Start> {
    let mut modules = root.join("usr/lib").read_dir()?.flatten().map(|entry| entry.path().join("qemu"));
    let modules = modules.find(|folder| folder.is_dir());
    let export = |folder| format!("export QEMU_MODULE_DIR=\"{}\"", from_root(root, folder));
    let lines = modules.iter().map(|folder| export(folder)).collect();
    Ok(Start { lines, options: "-L \"$root/usr/share/qemu\" " })
}

pub(super) fn both_failed(
    name: &str,
    refusal: &Refusal,
    private: &anyhow::Error,
    package: &str,
    becoming: Becoming,
) -> String {
    let advice = refusal.advice(&[package], becoming);
    format!("{name} is missing: {refusal}, and a private one does not work, either: {private:#}. {advice}")
}
