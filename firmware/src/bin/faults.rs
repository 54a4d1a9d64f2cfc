//! Fails on purpose, in the way named on the command line, to prove that the lab notices.
//!
//! With `survive` as the second argument the device is reset instead, and its second boot tells what happened.
#![no_std]
#![no_main]

use core::hint::black_box;

use cortex_m::peripheral::SCB;
use cortex_m_rt::entry;
use cortex_m_stack::current_stack_free;
use osculate_apps::message::Message;
use osculate_apps::supervision::{Stage, Supervisor};
use osculate_firmware::guard::RED_ZONE;
use osculate_firmware::{exit_failure, exit_success, fault, post_mortem, send, survive};
use semihosting::experimental::env;

#[entry]
fn main() -> ! {
    let arguments = env::args::<128>().expect("a command line of at most 128 bytes");
    let mut words = (&arguments).skip(1).filter_map(Result::ok);
    let fault = words.next().unwrap_or("nothing");
    if words.next() == Some("survive") {
        survive();
        if let Some(boot) = post_mortem::take() {
            fault::log(&boot.cause);
            send(&Message::Boot(boot));
            if fault != "boot-loop" {
                exit_success()
            }
        }
    }
    defmt::info!("about to fail: {=str}", fault);
    match fault {
        "panic" | "boot-loop" => panic!("a panic with {} in it", 42),
        "assert" => defmt::assert_eq!(fault.len(), 5, "an assertion of defmt"),
        // With interrupts off, no other handler can take it.
        "hard-fault" => cortex_m::interrupt::free(|_| cortex_m::asm::udf()),
        "usage-fault" => cortex_m::asm::udf(),
        // SAFETY: none: nothing is there.
        "bus-fault" => _ = black_box(unsafe { (0xb000_0000 as *const u32).read_volatile() }),
        "interrupt" => SCB::set_pendsv(),
        "hang" => hang(),
        "stack" => overflow(&mut [0; 64]),
        // As in an application that waits for its serial line.
        "stack-masked" => cortex_m::interrupt::free(|_| overflow(&mut [0; 64])),
        "red-zone" => {
            let mut watched = watched();
            fill_stack(RED_ZONE as u32 / 2);
            come_round(&mut watched);
        }
        "lockup" => lock_up(),
        _ => defmt::error!(
            "unknown fault; the faults are panic, assert, hard-fault, usage-fault, bus-fault, interrupt, hang, stack, \
             stack-masked, red-zone, lockup, boot-loop"
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
    // The call below takes no more than this, together with the words.
    let words = black_box([0u32; 4]);
    if current_stack_free() > left {
        fill_stack(left);
    }
    black_box(words);
}

/// A round in which every stage is reached.
fn come_round(supervisor: &mut impl Supervisor) {
    Stage::ALL.into_iter().for_each(|stage| supervisor.reached(stage));
}

#[cfg(feature = "sensors")]
fn watched() -> impl Supervisor {
    let Some(board) = osculate_firmware::board::mps2::Peripherals::take() else { exit_failure() };
    board.watchdog.start()
}

#[cfg(not(feature = "sensors"))]
fn watched() -> impl Supervisor {
    osculate_firmware::watchdog::Watched::new(osculate_firmware::watchdog::NoTimer)
}

/// Comes round a few times, then hangs in a stage.
fn hang() {
    let mut watched = watched();
    (0..3).for_each(|_| come_round(&mut watched));
    watched.reached(Stage::Wait);
    watched.reached(Stage::Sample);
    loop {
        cortex_m::asm::nop();
    }
}

/// Faults where no fault can be handled.
#[cfg(not(feature = "board-microbit"))]
fn lock_up() {
    // SAFETY: masks every exception but the NMI; this never returns.
    unsafe { core::arch::asm!("cpsid f") };
    cortex_m::asm::udf()
}

/// Faults where no fault can be handled: this core can mask none, so that is inside the NMI.
#[cfg(feature = "board-microbit")]
fn lock_up() {
    const PEND_NMI: u32 = 1 << 31;
    // SAFETY: the handler never returns.
    unsafe { (*SCB::PTR).icsr.write(PEND_NMI) };
}

#[cfg(feature = "board-microbit")]
#[cortex_m_rt::exception]
// SAFETY: it touches nothing.
unsafe fn NonMaskableInt() {
    cortex_m::asm::udf()
}
