//! How deep the stack goes: it is painted first, and looked at afterwards.

const PAINT: u32 = 0x5afe_c01d;
/// What a call needs before it can paint.
const MARGIN: usize = 256;
/// As deep as anything here goes.
const DEPTH: usize = 16 * 1024;

/// The bytes of stack that `work` takes.
#[inline(never)]
pub(super) fn depth(work: impl FnOnce()) -> u32 {
    let top = (stack_pointer() - MARGIN) & !3;
    let bottom = (cortex_m_rt::heap_start() as usize).max(top - DEPTH);
    paint(bottom, top);
    work();
    let mut used = bottom;
    // SAFETY: RAM of ours below the stack's frames, which nobody else uses: there is no heap.
    while used < top && unsafe { (used as *const u32).read_volatile() } == PAINT {
        used += 4;
    }
    (top - used + MARGIN) as u32
}

fn paint(bottom: usize, top: usize) {
    for address in (bottom..top).step_by(4) {
        // SAFETY: as above; the frame of this loop is within the margin.
        unsafe { (address as *mut u32).write_volatile(PAINT) };
    }
}

fn stack_pointer() -> usize {
    cortex_m::register::msp::read() as usize
}
