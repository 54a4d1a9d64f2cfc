//! Operations on every row: dot products, and multiples added to a sum.

use core::arch::naked_asm;

use super::super::vfp::Pair;
use super::twins;

/// a · b.
///
/// # Safety
/// Both pointers point to `n` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn dot(a: *const f32, b: *const f32, n: usize) -> f32 {
    naked_asm!(
        mve!(),
        // q0: lanes. q1: a, then products. q2: b.
        "push {{r0-r2, lr}}",
        "vmov.i32 q0, #0",
        in_fours!(
            "r2",
            "vldrw.u32 q1, [r0], #16
            vldrw.u32 q2, [r1], #16
            vmul.f32 q1, q1, q2
            vadd.f32 q0, q0, q1
            "
        ),
        check!("r3", "9f"),
        "vadd.f32 s0, s0, s1",
        "vadd.f32 s2, s2, s3",
        "vadd.f32 s0, s0, s2",
        "add sp, #12",
        "pop {{pc}}",
        "9:",
        clear!("r3"),
        "pop {{r0-r2, lr}}",
        "b {twin}",
        twin = sym twins::dot,
    )
}

/// x · x.
///
/// # Safety
/// The pointer points to `n` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn norm_squared(x: *const f32, n: usize) -> f32 {
    macro_rules! four {
        () => {
            "vldrw.u32 q1, [r2], #16
            vmul.f32 q1, q1, q1
            vadd.f32 q0, q0, q1
            "
        };
    }
    naked_asm!(
        mve!(),
        // q0: lanes. q1: x, then squares.
        "movs r2, r0",
        "movs r3, r1",
        "mov r12, lr",
        "vmov.i32 q0, #0",
        in_sixteens!("r3", concat!(four!(), four!(), four!(), four!()), four!()),
        "mov lr, r12",
        check!("r3", "9f"),
        "vadd.f32 s0, s0, s1",
        "vadd.f32 s2, s2, s3",
        "vadd.f32 s0, s0, s2",
        "bx lr",
        "9:",
        clear!("r3"),
        "b {twin}",
        twin = sym twins::norm_squared,
    )
}

/// a · w and b · w.
///
/// # Safety
/// All three pointers point to `n` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn dot_pair(a: *const f32, b: *const f32, w: *const f32, n: usize) -> Pair {
    naked_asm!(
        mve!(),
        // q0, q1: lanes of a and b. q2: a, then b, then products. q3: w.
        "push {{r0-r2, lr}}",
        "vmov.i32 q0, #0",
        "vmov.i32 q1, #0",
        in_fours!(
            "r3",
            "vldrw.u32 q3, [r2], #16
            vldrw.u32 q2, [r0], #16
            vmul.f32 q2, q2, q3
            vadd.f32 q0, q0, q2
            vldrw.u32 q2, [r1], #16
            vmul.f32 q2, q2, q3
            vadd.f32 q1, q1, q2
            "
        ),
        check!("r12", "9f"),
        "vadd.f32 s0, s0, s1",
        "vadd.f32 s2, s2, s3",
        "vadd.f32 s4, s4, s5",
        "vadd.f32 s6, s6, s7",
        "vadd.f32 s0, s0, s2",
        "vadd.f32 s1, s4, s6",
        "add sp, #12",
        "pop {{pc}}",
        "9:",
        clear!("r12"),
        "pop {{r0-r2, lr}}",
        "b {twin}",
        twin = sym twins::dot_pair,
    )
}

/// y ← y + p · x.
///
/// # Safety
/// `x` points to `n` readable floats, `y` to `n` writable ones that do not overlap with them.
#[unsafe(naked)]
pub unsafe extern "C" fn add_scaled(y: *mut f32, x: *const f32, n: usize, p: f32) {
    macro_rules! four {
        ($sum:literal, $offset:literal) => {
            concat!(
                "vldrw.u32 q5, [r1], #16\n vldrw.u32 ",
                $sum,
                ", [r0, #",
                $offset,
                "]\n vmul.f32 q5, q5, r12\n vadd.f32 ",
                $sum,
                ", ",
                $sum,
                ", q5\n",
            )
        };
    }
    naked_asm!(
        mve!(),
        // s0 and r12: p. q1–q4: y. q5: x, then products.
        "push {{r7, lr}}",
        "vpush {{d8-d11}}",
        "vmov r12, s0",
        in_sixteens!(
            "r2",
            concat!(
                four!("q1", "0"),
                four!("q2", "16"),
                four!("q3", "32"),
                four!("q4", "48"),
                check!("r3", "8f"),
                "vstrw.32 q2, [r0, #16]
                vstrw.32 q3, [r0, #32]
                vstrw.32 q4, [r0, #48]
                vstrw.32 q1, [r0], #64
                ",
            ),
            concat!(four!("q1", "0"), check!("r3", "9f"), "vstrw.32 q1, [r0], #16\n")
        ),
        "vpop {{d8-d11}}",
        "pop {{r7, pc}}",
        leave_sixteens!("r2", "r3", ["r1"]),
        "vpop {{d8-d11}}",
        "pop {{r7, lr}}",
        "b {twin}",
        twin = sym twins::add_scaled,
    )
}

/// y ← (y + p · a) + q · b.
///
/// # Safety
/// `a` and `b` point to `n` readable floats each, `y` to `n` writable ones that do not overlap with them.
#[unsafe(naked)]
pub unsafe extern "C" fn add_scaled_pair(y: *mut f32, a: *const f32, b: *const f32, n: usize, p: f32, q: f32) {
    macro_rules! four {
        ($sum:literal, $offset:literal) => {
            concat!(
                "vldrw.u32 q5, [r1], #16\n vldrw.u32 ",
                $sum,
                ", [r0, #",
                $offset,
                "]\n vmul.f32 q5, q5, r12\n vldrw.u32 q6, [r2], #16\n vadd.f32 ",
                $sum,
                ", ",
                $sum,
                ", q5\n vmul.f32 q6, q6, r4\n vadd.f32 ",
                $sum,
                ", ",
                $sum,
                ", q6\n",
            )
        };
    }
    naked_asm!(
        mve!(),
        // s0 and r12: p. s1 and r4: q. q1–q4: y. q5, q6: a and b, then products.
        "push {{r4, r5, r7, lr}}",
        "vpush {{d8-d13}}",
        "vmov r12, r4, s0, s1",
        in_sixteens!(
            "r3",
            concat!(
                four!("q1", "0"),
                four!("q2", "16"),
                four!("q3", "32"),
                four!("q4", "48"),
                check!("r5", "8f"),
                "vstrw.32 q2, [r0, #16]
                vstrw.32 q3, [r0, #32]
                vstrw.32 q4, [r0, #48]
                vstrw.32 q1, [r0], #64
                ",
            ),
            concat!(four!("q1", "0"), check!("r5", "9f"), "vstrw.32 q1, [r0], #16\n")
        ),
        "vpop {{d8-d13}}",
        "pop {{r4, r5, r7, pc}}",
        leave_sixteens!("r3", "r5", ["r1" "r2"]),
        "vpop {{d8-d13}}",
        "pop {{r4, r5, r7, lr}}",
        "b {twin}",
        twin = sym twins::add_scaled_pair,
    )
}
