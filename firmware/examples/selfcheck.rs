//! Does this board boot, initialise its memory as the compiler assumes, log and exit? Nothing else works before that.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m_rt::entry;
use cortex_m_stack::{current_stack_in_use, repaint_stack, stack_painted, stack_size};
use osculate_firmware::logger::dropped;
use osculate_firmware::{BOARD, exit_success};

/// Stack frame of the function below, in bytes.
const FRAME: u32 = 1024;

static DATA: AtomicU32 = AtomicU32::new(0x5eed_cafe);
static BSS: AtomicU32 = AtomicU32::new(0);

#[entry]
fn main() -> ! {
    defmt::info!("board {=str}", BOARD);

    defmt::assert_eq!(DATA.load(Ordering::Relaxed), 0x5eed_cafe, "initialised statics were copied to RAM");
    defmt::assert_eq!(BSS.load(Ordering::Relaxed), 0, "zero statics were cleared");
    DATA.store(1, Ordering::Relaxed);
    BSS.store(2, Ordering::Relaxed);
    defmt::assert_eq!(DATA.load(Ordering::Relaxed) + BSS.load(Ordering::Relaxed), 3, "RAM holds what is written");
    defmt::info!("memory ok");

    // On a hard-float target this is the first instruction that needs the FPU enabled.
    defmt::assert_eq!(black_box(1.5f32) * black_box(2.0), 3.0);
    defmt::info!("float ok");

    let before = current_stack_in_use();
    repaint_stack();
    use_stack(black_box(&mut [0; 4]));
    let used = stack_size() - stack_painted();
    defmt::assert!((FRAME..FRAME + 512).contains(&(used - before)), "{=u32} bytes, and {=u32} before", used, before);
    defmt::info!("stack ok");

    defmt::info!("{}", LogsInside);
    defmt::assert_eq!(dropped(), 1, "a line inside a line is dropped");

    defmt::info!("done");
    exit_success()
}

/// Logs while it is logged, as a fault in the middle of a line would.
struct LogsInside;

impl defmt::Format for LogsInside {
    fn format(&self, formatter: defmt::Formatter<'_>) {
        defmt::info!("this is dropped");
        defmt::write!(formatter, "logger ok");
    }
}

#[inline(never)]
fn use_stack(first: &mut [u32; 4]) {
    let mut words = [first[0] + 1; FRAME as usize / 4];
    first[0] = black_box(&mut words)[FRAME as usize / 4 - 1];
}
