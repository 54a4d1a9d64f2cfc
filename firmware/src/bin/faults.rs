//! Fails on purpose, in the way named on the command line, to prove that the lab notices.
#![no_std]
#![no_main]

use cortex_m::peripheral::SCB;
use cortex_m_rt::entry;
use osculate_firmware::arguments::Arguments;
use osculate_firmware::{exit_failure, finish};

#[entry]
fn main() -> ! {
    let arguments = match Arguments::<128>::read() {
        Ok(arguments) => arguments,
        Err(failure) => finish(Err(failure)),
    };
    let fault = arguments.words().next().unwrap_or("nothing");
    defmt::info!("about to fail: {=str}", fault);
    match fault {
        "panic" => panic!("a panic with {} in it", 42),
        "assert" => defmt::assert_eq!(fault.len(), 5, "an assertion of defmt"),
        "hard-fault" => cortex_m::asm::udf(),
        "interrupt" => SCB::set_pendsv(),
        "hang" => loop {
            cortex_m::asm::nop();
        },
        "stack" => overflow(&mut [0; 64]),
        _ => defmt::error!("unknown fault; the faults are panic, assert, hard-fault, interrupt, hang, stack"),
    }
    exit_failure()
}

/// Recurses until the stack leaves RAM, where even the fault cannot be handled: the core locks up, and QEMU aborts. On
/// the microbit and on mps2-an505 that happens at once. On the other boards QEMU ignores writes to the 508 MiB below
/// RAM, so the stack first grows all the way through them, which takes from ten seconds to a minute.
#[inline(never)]
#[expect(unconditional_recursion)]
fn overflow(outer: &mut [u32; 64]) {
    let mut inner = [outer[0] + 1; 64];
    overflow(core::hint::black_box(&mut inner));
    outer[0] = inner[0];
}
