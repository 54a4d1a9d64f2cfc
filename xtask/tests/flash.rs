//! `cargo xtask flash` without a board: what it says if something is missing, and what it starts if nothing is. And the
//! images that are flashed: `cargo xtask dev build` and `cargo xtask boards --check`.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::{env, fs};

use osculate_lab::boards::Board;
use osculate_lab::image_files::for_drive;
use osculate_lab::toolchain::on_path;
use tempfile::TempDir;

/// The board that is flashed here.
const BOARD: &str = "microbit";

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
        // The fakes are in a folder of their own: writing through a link would change the real machine.
        for folder in ["bin", "real"] {
            fs::create_dir(machine.path(folder)).unwrap();
        }
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
            if let Some(program) = on_path(name).filter(|_| !self.path("real").join(name).exists()) {
                symlink(program, self.path("real").join(name)).unwrap();
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
        xtask.arg(command).env("PATH", env::join_paths([self.path("bin"), self.path("real")]).unwrap());
        xtask
    }

    fn flash(&self, options: &[&str]) -> Output {
        self.xtask("flash").arg("--mounts").arg(self.folder.path()).args(options).output().unwrap()
    }

    /// The message of a run that must fail, and without a build.
    #[track_caller]
    fn refused(&self, options: &[&str]) -> String {
        let output = self.flash(options);
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
fn what_is_missing_is_told_before_anything_is_built() {
    let text = Machine::new().refused(&["--board", BOARD]);
    for told in
        ["`cargo install probe-rs-tools --locked`", "no drive MICROBIT of microbit is mounted: plug in its USB cable"]
    {
        assert!(text.contains(told), "{text}\nnot {told}");
    }
    let machine = Machine::new().with_probe_rs(NO_PROBE, "true").with_drive("Unique ID: 9900");
    assert!(machine.refused(&["--board", BOARD, "--by", "probe"]).contains("finds no debug probe: plug one in"));
    assert!(!machine.path("asked").exists());
    let machine = Machine::new().with_probe_rs(PROBE, "true");
    assert!(machine.refused(&["--board", BOARD, "--by", "drive"]).contains("no drive MICROBIT"));
    let text = machine.with_probe_rs(&format!("{PROBE} (inaccessible)"), "true").refused(&["--board", BOARD]);
    assert!(text.contains("this user may not open the debug probe"), "{text}");
    let text = Machine::new().refused(&["--board", "mps2-an386"]);
    assert!(text.contains("boards that can be flashed: microbit"), "{text}");
    assert!(Machine::new().refused(&["--board", "arduino"]).contains("there is no board `arduino`"));
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
    assert_eq!(machine.with_probe_rs(PROBE, "exit 3").flash(&["--board", BOARD]).status.code(), Some(3));
}

#[test]
fn with_a_drive_only_the_file_is_copied() {
    let machine = Machine::new().with_cargo(&image(RAM_END)).with_drive("# DAPLink\r\nUnique ID: 9900000\r\n");
    let text = machine.flashed(&["--board", BOARD]);
    assert!(text.contains("copying nexting.hex (") && text.contains("the log needs a probe"), "{text}");
    let (extension, bytes) = for_drive(Board::named(BOARD).unwrap(), &image(RAM_END)).unwrap();
    assert_eq!((extension, fs::read(machine.path("media/me/MICROBIT/nexting.hex")).unwrap()), ("hex", bytes));
}

#[test]
fn an_image_that_would_not_start_is_neither_flashed_nor_written() {
    let machine = Machine::new().with_probe_rs(PROBE, "true").with_cargo(&image(RAM_END + 8));
    let output = machine.flash(&["--board", BOARD]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && text.contains("the stack begins at 0x20004008"), "{text}");
    assert!(!machine.path("asked").exists());
    let out = machine.path("images");
    let build = |machine: &Machine| {
        machine.xtask("dev").args(["build", "--board", BOARD, "--out"]).arg(&out).output().unwrap().status.code()
    };
    assert_eq!((build(&machine), out.exists()), (Some(1), false));
    let machine = machine.with_cargo(&image(RAM_END));
    assert_eq!(build(&machine), Some(0));
    assert_eq!(fs::read(out.join("microbit.elf")).unwrap(), image(RAM_END));
    assert!(out.join("microbit.hex").exists());
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
    let (code, text, errors) = check(RAM_END - 4);
    assert!(code == Some(1) && errors.contains("1 of 1 images would not do, see above: microbit"), "{errors}");
    assert!(text.contains("\nmicrobit: the stack begins at 0x20003ffc (at 0x00000000), no multiple of 8\n"), "{text}");
    let output = Machine::new().xtask("boards").args(["--check", "--board", "mps2-an505"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && text.contains("mps2-an505 has no sensor for nexting"), "{text}");
}
