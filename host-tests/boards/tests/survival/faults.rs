//! Devices that fail on purpose: is the cause noticed, and does the next boot tell it?

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use osculate_apps::boot::{Boot, Cause, CoreFault};
use osculate_apps::line::Answer;
use osculate_apps::message::Message;
use osculate_apps::supervision::Stage;
use osculate_lab::boards::Board;
use osculate_lab::device_link;
use osculate_lab::emulation::{Emulation, Outcome};
use osculate_lab::firmware;
use osculate_lab::log::Line;
use osculate_lab::repository::runs_all;

/// One instruction takes 32 ns, about a cycle at 25 MHz.
const AS_FAST_AS_THE_BOARD: [&str; 2] = ["-icount", "shift=5,sleep=off"];
/// One instruction takes a microsecond: a watchdog's seconds are over soon, and always after the same instruction. Not
/// `sleep=off`: with it, QEMU 7.2 lets a sleeping core's watchdog expire twice before the core has woken.
const HURRIED: [&str; 2] = ["-icount", "shift=10,sleep=on"];
/// How long a device waits for the host, on the host's clock. At the device's own pace that is many times its
/// watchdog's period.
const WAIT: Duration = Duration::from_millis(300);
/// Resets in a row before a device stays off.
const MOST_RESETS: u32 = 5;

/// The default board and the smallest, or every core, each with the firmware that fails.
fn boards() -> Vec<(&'static Board, PathBuf)> {
    let all = Board::cores();
    let tried = all.filter(|board| runs_all() || ["mps2-an386", "microbit"].contains(&board.name.as_str()));
    tried.map(|board| (board, firmware::build(board, "faults", &[]).unwrap())).collect()
}

/// Far and by a few words, with interrupts and without: named within a second, or after the round, and told.
#[test]
fn a_stack_overflow_is_named_and_told() -> Result<()> {
    let is_overflow = |boot: &Boot| matches!(boot.cause, Cause::StackOverflow { .. }) && boot.resets == 1;
    for (board, elf) in boards() {
        for fault in ["stack", "stack-masked", "red-zone"] {
            let outcome = trial(board, &elf, fault).options(AS_FAST_AS_THE_BOARD).run(|_| ())?;
            let told = is_told(outcome, "stack overflow at 0x", is_overflow);
            told.with_context(|| format!("{fault} on {}", board.name))?;
        }
    }
    Ok(())
}

#[test]
fn every_cause_is_named_and_told() -> Result<()> {
    for (board, elf) in boards() {
        let failed = |fault| trial(board, &elf, fault).run(|_| ());
        for (fault, line, expected) in expected_causes(board) {
            let told = is_told(failed(fault)?, line, |boot| expected(&boot.cause) && boot.resets == 1);
            told.with_context(|| format!("{fault} on {}", board.name))?;
        }
        stays_off(failed("boot-loop")?).with_context(|| format!("on {}", board.name))?;
        recovers(failed("recovery")?).with_context(|| format!("on {}", board.name))?;
        let reason = failed("lockup")?.reason().unwrap_or_default();
        ensure!(reason.contains("locked up"), "{}: {reason}", board.name);
    }
    Ok(())
}

#[test]
fn a_hang_in_any_stage_and_a_stage_left_out_are_told_and_waiting_is_no_hang() -> Result<()> {
    let watched: Vec<_> = boards().into_iter().filter(|(board, _)| board.sensors).collect();
    ensure!(!watched.is_empty(), "no board has a watchdog");
    for (board, elf) in watched {
        // In the first round, and after some that were completed.
        for (round, stage) in (1..).zip(Stage::ALL) {
            let is_expected = |boot: &Boot| *boot == Boot { cause: Cause::Hang(stage), resets: 1 };
            for fault in ["hang", "skip"] {
                let trial = trial(board, &elf, fault).options(HURRIED);
                let outcome = trial.argument(stage.name()).argument(round.to_string()).run(|_| ())?;
                let told = is_told(outcome, "hang: the stage", is_expected);
                told.with_context(|| format!("{fault} in {} on {}", stage.name(), board.name))?;
            }
        }
        waits_long(trial(board, &elf, "wait").options(HURRIED))?;
    }
    Ok(())
}

/// A fault, a part of its line in the log, and what the next boot is to tell.
type Expected = (&'static str, &'static str, fn(&Cause) -> bool);

fn expected_causes(board: &Board) -> [Expected; 6] {
    let is_hard: fn(&Cause) -> bool = |cause| matches!(cause, Cause::Fault { fault: CoreFault::Hard, pc: 1.., .. });
    let is_bus: fn(&Cause) -> bool = |cause| matches!(cause, Cause::Fault { fault: CoreFault::Bus, pc: 1.., .. });
    let is_usage: fn(&Cause) -> bool = |cause| matches!(cause, Cause::Fault { fault: CoreFault::Usage, pc: 1.., .. });
    // A Cortex-M0 has but one fault.
    let (bus, usage) = match board.target.starts_with("thumbv6m") {
        true => (("HardFault at pc 0x", is_hard), ("HardFault at pc 0x", is_hard)),
        false => (("BusFault at pc 0x", is_bus), ("UsageFault at pc 0x", is_usage)),
    };
    [
        (
            "panic",
            "a panic with 42 in it",
            |cause| matches!(cause, Cause::Panic { file, line: 1.. } if file.ends_with("faults.rs")),
        ),
        ("assert", "an assertion of defmt", |cause| *cause == Cause::Assertion),
        ("hard-fault", "HardFault at pc 0x", is_hard),
        ("bus-fault", bus.0, bus.1),
        ("usage-fault", usage.0, usage.1),
        ("interrupt", "no handler for interrupt -2", |cause| *cause == Cause::Interrupt(-2)),
    ]
}

/// A run of `faults` that survives.
fn trial<'b>(board: &'b Board, elf: &Path, fault: &str) -> Emulation<'b> {
    Emulation::new(board, elf).argument(fault).argument("survive").timeout(Duration::from_secs(30))
}

/// What the boots have told.
fn told(lines: &[Line]) -> Result<Vec<Boot>> {
    let messages = lines.iter().filter_map(|line| line.told().transpose());
    messages.map(|message| message.map(boot)).filter_map(Result::transpose).collect()
}

fn boot(message: Message) -> Option<Boot> {
    if let Message::Boot(boot) = message { Some(boot) } else { None }
}

/// The run that failed has logged this, and the next boot has told it and has succeeded.
fn is_told(outcome: Outcome, logged: &str, is_expected: impl Fn(&Boot) -> bool) -> Result<()> {
    let lines = outcome.success()?;
    let told = told(&lines)?;
    ensure!(matches!(&told[..], [boot] if is_expected(boot)), "the next boot has told {told:?}");
    let mut first = lines.iter().take_while(|line| !line.message.starts_with("reset "));
    ensure!(first.any(|line| line.message.contains(logged)), "the log does not name it: {lines:?}");
    Ok(())
}

/// Told each reset, and after the last one nothing more.
fn stays_off(outcome: Outcome) -> Result<()> {
    let resets: Vec<u32> = told(&outcome.lines)?.iter().map(|boot| boot.resets).collect();
    ensure!(resets == Vec::from_iter(1..=MOST_RESETS) && outcome.code == Some(101), "{resets:?}, {:?}", outcome.code);
    let last = outcome.lines.last().context("an empty log")?;
    ensure!(last.message.contains("the device stays off"), "{last}");
    Ok(())
}

/// Three panics in a row, a completed round, and a fault that is the first of a new row.
fn recovers(outcome: Outcome) -> Result<()> {
    let told = told(&outcome.success()?)?;
    let resets: Vec<u32> = told.iter().map(|boot| boot.resets).collect();
    ensure!(resets == [1, 2, 3, 1], "{told:?}");
    Ok(())
}

/// The host answers late, and the device has not been reset meanwhile.
fn waits_long(waiting: Emulation<'_>) -> Result<()> {
    let log = device_link::run(waiting, |link| {
        link.log.recv_timeout(Duration::from_secs(10)).context("the device says nothing")?;
        thread::sleep(WAIT);
        link.send(Answer::Over)?;
        Ok(link.log.iter().map(|line| line.message).collect::<Vec<_>>())
    })?;
    ensure!(log == ["waited"], "{log:?}");
    Ok(())
}
