//! Does every assembly kernel preserve the callee-saved registers?
//!
//! The compiler keeps values there across a call. A kernel that clobbers one still gives correct results, but breaks
//! whatever the optimiser puts around it in some other program. So each kernel is called here from assembly, with
//! patterns in r4 to r11 (and s16 to s31 if there is an FPU), which are checked afterwards.

use core::arch::naked_asm;
use core::cell::Cell;

use osculate::arithmetic::kernels::*;

#[cfg(target_abi = "eabihf")]
const REGISTERS: usize = 24;
#[cfg(not(target_abi = "eabihf"))]
const REGISTERS: usize = 8;

/// In the order in which [`call`] loads and stores them.
const NAMES: [&str; 24] = [
    "r8", "r9", "r10", "r11", "r4", "r5", "r6", "r7", "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24",
    "s25", "s26", "s27", "s28", "s29", "s30", "s31",
];

/// A call and its effect on the registers.
#[repr(C)]
struct Call {
    function: usize,
    /// r0 to r3, then two on the stack.
    arguments: [usize; 6],
    /// s0 to s3.
    floats: [f32; 4],
    before: [u32; REGISTERS],
    after: [u32; REGISTERS],
}

/// FPU instructions for [`call`], or nothing without an FPU.
#[cfg(target_abi = "eabihf")]
macro_rules! fpu {
    ($code:literal) => {
        $code
    };
}
#[cfg(not(target_abi = "eabihf"))]
macro_rules! fpu {
    ($code:literal) => {
        ""
    };
}

/// Makes the call with `before` in the registers, and writes the registers to `after` when it returns.
///
/// # Safety
/// The function takes these arguments, by the procedure call standard. The only violation allowed is to clobber r4 to
/// r11 and s16 to s31.
#[unsafe(naked)]
unsafe extern "C" fn call(call: *mut Call) {
    naked_asm!(
        fpu!(".fpu fpv4-sp-d16"),
        "push {{r4-r7, lr}}",
        "mov r4, r8",
        "mov r5, r9",
        "mov r6, r10",
        "mov r7, r11",
        "push {{r4-r7}}",
        fpu!("vpush {{d8-d15}}"),
        // The address of the description, then the stack arguments; the stack stays aligned to 8 bytes.
        "push {{r0}}",
        "ldr r1, [r0, #20]",
        "ldr r2, [r0, #24]",
        "push {{r1, r2}}",
        "movs r1, #28",
        "adds r1, r0, r1",
        fpu!("vldmia r1, {{s0-s3}}"),
        "adds r1, #16",
        "ldmia r1!, {{r4-r7}}",
        "mov r8, r4",
        "mov r9, r5",
        "mov r10, r6",
        "mov r11, r7",
        "ldmia r1!, {{r4-r7}}",
        fpu!("vldmia r1, {{s16-s31}}"),
        "ldr r1, [r0]",
        "mov r12, r1",
        "ldr r1, [r0, #8]",
        "ldr r2, [r0, #12]",
        "ldr r3, [r0, #16]",
        "ldr r0, [r0, #4]",
        "blx r12",
        "ldr r0, [sp, #8]",
        "adds r0, #44 + 4 * {registers}",
        // The low registers first, since they are needed to move the high ones; `after` has the same order as `before`.
        "movs r1, r0",
        "adds r1, #16",
        "stmia r1!, {{r4-r7}}",
        fpu!("vstmia r1, {{s16-s31}}"),
        "mov r4, r8",
        "mov r5, r9",
        "mov r6, r10",
        "mov r7, r11",
        "stmia r0!, {{r4-r7}}",
        "add sp, #12",
        fpu!("vpop {{d8-d15}}"),
        "pop {{r4-r7}}",
        "mov r8, r4",
        "mov r9, r5",
        "mov r10, r6",
        "mov r11, r7",
        "pop {{r4-r7, pc}}",
        registers = const REGISTERS,
    )
}

/// Clobbers every callee-saved register.
#[unsafe(naked)]
unsafe extern "C" fn spoil_all() {
    naked_asm!(
        fpu!(".fpu fpv4-sp-d16"),
        "adds r4, #1",
        "adds r5, #1",
        "adds r6, #1",
        "adds r7, #1",
        "mov r8, r4",
        "mov r9, r5",
        "mov r10, r6",
        "mov r11, r7",
        fpu!("vmov d8, r4, r4\n vmov d9, r4, r4\n vmov d10, r4, r4\n vmov d11, r4, r4"),
        fpu!("vmov d12, r4, r4\n vmov d13, r4, r4\n vmov d14, r4, r4\n vmov d15, r4, r4"),
        "bx lr",
    )
}

/// The registers that a call clobbered.
fn spoilt(function: usize, arguments: [usize; 6]) -> impl Iterator<Item = &'static str> {
    let before = core::array::from_fn(|i| 0x4123_4567 + 0x10_1010 * i as u32);
    let mut made = Call { function, arguments, floats: [0.5; 4], before, after: [0; REGISTERS] };
    // SAFETY: the callers below pass every function the arguments that it takes.
    unsafe { call(&mut made) };
    let pairs = before.into_iter().zip(made.after).zip(NAMES);
    pairs.filter(|((before, after), _)| before != after).map(|(_, name)| name)
}

/// The most elements that a kernel reads or writes.
const MOST: usize = 128;

/// Memory for four arguments of any kind, two rows among them, and the number of calls so far.
struct Kernels {
    memory: [[Cell<u64>; MOST + 3]; 4],
    calls: Cell<u32>,
}

impl Kernels {
    fn pointers(&self) -> [usize; 4] {
        self.memory.each_ref().map(|memory| memory.as_ptr() as usize)
    }

    /// Calls the kernel with these arguments, and with ordinary numbers in the memory, or the same of which one is not finite.
    fn call(&self, name: &str, kernel: *const (), n: usize, given: &[usize]) {
        let mut arguments = [0; 6];
        arguments[..given.len()].copy_from_slice(given);
        for first in [1.0_f32, f32::INFINITY] {
            let one = u64::from(1.0_f32.to_bits());
            self.memory.iter().flatten().for_each(|pair| pair.set(one << 32 | one));
            self.memory[0][0].set(first.to_bits().into());
            if let Some(register) = spoilt(kernel as usize, arguments).next() {
                defmt::panic!("{} spoils {}, n = {}", name, register, n);
            }
            self.calls.update(|calls| calls + 1);
        }
    }
}

/// Calls each of these kernels, which have something to do with this number of elements, with its arguments.
macro_rules! check {
    ($all:ident, $n:tt: $($kernel:path => $arguments:expr;)*) => {
        $($all.call(stringify!($kernel), $kernel as *const (), $n, &$arguments);)*
    };
}

/// Those that are compiled for every number of elements.
#[cfg(target_abi = "eabihf")]
fn sized<const N: usize>(all: &Kernels) {
    let [a, b, c, _] = all.pointers();
    let pairs = 1;
    check! { all, N:
        vfp::dot::<N> => [a, b];
        vfp::norm_squared::<N> => [a];
        vfp::dot_pair::<N> => [a, b, c];
        vfp::add_scaled::<N> => [a, b];
        vfp::add_projections::<N> => [a, b, c, pairs];
        vfp::add_projections::<N> => [a, b, c, pairs, 1];
        vfp::multiply::<N> => [a, b];
        vfp::copy::<N> => [a, b];
    }
    if const { 8 <= N && N <= 10 } {
        check! { all, N:
            vfp::add_few_projections::<N> => [a, b, c, pairs];
            vfp::add_few_projections::<N> => [a, b, c, pairs, 1];
        }
    }
}

/// Calls every kernel of this core.
pub(crate) fn all() {
    let changed = spoilt(spoil_all as *const () as usize, [0; 6]).count();
    defmt::assert_eq!(changed, REGISTERS, "a function that spoils every register is found out");

    let all = &Kernels { memory: [const { [const { Cell::new(0) }; MOST + 3] }; 4], calls: Cell::new(0) };
    #[cfg(target_abi = "eabihf")]
    sizes!(sized(all));
    for n in 0..=67 {
        let [a, b, c, _] = all.pointers();
        #[cfg(target_abi = "eabihf")]
        check! { all, n:
            vfp::trace_step => [a, b, c, n];
            vfp::largest => [a, n];
            vfp::difference => [a, b, c, n];
            vfp::step_doubt => [a, b, c, n];
            vfp::step => [a, b, c, n];
            vfp::average_step => [a, b, n];
            vfp::sqrt => [a, n];
        }
        #[cfg(any(feature = "board-mps2-an386", feature = "board-mps2-an500", feature = "armv8m-dsp"))]
        check! { all, n:
            armv7m::dsp::norm_squared => [a, n];
            armv7m::dsp::dot_halves => [a, b, n];
            armv7m::dsp::halve => [a, b, n];
        }
        #[cfg(any(feature = "board-mps2-an385", feature = "board-mps2-an505"))]
        check! { all, n: armv7m::norm_squared => [a, n]; }
        #[cfg(has_mpu)]
        check! { all, n:
            armv7m::dot_pair => [a, b, c, n, all.pointers()[3]];
            armv7m::add_scaled_pair => [a, b, c, n, 12_345, usize::MAX - 678];
            armv7m::quotient => [a, b, c, n];
        }
        #[cfg(not(has_mpu))]
        check! { all, n:
            armv6m::dot_wide => [a, b, n];
            armv6m::dot_narrow => [a, b, n];
            armv6m::add_scaled_pair => [a, b, c, n, 12_345, usize::MAX - 678];
            armv6m::norm_squared => [a, n];
            armv6m::quotient => [a, b, c, n];
        }
    }
    #[cfg(not(has_mpu))]
    words(all);
    #[cfg(has_mpu)]
    vectors(all);
    #[cfg(any(feature = "board-mps2-an386", feature = "board-mps2-an500", feature = "armv8m-dsp"))]
    passes(all);
    defmt::assert!(all.calls.get() > 0, "no kernel was called");
    defmt::info!("{} calls of kernels leave their caller's registers alone", all.calls.get());
}

/// The kernels of vectors and of a cosine take at least one element, and something else after their number.
#[cfg(has_mpu)]
fn vectors(all: &Kernels) {
    use armv7m::{cosine, vectors};
    let shift = FloatShift::new((0x00c0_0000, -24)).unwrap();
    let shift = &raw const shift as usize;
    let (mut a, mut b, mut c) = ([12_345_i64; MOST], [-3_i64; MOST], [7_i64; MOST]);
    let [a, b, c] = [&mut a, &mut b, &mut c].map(|memory| memory.as_mut_ptr() as usize);
    let mut sums = portable::cosine::CosineSums::default();
    let sums = &raw mut sums as usize;
    let factor = 1 << 20;
    for n in 1..=MOST {
        check! { all, n:
            vectors::decay => [a, n, shift];
            vectors::step => [a, b, c, n, shift];
            cosine::cosine_sums => [a, b, c, n, sums];
            vectors::magnitudes => [a, n];
            vectors::shift_all => [a, b, n, factor];
            vectors::sum_of_squares => [a, n, factor];
        }
    }
}

/// The kernels that compute with one or two words, floats among them, take no pointers. Each is called with usual words
/// and with those that it leaves to others.
#[cfg(not(has_mpu))]
fn words(all: &Kernels) {
    use armv6m::single;
    for x in [1.5_f32, -1.5, 1e-20, f32::NAN] {
        let words = [x.to_bits() as usize, 2.5_f32.to_bits() as usize];
        check! { all, 1:
            armv6m::reciprocal => words;
            single::add => words;
            single::multiply => words;
            single::divide => words;
            single::root => words;
            single::from_integer => words;
        }
    }
}

/// The kernels of [`armv7m::dsp::pass`] take a layout and rows with their targets and inverses.
#[cfg(any(feature = "board-mps2-an386", feature = "board-mps2-an500", feature = "armv8m-dsp"))]
fn passes(all: &Kernels) {
    use armv7m::dsp::pass;
    let (mut sums, halves) = ([0_i64; MOST], [3_u32; MOST + 1]);
    for n in 1..=MOST {
        // In words: features, then the target, the inverse's mantissa and its exponent.
        let tail = n.div_ceil(4) * 2;
        let mut rows = [0x0007_0005_u32; 2 * (MOST / 2 + 8)];
        for row in [0, tail + 4] {
            rows[row + tail..row + tail + 4].copy_from_slice(&[1_000_000, 0, 1 << 25, 45]);
        }
        let layout = pass::Layout { n, stride: 4 * (tail + 4), tail: 4 * tail };
        let (layout, rows) = (&raw const layout as usize, rows.as_ptr() as usize);
        let arguments = [layout, rows, 1, sums.as_mut_ptr() as usize, halves.as_ptr() as usize, 13];
        check! { all, n:
            pass::residuals => arguments;
            pass::projections => arguments;
        }
    }
}
