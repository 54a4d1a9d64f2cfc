//! Does every assembly kernel preserve the callee-saved registers?
//!
//! The compiler keeps values there across a call. A kernel that clobbers one still gives correct results, but breaks
//! whatever the optimiser puts around it in some other program. So each kernel is called here from assembly, with
//! patterns in r4 to r11 (and s16 to s31 if there is an FPU), which are checked afterwards.

use core::arch::naked_asm;

use osculate::arithmetic::kernels;

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
fn spoilt(function: usize, arguments: [usize; 6], floats: [f32; 4]) -> impl Iterator<Item = &'static str> {
    let before = core::array::from_fn(|i| 0x4123_4567 + 0x10_1010 * i as u32);
    let mut made = Call { function, arguments, floats, before, after: [0; REGISTERS] };
    // SAFETY: the callers below pass every function the arguments that it takes.
    unsafe { call(&mut made) };
    let pairs = before.into_iter().zip(made.after).zip(NAMES);
    pairs.filter(|((before, after), _)| before != after).map(|(_, name)| name)
}

/// The most elements that a kernel reads or writes.
const MOST: usize = 128;

/// Memory for four arguments of any kind, two rows among them, and the number of kernels called so far.
struct Kernels {
    memory: [[u64; MOST + 3]; 4],
    called: u32,
}

impl Kernels {
    /// Calls the kernel with every number of elements: its pointers first, then the number of elements, then its stack
    /// arguments.
    fn check(&mut self, name: &str, function: usize, pointers: usize, on_stack: fn(&mut Self) -> [usize; 2]) {
        self.called += 1;
        for n in 0..=67 {
            self.check_once(name, function, n, (pointers, n), on_stack);
        }
    }

    /// Calls the kernel with this number of elements: its pointers first, then a count, then its stack arguments.
    fn check_once(
        &mut self,
        name: &str,
        function: usize,
        n: usize,
        (pointers, count): (usize, usize),
        on_stack: fn(&mut Self) -> [usize; 2],
    ) {
        // Ordinary numbers, and the same with one that is not finite.
        for first in [1.0_f32, f32::INFINITY] {
            self.memory = [[u64::from(1.0_f32.to_bits()) << 32 | u64::from(1.0_f32.to_bits()); MOST + 3]; 4];
            self.memory[0][0] = u64::from(first.to_bits());
            let [a, b, c, _] = self.memory.each_mut().map(|memory| memory.as_mut_ptr() as usize);
            let registers = match pointers {
                1 => [a, count, 0, 0],
                2 => [a, b, count, 0],
                _ => [a, b, c, count],
            };
            let [fifth, sixth] = on_stack(self);
            let [r0, r1, r2, r3] = registers;
            if let Some(register) = spoilt(function, [r0, r1, r2, r3, fifth, sixth], [0.5; 4]).next() {
                defmt::panic!("{} spoils {}, n = {}", name, register, n);
            }
        }
    }
}

/// No stack arguments.
fn nothing(_: &mut Kernels) -> [usize; 2] {
    [0; 2]
}

/// Checks each of these kernels, by its path: how many pointers it takes before the number of elements, and its stack
/// arguments.
macro_rules! check {
    ($kernels:ident: $($($name:ident)::+($pointers:literal, $on_stack:expr))*) => { $(
        let function = kernels::$($name)::+ as *const () as usize;
        $kernels.check(stringify!($($name)::+), function, $pointers, $on_stack);
    )* };
}

/// Checks each of these kernels, which are compiled for every number of elements, with this one. They take pointers and
/// sometimes the number of pairs of rows.
#[cfg(target_abi = "eabihf")]
macro_rules! check_sized {
    ($kernels:ident, $n:ident: $($module:ident::$name:ident($pointers:literal, $on_stack:expr))*) => { $(
        let function = kernels::$module::$name::<$n> as *const () as usize;
        let name = concat!(stringify!($module), "::", stringify!($name));
        $kernels.check_once(name, function, $n, ($pointers, 1), $on_stack);
    )* };
}

#[cfg(target_abi = "eabihf")]
fn sized<const N: usize>(all: &mut Kernels) {
    check_sized! { all, N:
        vfp::dot(2, nothing) vfp::norm_squared(1, nothing) vfp::dot_pair(3, nothing) vfp::add_scaled(2, nothing)
        vfp::add_projections(3, nothing) vfp::add_projections(3, |_| [1, 0]) vfp::multiply(2, nothing)
        vfp::copy(2, nothing)
    }
    if const { 8 <= N && N <= 10 } {
        check_sized! { all, N: vfp::add_few_projections(3, nothing) vfp::add_few_projections(3, |_| [1, 0]) }
    }
    all.called += 1;
}

/// Calls every kernel of this core.
pub(crate) fn all() {
    let changed = spoilt(spoil_all as *const () as usize, [0; 6], [0.0; 4]).count();
    defmt::assert_eq!(changed, REGISTERS, "a function that spoils every register is found out");

    let mut all = Kernels { memory: [[0; MOST + 3]; 4], called: 0 };
    #[cfg(target_abi = "eabihf")]
    sizes!(sized(&mut all));
    #[cfg(target_abi = "eabihf")]
    check! { all:
        vfp::trace_step(3, nothing) vfp::largest(1, nothing) vfp::difference(3, nothing) vfp::step_doubt(3, nothing)
        vfp::step(3, nothing) vfp::average_step(2, nothing) vfp::sqrt(1, nothing)
    }
    #[cfg(any(feature = "board-mps2-an386", feature = "board-mps2-an500", feature = "armv8m-dsp"))]
    check! { all:
        armv7m::dsp::norm_squared(1, nothing) armv7m::dsp::dot_halves(2, nothing) armv7m::dsp::halve(2, nothing)
    }
    #[cfg(any(feature = "board-mps2-an385", feature = "board-mps2-an505"))]
    check! { all: armv7m::norm_squared(1, nothing) }
    #[cfg(has_mpu)]
    check! { all:
        armv7m::dot_pair(3, |all| [all.memory[3].as_mut_ptr() as usize, 0])
        armv7m::add_scaled_pair(3, |_| [12_345, usize::MAX - 678]) armv7m::quotient(3, nothing)
    }
    #[cfg(not(has_mpu))]
    check! { all:
        armv6m::dot_wide(2, nothing) armv6m::dot_narrow(2, nothing)
        armv6m::add_scaled_pair(3, |_| [12_345, usize::MAX - 678]) armv6m::norm_squared(1, nothing)
        armv6m::quotient(3, nothing)
    }
    #[cfg(not(has_mpu))]
    words(&mut all.called);
    #[cfg(has_mpu)]
    vectors(&mut all.called);
    #[cfg(any(feature = "board-mps2-an386", feature = "board-mps2-an500", feature = "armv8m-dsp"))]
    passes(&mut all.called);
    defmt::assert!(all.called > 0, "no kernel was called");
    defmt::info!("{} kernels leave their caller's registers alone", all.called);
}

/// The kernels of vectors and of a cosine take at least one element, and something else after their number.
#[cfg(has_mpu)]
fn vectors(called: &mut u32) {
    use kernels::armv7m::{cosine, vectors};
    let shift = kernels::FloatShift::new((0x00c0_0000, -24)).unwrap();
    let shift = &raw const shift as usize;
    let (mut a, mut b, mut c) = ([12_345_i64; MOST], [-3_i64; MOST], [7_i64; MOST]);
    let [a, b, c] = [&mut a, &mut b, &mut c].map(|memory| memory.as_mut_ptr() as usize);
    let mut sums = kernels::portable::cosine::CosineSums::default();
    let sums = &raw mut sums as usize;
    let factor = 1 << 20;
    for n in 1..=MOST {
        let all = [
            ("decay", vectors::decay as *const () as usize, [a, n, shift, 0, 0, 0]),
            ("step", vectors::step as *const () as usize, [a, b, c, n, shift, 0]),
            ("cosine_sums", cosine::cosine_sums as *const () as usize, [a, b, c, n, sums, 0]),
            ("magnitudes", vectors::magnitudes as *const () as usize, [a, n, 0, 0, 0, 0]),
            ("shift_all", vectors::shift_all as *const () as usize, [a, b, n, factor, 0, 0]),
            ("sum_of_squares", vectors::sum_of_squares as *const () as usize, [a, n, factor, 0, 0, 0]),
        ];
        *called += u32::from(n == 1) * all.len() as u32;
        for (name, function, arguments) in all {
            if let Some(register) = spoilt(function, arguments, [0.5; 4]).next() {
                defmt::panic!("vectors::{} spoils {}, n = {}", name, register, n);
            }
        }
    }
}

/// The kernels that compute with one or two words, floats among them, take no pointers. Each is called with usual words and with those
/// that it leaves to others.
#[cfg(not(has_mpu))]
fn words(called: &mut u32) {
    use kernels::armv6m::{self, single};
    let all = [
        ("reciprocal", armv6m::reciprocal as *const () as usize),
        ("add", single::add as *const () as usize),
        ("multiply", single::multiply as *const () as usize),
        ("divide", single::divide as *const () as usize),
        ("root", single::root as *const () as usize),
        ("from_integer", single::from_integer as *const () as usize),
    ];
    *called += all.len() as u32;
    for (name, function) in all {
        for x in [1.5_f32, -1.5, 1e-20, f32::NAN] {
            let arguments = [x.to_bits() as usize, 2.5_f32.to_bits() as usize, 0, 0, 0, 0];
            if let Some(register) = spoilt(function, arguments, [0.5; 4]).next() {
                defmt::panic!("{} spoils {}", name, register);
            }
        }
    }
}

/// The kernels of [`kernels::armv7m::dsp::pass`] take a layout and rows with their targets and inverses.
#[cfg(any(feature = "board-mps2-an386", feature = "board-mps2-an500", feature = "armv8m-dsp"))]
fn passes(called: &mut u32) {
    use kernels::armv7m::dsp::pass;
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
        let all = [
            ("residuals", pass::residuals as *const () as usize),
            ("projections", pass::projections as *const () as usize),
        ];
        *called += u32::from(n == 1) * all.len() as u32;
        for (name, function) in all {
            if let Some(register) = spoilt(function, arguments, [0.5; 4]).next() {
                defmt::panic!("pass::{} spoils {}, n = {}", name, register, n);
            }
        }
    }
}
