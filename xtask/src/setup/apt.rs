//! Simulates `apt-get` before it changes anything. None of this needs root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use osculate_lab::toolchain::ambient;

use super::step::say;

/// The package lists that a command uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lists {
    /// The system's own, which only root can refresh.
    System,
    /// A copy in this folder, made from the same sources: for a user without root, if the system's lists are missing or
    /// too old to download from.
    Private(PathBuf),
}

impl Lists {
    pub(super) fn private(folder: &Path) -> Result<Self> {
        for needed in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(folder.join(needed))?;
        }
        Ok(Lists::Private(folder.to_owned()))
    }

    /// An `apt-get` command with English output that never prompts.
    pub(super) fn command(&self) -> Command {
        let mut command = ambient("apt-get");
        command.env("LC_ALL", "C").env("DEBIAN_FRONTEND", "noninteractive").args(["-o", "Acquire::http::Timeout=30"]);
        if let Lists::Private(folder) = self {
            // Root's private lists are in a folder that apt's own user may not enter.
            command.args(["-o", "APT::Sandbox::User=root"]);
            for (name, part) in [("Dir::State::Lists", "lists"), ("Dir::Cache", "cache")] {
                command.args(["-o", &format!("{name}={}", folder.join(part).display())]);
            }
        }
        command
    }

    /// The changes made by installing this package.
    ///
    /// # Errors
    /// If apt finds no solution: the package is not in the lists, or is held back.
    pub(super) fn simulate(&self, package: &str) -> Result<Plan> {
        say("ask", format_args!("apt-get install --simulate {package}"));
        let output = self.command().args(["install", "--simulate", "--no-install-recommends", package]).output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(Plan::parse(&String::from_utf8_lossy(&output.stdout)))
    }
}

/// The changes an installation would make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// Names and versions, including packages that are installed in another version.
    pub(super) installs: Vec<(String, String)>,
    removes: Vec<String>,
    downgrades: Vec<String>,
}

impl Plan {
    /// Parses the English output of `apt-get install --simulate`.
    fn parse(text: &str) -> Self {
        let mut plan = Plan::default();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            // Indented names follow, on one or more lines.
            if line == "The following packages will be DOWNGRADED:" {
                while let Some(names) = lines.next_if(|line| line.starts_with(' ')) {
                    plan.downgrades.extend(names.split_whitespace().map(Into::into));
                }
            } else if let Some(rest) = line.strip_prefix("Inst ") {
                // `NAME [OLD] (NEW SOURCE [ARCHITECTURE]) …`; `[OLD]` is there only if the package is installed.
                let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                let version = rest.split_once('(').and_then(|(_, rest)| rest.split([' ', ')']).next());
                plan.installs.extend(version.map(|version| (name.to_owned(), version.to_owned())));
            } else if let Some(rest) = line.strip_prefix("Remv ").or(line.strip_prefix("Purg ")) {
                plan.removes.extend(rest.split(' ').next().map(Into::into));
            }
        }
        plan
    }

    /// The reason not to go ahead, if there is one.
    pub(super) fn conflict(&self) -> Option<String> {
        let kinds = [("remove", &self.removes), ("downgrade", &self.downgrades)];
        let kinds = kinds.iter().filter(|(_, names)| !names.is_empty());
        let parts: Vec<_> = kinds.map(|(verb, names)| format!("{verb} {}", names.join(" "))).collect();
        (!parts.is_empty()).then(|| parts.join(" and "))
    }

    /// The version of this package that would be installed.
    pub(super) fn version_of(&self, name: &str) -> Option<String> {
        self.installs.iter().find(|(package, _)| package == name).map(|(_, version)| version.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "Reading package lists...\n0 upgraded, 2 newly installed, 0 to remove and 132 not upgraded.\n\
        Inst libfdt1 [1.6.0-1] (1.6.1-4+b1 Debian:12.15/oldstable [amd64])\n\
        Inst qemu-system-arm (1:7.2+dfsg-7+deb12u18+b3 Debian:12.15/oldstable [amd64])\n\
        Conf qemu-system-arm (1:7.2+dfsg-7+deb12u18+b3 Debian:12.15/oldstable [amd64])\n";

    #[test]
    fn what_apt_would_do_is_read_from_its_simulation() {
        let plan = Plan::parse(PLAIN);
        let names: Vec<_> = plan.installs.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["libfdt1", "qemu-system-arm"]);
        assert_eq!(plan.version_of("qemu-system-arm").as_deref(), Some("1:7.2+dfsg-7+deb12u18+b3"));
        assert_eq!((plan.version_of("qemu-utils"), plan.conflict()), (None, None));
        let removing = Plan::parse(&format!("Remv qemu-utils [1:10.0.2+ds-2~bpo12+1]\nPurg dtc [1.6]\n{PLAIN}"));
        assert_eq!((removing.conflict().as_deref(), removing.installs.len()), (Some("remove qemu-utils dtc"), 2));
        let older = "The following packages will be DOWNGRADED:\n  libfdt1\n  libslirp0 libusb-1.0-0\n0 upgraded\n";
        assert_eq!(Plan::parse(older).conflict().as_deref(), Some("downgrade libfdt1 libslirp0 libusb-1.0-0"));
    }
}
