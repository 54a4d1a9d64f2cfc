//! `cargo xtask flash` without a board: what it says if something is missing, and what it starts if nothing is. And the
//! images that are flashed: `cargo xtask dev build` and `cargo xtask boards --check`.

use std::fs;
use std::process::Command;

use osculate_lab::boards::Board;
use osculate_lab::image_files::for_drive;

use super::Machine;
use crate::outcome;

const NO_PROBE: &str = "No debug probes were found.";
const PROBE: &str =
    "The following debug probes were found:\n[0]: BBC micro:bit CMSIS-DAP -- 0d28:0204:9900 (CMSIS-DAP)";

impl Machine {
    /// Nothing but a compiler that is complete.
    fn bare() -> Self {
        Self::with(&["rustc", "rustup"])
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

    /// A cargo that has built `elf`.
    fn with_cargo(self, elf: &[u8]) -> Self {
        fs::write(self.path("application"), elf).unwrap();
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

    fn flash(&self, options: &str) -> Command {
        let mut flash = self.xtask("flash --mounts");
        flash.arg(self.folder.path()).args(options.split_whitespace());
        flash
    }

    /// The message of a run that must fail, and without a build.
    #[track_caller]
    fn denied(&self, options: &str) -> String {
        let output = self.flash(options).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(!self.path("built").exists(), "something was built");
        String::from_utf8(output.stderr).unwrap()
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
    let text = Machine::bare().denied("--board microbit");
    for told in
        ["`cargo install probe-rs-tools --locked`", "no drive MICROBIT of microbit is mounted: plug in its USB cable"]
    {
        assert!(text.contains(told), "{text}\nnot {told}");
    }
    let machine = Machine::bare().with_probe_rs(NO_PROBE, "true").with_drive("Unique ID: 9900");
    assert!(machine.denied("--board microbit --by probe").contains("finds no debug probe: plug one in"));
    assert!(!machine.path("asked").exists());
    let machine = Machine::bare().with_probe_rs(PROBE, "true");
    assert!(machine.denied("--board microbit --by drive").contains("no drive MICROBIT"));
    let text = machine.with_probe_rs(&format!("{PROBE} (inaccessible)"), "true").denied("--board microbit");
    assert!(text.contains("this user may not open the debug probe"), "{text}");
    let text = Machine::bare().denied("--board mps2-an386");
    assert!(text.contains("boards that can be flashed: microbit"), "{text}");
    assert!(Machine::bare().denied("--board arduino").contains("there is no board `arduino`"));
}

#[test]
fn with_a_probe_it_flashes_and_shows_the_log() {
    let machine = Machine::bare().with_probe_rs(PROBE, "echo '[INFO ] learning'").with_cargo(&image(RAM_END));
    let text = outcome(&mut machine.flash("--board microbit")).unwrap();
    let asked = fs::read_to_string(machine.path("asked")).unwrap();
    let elf = machine.path("application");
    assert_eq!(asked, format!("run --chip nRF51822_xxAA --no-catch-reset --no-catch-hardfault {}\n", elf.display()));
    assert!(text.contains("Ctrl-C") && text.ends_with("[INFO ] learning\n"), "{text}");
    let built = fs::read_to_string(machine.path("built")).unwrap();
    assert!(built.contains("--features board-microbit --features rtt") && built.contains("--bin nexting"), "{built}");
    // It fails if probe-rs does.
    assert_eq!(
        machine.with_probe_rs(PROBE, "exit 3").flash("--board microbit").output().unwrap().status.code(),
        Some(3)
    );
}

#[test]
fn with_a_drive_only_the_file_is_copied() {
    let machine = Machine::bare().with_cargo(&image(RAM_END)).with_drive("# DAPLink\r\nUnique ID: 9900000\r\n");
    let text = outcome(&mut machine.flash("--board microbit")).unwrap();
    assert!(text.contains("copying nexting.hex (") && text.contains("the log needs a probe"), "{text}");
    let (extension, bytes) = for_drive(Board::named("microbit").unwrap(), &image(RAM_END)).unwrap();
    assert_eq!((extension, fs::read(machine.path("media/me/MICROBIT/nexting.hex")).unwrap()), ("hex", bytes));
}

#[test]
fn an_image_that_would_not_start_is_neither_flashed_nor_written() {
    let machine = Machine::bare().with_probe_rs(PROBE, "true").with_cargo(&image(RAM_END + 8));
    let output = machine.flash("--board microbit").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() == Some(1) && text.contains("warning: the stack begins at 0x20004008"), "{text}");
    assert!(!machine.path("asked").exists());
    let out = machine.path("images");
    let build =
        |machine: &Machine| machine.xtask("dev build --board microbit --out").arg(&out).output().unwrap().status.code();
    assert_eq!((build(&machine), out.exists()), (Some(1), false));
    let machine = machine.with_cargo(&image(RAM_END));
    assert_eq!(build(&machine), Some(0));
    assert_eq!(fs::read(out.join("microbit.elf")).unwrap(), image(RAM_END));
    assert!(out.join("microbit.hex").exists());
}

#[test]
fn one_command_checks_images_and_fails_for_whatever_is_wrong_with_one() {
    let check = |stack| {
        let machine = Machine::bare().with_cargo(&image(stack));
        let output = machine.xtask("boards --check --board microbit").output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    // A stack that cannot be followed is no complaint, but it will not do either.
    let (code, text, _) = check(RAM_END);
    assert_eq!(code, Some(1));
    assert!(
        text.contains("  flash       68 of ")
            && text.contains("  stack       not known: linked without --emit-relocs\n"),
        "{text}"
    );
    let (code, text, errors) = check(RAM_END - 4);
    assert!(code == Some(1) && errors.contains("1 of 1 images would not do, see above: microbit"), "{errors}");
    assert!(text.contains("\nwarning: the stack begins at 0x20003ffc (at 0x00000000): no multiple of 8\n"), "{text}");
    let text = outcome(&mut Machine::bare().xtask("boards --check --board mps2-an505")).unwrap_err();
    assert!(text.contains("mps2-an505 has no sensor for nexting"), "{text}");
}
