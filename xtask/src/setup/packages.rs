//! The package managers that setup supports.

use std::{fmt, process::Command};

use osculate_lab::toolchain::on_path;

use super::{
    apt::{Lists, Plan},
    rights::{Becoming, Rights},
    step,
};

/// A package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manager {
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

    pub(super) fn program(self) -> &'static str {
        match self {
            Manager::Apt => "apt-get",
            Manager::Dnf => "dnf",
            Manager::Pacman => "pacman",
            Manager::Brew => "brew",
        }
    }

    /// The package that holds `qemu-system-arm`.
    pub(super) fn qemu(self) -> &'static str {
        match self {
            Manager::Apt | Manager::Dnf | Manager::Pacman => "qemu-system-arm",
            Manager::Brew => "qemu",
        }
    }

    /// The package that holds `node`.
    pub(super) fn node(self) -> &'static str {
        match self {
            Manager::Apt | Manager::Dnf | Manager::Pacman => "nodejs",
            Manager::Brew => "node",
        }
    }

    /// The package that holds `npm`.
    pub(super) fn npm(self) -> &'static str {
        match self {
            Manager::Apt | Manager::Pacman => "npm",
            Manager::Dnf => "nodejs-npm",
            Manager::Brew => "node",
        }
    }

    /// The options for an installation without prompts.
    fn install_options(self) -> &'static [&'static str] {
        match self {
            // `--no-remove`: the user decides about conflicts with installed packages.
            Manager::Apt => &["install", "-y", "--no-install-recommends", "--no-remove"],
            Manager::Dnf => &["install", "-y"],
            Manager::Pacman => &["-S", "--noconfirm", "--needed"],
            Manager::Brew => &["install"],
        }
    }

    /// The options that refresh the package lists, if the program does not do so by itself.
    fn refresh_options(self) -> Option<&'static [&'static str]> {
        (self == Manager::Apt).then_some(&["update"])
    }

    /// brew refuses to run as root.
    fn needs_root(self) -> bool {
        self != Manager::Brew
    }

    /// The command to install these packages by hand; it prompts before it changes installed packages.
    pub(super) fn by_hand(self, packages: &[&str], becoming: Becoming) -> String {
        let program = self.program();
        let options: &[_] = match self {
            Manager::Apt => &["install", "--no-install-recommends"],
            Manager::Dnf | Manager::Brew => &["install"],
            Manager::Pacman => &["-S"],
        };
        let install = format!("{program} {} {}", options.join(" "), packages.join(" "));
        let refresh = self.refresh_options().map(|options| format!("{program} {}", options.join(" ")));
        let commands: Vec<_> = refresh.into_iter().chain([install]).collect();
        match becoming {
            Becoming::Sudo if self.needs_root() => format!("sudo {}", commands.join(" && sudo ")),
            Becoming::Su if self.needs_root() => format!("su -c '{}'", commands.join(" && ")),
            _ => commands.join(" && "),
        }
    }

    /// The command without the options that only prevent prompts and waiting.
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
            // Through `env`, because sudo passes no variables on.
            words.extend(["env", "DEBIAN_FRONTEND=noninteractive"]);
        }
        words.push(self.program());
        if self == Manager::Apt {
            // Waits for another running apt-get, but gives up soon on a server that does not answer.
            words.extend(["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::http::Timeout=30"]);
        }
        words.extend(options);
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    }
}

/// Why packages were not installed.
#[derive(Debug)]
pub(super) enum Refusal {
    NoManager,
    NoRights(Manager),
    /// The other changes that the installation would make.
    Conflict(Manager, String),
    /// The program's own error; there is no better command to suggest.
    Failed(anyhow::Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoManager => {
                write!(f, "no package manager that setup knows ({})", Manager::ALL.map(Manager::program).join(", "))
            }
            Refusal::NoRights(manager) => {
                write!(f, "{} needs root here, and sudo is missing or asks for a password", manager.program())
            }
            Refusal::Conflict(manager, change) => write!(f, "{} would {change}", manager.program()),
            Refusal::Failed(error) => write!(f, "{error:#}"),
        }
    }
}

impl Refusal {
    /// Advice for the user.
    pub(super) fn advice(&self, packages: &[&str], becoming: Becoming) -> String {
        match self {
            Refusal::NoManager => format!("Install {} by hand.", packages.join(" ")),
            Refusal::NoRights(manager) => format!("Run:\n  {}", manager.by_hand(packages, becoming)),
            Refusal::Conflict(manager, change) => {
                format!("To {change} all the same, run:\n  {}", manager.by_hand(packages, becoming))
            }
            Refusal::Failed(_) => "Mend what is said above, then run `cargo xtask setup` again.".to_owned(),
        }
    }
}

/// Installs packages with the machine's package manager.
pub(super) struct Installer {
    manager: Option<Manager>,
    refreshed: bool,
    /// apt's last simulation since the last refresh, cached because it is slow.
    simulated: Option<(String, Option<Plan>)>,
}

impl Installer {
    pub(super) fn find() -> Self {
        Self { manager: Manager::choose(|program| on_path(program).is_some()), refreshed: false, simulated: None }
    }

    pub(super) fn manager(&self) -> Option<Manager> {
        self.manager
    }

    /// apt's plan to install these packages; `None` if there is no apt, or if it finds no solution.
    pub(super) fn plan(&mut self, packages: &[&str]) -> Option<&Plan> {
        let names = packages.join(" ");
        if self.manager == Some(Manager::Apt) && self.simulated.as_ref().is_none_or(|(asked, _)| *asked != names) {
            self.simulated = Some((names, Lists::System.simulate(packages).ok()));
        }
        self.simulated.as_ref().and_then(|(_, plan)| plan.as_ref())
    }

    /// Refreshes the lists (once per run) and installs the packages, if nothing has to be removed or downgraded.
    ///
    /// # Errors
    /// The reason why not.
    pub(super) fn install(&mut self, packages: &[&str]) -> Result<(), Refusal> {
        let manager = self.manager.ok_or(Refusal::NoManager)?;
        let rights = Rights::find();
        if rights == Rights::None && manager.needs_root() {
            return Err(Refusal::NoRights(manager));
        }
        self.check(manager, packages)?;
        if self.refresh(manager, rights) {
            self.check(manager, packages)?;
        }
        let options: Vec<_> = manager.install_options().iter().chain(packages).copied().collect();
        step::run_as(&manager.title(rights, &options), &mut manager.command(rights, &options), None)
            .map_err(Refusal::Failed)
    }

    /// Refuses an installation that would change installed packages. A package that is not in the lists is not refused
    /// yet: the lists may be old.
    fn check(&mut self, manager: Manager, packages: &[&str]) -> Result<(), Refusal> {
        // Package managers other than apt refuse by themselves if they cannot prompt.
        let conflict = self.plan(packages).and_then(Plan::conflict);
        conflict.map_or(Ok(()), |change| Err(Refusal::Conflict(manager, change)))
    }

    /// Refreshes the lists. Returns whether they may have changed.
    fn refresh(&mut self, manager: Manager, rights: Rights) -> bool {
        let Some(options) = manager.refresh_options().filter(|_| !self.refreshed) else { return false };
        // A single broken source makes this fail even if the others are fresh; only the installation counts.
        if step::run_as(&manager.title(rights, options), &mut manager.command(rights, options), None).is_err() {
            step::say("note", "going on with the lists of packages that are there");
        }
        self.refreshed = true;
        self.simulated = None;
        true
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
    fn what_to_type_becomes_root_as_the_machine_can() {
        let by_hand = |manager: Manager, becoming| manager.by_hand(&[manager.qemu()], becoming);
        assert_eq!(
            by_hand(Manager::Apt, Becoming::Sudo),
            "sudo apt-get update && sudo apt-get install --no-install-recommends qemu-system-arm"
        );
        assert_eq!(
            by_hand(Manager::Apt, Becoming::Su),
            "su -c 'apt-get update && apt-get install --no-install-recommends qemu-system-arm'"
        );
        assert_eq!(by_hand(Manager::Dnf, Becoming::Nothing), "dnf install qemu-system-arm");
        assert_eq!(by_hand(Manager::Pacman, Becoming::Sudo), "sudo pacman -S qemu-system-arm");
        assert_eq!(by_hand(Manager::Brew, Becoming::Sudo), "brew install qemu");
    }

    #[test]
    fn what_to_type_is_never_what_has_failed() {
        let manager = Manager::Apt;
        let failing = manager.title(Rights::Root, &[manager.install_options(), &["qemu-system-arm"]].concat());
        let refusals = [
            Refusal::NoManager,
            Refusal::NoRights(manager),
            Refusal::Conflict(manager, "remove qemu-utils".into()),
            Refusal::Failed(anyhow::anyhow!("`{failing}` failed")),
        ];
        for refusal in refusals {
            let advice = refusal.advice(&["qemu-system-arm"], Becoming::Nothing);
            assert!(!advice.contains(&failing) && !advice.contains("--no-remove"), "{advice}");
        }
        let conflict = Refusal::Conflict(manager, "remove qemu-utils".into());
        assert_eq!(conflict.to_string(), "apt-get would remove qemu-utils");
        assert!(
            conflict.advice(&["x"], Becoming::Nothing).starts_with("To remove qemu-utils all the same, run:\n  apt")
        );
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
