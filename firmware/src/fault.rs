//! What happens after a panic, a fault or an interrupt without a handler: a line in the log, a note for the next boot,
//! and then an exit, or a reset if the binary is to [survive].

use core::arch::naked_asm;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::peripheral::SCB;
use cortex_m_rt::ExceptionFrame;
use cortex_m_stack::stack_rev;
use osculate_apps::boot::{Cause, CoreFault};

use crate::{exit_failure, guard, post_mortem};

/// How many resets in a row, without a completed round of the loop, are tried before the device stays off.
pub const MOST_RESETS: u32 = 5;

static SURVIVES: AtomicBool = AtomicBool::new(false);

/// From now on a panic, a fault or a hang resets the core instead of ending the binary, and the next boot can tell the
/// cause: see [`post_mortem::take`].
pub fn survive() {
    #[cfg(family = "rp")]
    guard::start();
    SURVIVES.store(true, Ordering::Relaxed);
}

/// Logs a cause, in words.
pub fn log(cause: &Cause) {
    match cause {
        Cause::Panic { file, line } => defmt::error!("panic at {=str}:{=u32}", file, line),
        Cause::Assertion => defmt::error!("failed assertion"),
        Cause::StackOverflow { pc: Some(pc), address } => {
            defmt::error!("stack overflow at {=u32:#010x}, by the instruction at {=u32:#010x}", address, pc);
        }
        Cause::StackOverflow { pc: None, address } => defmt::error!("stack overflow at {=u32:#010x}", address),
        Cause::Fault { fault, pc, lr, status } => defmt::error!(
            "{=str} at pc {=u32:#010x}, called from lr {=u32:#010x}, status {=u32:#010x}",
            fault.name(),
            pc,
            lr,
            status
        ),
        Cause::Interrupt(number) => defmt::error!("no handler for interrupt {=i16} (negative: an exception)", number),
        Cause::Hang(stage) => defmt::error!("hang: the stage `{=str}` was not reached in time", stage.name()),
        Cause::Lockup => defmt::error!("lockup: a fault inside a fault handler"),
    }
}

/// Leaves a note and logs the cause. Returns if the core is to be reset; a binary that does not survive, or that has
/// done so too often, exits here.
pub(crate) fn report(cause: Cause, log: impl FnOnce(&Cause)) {
    let resets = post_mortem::leave(cause.clone());
    log(&cause);
    if !SURVIVES.load(Ordering::Relaxed) {
        exit_failure()
    }
    stop_after(resets);
}

/// Stops for good after too many resets.
pub(crate) fn stop_after(resets: u32) {
    if resets > MOST_RESETS {
        defmt::error!("{=u32} resets in a row without a completed round: the device stays off", MOST_RESETS);
        exit_failure()
    }
}

/// Reports the cause and resets the core.
pub(crate) fn give_up(cause: Cause, log: impl FnOnce(&Cause)) -> ! {
    report(cause, log);
    SCB::sys_reset()
}

#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    // The logger may panic in turn. Then nothing is logged any more, so that a second panic is always the last. Plain
    // load and store suffice (and are all that a Cortex-M0 has), because interrupts are off.
    static PANICKED: AtomicBool = AtomicBool::new(false);
    cortex_m::interrupt::disable();
    let cause = info.location().map_or(Cause::panic("", 0), |at| Cause::panic(at.file(), at.line()));
    if PANICKED.load(Ordering::Relaxed) {
        let resets = post_mortem::leave(cause);
        if !SURVIVES.load(Ordering::Relaxed) || resets > MOST_RESETS {
            exit_failure()
        }
        SCB::sys_reset()
    }
    PANICKED.store(true, Ordering::Relaxed);
    give_up(cause, |_| defmt::error!("{}", defmt::Display2Format(info)))
}

/// `defmt::panic!` and `defmt::assert!` have already logged their message; the handler above would log a second one.
#[defmt::panic_handler]
fn defmt_panic() -> ! {
    give_up(Cause::Assertion, |_| ())
}

/// The stack that handling a fault may take. With less than this left, the handler starts at the top of the stack
/// again, and overwrites what it will never return to.
const HEADROOM: usize = 1024;

/// Handles every fault and every interrupt without a handler of its own. Calls [`fault`] with the address of the
/// exception's frame, on a stack that is good for it: after an overflow there is nothing below the stack pointer.
#[unsafe(naked)]
#[unsafe(export_name = "HardFault")]
extern "C" fn hard_fault() {
    naked_asm!(
        "mrs r0, msp",
        "ldr r1, =_stack_end + {headroom}",
        "cmp r0, r1",
        "bhs 0f",
        "ldr r1, =_stack_start",
        "msr msp, r1",
        "0: mrs r1, ipsr",
        "bl {fault}",
        ".p2align 2",
        ".pool",
        headroom = const HEADROOM,
        fault = sym fault,
    )
}

macro_rules! alike {
    ($($name:ident = $vector:literal;)*) => {
        $(
            #[unsafe(naked)]
            #[unsafe(export_name = $vector)]
            extern "C" fn $name() {
                naked_asm!("ldr r0, ={handler}", "bx r0", ".p2align 2", ".pool", handler = sym hard_fault)
            }
        )*
    };
}

alike! {
    default_handler = "DefaultHandler";
}

// Larger cores have handlers for these.
#[cfg(has_mpu)]
alike! {
    memory_management = "MemoryManagement";
    bus_fault = "BusFault";
    usage_fault = "UsageFault";
}

extern "C" fn fault(frame: u32, exception: u32) -> ! {
    give_up(cause(frame, exception), log)
}

/// What a fault was, from the address of its frame and the number of its exception.
fn cause(frame: u32, exception: u32) -> Cause {
    if !(3..=6).contains(&exception) {
        return Cause::Interrupt(exception as i16 - 16);
    }
    let stack = stack_rev();
    // The core may have failed to write the frame, or written it below the stack.
    let is_written = (stack.start as u32..stack.end as u32).contains(&frame) && !guard::stacking_failed();
    // SAFETY: the core has put its frame there, on the stack.
    let frame_there = is_written.then(|| unsafe { &*(frame as *const ExceptionFrame) });
    let pc = frame_there.map(ExceptionFrame::pc);
    if let Some(address) = guard::hit() {
        return Cause::StackOverflow { pc, address };
    }
    let Some(frame) = frame_there else { return Cause::StackOverflow { pc, address: frame } };
    let fault = match exception {
        4 => CoreFault::MemManage,
        5 => CoreFault::Bus,
        6 => CoreFault::Usage,
        _ => CoreFault::Hard,
    };
    Cause::Fault { fault, pc: frame.pc(), lr: frame.lr(), status: guard::fault_status() }
}
