//! `cargo xtask setup` against a fake `apt-get`: what it does to a machine, and what it leaves alone.

use std::fs;
use std::path::PathBuf;

use super::Machine;
use crate::outcome;

/// The programs of the real machine that it needs. QEMU, node, npm and sudo are not among them.
const REAL: [&str; 8] = ["cargo", "cat", "chmod", "env", "grep", "mkdir", "rustc", "sh"];

/// A package that holds a QEMU that reports its version.
const DPKG_DEB: &str = r#"root=$3; mkdir -p "$root/usr/bin" "$root/usr/lib/arch"
printf '#!/bin/sh\necho QEMU emulator version 7.2.22\n' >"$root/usr/bin/qemu-system-arm"
chmod +x "$root/usr/bin/qemu-system-arm""#;

/// An npm that installs a package of two files, with the lock file beside it.
const NPM: &str = r#"[ "$1" = ci ] && [ -s package-lock.json ] || exit 1
mkdir -p node_modules/rp2040js/dist/esm
echo {} >node_modules/rp2040js/package.json; echo >node_modules/rp2040js/dist/esm/index.js"#;

impl Machine {
    /// `simulation` is apt's simulated plan; `as_root` whether the user is root.
    fn new(simulation: &str, as_root: bool) -> Self {
        let machine = Machine::with(&REAL);
        machine.program("rustup", "echo rustup 1.28.0");
        fs::write(machine.path("simulation"), simulation).unwrap();
        let (home, qemu) = (machine.path(""), machine.path("bin/qemu-system-arm"));
        let (home, qemu) = (home.display(), qemu.display());
        machine.program(
            "apt-get",
            &format!(
                r#"echo "$*" >>"{home}/asked"
case "$*" in
*--no-remove*--simulate*) ! grep -q '^Remv' "{home}/simulation" ;;
*--simulate*) cat "{home}/simulation" ;;
*" download "*) [ ! -e "{home}/no-network" ] && echo >package.deb ;;
*"install "*) printf '#!/bin/sh\necho QEMU emulator version 8.2.2\n' >"{qemu}"; chmod +x "{qemu}" ;;
esac"#
            ),
        );
        machine.program("dpkg-deb", DPKG_DEB);
        machine.program("id", if as_root { "echo 0" } else { "echo 1000" });
        machine.program("node", "echo v20.20.2");
        machine.program("npm", NPM);
        machine
    }

    /// The same machine without this program.
    fn without(self, name: &str) -> Self {
        fs::remove_file(self.path("bin").join(name)).unwrap();
        self
    }

    /// The output of setup, which must succeed.
    fn set_up(&self) -> String {
        outcome(&mut self.xtask("setup")).unwrap()
    }

    /// The reason why a command fails.
    fn refused(&self, command: &str) -> String {
        outcome(&mut self.xtask(command)).unwrap_err()
    }

    /// Whether apt-get was asked to change anything.
    fn was_changed(&self) -> bool {
        let asked = fs::read_to_string(self.path("asked")).unwrap();
        asked.lines().any(|line| line.split(' ').any(|word| word == "install") && !line.contains("--simulate"))
    }

    fn private(&self) -> PathBuf {
        self.path("cache/osculate/qemu/qemu-system-arm")
    }

    fn rp2040js(&self) -> PathBuf {
        self.path("cache/osculate/rp2040js-1.4.1/node_modules/rp2040js/package.json")
    }
}

const PLAIN: &str = "Inst qemu-system-arm (1:7.2+dfsg-7 Debian:12 [amd64])\n";
const CONFLICT: &str = "Remv qemu-utils [1:10.0.2]\nInst qemu-system-arm (1:7.2+dfsg-7 Debian:12 [amd64])\n";

#[test]
fn the_package_manager_is_used_where_nothing_is_in_the_way() {
    let machine = Machine::new(PLAIN, true);
    let text = machine.set_up();
    assert!(text.contains("QEMU 8.2.2: ") && text.contains("installed QEMU"), "{text}");
    assert!(machine.was_changed() && !machine.private().exists());
    // Run again: everything is present, so apt-get is not called.
    fs::remove_file(machine.path("asked")).unwrap();
    assert!(machine.set_up().contains("nothing was missing"));
    assert!(!machine.path("asked").exists());
}

#[test]
fn a_conflict_and_a_missing_right_lead_to_a_private_qemu() {
    for (simulation, as_root) in [(CONFLICT, true), (PLAIN, false), (CONFLICT, false)] {
        let machine = Machine::new(simulation, as_root);
        let text = machine.set_up();
        assert!(text.contains(&format!("QEMU 7.2.22: {}", machine.private().display())), "{text}");
        assert!(!machine.was_changed() && machine.private().exists());
        let text = outcome(&mut machine.xtask("doctor")).unwrap();
        assert!(text.contains(" 7.2.22  ") && text.contains("\nready: "), "{text}");
    }
}

#[test]
fn a_qemu_that_is_there_is_used_whatever_apt_would_say() {
    let machine = Machine::new(CONFLICT, true);
    machine.program("qemu-system-arm", "echo QEMU emulator version 6.2.0");
    assert!(machine.set_up().contains("QEMU 6.2.0: "));
    assert!(!machine.path("asked").exists());
}

#[test]
fn what_is_too_old_is_not_used() {
    let machine = Machine::new(PLAIN, true);
    machine.program("qemu-system-arm", "echo QEMU emulator version 5.2.0");
    assert!(machine.refused("doctor").contains("1 of 8 is missing"));
    assert!(machine.set_up().contains("QEMU 8.2.2: "));
}

#[test]
fn an_interrupted_setup_leaves_nothing_half_and_says_what_to_type() {
    let machine = Machine::new(CONFLICT, true);
    fs::write(machine.path("no-network"), "").unwrap();
    let text = machine.refused("setup");
    assert!(text.contains("apt-get would remove or downgrade something"), "{text}");
    assert!(text.contains("as root, `apt-get install --no-install-recommends qemu-system-arm`"), "{text}");
    assert!(!machine.was_changed() && fs::read_dir(machine.path("cache/osculate")).unwrap().count() == 0);
    fs::remove_file(machine.path("no-network")).unwrap();
    assert!(machine.set_up().contains("QEMU 7.2.22: "));
}

#[test]
fn rustup_brings_the_targets_and_what_it_cannot_bring_is_named_with_a_remedy() {
    let machine = Machine::new(PLAIN, true);
    let sysroot = machine.path("sysroot");
    machine.program("rustc", &format!("echo {}", sysroot.display()));
    machine.program("rustup", "case $1 in --version) echo rustup 1.28.0 ;; show) echo stable-x86_64 ;; esac");
    let text = machine.refused("setup");
    assert!(
        text.contains("rustup toolchain uninstall stable-x86_64 && rustup toolchain install stable-x86_64"),
        "{text}"
    );
    let add = "[ $1 != --version ] || echo rustup 1.28.0; for name in \"$@\"; do mkdir -p SYSROOT/lib/rustlib/$name/lib; echo >SYSROOT/lib/rustlib/$name/lib/libcore-1.rlib; done";
    machine.program("rustup", &add.replace("SYSROOT", &sysroot.display().to_string()));
    assert!(machine.set_up().contains("installed the Cortex-M targets"));
    fs::remove_dir_all(&sysroot).unwrap();
    let text = machine.without("rustup").refused("setup");
    assert!(text.contains("thumbv6m-none-eabi") && text.contains("https://rustup.rs"), "{text}");
}

#[test]
fn what_runs_the_board_with_an_rp2040_is_brought_when_asked_for() {
    let machine = Machine::new(PLAIN, true);
    assert!(!machine.set_up().contains("rp2040js"));
    machine.program("npm", "mkdir -p node_modules/rp2040js; exit 1");
    assert!(machine.refused("setup --pico").contains("`npm ci, for rp2040js` failed"));
    assert!(!machine.rp2040js().exists());
    machine.program("npm", NPM);
    assert!(outcome(&mut machine.xtask("setup --pico")).is_ok() && machine.rp2040js().exists());
    let machine = machine.without("node");
    fs::remove_dir_all(machine.path("cache")).unwrap();
    fs::remove_file(machine.path("asked")).unwrap();
    let text = machine.refused("setup --pico");
    assert!(text.contains("apt-get install --no-install-recommends nodejs npm`"), "{text}");
    assert!(!machine.path("asked").exists(), "nothing is installed for it");
}
