//! How much of the stack was ever used: it is filled with a pattern, and later looked at for how much is left of it.

/// What an unused word holds.
const PAINT: u32 = 0x5ca1_ab1e;
/// How far below the caller's frame it is painted, in words. What goes deeper is not seen as deeper.
const DEPTH: usize = 8 * 1024;
/// What is left to the frames of [`paint`] itself, in words.
const OWN: usize = 64;

/// A stack that was painted.
#[derive(Clone, Copy, Debug)]
pub struct Painted {
    bottom: *const u32,
}

/// Paints what lies below the caller.
#[inline(never)]
pub fn paint() -> Painted {
    let marker = 0_u32;
    let bottom = (&raw const marker).wrapping_sub(OWN + DEPTH).cast_mut();
    for word in 0..DEPTH {
        // SAFETY: the stack grows down to the end of the statics, which is farther away on every board that calls this,
        // and below the frame of this function nothing of it is in use.
        unsafe { bottom.wrapping_add(word).write_volatile(PAINT) };
    }
    Painted { bottom }
}

impl Painted {
    /// Bytes of the stack that were ever used, from its very top on.
    pub fn used(&self) -> usize {
        unsafe extern "C" {
            /// Where the stack begins, by the linker's word; it grows down.
            static _stack_start: u32;
        }
        // SAFETY: the same words as in `paint`; reading them is harmless even where they are in use.
        let is_untouched = |word: &usize| unsafe { self.bottom.wrapping_add(*word).read_volatile() } == PAINT;
        let left = (0..DEPTH).take_while(is_untouched).count();
        let deepest = self.bottom.wrapping_add(left) as usize;
        &raw const _stack_start as usize - deepest
    }
}
