//! Promise: the stack has a bound that is known before the firmware runs. It is read from the linked code, call by call,
//! and no run is deeper; nor is the bound so loose that it would say nothing.

use std::time::Duration;

use osculate_apps::choice::{Arith, Rule};
use osculate_apps::message::Message;
use osculate_apps::room::agent::Settings;
use osculate_board_tests::image;
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::repository::runs_all;
use osculate_lab::room::device::Run;
use osculate_lab::room::plant::Scene;
use thumb_audit::{ASSUMPTION, Audit, Bound};

/// A run rarely takes the deepest path of all, but the bound must stay near what runs do.
const LOOSEST: f64 = 1.5;

/// The bound of the learner's own functions, whoever calls them.
fn learner(image: &Audit) -> Bound {
    image.stack(|name| name.trim_start_matches('<').starts_with("osculate::")).unwrap()
}

fn core(board: &Board) -> &str {
    board.core.trim_start_matches("Cortex-")
}

/// The limits are in docs/reliability.md.
fn is_promised(what: &str, bound: u32) {
    let page = include_str!("../../../docs/reliability.md");
    let cell = |line: &str| line.strip_prefix(&format!("| {what} | "))?.strip_suffix(" |")?.parse::<u32>().ok();
    let most = page.lines().find_map(cell).expect("a limit");
    assert!(bound <= most, "{what}: {bound} bytes, and at most {most} are promised");
}

/// The painted mark counts from the stack's start, and so does the bound from the reset on.
fn compare(what: &str, image: &Audit, bound: u32, mark: u32) {
    let ratio = f64::from(bound) / f64::from(mark);
    println!(
        "{what}: at most {bound} bytes, painted {mark}, ratio {ratio:.2}; the learner at most {}; with exceptions {}",
        learner(image).bytes,
        image.stack_with_exceptions().unwrap()
    );
    assert!(bound >= mark, "{what}: the bound is {bound} bytes, and the stack was {mark} bytes deep");
    assert!(ratio <= LOOSEST, "{what}: {}", image.stack_from_reset().unwrap());
}

#[test]
fn the_room_stays_within_its_bound() {
    let board = Board::named("mps2-an386").unwrap();
    for arith in [Arith::Q28, Arith::F32].into_iter().take(if runs_all() { 2 } else { 1 }) {
        let mut deepest = 0;
        let elf = |rule| {
            let settings = Settings { seed: 7, evenings: 3, rule };
            let timeout = Duration::from_secs(120);
            Run { board, arith, settings, scene: Scene::new(7), records: true, timeout }
        };
        for rule in [Rule::Tracking, Rule::Paper] {
            let run = elf(rule);
            deepest = deepest.max(run.learn(&run.build().unwrap(), &mut ()).unwrap().stack as u32);
        }
        let image = Audit::read(elf(Rule::Paper).build().unwrap()).unwrap();
        let bound = image.stack_from_reset().unwrap();
        println!("{bound}");
        compare(&format!("room, {}", arith.name()), &image, bound.bytes, deepest);
        is_promised("`room`, M4F", bound.bytes);
    }
}

/// The deepest stack that a binary reports.
fn mark(board: &Board, program: &str) -> u32 {
    let elf = firmware::build(board, program, &[]).unwrap();
    let log = Emulation::new(board, elf).run(|_| ()).unwrap().success().unwrap();
    let told = log.iter().filter_map(|line| line.told().unwrap());
    let marks = told.filter_map(|message| if let Message::Stack(bytes) = message { Some(bytes) } else { None });
    marks.max().expect("the deepest stack")
}

/// It learns in f32 and in every fixed-point format.
#[test]
fn tracking_stays_within_its_bound_with_and_without_an_fpu() {
    for board in ["mps2-an386", "microbit", "netduinoplus2"] {
        let board = Board::named(board).unwrap();
        if !board.is_tried() {
            continue;
        }
        let image = image(&board.name, "drift", &[]);
        let bound = image.stack_from_reset().unwrap().bytes;
        compare(&format!("drift on {}", board.name), &image, bound, mark(board, "drift"));
        if board.name != "netduinoplus2" {
            is_promised(&format!("`drift`, {}", core(board)), bound);
        }
    }
}

#[test]
fn an_agent_in_an_interrupt_stays_within_its_bound() {
    for board in ["mps2-an386", "microbit"] {
        let (board, image) = (Board::named(board).unwrap(), image(board, "fan_systick", &[]));
        let handlers = image.handlers().unwrap();
        let timer = handlers.iter().find(|handler| handler.number == 15).unwrap();
        assert!(timer.bound.path.iter().any(|(name, _)| name == "SysTick"), "{}", timer.bound);
        let bound = image.stack_from_reset().unwrap().bytes + timer.bound.bytes;
        compare(&format!("fan_systick on {}", board.name), &image, bound, mark(board, "fan_systick"));
        is_promised(&format!("`fan_systick`, {}", core(board)), bound);
    }
}

/// As in `firmware/src/fault.rs`.
const HEADROOM: u32 = 1024;

/// The stack is what the statics leave. All exceptions that can be open at once are counted.
#[test]
fn every_binary_of_the_smallest_board_fits() {
    let mut deepest = (0, "");
    for binary in ["drift", "resume", "replay", "fan_systick", "grid"] {
        let image = image("microbit", binary, &[]);
        let (bound, available) = (image.stack_with_exceptions().unwrap(), image.stack_size());
        println!("{binary}: at most {bound} of {available} bytes");
        assert!(bound <= available, "{binary}: {}", image.stack_from_reset().unwrap());
        // With less than that left, a fault begins the stack anew.
        let fault = image.stack(|name| name == "osculate_firmware::fault::fault").unwrap();
        assert!(fault.bytes <= HEADROOM, "{binary}: {fault}");
        if binary == "replay" {
            is_promised("`replay`, M0, with all exceptions", bound);
        }
        deepest = deepest.max((bound, binary));
    }
    assert_eq!(deepest.1, "replay", "it is the one in docs/reliability.md");
}

/// The drivers of vendors call through pointers so much that the bound has to assume something, and says so. What writes
/// to the flash of an RP2350 runs in RAM.
#[test]
fn an_image_with_a_vendors_drivers_fits_and_says_what_is_assumed() {
    for (board, assumed) in [
        ("pico", "embassy_rp::flash::ram_helpers::flash_range_program"),
        ("pico2", "embassy_rp::flash::ram_helpers::write_flash_inner"),
    ] {
        if !Board::named(board).unwrap().is_tried() {
            continue;
        }
        let image = image(board, "nexting", &["rtt"]);
        let (bound, available) = (image.stack_with_exceptions().unwrap(), image.stack_size());
        println!("nexting on {board}: at most {bound} of {available} bytes");
        assert!(bound <= available, "{board}: {}", image.stack_from_reset().unwrap());
        let found = image.assumed().unwrap();
        assert!(found.contains(assumed), "{board}: {found:#?}");
        assert!(image.stack_from_reset().unwrap().to_string().contains(ASSUMPTION));
    }
    // The learner and what the boards of the emulator need are known without.
    assert!(image("mps2-an386", "nexting", &[]).assumed().unwrap().is_empty());
}

/// Without this, a search that overlooks calls would pass, too.
#[test]
fn recursion_is_named() {
    let image = image("mps2-an386", "faults", &[]);
    let error = image.stack(|name| name == "faults::overflow").unwrap_err().to_string();
    assert_eq!(error, "recursion: faults::overflow → faults::overflow");
    assert!(image.stack_from_reset().is_err());
}
