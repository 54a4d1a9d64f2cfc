//! A peripheral's registers.

/// Registers of 32 bits, from a base address on.
#[derive(Debug)]
pub(super) struct Registers(*mut u32);

impl Registers {
    /// # Safety
    /// From `base` on there are registers that may be read and written, and nobody else does so.
    pub(super) const unsafe fn at(base: usize) -> Self {
        Self(base as *mut u32)
    }

    /// The register at a distance of so many bytes.
    pub(super) fn read(&self, offset: usize) -> u32 {
        // SAFETY: the one who made this has promised that there is a register; a multiple of 4 is aligned.
        unsafe { self.0.byte_add(offset).read_volatile() }
    }

    /// Sets the register at a distance of so many bytes.
    pub(super) fn write(&mut self, offset: usize, value: u32) {
        // SAFETY: as in `read`.
        unsafe { self.0.byte_add(offset).write_volatile(value) }
    }
}
