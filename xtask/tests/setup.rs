//! `cargo xtask setup` against a fake `apt-get`: what it does to a machine, and what it leaves alone.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use osculate_lab::toolchain::on_path;
use tempfile::TempDir;

/// The programs of the real machine that it needs. QEMU, node, npm and sudo are not among them.
const REAL: [&str; 12] = [
    "cargo",
    "cargo-clippy",
    "cargo-fmt",
    "chmod",
    "env",
    "mkdir",
    "rustc",
    "rustfmt",
    "rustup",
    "sh",
    "cat",
    "clippy-driver",
];

/// A package that holds a QEMU that reports its version, a node as below, and an npm that is a file.
const DPKG_DEB: &str = r#"root=$3; mkdir -p "$root/usr/bin" "$root/usr/lib/arch" "$root/usr/share/nodejs/npm/bin"
printf '#!/bin/sh\necho QEMU emulator version 7.2.22\n' >"$root/usr/bin/qemu-system-arm"
cat "${0%/*}/../node" >"$root/usr/bin/node"
echo >"$root/usr/share/nodejs/npm/bin/npm-cli.js"
chmod +x "$root/usr/bin/qemu-system-arm" "$root/usr/bin/node""#;

/// A node that reports its version, runs the one script that setup tries, and npm.
const NODE: &str = r#"case "$*" in
--version) echo v18.20.4 ;;
*--eval*) echo function ;;
*/npm-cli.js*) [ -d "$NODE_PATH" ] || exit 1; shift; NPM ;;
esac"#;

/// An npm that installs a package of two files, with the lock file beside it.
const NPM: &str = r#"[ "$1" = ci ] && [ -s package-lock.json ] || exit 1
mkdir -p node_modules/rp2040js/dist/esm
echo {} >node_modules/rp2040js/package.json; echo >node_modules/rp2040js/dist/esm/index.js"#;

/// A machine with a package manager that records its calls.
struct Machine {
    folder: TempDir,
}

impl Machine {
    /// `simulation` is apt's simulated plan; `as_root` whether the user is root.
    fn new(simulation: &str, as_root: bool) -> Self {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(machine.path("bin")).unwrap();
        for name in REAL {
            if let Some(program) = on_path(name) {
                symlink(program, machine.path("bin").join(name)).unwrap();
            }
        }
        fs::write(machine.path("simulation"), simulation).unwrap();
        let (home, qemu) = (machine.path(""), machine.path("bin/qemu-system-arm"));
        let (home, qemu) = (home.display(), qemu.display());
        machine.program(
            "apt-get",
            &format!(
                r#"echo "$*" >>"{home}/asked"
case "$*" in
*--simulate*) [ -s "{home}/simulation" ] || exit 100; cat "{home}/simulation" ;;
*" download "*) [ ! -e "{home}/no-network" ] && echo >package.deb ;;
*" install "*nodejs) cat "{home}/node" >"{home}/bin/node"; chmod +x "{home}/bin/node" ;;
*" install "*) printf '#!/bin/sh\necho QEMU emulator version 8.2.2\n' >"{qemu}"; chmod +x "{qemu}" ;;
esac"#
            ),
        );
        machine.program("dpkg-deb", DPKG_DEB);
        fs::write(machine.path("node"), format!("#!/bin/sh\n{}\n", NODE.replace("NPM", NPM))).unwrap();
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

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, script: &str) {
        let file = self.path("bin").join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn xtask(&self, command: &str) -> Output {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_lab"));
        xtask.arg(command).env("PATH", self.path("bin")).env("XDG_CACHE_HOME", self.path("cache")).output().unwrap()
    }

    /// The output of setup, which must succeed.
    fn set_up(&self) -> String {
        let output = self.xtask("setup");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
        text
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

    /// What is in the cache folder.
    fn cached(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("cache/osculate")).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

const PLAIN: &str = "Inst qemu-system-arm (1:7.2+dfsg-7 Debian:12 [amd64])\n";
const CONFLICT: &str = "Remv qemu-utils [1:10.0.2]\nInst qemu-system-arm (1:7.2+dfsg-7 Debian:12 [amd64])\n";

#[test]
fn the_package_manager_is_used_where_nothing_is_in_the_way() {
    let machine = Machine::new(PLAIN, true);
    let text = machine.set_up();
    assert!(text.contains("QEMU 8.2.2, on the PATH"), "{text}");
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
        assert!(text.contains("QEMU 7.2.22, private"), "{text}");
        assert!(!machine.was_changed() && machine.private().exists());
        let doctor = machine.xtask("doctor");
        let text = String::from_utf8(doctor.stdout).unwrap();
        assert!(doctor.status.success() && text.contains("7.2.22, private  ") && text.contains("\nready: "), "{text}");
    }
}

#[test]
fn a_qemu_that_is_there_is_used_whatever_apt_would_say() {
    let machine = Machine::new(CONFLICT, true);
    machine.program("qemu-system-arm", "echo QEMU emulator version 6.2.0");
    assert!(machine.set_up().contains("QEMU 6.2.0, on the PATH"));
    assert!(!machine.path("asked").exists());
}

#[test]
fn what_is_too_old_is_neither_used_nor_installed() {
    let machine = Machine::new("Inst qemu-system-arm (1:5.2+dfsg-11 Debian:11 [amd64])\n", true);
    machine.program("qemu-system-arm", "echo QEMU emulator version 5.2.0");
    let output = machine.xtask("setup");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains("this release has 1:5.2+dfsg-11"), "{text}");
    assert!(!machine.was_changed());
}

#[test]
fn an_interrupted_setup_leaves_nothing_half_and_says_what_to_type() {
    let machine = Machine::new(CONFLICT, true);
    fs::write(machine.path("no-network"), "").unwrap();
    let output = machine.xtask("setup");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains("apt-get would remove qemu-utils"), "{text}");
    assert!(text.contains("\n  apt-get update && apt-get install --no-install-recommends qemu-system-arm\n"), "{text}");
    assert!(!machine.private().exists() && !machine.was_changed());

    fs::remove_file(machine.path("no-network")).unwrap();
    fs::create_dir_all(machine.path("cache/osculate/draft-qemu/root")).unwrap();
    fs::write(machine.path("cache/osculate/draft-qemu/root/half"), "").unwrap();
    assert!(machine.set_up().contains("QEMU 7.2.22, private"));
    assert!(!Path::new(&machine.path("cache/osculate/qemu/root/half")).exists());
}

#[test]
fn the_emulator_of_the_pico_is_brought_with_what_is_there() {
    let machine = Machine::new(PLAIN, true);
    let text = machine.set_up();
    assert!(text.contains("node 20.20.2, on the PATH") && text.contains("rp2040js 1.4.1: "), "{text}");
    assert!(text.contains("installed QEMU, rp2040js"), "{text}");
    assert!(machine.rp2040js().exists());
    assert_eq!(machine.cached(), ["lock", "rp2040js-1.4.1"]);
}

#[test]
fn node_comes_from_the_package_manager_or_is_unpacked() {
    let machine = Machine::new(PLAIN, true).without("node");
    assert!(machine.set_up().contains("node 18.20.4, on the PATH"));
    let machine = Machine::new(PLAIN, false).without("node");
    let text = machine.set_up();
    assert!(text.contains("node 18.20.4, private"), "{text}");
    assert!(!machine.was_changed() && machine.rp2040js().exists());
    assert_eq!(machine.cached(), ["lock", "node", "qemu", "rp2040js-1.4.1"]);
}

#[test]
fn npm_is_never_installed_by_apt_and_leaves_nothing() {
    for as_root in [true, false] {
        let machine = Machine::new(PLAIN, as_root).without("node").without("npm");
        let text = machine.set_up();
        assert!(text.contains("unpacking one for this download"), "{text}");
        assert!(machine.rp2040js().exists());
        assert!(machine.cached().iter().all(|name| !name.contains("npm") && !name.contains("draft")));
        let asked = fs::read_to_string(machine.path("asked")).unwrap();
        assert!(!asked.lines().any(|line| line.ends_with("--no-remove npm")), "{asked}");
    }
}

#[test]
fn a_download_that_fails_leaves_no_package() {
    let machine = Machine::new(PLAIN, true);
    machine.program("npm", "mkdir -p node_modules/rp2040js; exit 1");
    let output = machine.xtask("setup");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && text.contains("rp2040js, which runs the Pico, is missing"), "{text}");
    assert!(!machine.rp2040js().exists());
    machine.program("npm", NPM);
    assert!(machine.set_up().contains("installed rp2040js"));
}
