//! Shared by every firmware binary: the logger, the ways to exit, and the handling of panics and faults.
//!
//! A binary logs for people with `defmt` over semihosting, reports to the host with [`send`], and ends with
//! [`exit_success`] or [`exit_failure`]. A panic, a fault or an interrupt without a handler is logged and ends in
//! [`exit_failure`], so a test never hangs on one. A stack overflow is not detected here: see `faults` for what happens
//! then.

#![no_std]

pub mod arguments;
#[cfg(feature = "bench")]
pub mod bench;
#[cfg(feature = "sensors")]
pub mod board;
pub mod host;
pub mod logger;

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m_rt::{ExceptionFrame, exception};
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;

/// The board this was built for, by its name in `boards.toml`.
pub const BOARD: &str = env!("OSCULATE_BOARD");

/// The exit code of a failed binary: that of a panicking Rust program, which QEMU never uses itself.
pub const FAILURE: i32 = 101;

/// Sends a message to the host, as a line of the log that only the lab reads.
#[inline(never)]
pub fn send(message: &Message) {
    match message.to_bytes(&mut [0; Message::MOST]) {
        Ok(bytes) => defmt::info!("message {=[u8]:02x}", bytes),
        Err(_) => {
            defmt::error!("a message is longer than {=usize} bytes", Message::MOST);
            exit_failure()
        }
    }
}

/// Exits with the result of the binary's work: success, or failure with the reason in the log.
pub fn finish(result: Result<(), Failure>) -> ! {
    let dropped = logger::dropped();
    if dropped > 0 {
        defmt::warn!("{=u32} lines of this log were dropped", dropped);
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
    semihosting::process::exit(0)
}

/// Exits and reports failure, with the code [`FAILURE`].
pub fn exit_failure() -> ! {
    semihosting::process::exit(FAILURE)
}

#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    // What is logged may panic in turn. Plain load and store suffice (and are all that a Cortex-M0 has), because
    // interrupts are off.
    static PANICKED: AtomicBool = AtomicBool::new(false);
    cortex_m::interrupt::disable();
    if !PANICKED.load(Ordering::Relaxed) {
        PANICKED.store(true, Ordering::Relaxed);
        defmt::error!("{}", defmt::Display2Format(info));
    }
    exit_failure()
}

/// `defmt::panic!` and `defmt::assert!` have already logged their message; the handler above would log a second one.
#[defmt::panic_handler]
fn defmt_panic() -> ! {
    exit_failure()
}

// SAFETY: a HardFault can interrupt anything, so this reads nothing but its argument, and it never returns.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    defmt::error!("HardFault at pc {=u32:#010x}, called from lr {=u32:#010x}", frame.pc(), frame.lr());
    exit_failure()
}

// SAFETY: as above.
#[exception]
unsafe fn DefaultHandler(irqn: i16) -> ! {
    defmt::error!("no handler for interrupt {=i16} (negative: an exception)", irqn);
    exit_failure()
}
