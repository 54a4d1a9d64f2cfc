//! A peripheral's registers.

/// 32-bit registers, starting at a base address.
#[derive(Debug)]
pub(super) struct Registers(*mut u32);

impl Registers {
    /// # Safety
    /// At `base` there are registers that may be read and written, and nothing else accesses them.
    pub(super) const unsafe fn at(base: usize) -> Self {
        Self(base as *mut u32)
    }

    /// Reads the register at this byte offset.
    pub(super) fn read(&self, offset: usize) -> u32 {
        // SAFETY: the caller of `at` has promised that the register exists; a multiple of 4 is aligned.
        unsafe { self.0.byte_add(offset).read_volatile() }
    }

    /// Writes the register at this byte offset.
    pub(super) fn write(&mut self, offset: usize, value: u32) {
        // SAFETY: as in `read`.
        unsafe { self.0.byte_add(offset).write_volatile(value) }
    }
}
