//! Operations on every row: dot products, and multiples added to a sum.

use core::arch::naked_asm;

/// a · b.
///
/// # Safety
/// Both pointers point to `n` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn dot(a: *const f32, b: *const f32, n: usize) -> f32 {
    naked_asm!(
        fpu!(),
        // s0–s3: lanes. s4–s15: b. s16–s27: a, then products.
        "vpush {{d8-d13}}",
        "movs r12, #0",
        "vmov d0, r12, r12",
        "vmov d1, r12, r12",
        in_blocks!(
            "r2",
            concat!(
                "vldmia r1!, {{s4-s15}}\n vldmia r0!, {{s16-s27}}\n",
                multiply!(16*4 17*5 18*6 19*7 20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15),
                add!(0+16 1+17 2+18 3+19 0+20 1+21 2+22 3+23 0+24 1+25 2+26 3+27),
            ),
            concat!(
                "vldmia r1!, {{s4-s7}}\n vldmia r0!, {{s16-s19}}\n",
                multiply!(16*4 17*5 18*6 19*7),
                add!(0+16 1+17 2+18 3+19),
            ),
            concat!("vldmia r1!, {{s4-s5}}\n vldmia r0!, {{s16-s17}}\n", multiply!(16*4 17*5), add!(0+16 1+17)),
            concat!("vldr s4, [r1]\n vldr s16, [r0]\n", multiply!(16 * 4), add!(2 + 16)),
            concat!("vldr s4, [r1]\n vldr s16, [r0]\n", multiply!(16 * 4), add!(0 + 16))
        ),
        add!(0+1 2+3 0+2),
        "vpop {{d8-d13}}",
        "bx lr",
    )
}

/// x · x.
///
/// # Safety
/// The pointer points to `n` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn norm_squared(x: *const f32, n: usize) -> f32 {
    naked_asm!(
        fpu!(),
        // s0–s3: lanes. s4–s15: x, then squares.
        "movs r12, #0",
        "vmov d0, r12, r12",
        "vmov d1, r12, r12",
        in_blocks!(
            "r1",
            concat!(
                "vldmia r0!, {{s4-s15}}\n",
                multiply!(4*4 5*5 6*6 7*7 8*8 9*9 10*10 11*11 12*12 13*13 14*14 15*15),
                add!(0+4 1+5 2+6 3+7 0+8 1+9 2+10 3+11 0+12 1+13 2+14 3+15),
            ),
            concat!("vldmia r0!, {{s4-s7}}\n", multiply!(4*4 5*5 6*6 7*7), add!(0+4 1+5 2+6 3+7)),
            concat!("vldmia r0!, {{s4-s5}}\n", multiply!(4*4 5*5), add!(0+4 1+5)),
            concat!("vldr s4, [r0]\n", multiply!(4 * 4), add!(2 + 4)),
            concat!("vldr s4, [r0]\n", multiply!(4 * 4), add!(0 + 4))
        ),
        add!(0+1 2+3 0+2),
        "bx lr",
    )
}

/// Two sums, returned in `s0` and `s1`.
#[repr(C)]
pub struct Pair(pub f32, pub f32);

/// a · w and b · w.
///
/// # Safety
/// All three pointers point to `n` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn dot_pair(a: *const f32, b: *const f32, w: *const f32, n: usize) -> Pair {
    naked_asm!(
        fpu!(),
        // s0–s3, s4–s7: lanes of a and b. s8–s19: w. s20–s31: a, then b, then products.
        "vpush {{d8-d15}}",
        "movs r12, #0",
        "vmov d0, r12, r12",
        "vmov d1, r12, r12",
        "vmov d2, r12, r12",
        "vmov d3, r12, r12",
        in_blocks!(
            "r3",
            concat!(
                "vldmia r2!, {{s8-s19}}\n vldmia r0!, {{s20-s31}}\n",
                multiply!(20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15 28*16 29*17 30*18 31*19),
                add!(0+20 1+21 2+22 3+23 0+24 1+25 2+26 3+27 0+28 1+29 2+30 3+31),
                "vldmia r1!, {{s20-s31}}\n",
                multiply!(20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15 28*16 29*17 30*18 31*19),
                add!(4+20 5+21 6+22 7+23 4+24 5+25 6+26 7+27 4+28 5+29 6+30 7+31),
            ),
            concat!(
                "vldmia r2!, {{s8-s11}}\n vldmia r0!, {{s20-s23}}\n vldmia r1!, {{s24-s27}}\n",
                multiply!(20*8 21*9 22*10 23*11 24*8 25*9 26*10 27*11),
                add!(0+20 1+21 2+22 3+23 4+24 5+25 6+26 7+27),
            ),
            concat!(
                "vldmia r2!, {{s8-s9}}\n vldmia r0!, {{s20-s21}}\n vldmia r1!, {{s24-s25}}\n",
                multiply!(20*8 21*9 24*8 25*9),
                add!(0+20 1+21 4+24 5+25),
            ),
            concat!("vldr s8, [r2]\n vldr s20, [r0]\n vldr s24, [r1]\n", multiply!(20*8 24*8), add!(2+20 6+24)),
            concat!("vldr s8, [r2]\n vldr s20, [r0]\n vldr s24, [r1]\n", multiply!(20*8 24*8), add!(0+20 4+24))
        ),
        add!(0+1 2+3 4+5 6+7 0+2),
        "vadd.f32 s1, s4, s6",
        "vpop {{d8-d15}}",
        "bx lr",
    )
}

/// y ← y + p · x.
///
/// # Safety
/// `x` points to `n` readable floats, `y` to `n` writable ones that do not overlap with them.
#[unsafe(naked)]
pub unsafe extern "C" fn add_scaled(y: *mut f32, x: *const f32, n: usize, p: f32) {
    naked_asm!(
        fpu!(),
        // s0: p. s2–s13: y. s14–s25: x, then products.
        "vpush {{d8-d12}}",
        in_blocks!(
            "r2",
            concat!(
                "vldmia r0, {{s2-s13}}\n vldmia r1!, {{s14-s25}}\n",
                multiply!(14*0 15*0 16*0 17*0 18*0 19*0 20*0 21*0 22*0 23*0 24*0 25*0),
                add!(2+14 3+15 4+16 5+17 6+18 7+19 8+20 9+21 10+22 11+23 12+24 13+25),
                "vstmia r0!, {{s2-s13}}\n",
            ),
            concat!(
                "vldmia r0, {{s2-s5}}\n vldmia r1!, {{s14-s17}}\n",
                multiply!(14*0 15*0 16*0 17*0),
                add!(2+14 3+15 4+16 5+17),
                "vstmia r0!, {{s2-s5}}\n",
            ),
            concat!(
                "vldmia r0, {{s2-s3}}\n vldmia r1!, {{s14-s15}}\n",
                multiply!(14*0 15*0),
                add!(2+14 3+15),
                "vstmia r0!, {{s2-s3}}\n",
            ),
            concat!("vldr s2, [r0]\n vldr s14, [r1]\n", multiply!(14 * 0), add!(2 + 14), "vstr s2, [r0]\n")
        ),
        "vpop {{d8-d12}}",
        "bx lr",
    )
}

/// y ← (y + p · a) + q · b.
///
/// # Safety
/// `a` and `b` point to `n` readable floats each, `y` to `n` writable ones that do not overlap with them.
#[unsafe(naked)]
pub unsafe extern "C" fn add_scaled_pair(y: *mut f32, a: *const f32, b: *const f32, n: usize, p: f32, q: f32) {
    naked_asm!(
        fpu!(),
        // s0, s1: p and q. s2–s13: y. s14–s25: a, then b, then products.
        "vpush {{d8-d12}}",
        in_blocks!(
            "r3",
            concat!(
                "vldmia r0, {{s2-s13}}\n vldmia r1!, {{s14-s25}}\n",
                multiply!(14*0 15*0 16*0 17*0 18*0 19*0 20*0 21*0 22*0 23*0 24*0 25*0),
                add!(2+14 3+15 4+16 5+17 6+18 7+19 8+20 9+21 10+22 11+23 12+24 13+25),
                "vldmia r2!, {{s14-s25}}\n",
                multiply!(14*1 15*1 16*1 17*1 18*1 19*1 20*1 21*1 22*1 23*1 24*1 25*1),
                add!(2+14 3+15 4+16 5+17 6+18 7+19 8+20 9+21 10+22 11+23 12+24 13+25),
                "vstmia r0!, {{s2-s13}}\n",
            ),
            concat!(
                "vldmia r0, {{s2-s5}}\n vldmia r1!, {{s14-s17}}\n vldmia r2!, {{s18-s21}}\n",
                multiply!(14*0 15*0 16*0 17*0 18*1 19*1 20*1 21*1),
                add!(2+14 3+15 4+16 5+17 2+18 3+19 4+20 5+21),
                "vstmia r0!, {{s2-s5}}\n",
            ),
            concat!(
                "vldmia r0, {{s2-s3}}\n vldmia r1!, {{s14-s15}}\n vldmia r2!, {{s18-s19}}\n",
                multiply!(14*0 15*0 18*1 19*1),
                add!(2+14 3+15 2+18 3+19),
                "vstmia r0!, {{s2-s3}}\n",
            ),
            concat!(
                "vldr s2, [r0]\n vldr s14, [r1]\n vldr s15, [r2]\n",
                multiply!(14*0 15*1),
                add!(2+14 2+15),
                "vstr s2, [r0]\n",
            )
        ),
        "vpop {{d8-d12}}",
        "bx lr",
    )
}
