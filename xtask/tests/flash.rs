//! `cargo xtask flash` without a board: what it says if something is missing, and what it starts if nothing is. And the
//! images that are flashed: `cargo xtask dev dist` and `cargo xtask boards --check`.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use osculate_lab::boards::Board;
use osculate_lab::image_files::Format;
use osculate_lab::toolchain::on_path;
use tempfile::TempDir;

/// The board that is flashed here.
const BOARD: &str = "microbit";
/// The promise of the failing cases.
const SOON: Duration = Duration::from_secs(5);

const NO_PROBE: &str = "No debug probes were found.";
const PROBE: &str =
    "The following debug probes were found:\n[0]: BBC micro:bit CMSIS-DAP -- 0d28:0204:9900 (CMSIS-DAP)";

/// A machine with nothing on its PATH but what a test puts there.
struct Machine {
    folder: TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(machine.path("bin")).unwrap();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, script: &str) {
        let file = self.path("bin").join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A probe-rs that lists this, and records what it is asked to run.
    fn with_probe_rs(self, list: &str, run: &str) -> Self {
        let asked = self.path("asked");
        let asked = asked.display();
        self.program(
            "probe-rs",
            &format!("case $1 in\nlist) echo '{list}' ;;\n*) echo \"$*\" >>'{asked}'; {run} ;;\nesac"),
        );
        self
    }

    /// A cargo that has built `elf`, and a compiler that is complete.
    fn with_cargo(self, elf: &[u8]) -> Self {
        fs::write(self.path("application"), elf).unwrap();
        for name in ["rustc", "rustup"] {
            if let Some(program) = on_path(name) {
                symlink(program, self.path("bin").join(name)).unwrap();
            }
        }
        let (elf, asked) = (self.path("application"), self.path("built"));
        self.program(
            "cargo",
            &format!(
                "echo \"$*\" >>'{}'
echo '{{\"target\":{{\"name\":\"nexting\",\"kind\":[\"bin\"]}},\"executable\":\"{}\"}}'",
                asked.display(),
                elf.display()
            ),
        );
        self
    }

    fn with_drive(self, about: &str) -> Self {
        let folder = self.path("media/me/MICROBIT");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("DETAILS.TXT"), about).unwrap();
        self
    }

    fn xtask(&self, command: &str) -> Command {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_lab"));
        xtask.arg(command).env("PATH", self.path("bin"));
        xtask
    }

    fn flash(&self, options: &[&str]) -> Output {
        self.xtask("flash").arg("--mounts").arg(self.folder.path()).args(options).output().unwrap()
    }

    /// The message of a run that must fail soon, and without a build.
    #[track_caller]
    fn refused(&self, options: &[&str]) -> String {
        let started = Instant::now();
        let output = self.flash(options);
        let took = started.elapsed();
        assert!(took < SOON, "it took {took:?}");
        assert_eq!(output.status.code(), Some(1));
        assert!(!self.path("built").exists(), "something was built");
        String::from_utf8(output.stderr).unwrap()
    }

    /// The output of a run that must succeed.
    #[track_caller]
    fn flashed(&self, options: &[&str]) -> String {
        let output = self.flash(options);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The smallest image that the micro:bit would start: vectors, and two instructions.
fn image(stack: u32) -> Vec<u8> {
    let segment = [1, 84, 0, 0, 68, 68, 5, 4];
    let header = [40 << 16 | 2, 1, 0, 52, 0, 0x0500_0000, 32 << 16 | 52, 40 << 16 | 1, 0];
    let vectors = [stack].into_iter().chain([0x41; 15]);
    let words = header.into_iter().chain(segment).chain(vectors).chain([0xe7fe_e7fe]);
    let ident = [0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    ident.into_iter().chain(words.flat_map(u32::to_le_bytes)).collect()
}

const RAM_END: u32 = 0x2000_4000;

#[test]
fn without_probe_rs_and_drive_it_says_what_to_install_and_what_to_plug_in() {
    let text = Machine::new().refused(&["--board", BOARD]);
    for told in [
        "probe-rs is not installed",
        "\n  cargo install probe-rs-tools --locked\n",
        "no drive MICROBIT is mounted",
        "plug in the board's USB cable",
        "then again: cargo xtask flash --board microbit",
    ] {
        assert!(text.contains(told), "{text}\nnot {told}");
    }
    if cfg!(target_os = "linux") {
        assert!(text.contains("/etc/udev/rules.d/69-probe-rs.rules") && text.contains(r#"ATTRS{idVendor}=="0d28""#));
    }
}

#[test]
fn without_a_probe_it_says_what_to_plug_in() {
    let machine = Machine::new().with_probe_rs(NO_PROBE, "true");
    let text = machine.refused(&["--board", BOARD]);
    assert!(
        text.contains("`probe-rs list` finds no debug probe") && text.contains("a probe is on the board"),
        "{text}"
    );
    assert!(!text.contains("cargo install") && !machine.path("asked").exists());
    // Also if a drive is there, but a probe was asked for, and the other way round.
    let machine = machine.with_drive("Unique ID: 9900");
    assert!(machine.refused(&["--board", BOARD, "--by", "probe"]).contains("finds no debug probe"));
    let text = Machine::new().with_probe_rs(PROBE, "true").refused(&["--board", BOARD, "--by", "drive"]);
    assert!(text.contains("no drive MICROBIT is mounted") && !text.contains("udev"), "{text}");
}

#[test]
fn a_probe_rs_that_fails_hangs_or_may_not_open_the_probe_is_told_apart() {
    let machine = Machine::new();
    machine.program("probe-rs", "exit 3");
    assert!(machine.refused(&["--board", BOARD]).contains("`probe-rs list` failed (exit status: 3)"));
    machine.program("probe-rs", "exec /bin/sleep 60");
    assert!(machine.refused(&["--board", BOARD]).contains("`probe-rs list` failed (no answer after 3 s)"));
    let text = machine.with_probe_rs(&format!("{PROBE} (inaccessible)"), "true").refused(&["--board", BOARD]);
    assert!(text.contains("this user may not open it"), "{text}");
}

#[test]
fn with_a_probe_it_flashes_and_shows_the_log() {
    let machine = Machine::new().with_probe_rs(PROBE, "echo '[INFO ] learning'").with_cargo(&image(RAM_END));
    let text = machine.flashed(&["--board", BOARD]);
    let asked = fs::read_to_string(machine.path("asked")).unwrap();
    let elf = machine.path("application");
    assert_eq!(asked, format!("run --chip nRF51822_xxAA --no-catch-reset --no-catch-hardfault {}\n", elf.display()));
    assert!(text.contains("Ctrl-C") && text.ends_with("[INFO ] learning\n"), "{text}");
    let built = fs::read_to_string(machine.path("built")).unwrap();
    assert!(built.contains("--features board-microbit --features rtt") && built.contains("--bin nexting"), "{built}");
    // It fails if probe-rs does.
    let machine = machine.with_probe_rs(PROBE, "exit 1");
    let output = machine.flash(&["--board", BOARD]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && text.contains("probe-rs failed (exit status: 1)"), "{text}");
}

#[test]
fn with_a_drive_only_the_file_is_copied() {
    let machine = Machine::new().with_cargo(&image(RAM_END)).with_drive("# DAPLink\r\nUnique ID: 9900000\r\n");
    let text = machine.flashed(&["--board", BOARD]);
    assert!(text.contains("copying nexting.hex (") && text.contains("with probe-rs: `--by probe`"), "{text}");
    let file = machine.path("media/me/MICROBIT/nexting.hex");
    Format::Hex.verify(Board::named(BOARD).unwrap(), &image(RAM_END), &file).unwrap();
    // That of the other micro:bit is not used.
    let text = Machine::new().with_drive("Unique ID: 9904").refused(&["--board", BOARD]);
    assert!(text.contains("is not the drive of microbit: its DETAILS.TXT says `Unique ID: 9904`"), "{text}");
}

#[test]
fn an_image_that_would_not_start_is_not_flashed() {
    let machine = Machine::new().with_probe_rs(PROBE, "true").with_cargo(&image(RAM_END + 8));
    let output = machine.flash(&["--board", BOARD]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && text.contains("the stack begins at 0x20004008"), "{text}");
    assert!(!machine.path("asked").exists());
}

#[test]
fn a_board_that_exists_only_in_an_emulator_is_refused() {
    let text = Machine::new().refused(&["--board", "mps2-an386"]);
    assert!(text.contains("boards that can be flashed: microbit"), "{text}");
    assert!(Machine::new().refused(&["--board", "arduino"]).contains("there is no board `arduino`"));
}

#[test]
fn the_files_of_a_board_are_written_and_read_back() {
    let elf = image(RAM_END);
    let machine = Machine::new().with_cargo(&elf);
    let out = machine.path("images");
    let output = machine.xtask("dev").args(["dist", "--board", BOARD, "--out"]).arg(&out).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for format in Format::of(Board::named(BOARD).unwrap()) {
        let file = out.join(format!("{BOARD}.{}", format.extension()));
        format.verify(Board::named(BOARD).unwrap(), &elf, &file).unwrap();
        assert!(text.contains(&file.display().to_string()), "{text}");
    }
    assert!(text.ends_with("all equal\n"), "{text}");
    // What would not start is not handed out.
    let machine = Machine::new().with_cargo(&image(RAM_END + 8));
    let out = machine.path("images");
    let output = machine.xtask("dev").args(["dist", "--board", BOARD, "--out"]).arg(&out).output().unwrap();
    assert_eq!((output.status.code(), fs::read_dir(out).unwrap().count()), (Some(1), 0));
}

#[test]
fn one_command_checks_images_and_fails_for_whatever_is_wrong_with_one() {
    let check = |stack| {
        let machine = Machine::new().with_cargo(&image(stack));
        let output = machine.xtask("boards").args(["--check", "--board", BOARD]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    // A stack that cannot be followed is no complaint, but it will not do either.
    let (code, text, _) = check(RAM_END);
    assert_eq!(code, Some(1));
    let line = text.lines().find(|line| line.starts_with("microbit ")).unwrap();
    assert!(line.contains(" 68 of ") && line.ends_with("stack not known"), "{text}");
    assert!(text.contains("microbit: the stack's bound is not known: linked without --emit-relocs"), "{text}");
    let (code, text, errors) = check(RAM_END - 4);
    assert!(code == Some(1) && errors.contains("1 of 1 images would not do, see above: microbit"), "{errors}");
    assert!(text.contains("\nmicrobit: the stack begins at 0x20003ffc (at 0x00000000), no multiple of 8\n"), "{text}");
}

#[test]
fn a_board_without_an_application_is_not_checked() {
    let output = Machine::new().xtask("boards").args(["--check", "--board", "mps2-an505"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && text.contains("mps2-an505 has no sensor for nexting"), "{text}");
}
