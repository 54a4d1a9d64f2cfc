//! What every firmware binary shares: the logger, the ways to end, and what happens when something goes wrong.
//!
//! A binary logs with `defmt` over semihosting, for people, tells the host by [`send`] what that is to know, and ends with [`exit_success`] or [`exit_failure`]. A panic, a fault and
//! an interrupt without a handler are logged and end it with [`exit_failure`], so a test never hangs on them. A stack
//! that outgrows RAM is not noticed here: see `faults` for what happens then.

#![no_std]

#[cfg(feature = "bench")]
pub mod bench;
#[cfg(feature = "sensors")]
pub mod board;

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m_rt::{ExceptionFrame, exception};
use defmt_semihosting as _;
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;

/// The board this was built for, by its name in `boards.toml`.
pub const BOARD: &str = env!("OSCULATE_BOARD");

/// The exit code of a binary that failed: the one of a panicking Rust program, which QEMU never uses for itself.
pub const FAILURE: i32 = 101;

/// Tells the host, in a line of the log that only the lab reads.
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

/// Ends the binary as its work has ended: with success, or with the reason in the log.
pub fn finish(result: Result<(), Failure>) -> ! {
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

/// Ends the binary and reports success.
pub fn exit_success() -> ! {
    semihosting::process::exit(0)
}

/// Ends the binary and reports failure, with the code [`FAILURE`].
pub fn exit_failure() -> ! {
    semihosting::process::exit(FAILURE)
}

#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    // The logger itself panics where it is interrupted in the middle of a frame. Load and store are enough (and all
    // that a Cortex-M0 has): with interrupts off nothing comes in between.
    static PANICKED: AtomicBool = AtomicBool::new(false);
    cortex_m::interrupt::disable();
    if !PANICKED.load(Ordering::Relaxed) {
        PANICKED.store(true, Ordering::Relaxed);
        defmt::error!("{}", defmt::Display2Format(info));
    }
    exit_failure()
}

/// `defmt::panic!` and `defmt::assert!` have logged their message already; the handler above would log a second one.
#[defmt::panic_handler]
fn defmt_panic() -> ! {
    exit_failure()
}

// SAFETY: a HardFault can come in the middle of anything, so this reads nothing but its argument; it never returns.
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
