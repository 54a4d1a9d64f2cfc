//! Devices that fail on purpose: is the cause noticed, and does the next boot tell it?

use std::path::Path;
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
use osculate_lab::tally::Tally;

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

/// Stacks that overflow on these boards, far and by a few words, with interrupts and without.
pub(crate) fn overflows(boards: &[&Board]) -> Result<Vec<Tally>> {
    let mut deep = Tally::new("a stack overflow is named within a second, and told by the next boot");
    let mut shallow =
        Tally::new("a stack that was all but used up is named after the round, and told by the next boot");
    for board in boards {
        let elf = firmware::build(board, "faults", &[])?;
        let is_overflow = |boot: &Boot| matches!(boot.cause, Cause::StackOverflow { .. }) && boot.resets == 1;
        for fault in ["stack", "stack-masked", "red-zone"] {
            let tally = if fault == "red-zone" { &mut shallow } else { &mut deep };
            let outcome = trial(board, &elf, fault).options(AS_FAST_AS_THE_BOARD).run(|_| ());
            tally.count(outcome.and_then(|outcome| is_told(outcome, "stack overflow at 0x", is_overflow)));
        }
    }
    Ok(vec![deep, shallow])
}

/// Every other way to fail that these boards have.
pub(crate) fn causes(boards: &[&Board]) -> Result<Vec<Tally>> {
    let mut causes = Tally::new("a panic or a fault is told by the next boot");
    let mut hangs = Tally::new("a hang in any stage, or a stage left out, is told by the next boot");
    let mut waits = Tally::new("waiting for the world is no hang");
    let mut loops = Tally::new("a device that fails at every boot stays off, and one that works in between does not");
    let mut lockups = Tally::new("a lockup is reported");
    for board in boards {
        let elf = firmware::build(board, "faults", &[])?;
        let trial = |fault| trial(board, &elf, fault);
        for (fault, line, expected) in expected_causes(board) {
            let outcome = trial(fault).run(|_| ());
            let is_expected = |boot: &Boot| expected(&boot.cause) && boot.resets == 1;
            causes.count(outcome.and_then(|outcome| is_told(outcome, line, is_expected)));
        }
        loops.count(trial("boot-loop").run(|_| ()).and_then(stays_off));
        loops.count(trial("recovery").run(|_| ()).and_then(recovers));
        lockups.count(trial("lockup").run(|_| ()).and_then(|outcome| {
            let reason = outcome.reason().unwrap_or_default();
            ensure!(reason.contains("locked up"), "{reason}");
            Ok(())
        }));
        if board.sensors {
            // In the first round, and after some that were completed.
            for (round, stage) in (1..).zip(Stage::ALL) {
                let is_expected = |boot: &Boot| *boot == Boot { cause: Cause::Hang(stage), resets: 1 };
                for fault in ["hang", "skip"] {
                    let trial = trial(fault).options(HURRIED);
                    let outcome = trial.argument(stage.name()).argument(round.to_string()).run(|_| ());
                    hangs.count(outcome.and_then(|outcome| is_told(outcome, "hang: the stage", is_expected)));
                }
            }
            waits.count(waits_long(trial("wait").options(HURRIED)));
        }
    }
    Ok(vec![causes, hangs, waits, loops, lockups])
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
