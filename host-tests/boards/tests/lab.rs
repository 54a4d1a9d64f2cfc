//! The lab reports correctly: working firmware is reported as working, and every kind of failure is noticed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use anyhow::Result;
use osculate_apps::choice::Arith;
use osculate_apps::message::{MOST, to_bytes};
use osculate_lab::boards::Board;
use osculate_lab::emulation::{Emulation, Outcome};
use osculate_lab::firmware;
use osculate_lab::log::{Line, LogTable};
use osculate_lab::processes::processes_with;
use osculate_programs::count::{Count, Part, Stretch};
use osculate_programs::float_cases::{EXPECTED, digest};
use osculate_programs::keep::Found;
use osculate_programs::report::Report;
use osculate_programs::soak::Soaked;

fn boards_that_run() -> impl Iterator<Item = &'static Board> {
    Board::all().iter().filter(|board| board.runs_here())
}

/// Runs the firmware `faults`, which fails in the way named by `fault`.
fn fault(board: &Board, fault: &str) -> Result<Outcome> {
    let elf = firmware::build(board, "faults", &[])?;
    Emulation::new(board, elf).argument(fault).timeout(Duration::from_secs(20)).run(|_| ())
}

fn default_board() -> &'static Board {
    Board::named("mps2-an386").unwrap()
}

#[test]
fn every_board_boots_logs_and_ends() -> Result<()> {
    for board in boards_that_run() {
        let elf = firmware::build(board, "selfcheck", &[])?;
        assert_eq!(Board::of_elf(&std::fs::read(&elf)?)?.name, board.name);
        let mut live = Vec::new();
        let lines = Emulation::new(board, elf).run(|line| live.push(line.clone()))?.success()?;
        let messages: Vec<_> = lines.iter().map(|line| line.message.as_str()).collect();
        assert_eq!(
            messages,
            [&format!("board {}", board.name), "memory ok", "float ok", "stack ok", "logger ok", "done"]
        );
        assert_eq!(live, lines);
    }
    Ok(())
}

/// A double has more than twice the bits of a float, and two more: its result, rounded to a float, is rounded as if once.
#[test]
fn floats_are_the_same_bits_on_the_host() {
    let wide = |a: f32, b: f32| {
        let (a, b) = (f64::from(a), f64::from(b));
        [a + b, a - b, a * b, a / b, a.sqrt()].map(|x| x as f32)
    };
    let digests = [digest(wide), digest(|a, b| [a + b, a - b, a * b, a / b, a.sqrt()])];
    assert_eq!(digests, [EXPECTED; 2], "{digests:#x?}");
}

/// What each cause is called, and that the next boot tells it, `survival` tries.
#[test]
fn every_failure_of_the_firmware_is_logged_and_reported() -> Result<()> {
    for (name, message) in [
        ("panic", "a panic with 42 in it"),
        ("assert", "an assertion of defmt"),
        ("hard-fault", "HardFault at pc 0x"),
        ("interrupt", "no handler for interrupt -2"),
    ] {
        // A core with an FPU, and the smallest one: no FPU, no compare-and-swap.
        for board in [default_board(), Board::named("microbit")?] {
            let outcome = fault(board, name)?;
            assert_eq!(outcome.code, Some(101), "{name} on {}", board.name);
            let error = outcome.lines.iter().find(|line| line.level == Some("error")).expect("an error");
            assert!(error.message.contains(message), "{name}: {}", error.message);
            assert!(error.location.as_ref().is_some_and(|at| at.contains(".rs:")), "{:?}", error.location);
            let text = outcome.success().unwrap_err().to_string();
            assert!(text.contains("`faults` on ") && text.contains(message), "{text}");
        }
    }
    Ok(())
}

#[test]
fn a_command_line_that_is_too_long_is_refused() -> Result<()> {
    let outcome = fault(default_board(), &"long".repeat(40))?;
    assert_eq!(outcome.code, Some(101));
    assert_eq!(outcome.lines.last().unwrap().message, "the command line is too long");
    Ok(())
}

#[test]
fn a_firmware_that_hangs_is_stopped() -> Result<()> {
    let board = default_board();
    let elf = firmware::build(board, "faults", &[])?;
    let marker = format!("timeout-of-{}", std::process::id());
    let qemu = Emulation::new(board, elf).argument("hang").argument(&marker).timeout(Duration::from_millis(500));
    let mut running = 0;
    let error = qemu.run(|_| running = processes_with(&marker).len()).unwrap_err().to_string();
    assert!(error.contains("`faults` on mps2-an386 was still running after 500ms"), "{error}");
    assert!(error.contains("about to fail: hang"), "{error}");
    assert!(running > 0 || !cfg!(target_os = "linux"), "the search for processes finds none");
    assert_eq!(processes_with(&marker), [""; 0]);
    Ok(())
}

#[test]
fn no_qemu_stays_when_the_caller_panics() -> Result<()> {
    let board = default_board();
    let elf = firmware::build(board, "faults", &[])?;
    let marker = format!("panic-of-{}", std::process::id());
    let qemu = Emulation::new(board, elf).argument("hang").argument(&marker);
    let result = catch_unwind(AssertUnwindSafe(|| qemu.run(|_| panic!("on purpose, in the test"))));
    assert!(result.is_err());
    assert_eq!(processes_with(&marker), [""; 0]);
    Ok(())
}

#[test]
fn a_mistake_of_the_caller_says_what_to_do() -> Result<()> {
    let error = Board::named("arduino").unwrap_err().to_string();
    assert!(error.contains("mps2-an386, mps2-an385"), "{error}");

    let error = firmware::build(default_board(), "no-such-binary", &[]).unwrap_err().to_string();
    assert!(error.contains("no bin target named `no-such-binary`"), "{error}");

    // A second board in addition to the first: the firmware's own build script refuses.
    let error = firmware::build(default_board(), "selfcheck", &["board-mps2-an500"]).unwrap_err().to_string();
    assert!(error.contains("two boards chosen, mps2-an386 and mps2-an500"), "{error}");

    let elf = firmware::build(default_board(), "selfcheck", &[])?;
    let outcome = Emulation::new(default_board(), elf).options(["-no-such-option"]).run(|_| ())?;
    let error = outcome.success().unwrap_err().to_string();
    assert!(error.contains("no-such-option"), "{error}");
    Ok(())
}

/// Tests run at the same time: one must not replace the file that another is about to start.
#[test]
fn two_sets_of_features_are_two_files() -> Result<()> {
    let [float, fixed] = [&[][..], &["fixed-point"]].map(|features| firmware::build(default_board(), "room", features));
    let (float, fixed) = (float?, fixed?);
    assert!(float != fixed && std::fs::read(float)? != std::fs::read(fixed)?);
    Ok(())
}

#[test]
fn a_log_in_pieces_cut_short_or_damaged_decodes_as_far_as_it_makes_sense() -> Result<()> {
    let elf = firmware::build(default_board(), "selfcheck", &[])?;
    let table = LogTable::of_elf(&std::fs::read(elf)?)?;

    // The linker assigns the index of the message "done". A frame without arguments is `index 0x7e 0`.
    let decode = |bytes: &[u8]| {
        let mut messages = Vec::new();
        let mut decoder = table.decoder();
        for byte in bytes {
            decoder.push(&[*byte], |line| messages.push(line.message));
        }
        messages
    };
    let done = (1..=255).find(|&index| decode(&[index, 0x7e, 0]) == ["done"]).expect("the message is in the table");
    assert_eq!(decode(&[done, 0x7e, 0, done, 0x7e]), ["done"]);
    assert_eq!(decode(&[0, 0xfe, 0, done, 0x7e, 0]), ["(a log frame that cannot be decoded)", "done"]);

    let mut noise = 1u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 24) as u8
    })
    .take(100_000)
    .collect();
    decode(&noise);
    Ok(())
}

/// Every kind of report of a test program, each as long as it can be, fits into a line of the log.
#[test]
fn reports_come_back_whole() {
    let most = u32::MAX;
    let arith = Arith::Q24;
    let stretches = [Stretch { first: most, length: most, times: most }; 2];
    let soaked = Soaked { samples: most, boots: most, resumed: most, faults: most, digest: u64::MAX };
    let count = Count { part: Part::NaivePass1, n: most, instructions: most, stack: most, stretches };
    for report in [
        Report::Found(Found { sequence: most, is_intact: true, damaged: most }),
        Report::Stored(Ok(most)),
        Report::Soaked(soaked),
        Report::Policy(arith, *b"...GL#T.....", u64::MAX),
        Report::Count(count),
        Report::Memory { stored: most, streaming: most, tracking: most },
        Report::Resumed(arith, u64::MAX),
        Report::Drifted(arith, u64::MAX),
    ] {
        let mut buffer = [0; MOST];
        let bytes = to_bytes(&report, &mut buffer).unwrap();
        let line = Line { level: None, message: format!("report {bytes:02x?}"), location: None };
        assert_eq!((line.told().unwrap(), line.reported().unwrap()), (None, Some(report)));
    }
}
