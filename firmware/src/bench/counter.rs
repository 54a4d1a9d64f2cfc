//! Counting instructions with the SysTick timer.
//!
//! QEMU's `-icount shift=7,sleep=off` lets 128 ns of virtual time pass per instruction, whatever it is. That is more than
//! two ticks on every board, so that a number of ticks tells the number of instructions exactly.

use core::arch::asm;
use core::cell::Cell;
use core::hint::black_box;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;

const TICKS: u32 = 1 << 24;

/// A stopwatch that counts instructions.
pub struct Counter {
    megahertz: u64,
    overhead: u32,
    counted: Cell<u32>,
}

impl Counter {
    /// Starts the timer, which the board lets run at so many MHz; `None` where blocks of NOPs say that it does not.
    pub fn new(mut timer: SYST, megahertz: u32) -> Option<Self> {
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(TICKS - 1);
        timer.clear_current();
        timer.enable_counter();
        let mut counter = Self { megahertz: megahertz.into(), overhead: 0, counted: Cell::new(0) };
        counter.overhead = counter.count(|| {});
        macro_rules! nops {
            ($count:literal) => {
                // SAFETY: does nothing, many times.
                counter.count(|| unsafe { asm!(concat!(".rept ", $count, "\nnop\n.endr"), options(nomem, nostack)) })
            };
        }
        ((nops!(10), nops!(1000), nops!(5000)) == (10, 1000, 5000)).then_some(counter)
    }

    /// The instructions of `work`, but for the call and the return. Up to five million.
    pub fn count(&self, mut work: impl FnMut()) -> u32 {
        self.counted.set(self.counted.get() + 1);
        let ticks = u64::from(ticks(black_box(&mut work)));
        // 128 ns are 128 · MHz / 1000 ticks.
        let scale = self.megahertz * 128;
        ((ticks * 1000 + scale / 2) / scale) as u32 - self.overhead
    }

    /// How often it has counted, those times among them by which it found out its own overhead.
    pub fn counted(&self) -> u32 {
        self.counted.get()
    }
}

/// Not inlined, and calling what it does not know: whatever is measured, the code around it is the same.
#[inline(never)]
fn ticks(work: &mut dyn FnMut()) -> u32 {
    let start = SYST::get_current();
    work();
    // It counts down.
    start.wrapping_sub(SYST::get_current()) % TICKS
}
