//! `cargo xtask setup` and `cargo xtask flash` on machines that have nothing but what a test puts there.

mod flash;
mod setup;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use osculate_lab::toolchain::on_path;
use tempfile::TempDir;

/// A machine with few programs on its PATH, real ones and fakes.
pub(crate) struct Machine {
    folder: TempDir,
}

impl Machine {
    /// A machine with these programs of the real one.
    pub(crate) fn with(real: &[&str]) -> Self {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        // The fakes are in a folder of their own: writing through a link would change the real machine.
        for folder in ["bin", "real"] {
            fs::create_dir(machine.path(folder)).unwrap();
        }
        for name in real {
            if let Some(program) = on_path(name) {
                symlink(program, machine.path("real").join(name)).unwrap();
            }
        }
        machine
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a fake there.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let file = self.path("bin").join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// `cargo xtask` on this machine, with these arguments.
    fn xtask(&self, arguments: &str) -> Command {
        let mut xtask = crate::xtask(arguments);
        let path = env::join_paths([self.path("bin"), self.path("real")]).unwrap();
        xtask.env("PATH", path).env("XDG_CACHE_HOME", self.path("cache"));
        xtask
    }
}
