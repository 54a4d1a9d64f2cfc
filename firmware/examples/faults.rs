//! Fails on purpose, in the way named on the command line, to prove that the lab notices.
//!
//! The command line is `FAULT`, or `FAULT survive`: then the device is reset, and its next boot tells what happened.
//! A hang, or a stage that is skipped, may be followed by the stage and by the number of the round.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m::peripheral::SCB;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::{entry, exception};
use cortex_m_stack::current_stack_free;
use osculate_apps::boot::{Boot, Cause};
use osculate_apps::message::Message;
use osculate_apps::supervision::{Stage, Supervisor};
use osculate_firmware::arguments::Arguments;
use osculate_firmware::guard::RED_ZONE;
use osculate_firmware::hanging::Hanging;
use osculate_firmware::{exit_failure, exit_success, fault, finish, post_mortem, send, survive};

#[entry]
fn main() -> ! {
    let arguments = match Arguments::<128>::read() {
        Ok(arguments) => arguments,
        Err(failure) => finish(Err(failure)),
    };
    let mut words = arguments.words();
    let fault = words.next().unwrap_or("nothing");
    let mut last = None;
    if words.next() == Some("survive") {
        survive();
        last = post_mortem::take();
    }
    if let Some(boot) = &last {
        defmt::info!("reset {=u32} in a row:", boot.resets);
        fault::log(&boot.cause);
        send(&Message::Boot(boot.clone()));
    }
    match (fault, last) {
        ("boot-loop", _) | (_, None) => {}
        ("recovery", Some(Boot { cause: Cause::Panic { .. }, resets })) => recover(resets),
        _ => exit_success(),
    }
    defmt::info!("about to fail: {=str}", fault);
    match fault {
        "panic" | "boot-loop" | "recovery" => panic!("a panic with {} in it", 42),
        "assert" => defmt::assert_eq!(fault.len(), 5, "an assertion of defmt"),
        // With interrupts off, no other handler can take it.
        "hard-fault" => cortex_m::interrupt::free(|_| cortex_m::asm::udf()),
        "usage-fault" => cortex_m::asm::udf(),
        // SAFETY: none. There is no memory.
        "bus-fault" => _ = black_box(unsafe { (0xb000_0000 as *const u32).read_volatile() }),
        "interrupt" => SCB::set_pendsv(),
        "hang" | "skip" => {
            let stage = words.next().and_then(Stage::named);
            let stage = stage.unwrap_or(Stage::Learn);
            let round = words.next().and_then(|word| word.parse().ok()).unwrap_or(3);
            if fault == "hang" { hang(stage, round) } else { skip(stage, round) }
        }
        #[cfg(feature = "sensors")]
        "wait" => wait(),
        "stack" => {
            start_deadline();
            overflow(&mut [0; 64])
        }
        // As in an application that waits for its serial line.
        "stack-masked" => cortex_m::interrupt::free(|_| overflow(&mut [0; 64])),
        "red-zone" => {
            let mut watched = watched();
            fill_stack(RED_ZONE as u32 / 2);
            come_round(&mut watched);
        }
        "lockup" => lock_up(),
        _ => defmt::error!(
            "unknown fault; the faults are panic, assert, hard-fault, usage-fault, bus-fault, interrupt, hang, skip, \
             wait, stack, stack-masked, red-zone, lockup, boot-loop, recovery"
        ),
    }
    exit_failure()
}

/// Recurses until the stack is used up.
#[inline(never)]
#[expect(unconditional_recursion)]
fn overflow(outer: &mut [u32; 64]) {
    let mut inner = [outer[0] + 1; 64];
    overflow(black_box(&mut inner));
    outer[0] = inner[0];
}

/// Recurses until less than this is left of the stack, and returns.
#[inline(never)]
fn fill_stack(left: u32) {
    let words = black_box([0u32; 4]);
    if current_stack_free() > left {
        fill_stack(left);
    }
    black_box(words);
}

/// Ends the binary when SysTick has counted down: after 1.05 s on the micro:bit, 0.84 s on mps2-an505, 0.67 s on the
/// others.
fn start_deadline() {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit_failure() };
    let mut timer = peripherals.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(0xff_ffff);
    timer.clear_current();
    timer.enable_counter();
    timer.enable_interrupt();
}

#[exception]
fn SysTick() {
    defmt::error!("it has taken too long");
    exit_failure()
}

/// A round in which every stage is reached.
fn come_round(supervisor: &mut impl Supervisor) {
    Stage::ALL.into_iter().for_each(|stage| supervisor.reached(stage));
}

/// After three panics in a row a round is completed, before the device fails in another way.
fn recover(resets: u32) {
    if resets == 3 {
        come_round(&mut watched());
        cortex_m::asm::udf()
    }
}

#[cfg(feature = "sensors")]
fn board() -> osculate_firmware::board::mps2::Peripherals {
    osculate_firmware::board::mps2::Peripherals::take().unwrap_or_else(|| exit_failure())
}

#[cfg(feature = "sensors")]
fn watched() -> impl Supervisor {
    board().watchdog.start()
}

#[cfg(not(feature = "sensors"))]
fn watched() -> impl Supervisor {
    osculate_firmware::watchdog::Watched::new(osculate_firmware::watchdog::NoTimer)
}

fn hang(stage: Stage, round: u32) {
    let mut hanging = Hanging { supervisor: watched(), hang: Some((stage, round)) };
    (0..round).for_each(|_| come_round(&mut hanging));
}

/// The loop goes on, but from a round on without a stage.
fn skip(skipped: Stage, round: u32) {
    let mut watched = watched();
    (1..round).for_each(|_| come_round(&mut watched));
    loop {
        Stage::ALL.into_iter().filter(|stage| *stage != skipped).for_each(|stage| watched.reached(stage));
    }
}

/// Waits for a byte on the serial line, however long that takes.
#[cfg(feature = "sensors")]
fn wait() {
    use embedded_io::Read;
    let mut board = board();
    let _watched = board.watchdog.start();
    // An interrupt that is pending but masked keeps the core from falling asleep: the time of an emulator that counts
    // instructions goes on.
    SCB::set_pendsv();
    let Ok(_) = board.uart.read(&mut [0]);
    defmt::info!("waited");
    exit_success()
}

/// Faults where no fault can be handled.
#[cfg(has_mpu)]
fn lock_up() {
    // SAFETY: masks every exception but the NMI; this never returns.
    unsafe { core::arch::asm!("cpsid f") };
    cortex_m::asm::udf()
}

/// Faults where no fault can be handled: this core can mask none, so that is inside the NMI.
#[cfg(not(has_mpu))]
fn lock_up() {
    const PEND_NMI: u32 = 1 << 31;
    // SAFETY: the handler never returns.
    unsafe { (*SCB::PTR).icsr.write(PEND_NMI) };
}

#[cfg(not(has_mpu))]
#[exception]
// SAFETY: it touches nothing.
unsafe fn NonMaskableInt() {
    cortex_m::asm::udf()
}
