//! The package managers that setup knows.

use std::{fmt, process::Command};

use anyhow::{Result, anyhow, bail};
use osculate_host_tests::lab::toolchain::{answer, on_path};

use crate::step;

/// A package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manager {
    Apt,
    Dnf,
    Pacman,
    Brew,
}

impl Manager {
    const ALL: [Manager; 4] = [Manager::Apt, Manager::Dnf, Manager::Pacman, Manager::Brew];

    /// The first one whose program `exists`.
    fn choose(exists: impl Fn(&str) -> bool) -> Option<Self> {
        Self::ALL.into_iter().find(|manager| exists(manager.program()))
    }

    pub(crate) fn program(self) -> &'static str {
        match self {
            Manager::Apt => "apt-get",
            Manager::Dnf => "dnf",
            Manager::Pacman => "pacman",
            Manager::Brew => "brew",
        }
    }

    /// The package that holds `qemu-system-arm`.
    pub(crate) fn qemu(self) -> &'static str {
        match self {
            Manager::Apt | Manager::Dnf | Manager::Pacman => "qemu-system-arm",
            Manager::Brew => "qemu",
        }
    }

    /// The options that install without asking.
    fn install_options(self) -> &'static [&'static str] {
        match self {
            // `--no-remove`: a conflict with something the user has installed is the user's to decide.
            Manager::Apt => &["install", "-y", "--no-install-recommends", "--no-remove"],
            Manager::Dnf => &["install", "-y"],
            Manager::Pacman => &["-S", "--noconfirm", "--needed"],
            Manager::Brew => &["install"],
        }
    }

    /// The options of the program that refresh its lists of packages, where it does not do so by itself.
    fn refresh_options(self) -> Option<&'static [&'static str]> {
        (self == Manager::Apt).then_some(&["update"])
    }

    /// brew refuses to run as root.
    fn needs_root(self) -> bool {
        self != Manager::Brew
    }

    /// What a person types to install these packages.
    pub(crate) fn by_hand(self, packages: &[&str], as_root: bool) -> String {
        let sudo = if self.needs_root() && !as_root { "sudo " } else { "" };
        let program = self.program();
        let refresh = self.refresh_options().map(|options| format!("{sudo}{program} {} && ", options.join(" ")));
        let install = self.install_options().join(" ");
        format!("{}{sudo}{program} {install} {}", refresh.unwrap_or_default(), packages.join(" "))
    }

    /// The command without what only keeps it from asking and waiting.
    fn title(self, rights: Rights, options: &[&str]) -> String {
        let sudo = if self.needs_root() && rights == Rights::Sudo { "sudo -n " } else { "" };
        format!("{sudo}{} {}", self.program(), options.join(" "))
    }

    fn command(self, rights: Rights, options: &[&str]) -> Command {
        let mut words = Vec::new();
        if self.needs_root() && rights == Rights::Sudo {
            words.extend(["sudo", "-n"]);
        }
        if self == Manager::Apt {
            // Through `env`, because sudo hands no variables on.
            words.extend(["env", "DEBIAN_FRONTEND=noninteractive"]);
        }
        words.push(self.program());
        if self == Manager::Apt {
            // Another apt-get at work is waited for; a server that does not answer is given up soon.
            words.extend(["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::http::Timeout=30"]);
        }
        words.extend(options);
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    }
}

/// How this user may install packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rights {
    Root,
    /// With a sudo that asks for no password.
    Sudo,
    None,
}

impl Rights {
    pub(crate) fn find() -> Self {
        if answer(Command::new("id").arg("-u")).as_deref() == Some("0") {
            Rights::Root
        } else if answer(Command::new("sudo").args(["-n", "true"])).is_some() {
            Rights::Sudo
        } else {
            Rights::None
        }
    }
}

impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rights::Root => "as root",
            Rights::Sudo => "with sudo",
            Rights::None => "without the right to install (no root, no sudo without a password)",
        })
    }
}

/// Installs packages with the machine's package manager.
pub(crate) struct Installer {
    manager: Option<Manager>,
    refreshed: bool,
}

impl Installer {
    pub(crate) fn find() -> Self {
        Self { manager: Manager::choose(|program| on_path(program).is_some()), refreshed: false }
    }

    pub(crate) fn manager(&self) -> Option<Manager> {
        self.manager
    }

    /// Installs the packages, after a refresh of the lists (once in a run).
    ///
    /// # Errors
    /// Says what to type by hand.
    pub(crate) fn install(&mut self, packages: &[&str]) -> Result<()> {
        let Some(manager) = self.manager else {
            let known = Manager::ALL.map(Manager::program).join(", ");
            bail!("no package manager that setup knows ({known}): install {} by hand", packages.join(" "));
        };
        let rights = Rights::find();
        let by_hand = manager.by_hand(packages, rights == Rights::Root);
        if rights == Rights::None && manager.needs_root() {
            let packages = packages.join(" ");
            bail!("installing {packages} needs root, and sudo is missing or asks for a password. Run:\n  {by_hand}");
        }
        self.refresh(manager, rights);
        let options: Vec<_> = manager.install_options().iter().chain(packages).copied().collect();
        step::run_as(&manager.title(rights, &options), &mut manager.command(rights, &options), None)
            .map_err(|error| anyhow!("{error:#}\nTo do it by hand:\n  {by_hand}"))
    }

    fn refresh(&mut self, manager: Manager, rights: Rights) {
        let Some(options) = manager.refresh_options().filter(|_| !self.refreshed) else { return };
        // A single broken source makes this fail although the others are fresh: what counts is the installation.
        if step::run_as(&manager.title(rights, options), &mut manager.command(rights, options), None).is_err() {
            step::say("note", "going on with the lists of packages that are there");
        }
        self.refreshed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_manager_is_known_by_its_program() {
        assert_eq!(Manager::choose(|program| program == "dnf"), Some(Manager::Dnf));
        assert_eq!(Manager::choose(|program| program == "apt-get" || program == "brew"), Some(Manager::Apt));
        assert_eq!(Manager::choose(|_| false), None);
    }

    #[test]
    fn what_to_type_has_sudo_only_where_it_is_needed() {
        let by_hand = |manager: Manager, as_root| manager.by_hand(&[manager.qemu()], as_root);
        assert_eq!(
            by_hand(Manager::Apt, false),
            "sudo apt-get update && sudo apt-get install -y --no-install-recommends --no-remove qemu-system-arm"
        );
        assert_eq!(by_hand(Manager::Dnf, true), "dnf install -y qemu-system-arm");
        assert_eq!(by_hand(Manager::Pacman, false), "sudo pacman -S --noconfirm --needed qemu-system-arm");
        assert_eq!(by_hand(Manager::Brew, false), "brew install qemu");
    }

    #[test]
    fn commands_never_ask() {
        let words = |manager: Manager, rights| step::words(&manager.command(rights, manager.install_options()));
        assert!(words(Manager::Apt, Rights::Sudo).starts_with("sudo -n env DEBIAN_FRONTEND=noninteractive apt-get "));
        assert!(words(Manager::Apt, Rights::Root).starts_with("env DEBIAN_FRONTEND=noninteractive apt-get "));
        assert_eq!(words(Manager::Dnf, Rights::Sudo), "sudo -n dnf install -y");
        assert_eq!(words(Manager::Brew, Rights::Sudo), "brew install");
    }
}
