//! Guards the end of the stack, in every binary, from the first instruction on.
//!
//! With a memory protection unit, a write to the guard below the stack is a MemManage fault. Without one (Cortex-M0)
//! the stack is at the lower end of RAM, so that an overflow leaves RAM instead of eating the statics. In addition the
//! last words of the stack itself are painted: the [red zone](touched) shows, after the fact, that the stack was all but
//! used up.

use cortex_m_stack::{STACK_PAINT_VALUE, stack_rev};

/// Bytes of the red zone.
pub const RED_ZONE: usize = 128;

fn red_zone() -> impl Iterator<Item = *mut u32> {
    let end = stack_rev().start;
    (0..RED_ZONE / 4).map(move |word| end.wrapping_add(word))
}

/// The deepest word of the red zone that was written to; `None` if the stack has always stayed above it.
pub fn touched() -> Option<u32> {
    // SAFETY: these are aligned words of the stack, which is larger than its red zone.
    let mut touched = red_zone().filter(|word| unsafe { word.read_volatile() } != STACK_PAINT_VALUE);
    touched.next().map(|word| word as u32)
}

/// Called by the start-up code, before statics are initialised: it must not touch any. (embassy-rp has taken that place
/// for itself: on its chips [`survive`](crate::survive) calls this.)
#[cfg_attr(not(family = "rp"), unsafe(export_name = "__pre_init"))]
pub(crate) extern "C" fn start() {
    for word in red_zone() {
        // SAFETY: the stack is not in use yet down there.
        unsafe { word.write_volatile(STACK_PAINT_VALUE) };
    }
    #[cfg(has_mpu)]
    mpu::start();
}

pub(crate) use mpu::{fault_status, hit, stacking_failed};

#[cfg(has_mpu)]
mod mpu {
    use core::ops::Range;

    use cortex_m::peripheral::{MPU, SCB};

    /// In the system handlers' control register: MemManage, BusFault and UsageFault have handlers.
    const FAULTS: u32 = 7 << 16;
    /// In the MPU's control register: on, but not inside a HardFault; all other memory as without it.
    const ON: u32 = 1 | 4;
    /// In the fault status: the address of the forbidden access is known.
    const ADDRESS_VALID: u32 = 1 << 7;
    /// In the fault status: the exception's frame could not be written, for lack of permission or of memory.
    const STACKING: u32 = 1 << 4 | 1 << 12;

    /// Its size in the linker script.
    #[cfg(not(armv8m))]
    const SIZE: u32 = 256;

    /// The guard, from the linker script.
    fn guard() -> Range<u32> {
        unsafe extern "C" {
            static __stack_guard_start: u32;
            static __stack_guard_end: u32;
        }
        (&raw const __stack_guard_start) as u32..(&raw const __stack_guard_end) as u32
    }

    pub(super) fn start() {
        let Range { start, end: _end } = guard();
        // SAFETY: nothing else uses the MPU, and the one region holds nothing.
        unsafe {
            let mpu = &*MPU::PTR;
            mpu.rnr.write(0);
            mpu.rbar.write(base(start));
            #[cfg(armv8m)]
            mpu.rlar.write((_end - 32) | 1);
            // The size as the exponent of 2, minus 1; no access; enabled.
            #[cfg(not(armv8m))]
            mpu.rasr.write(1 << 28 | (SIZE.ilog2() - 1) << 1 | 1);
            mpu.ctrl.write(ON);
            (*SCB::PTR).shcsr.modify(|enabled| enabled | FAULTS);
        }
        cortex_m::asm::dsb();
        cortex_m::asm::isb();
    }

    /// Armv8-M has no region that privileged code may not read: never executed, and read only.
    const fn base(start: u32) -> u32 {
        if cfg!(armv8m) { start | 2 << 1 | 1 } else { start }
    }

    pub(crate) fn fault_status() -> u32 {
        // SAFETY: reads a register.
        unsafe { (*SCB::PTR).cfsr.read() }
    }

    pub(crate) fn stacking_failed() -> bool {
        fault_status() & STACKING != 0
    }

    /// The address in the guard that was written to.
    pub(crate) fn hit() -> Option<u32> {
        // SAFETY: reads a register.
        let address = unsafe { (*SCB::PTR).mmfar.read() };
        (fault_status() & ADDRESS_VALID != 0 && guard().contains(&address)).then_some(address)
    }
}

/// A Cortex-M0 does not say what a fault was.
#[cfg(not(has_mpu))]
mod mpu {
    pub(crate) const fn fault_status() -> u32 {
        0
    }

    pub(crate) const fn stacking_failed() -> bool {
        false
    }

    pub(crate) const fn hit() -> Option<u32> {
        None
    }
}
