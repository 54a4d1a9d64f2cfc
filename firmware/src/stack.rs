//! How deep the stack goes: what is below it is filled with a pattern, and later looked at for how much of that is left.

use core::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// What an unused word holds.
const PAINT: u32 = 0x5ca1_ab1e;
/// What a call needs before it can paint, in bytes. Nothing less deep can be told.
const MARGIN: usize = 256;
/// How far it is painted, in bytes. What goes deeper is not seen as deeper.
const DEPTH: usize = 32 * 1024;

/// A stack that was painted.
#[derive(Clone, Copy, Debug)]
pub struct Painted {
    bottom: usize,
    top: usize,
    from: usize,
}

/// Paints what lies below the caller's frame, down to the end of the statics at most.
// Inlined, so that the stack pointer is the caller's.
#[inline(always)]
pub fn paint() -> Painted {
    let from = cortex_m::register::msp::read() as usize;
    let top = (from - MARGIN) & !3;
    let bottom = (cortex_m_rt::heap_start() as usize).max(top - DEPTH);
    fill(bottom, top);
    Painted { bottom, top, from }
}

#[inline(never)]
fn fill(bottom: usize, top: usize) {
    for address in (bottom..top).step_by(4) {
        // SAFETY: RAM between the statics and the stack, which nothing uses: there is no heap, and the frame of this
        // function is within the margin. No object of Rust's is there, so none is written to behind its back.
        unsafe { with_exposed_provenance_mut::<u32>(address).write_volatile(PAINT) };
    }
}

impl Painted {
    /// The lowest address that was ever used since.
    fn deepest(&self) -> usize {
        // SAFETY: the same words as in `fill`; reading them is harmless even where they are in use.
        let is_untouched =
            |address: &usize| unsafe { with_exposed_provenance::<u32>(*address).read_volatile() } == PAINT;
        (self.bottom..self.top).step_by(4).find(|address| !is_untouched(address)).unwrap_or(self.top)
    }

    /// Bytes of the stack that were used since, below the frame of the function that painted.
    pub fn depth(&self) -> usize {
        self.from - self.deepest()
    }

    /// Bytes of the stack that are in use at its deepest, from its very top on.
    pub fn used(&self) -> usize {
        unsafe extern "C" {
            /// Where the stack begins, by the linker's word; it grows down.
            static _stack_start: u32;
        }
        (&raw const _stack_start).addr() - self.deepest()
    }
}
