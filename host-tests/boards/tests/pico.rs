//! Promise: the image that is flashed to a Raspberry Pi Pico learns from its accelerometer, goes on after power cuts inside
//! its flash writes and after a hang, and has the bits of the host. It runs in rp2040js: docs/boards.md says what that
//! does not show.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use osculate::Q28;
use osculate_apps::nexting::Nexting;
use osculate_apps::nexting::device::MOST_BYTES;
use osculate_host_tests::crc::crc;
use osculate_host_tests::worlds::Dice;
use osculate_lab::boards::Board;
use osculate_lab::emulation::{Cut, Emulation, Outcome, Pico};
use osculate_lab::firmware;
use osculate_lab::nexting::{acceleration, as_on, readings, unforeseen};
use osculate_lab::repository::runs_all;
use osculate_lab::temporary::TemporaryFolder;
use thumb_audit::Audit;

/// Readings between two checkpoints: 40 seconds.
const EVERY: u32 = 400;

/// Erased together.
const SECTOR: usize = 4096;

/// A complete checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    sequence: u32,
    bytes: Vec<u8>,
}

/// Every complete checkpoint in the contents of a flash chip, by docs/checkpoint-format.md and not by the code that wrote
/// them, in the order of their numbers. `most` is the most bytes of one.
fn checkpoints(store: &[u8], most: usize) -> Vec<Found> {
    let slot = (most + 12).next_multiple_of(32);
    let slots = store.chunks(SECTOR).flat_map(|sector| sector.chunks_exact(slot));
    let mut found: Vec<_> = slots.filter_map(complete).collect();
    found.sort_by_key(|found| found.sequence);
    found
}

fn complete(slot: &[u8]) -> Option<Found> {
    let word = |at: usize| Some(u32::from_le_bytes(slot.get(at..at + 4)?.try_into().ok()?));
    let (sequence, length) = (word(0)?, word(4)? as usize);
    let end = length.checked_add(8).filter(|end| *end < slot.len())?;
    (word(end)? == crc(&slot[..end])).then(|| Found { sequence, bytes: slot[8..end].to_vec() })
}

/// A Pico on a table, with an accelerometer.
struct Table {
    folder: TemporaryFolder,
    board: &'static Board,
    elf: PathBuf,
}

impl Table {
    fn new() -> Self {
        let board = Board::named("pico").unwrap();
        let elf = firmware::build(board, firmware::APPLICATION, firmware::application_features(board)).unwrap();
        Self { folder: TemporaryFolder::new().unwrap(), board, elf }
    }

    /// Switches it on beside a wheel, for so many readings at the most.
    fn live(&self, from: u32, most: u32, pico: Pico) -> Outcome {
        self.feel(readings(1, from + most).skip(from as usize), pico)
    }

    /// Switches it on for these readings.
    fn feel(&self, readings: impl Iterator<Item = [i16; 2]>, pico: Pico) -> Outcome {
        let [flash, samples] = ["flash", "samples"].map(|name| Some(PathBuf::from(self.folder.file(name).unwrap())));
        fs::write(samples.as_ref().unwrap(), acceleration(readings)).unwrap();
        let pico = Pico { flash, accelerometer: samples, ..pico };
        Emulation::new(self.board, &self.elf).pico(&pico).timeout(Duration::from_secs(120)).run(|_| ()).unwrap()
    }

    /// What is in the flash chip, from the end of the program on.
    fn stored(&self) -> Vec<Found> {
        let flash = fs::read(self.folder.file("flash").unwrap()).unwrap();
        checkpoints(&flash[flash.len() - self.board.store as usize..], MOST_BYTES)
    }
}

fn says(outcome: &Outcome, text: &str) -> bool {
    outcome.lines.iter().any(|line| line.message.contains(text))
}

/// The host's states at the next checkpoints of a life, as far as there are readings.
fn expected(start: Option<&Found>, from: u32, most: u32) -> Vec<Vec<u8>> {
    let mut nexting = Nexting::<Q28>::new().unwrap();
    start.into_iter().for_each(|found| _ = nexting.restore(&found.bytes).unwrap());
    let (mut states, mut buffer) = (Vec::new(), [0; MOST_BYTES]);
    for (i, axes) in (1..).zip(readings(1, from + most).skip(from as usize)) {
        nexting.sample(axes.map(|axis| f32::from(axis) / 1024.0)).unwrap();
        if i % EVERY == 0 {
            let length = nexting.save(&mut buffer).unwrap();
            states.push(buffer[..length].to_vec());
        }
    }
    states
}

#[test]
fn the_pico_learns_and_every_checkpoint_has_the_bits_of_the_host() {
    let steps = 6 * EVERY;
    let table = Table::new();
    let outcome = table.live(0, steps, Pico::default());
    assert!(says(&outcome, "predicts the acceleration") && says(&outcome, "nothing stored yet"));
    outcome.success().unwrap();
    let stored: Vec<_> = table.stored().into_iter().map(|found| found.bytes).collect();
    assert_eq!(stored.len(), 6);
    assert!(stored == expected(None, 0, steps), "other bits than on the host");
    let missed = unforeseen(&as_on(table.board, 1, steps).unwrap(), 0, 500..2000);
    println!("{steps} readings, 6 checkpoints, every bit equal; {missed:.4} of the variance not foreseen");
    assert!(missed < 0.02, "{missed}");
}

/// Half-erased sectors and torn pages. A cut costs what was learned since the last complete checkpoint, and nothing else.
#[test]
fn the_pico_goes_on_after_power_cuts_inside_its_flash_writes() {
    let table = Table::new();
    let mut dice = Dice::new(13);
    let (mut from, mut newest) = (0, None::<Found>);
    let (mut erases, mut torn) = (0, 0);
    let lives = if runs_all() { 20 } else { 4 };
    for life in 1..=lives {
        // Within its first checkpoint or its second. A third of the checkpoints begin with an erase.
        let most = 2 * EVERY + 10;
        let cut = Cut { operation: 1 + dice.below(75), bytes: dice.below(256) };
        let cut = if life % 4 == 0 { Cut { operation: 1, bytes: dice.below(4096) } } else { cut };
        let outcome = table.live(from, most, Pico { cut: Some(cut), ..Pico::default() });
        assert!(outcome.power_cut().is_some(), "life {life}: {cut:?} was not reached: {:?}", outcome.reason());
        let start = newest.as_ref().map_or("nothing stored yet".to_owned(), |found| {
            let samples = u32::from_le_bytes(*found.bytes.first_chunk().unwrap());
            format!("goes on from checkpoint {}, after {samples} readings", found.sequence)
        });
        assert!(says(&outcome, &start), "life {life} does not say: {start}");

        let stored = table.stored();
        let last = newest.as_ref().map_or(0, |found| found.sequence);
        let since: Vec<_> = stored.iter().filter(|found| found.sequence > last).collect();
        let states = expected(newest.as_ref(), from, most);
        assert!(since.iter().zip(&states).all(|(found, state)| found.bytes == *state), "life {life}: other bits");
        // The one that was cut may be complete, the one before it has to be.
        let complete = usize::from(says(&outcome, &format!("checkpoint {} stored", last + 1)));
        assert!((complete..=complete + 1).contains(&since.len()), "life {life}: {} since {last}", since.len());
        let kept = newest.is_none() || stored.iter().any(|found| Some(found) == newest.as_ref());
        assert!(kept, "life {life}: the newest checkpoint is gone");
        let operations = outcome.flash_operations();
        let (kind, _) = operations.last().expect("an operation that was cut");
        if kind == "erase" {
            erases += 1
        } else {
            torn += 1
        }
        newest = stored.last().cloned();
        from += most;
    }
    println!("{lives} power cuts: {erases} half-erased sectors, {torn} torn pages, nothing else lost");
    assert!(erases >= lives / 10 && torn >= lives / 4, "{erases} erases and {torn} pages were cut");
    let outcome = table.live(from, 2 * EVERY, Pico::default());
    let number = newest.unwrap().sequence;
    assert!(says(&outcome, &format!("goes on from checkpoint {number}")));
    outcome.success().unwrap();
}

/// Half a minute on a table, shaken for six seconds, and at rest again. What the log says is what a user sees on the light.
#[test]
fn pico_a_shake_is_a_surprise_until_it_is_used_to_it() {
    let mut dice = Dice::new(5);
    let readings = (0..800_u32).map(|i| {
        let [x, y] = [0; 2].map(|_: u8| dice.below(6) as i16);
        let shaken = if (400..460).contains(&i) { (f64::from(i) * 1.1).sin() * 600.0 } else { 0.0 };
        [20 + x + shaken as i16, y - 10]
    });
    let outcome = Table::new().feel(readings.collect::<Vec<_>>().into_iter(), Pico::default());
    let log: Vec<_> = outcome.success().unwrap().iter().map(|line| line.message.clone()).collect();
    println!("{}", log.join("\n"));
    // A line about every fiftieth reading tells when it was.
    let minutes: Vec<_> = log.split(|line| line.starts_with("reading ")).collect();
    let surprises: Vec<_> =
        minutes.iter().map(|lines| lines.iter().filter(|line| line.starts_with("surprised")).count()).collect();
    // The first block is before the first reading, and the ninth and tenth are shaken.
    assert_eq!(surprises.len(), 17, "{surprises:?}");
    assert!(surprises[3..9].iter().sum::<usize>() <= 2 && surprises[11..].iter().sum::<usize>() <= 2, "{surprises:?}");
    assert!((5..40).contains(&surprises[9]) && surprises[10] <= 2, "{surprises:?}");
    let first = log.iter().find_map(|line| line.strip_prefix("surprised: off by ")).unwrap();
    println!("{surprises:?} surprises in each 50 readings; the first: {first}");
}

/// The sensor holds the clock line, and the driver waits forever.
#[test]
fn pico_a_watchdog_reset_is_survived_and_reported() {
    let table = Table::new();
    let outcome = table.live(0, 3 * EVERY, Pico { stall: Some(EVERY + 50), ..Pico::default() });
    assert_eq!(outcome.resets().len(), 1, "{:?}", outcome.resets());
    for text in [
        "reset 1 in a row",
        "hang: the stage `sample` was not reached in time",
        "goes on from checkpoint 1, after 400 readings",
        "checkpoint 2 stored",
    ] {
        assert!(says(&outcome, text), "it does not say: {text}; {:#?}", outcome.lines);
    }
    outcome.success().unwrap();
}

/// A bare board: nobody answers on the bus, which the driver reports.
#[test]
fn pico_without_an_accelerometer_it_predicts_its_own_temperature() {
    let table = Table::new();
    let (stop, mut lines) = (AtomicBool::new(false), Vec::new());
    let run = Emulation::new(table.board, &table.elf).pico(&Pico::default()).stopper(&stop);
    let ended = run.timeout(Duration::from_secs(120)).run(|line| {
        lines.push(line.message.clone());
        stop.store(lines.len() == 6, Ordering::Relaxed);
    });
    assert!(ended.unwrap_err().to_string().contains("was stopped"), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("no LSM303AGR on the bus: predicts the temperature of the chip")));
    // The temperature does not change, so it is expected to stay.
    let expectation = "reading 0.0; expected: next 0.0 ";
    assert!(lines.iter().any(|line| line.starts_with(expectation)), "{lines:#?}");
}

/// The boot ROM has floating-point functions whose bits are its own. They must not take the place of the compiler's.
#[test]
fn pico_no_float_comes_from_the_boot_rom() {
    let image = Audit::read(&Table::new().elf).unwrap();
    let names: Vec<&str> = image.names().collect();
    for name in ["__addsf3", "__mulsf3", "__divsf3"] {
        let of_compiler = |known: &&str| known.starts_with("compiler_builtins::float") && known.ends_with(name);
        assert!(names.iter().any(of_compiler), "{name} is not the compiler's");
    }
    let of_rom = |name: &&&str| name.contains("rom_data::float") || name.contains("embassy_rp::intrinsics");
    assert_eq!(names.iter().filter(of_rom).collect::<Vec<_>>(), [&""; 0]);
}
