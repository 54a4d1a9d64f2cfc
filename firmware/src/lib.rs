//! Shared by every firmware binary: the logger, the ways to exit, and the handling of panics and faults.
//!
//! A binary logs for people with `defmt`, over semihosting or RTT, reports to the host with [`send`], and ends with
//! [`exit_success`] or [`exit_failure`]. A panic, a fault, a stack overflow or an interrupt without a handler is logged
//! and ends in [`exit_failure`], so a test never hangs on one. A binary that has called [`survive`] is reset instead,
//! and its next boot can tell the cause.

#![no_std]

#[cfg(feature = "host")]
pub mod arguments;
pub mod board;
pub mod fault;
pub mod guard;
pub mod hanging;
#[cfg(feature = "host")]
pub mod host;
#[cfg(feature = "host")]
pub mod logger;
pub mod post_mortem;
#[cfg(feature = "rtt")]
mod spoken;
pub mod watchdog;

#[cfg(feature = "rtt")]
use defmt_rtt as _;
use osculate_apps::failure::Failure;
use osculate_apps::message::{MOST, Message, to_bytes};
use osculate_programs::report::Report;

pub use fault::survive;

/// The board this was built for, by its name in `boards.toml`.
pub const BOARD: &str = env!("OSCULATE_BOARD");

/// The exit code of a failed binary: that of a panicking Rust program, which QEMU never uses itself.
pub const FAILURE: i32 = 101;

/// Sends a message to the host, as a line of the log that only the lab reads.
#[inline(never)]
pub fn send(message: &Message) {
    match to_bytes(message, &mut [0; MOST]) {
        Ok(bytes) => defmt::info!("message {=[u8]:02x}", bytes),
        Err(_) => too_long(),
    }
}

/// The same for the report of a test program.
#[inline(never)]
pub fn report(report: &Report) {
    match to_bytes(report, &mut [0; MOST]) {
        Ok(bytes) => defmt::info!("report {=[u8]:02x}", bytes),
        Err(_) => too_long(),
    }
}

fn too_long() -> ! {
    defmt::error!("a message is longer than {=usize} bytes", MOST);
    exit_failure()
}

/// Tells somebody: the emulator's host, which is sent every message, or people, who read some of them in words.
pub fn tell(message: &Message) {
    #[cfg(feature = "host")]
    send(message);
    #[cfg(feature = "rtt")]
    spoken::say(message);
}

/// Exits with the result of the binary's work: success, or failure with the reason in the log.
pub fn finish(result: Result<(), Failure>) -> ! {
    #[cfg(feature = "host")]
    if logger::dropped() > 0 {
        defmt::warn!("{=u32} lines of this log were dropped", logger::dropped());
    }
    match result {
        Ok(()) => {
            defmt::info!("done");
            exit_success()
        }
        Err(Failure(reason)) => {
            defmt::error!("{=str}", reason);
            exit_failure()
        }
    }
}

/// Exits and reports success.
pub fn exit_success() -> ! {
    exit(0)
}

/// Exits and reports failure, with the code [`FAILURE`].
pub fn exit_failure() -> ! {
    exit(FAILURE)
}

#[cfg(feature = "host")]
fn exit(code: i32) -> ! {
    semihosting::process::exit(code)
}

/// There is nobody to return to: the device stays off until the power is cut.
#[cfg(feature = "rtt")]
fn exit(_: i32) -> ! {
    cortex_m::interrupt::disable();
    loop {
        cortex_m::asm::wfi();
    }
}
