//! The package managers that setup supports.

use std::process::Command;

use osculate_lab::toolchain::{answer, on_path};

use super::apt::{Lists, Plan};
use super::step;

/// A package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Manager {
    pub(super) program: &'static str,
    /// The package that holds `qemu-system-arm`.
    pub(super) qemu: &'static str,
    /// The packages that hold node and npm.
    pub(super) node: &'static str,
    /// The options of an installation that may prompt before it changes installed packages.
    install: &'static str,
    /// The further options of one without prompts, which refuses to change them.
    silent: &'static [&'static str],
}

pub(super) const APT: &str = "apt-get";

const MANAGERS: [Manager; 4] = [
    Manager {
        program: APT,
        qemu: "qemu-system-arm",
        node: "nodejs npm",
        install: "install --no-install-recommends",
        silent: &["-y", "--no-remove", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::http::Timeout=30"],
    },
    Manager { program: "dnf", qemu: "qemu-system-arm", node: "nodejs nodejs-npm", install: "install", silent: &["-y"] },
    Manager { program: "pacman", qemu: "qemu-system-arm", node: "nodejs npm", install: "-S", silent: &["--noconfirm"] },
    Manager { program: "brew", qemu: "qemu", node: "node", install: "install", silent: &[] },
];

/// How this user becomes root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rights {
    /// Is root.
    Root,
    /// With a sudo that needs no password.
    Sudo,
    /// By typing a password, for sudo.
    Password,
    /// The same, for su: there is no sudo.
    Su,
}

impl Rights {
    pub(super) fn find() -> Self {
        if answer(Command::new("id").arg("-u")).as_deref() == Some("0") {
            Rights::Root
        } else if answer(Command::new("sudo").args(["-n", "true"])).is_some() {
            Rights::Sudo
        } else if on_path("sudo").is_some() {
            Rights::Password
        } else {
            Rights::Su
        }
    }
}

/// Why packages were not installed.
pub(super) struct Refusal {
    pub(super) reason: String,
    /// What the user can do about it.
    pub(super) advice: String,
}

impl Manager {
    /// That of this machine.
    pub(super) fn find() -> Option<Self> {
        MANAGERS.into_iter().find(|manager| on_path(manager.program).is_some())
    }

    /// The command to install packages by hand.
    pub(super) fn by_hand(self, packages: &str, rights: Rights) -> String {
        let Manager { program, install, .. } = self;
        let refresh = if program == APT { "apt-get update && " } else { "" };
        let command = format!("{refresh}{program} {install} {packages}");
        match rights {
            // brew refuses to run as root.
            _ if program == "brew" => command,
            Rights::Root => command,
            Rights::Sudo | Rights::Password => format!("sudo {}", command.replace("&& ", "&& sudo ")),
            Rights::Su => format!("su -c '{command}'"),
        }
    }

    /// Refreshes the lists and installs the package, if nothing has to be removed or downgraded.
    pub(super) fn install(self, package: &str) -> Result<(), Refusal> {
        let rights = Rights::find();
        let by_hand = |reason: String, why: &str| Refusal {
            reason,
            advice: format!("{why}:\n  {}", self.by_hand(package, rights)),
        };
        let needs_root = self.program != "brew";
        if needs_root && matches!(rights, Rights::Password | Rights::Su) {
            let reason = format!("{} needs root here, and sudo is missing or asks for a password", self.program);
            return Err(by_hand(reason, "Run"));
        }
        let sudo: &[&str] = if needs_root && rights == Rights::Sudo { &["sudo", "-n"] } else { &[] };
        let run = |arguments: &[&str]| {
            // Through `env`, because sudo passes no variables on.
            let program = ["env", "DEBIAN_FRONTEND=noninteractive", self.program];
            let words: Vec<_> = sudo.iter().chain(&program).chain(arguments).collect();
            let title = format!("{} {}", self.program, arguments.join(" "));
            step::run_as(&title, Command::new(words[0]).args(&words[1..]), None)
        };
        if self.program == APT {
            // A single broken source makes this fail even if the others are fresh; only the installation counts.
            if run(&["update"]).is_err() {
                step::say("note", "going on with the lists of packages that are there");
            }
            if let Some(change) = Lists::System.simulate(package).ok().as_ref().and_then(Plan::conflict) {
                return Err(by_hand(format!("apt-get would {change}"), &format!("To {change} all the same, run")));
            }
        }
        let options: Vec<_> = self.install.split(' ').chain(self.silent.iter().copied()).chain([package]).collect();
        run(&options).map_err(|error| Refusal {
            reason: format!("{error:#}"),
            advice: "Mend what is said above, then run `cargo xtask setup` again.".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_by_hand_becomes_root_as_this_machine_does() {
        let [apt, dnf, _, brew] = MANAGERS;
        let install = "apt-get install --no-install-recommends qemu-system-arm";
        assert_eq!(apt.by_hand(apt.qemu, Rights::Root), format!("apt-get update && {install}"));
        assert_eq!(apt.by_hand(apt.qemu, Rights::Password), format!("sudo apt-get update && sudo {install}"));
        assert_eq!(apt.by_hand(apt.qemu, Rights::Su), format!("su -c 'apt-get update && {install}'"));
        assert_eq!(dnf.by_hand(dnf.node, Rights::Sudo), "sudo dnf install nodejs nodejs-npm");
        assert_eq!(brew.by_hand(brew.qemu, Rights::Password), "brew install qemu");
    }
}
