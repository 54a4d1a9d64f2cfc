//! Simulates `apt-get` before it changes anything. None of this needs root.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use osculate_lab::toolchain::{ambient, answer};

use super::step;

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
    /// An `apt-get` command with English output that never prompts.
    pub(super) fn command(&self) -> Command {
        let mut command = ambient("apt-get");
        command.env("LC_ALL", "C").env("DEBIAN_FRONTEND", "noninteractive").args(["-o", "Acquire::http::Timeout=30"]);
        if let Lists::Private(folder) = self {
            // Root's private lists are in a folder that apt's own user may not enter.
            command.args(["-o", "APT::Sandbox::User=root"]);
            command.arg("-o").arg(setting("Dir::State::Lists", &folder.join("lists")));
            command.arg("-o").arg(setting("Dir::Cache", &folder.join("cache")));
        }
        command
    }

    /// The changes made by installing these packages.
    ///
    /// # Errors
    /// If apt finds no solution: a package is not in the lists, or is held back.
    pub(super) fn simulate(&self, packages: &[&str]) -> Result<Plan> {
        simulate(self.command(), packages)
    }

    /// The package and those of its dependencies that this machine lacks, for the case that apt finds no way to install
    /// it, for example because one of them is held back. Asks what a machine without any package would need.
    pub(super) fn missing_for(&self, package: &str) -> Result<Vec<Package>> {
        let mut command = self.command();
        command.args(["-o", "Dir::State::Status=/dev/null"]);
        let mut packages = simulate(command, &[package])?.installs;
        packages.retain(|package| !is_installed(&package.name));
        Ok(packages)
    }
}

fn simulate(mut command: Command, packages: &[&str]) -> Result<Plan> {
    command.args(["install", "--simulate", "--no-install-recommends"]).args(packages);
    let title = format!("apt-get install --simulate {}", packages.join(" "));
    Ok(Plan::parse(&step::ask(&title, &mut command)?))
}

/// Whether dpkg has this package installed.
pub(super) fn is_installed(package: &str) -> bool {
    let status = answer(ambient("dpkg-query").args(["-W", "-f=${db:Status-Abbrev}", package]));
    status.is_some_and(|status| status.starts_with("ii"))
}

fn setting(name: &str, folder: &Path) -> String {
    format!("{name}={}", folder.display())
}

/// The changes an installation would make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// In the order of installation, including packages that are installed in another version.
    pub(super) installs: Vec<Package>,
    pub(super) removes: Vec<String>,
    pub(super) downgrades: Vec<String>,
}

/// A package as apt names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
}

impl Plan {
    /// Parses the English output of `apt-get install --simulate`.
    pub(super) fn parse(text: &str) -> Self {
        let mut plan = Plan::default();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            // Indented names follow, on one or more lines.
            if line == "The following packages will be DOWNGRADED:" {
                while let Some(names) = lines.next_if(|line| line.starts_with(' ')) {
                    plan.downgrades.extend(names.split_whitespace().map(Into::into));
                }
            } else if let Some(rest) = line.strip_prefix("Inst ") {
                plan.installs.extend(Package::parse(rest));
            } else if let Some(rest) = line.strip_prefix("Remv ").or(line.strip_prefix("Purg ")) {
                plan.removes.extend(rest.split(' ').next().map(Into::into));
            }
        }
        plan
    }

    /// The reason not to go ahead, if there is one.
    pub(super) fn conflict(&self) -> Option<String> {
        let kinds = [("remove", &self.removes), ("downgrade", &self.downgrades)];
        let parts: Vec<_> = kinds.iter().filter(|(_, names)| !names.is_empty()).collect();
        let parts: Vec<_> = parts.iter().map(|(verb, names)| format!("{verb} {}", names.join(" "))).collect();
        (!parts.is_empty()).then(|| parts.join(" and "))
    }

    /// The version of this package that would be installed.
    pub(super) fn version_of(&self, name: &str) -> Option<&str> {
        self.installs.iter().find(|package| package.name == name).map(|package| &*package.version)
    }
}

impl Package {
    /// Parses `NAME [OLD] (NEW SOURCE [ARCHITECTURE]) …`; `[OLD]` is present only if the package is installed.
    fn parse(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once(' ')?;
        let (_, version) = rest.split_once('(')?;
        Some(Self { name: name.to_owned(), version: version.split([' ', ')']).next()?.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "Reading package lists...\nThe following NEW packages will be installed:\n  libfdt1 \
        qemu-system-arm\n0 upgraded, 2 newly installed, 0 to remove and 132 not upgraded.\n\
        Inst libfdt1 (1.6.1-4+b1 Debian:12.15/oldstable [amd64])\n\
        Inst qemu-system-arm (1:7.2+dfsg-7+deb12u18+b3 Debian:12.15/oldstable [amd64])\n\
        Conf libfdt1 (1.6.1-4+b1 Debian:12.15/oldstable [amd64])\n\
        Conf qemu-system-arm (1:7.2+dfsg-7+deb12u18+b3 Debian:12.15/oldstable [amd64])\n";

    #[test]
    fn a_plain_installation_is_no_conflict() {
        let plan = Plan::parse(PLAIN);
        let names: Vec<_> = plan.installs.iter().map(|package| &*package.name).collect();
        assert_eq!(names, ["libfdt1", "qemu-system-arm"]);
        assert_eq!(plan.version_of("qemu-system-arm"), Some("1:7.2+dfsg-7+deb12u18+b3"));
        assert_eq!(plan.version_of("qemu-utils"), None);
        assert_eq!(plan.conflict(), None);
    }

    #[test]
    fn a_removal_is_a_conflict_and_still_says_what_is_needed() {
        let plan = Plan::parse(&format!(
            "The following packages will be REMOVED:\n  qemu-utils\nRemv qemu-utils [1:10.0.2+ds-2~bpo12+1]\n{PLAIN}"
        ));
        assert_eq!(plan.conflict().as_deref(), Some("remove qemu-utils"));
        assert_eq!(plan.installs.len(), 2);
        let essential = Plan::parse("Remv libfdt1 [1.6] [qemu-utils:amd64 ]\nPurg dtc [1.6]\n");
        assert_eq!(essential.removes, ["libfdt1", "dtc"]);
    }

    #[test]
    fn a_downgrade_is_a_conflict_and_an_upgrade_is_none() {
        let plan = Plan::parse(
            "The following packages will be DOWNGRADED:\n  libfdt1\n  libslirp0 libusb-1.0-0\n\
            0 upgraded, 0 newly installed, 3 downgraded, 0 to remove and 0 not upgraded.\n\
            Inst libfdt1 [1.7.0-1] (1.6.1-4+b1 Debian:12.15/oldstable [amd64])\n",
        );
        assert_eq!(plan.conflict().as_deref(), Some("downgrade libfdt1 libslirp0 libusb-1.0-0"));
        let upgrade = Plan::parse("Inst libfdt1 [1.6.0-1] (1.6.1-4+b1 Debian:12.15/oldstable [amd64]) []\n");
        assert_eq!(upgrade.version_of("libfdt1"), Some("1.6.1-4+b1"));
        assert_eq!(upgrade.conflict(), None);
    }

    #[test]
    fn private_lists_are_made_from_the_systems_sources() {
        let words = step::words(&Lists::Private("/cache/apt".into()).command());
        assert!(words.contains("Dir::State::Lists=/cache/apt/lists") && words.contains("Dir::Cache=/cache/apt/cache"));
        assert!(!words.contains("Dir::Etc"), "{words}");
        assert!(!step::words(&Lists::System.command()).contains("Dir::"));
    }
}
