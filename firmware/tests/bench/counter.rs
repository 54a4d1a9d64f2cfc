//! Counts instructions with the SysTick timer.
//!
//! With QEMU's `-icount shift=7,sleep=off`, every instruction takes 128 ns of virtual time. That is more than two ticks
//! on every board, so the number of ticks gives the exact number of instructions.

use core::arch::asm;
use core::cell::Cell;
use core::hint::black_box;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;

const TICKS: u32 = 1 << 24;

/// A stopwatch that counts instructions.
pub(crate) struct Counter {
    megahertz: u64,
    overhead: u32,
    counted: Cell<u32>,
}

impl Counter {
    /// Starts the timer, which runs at this frequency on the board; `None` if blocks of NOPs show that it does not.
    pub(crate) fn new(mut timer: SYST, megahertz: u32) -> Option<Self> {
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(TICKS - 1);
        timer.clear_current();
        timer.enable_counter();
        let mut counter = Self { megahertz: megahertz.into(), overhead: 0, counted: Cell::new(0) };
        counter.overhead = counter.count(|| {});
        macro_rules! nops {
            ($count:literal) => {
                // SAFETY: executes NOPs only.
                counter.count(|| unsafe { asm!(concat!(".rept ", $count, "\nnop\n.endr"), options(nomem, nostack)) })
            };
        }
        ((nops!(10), nops!(100), nops!(1000)) == (10, 100, 1000)).then_some(counter)
    }

    /// The instructions of `work`, without the call and the return. At most five million.
    pub(crate) fn count(&self, mut work: impl FnMut()) -> u32 {
        self.counted.set(self.counted.get() + 1);
        let ticks = u64::from(ticks(black_box(&mut work)));
        // 128 ns is 128 · MHz / 1000 ticks.
        let scale = self.megahertz * 128;
        ((ticks * 1000 + scale / 2) / scale) as u32 - self.overhead
    }

    /// How many counts were made, including those that measure the counter's own overhead.
    pub(crate) fn counted(&self) -> u32 {
        self.counted.get()
    }
}

/// Not inlined, and called through a trait object, so that the code around `work` is always the same.
#[inline(never)]
fn ticks(work: &mut dyn FnMut()) -> u32 {
    let start = SYST::get_current();
    work();
    // SysTick counts down.
    start.wrapping_sub(SYST::get_current()) % TICKS
}
