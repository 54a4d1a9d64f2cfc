//! The log: defmt frames, each sent to the host's standard output by one semihosting call.
//!
//! A frame that begins inside another (a fault while logging) is dropped and counted: half of each would be worth
//! nothing, and a logger must not fail.

use core::cell::UnsafeCell;

use cortex_m::interrupt;
use cortex_m::register::primask;
use defmt::Encoder;

use crate::host::File;

/// The longest frame that is sent by one call. A message to the host fits.
const FRAME: usize = 128;

#[defmt::global_logger]
struct Logger;

struct State {
    encoder: Encoder,
    buffer: Buffer,
    /// Frames that have begun and not ended, the dropped ones included.
    open: u32,
    dropped: u32,
    /// Whether interrupts were on before the outermost frame.
    interruptible: bool,
}

struct Buffer {
    output: Option<File>,
    bytes: [u8; FRAME],
    length: usize,
}

struct Shared(UnsafeCell<State>);

// SAFETY: `with_state` is the only access, and allows one at a time.
unsafe impl Sync for Shared {}

static STATE: Shared = Shared(UnsafeCell::new(State {
    encoder: Encoder::new(),
    buffer: Buffer { output: None, bytes: [0; FRAME], length: 0 },
    open: 0,
    dropped: 0,
    interruptible: false,
}));

/// Frames that were dropped since boot.
pub fn dropped() -> u32 {
    interrupt::free(|_| with_state(|state| state.dropped))
}

/// Only called with interrupts off.
fn with_state<T>(access: impl FnOnce(&mut State) -> T) -> T {
    // SAFETY: interrupts are off, `access` never logs, and a fault inside it does not return to it.
    access(unsafe { &mut *STATE.0.get() })
}

impl Buffer {
    fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.length == FRAME {
                self.send();
            }
            if let Some(place) = self.bytes.get_mut(self.length) {
                *place = *byte;
                self.length += 1;
            }
        }
    }

    fn send(&mut self) {
        if self.output.is_none() {
            self.output = File::stdout().ok();
        }
        if let Some(output) = &mut self.output
            && let Some(bytes) = self.bytes.get(..self.length)
        {
            // There is nobody to tell if the host refuses.
            _ = output.write(bytes);
        }
        self.length = 0;
    }
}

// SAFETY: interrupts are off from the first `acquire` to its `release`, so a frame is never interrupted by another, and
// the frames of faults inside it write nothing.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        let interruptible = primask::read().is_active();
        interrupt::disable();
        with_state(|state| {
            state.open += 1;
            if state.open > 1 {
                state.dropped += 1;
                return;
            }
            state.interruptible = interruptible;
            state.encoder.start_frame(|bytes| state.buffer.push(bytes));
        });
    }

    unsafe fn flush() {
        // The host has a frame as soon as it is released.
    }

    unsafe fn release() {
        let interruptible = with_state(|state| {
            state.open = state.open.saturating_sub(1);
            if state.open > 0 {
                return false;
            }
            state.encoder.end_frame(|bytes| state.buffer.push(bytes));
            state.buffer.send();
            state.interruptible
        });
        if interruptible {
            // SAFETY: as they were before the frame.
            unsafe { interrupt::enable() };
        }
    }

    unsafe fn write(bytes: &[u8]) {
        with_state(|state| {
            if state.open == 1 {
                state.encoder.write(bytes, |bytes| state.buffer.push(bytes));
            }
        });
    }
}
