//! Operations on single rows: dot products, and a multiple added to a sum.

use core::arch::naked_asm;

/// a · b.
///
/// # Safety
/// Both pointers point to `N` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn dot<const N: usize>(a: *const f32, b: *const f32) -> f32 {
    naked_asm!(
        fpu!(),
        // s0–s3: lanes. s4–s15: b. s16–s27: a, then products; s8–s11 in short blocks.
        "movs r3, #0",
        saving!(
            "d8-d13",
            in_lanes!(
                "r2",
                zero: "vmov d0, r3, r3\n vmov d1, r3, r3\n",
                twelve: concat!(
                    "vldmia r1!, {{s4-s15}}\n vldmia r0!, {{s16-s27}}\n",
                    product!(0=16*4 1=17*5 2=18*6 3=19*7),
                    multiply!(20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15),
                    add!(0+20 1+21 2+22 3+23 0+24 1+25 2+26 3+27),
                ),
                concat!(
                    "vldmia r1!, {{s4-s15}}\n vldmia r0!, {{s16-s27}}\n",
                    multiply!(16*4 17*5 18*6 19*7 20*8 21*9 22*10 23*11 24*12 25*13 26*14 27*15),
                    add!(0+16 1+17 2+18 3+19 0+20 1+21 2+22 3+23 0+24 1+25 2+26 3+27),
                ),
                four: concat!("vldmia r1!, {{s4-s7}}\n vldmia r0!, {{s0-s3}}\n", multiply!(0*4 1*5 2*6 3*7)),
                concat!(
                    "vldmia r1!, {{s4-s7}}\n vldmia r0!, {{s8-s11}}\n",
                    multiply!(8*4 9*5 10*6 11*7),
                    add!(0+8 1+9 2+10 3+11),
                ),
                two: concat!("vldmia r1!, {{s4-s5}}\n vldmia r0!, {{s8-s9}}\n", multiply!(8*4 9*5), add!(0+8 1+9)),
                third: concat!("vldr s4, [r1]\n vldr s8, [r0]\n", multiply!(8 * 4), add!(2 + 8)),
                first: concat!("vldr s4, [r1]\n vldr s8, [r0]\n", multiply!(8 * 4), add!(0 + 8)),
                sum: concat!("vmov s4, r3\n", add!(0+1 2+3 0+2 0+4)),
                add!(0+1 2+3 0+2)
            )
        ),
        "bx lr",
        n = const N,
    )
}

/// x · x.
///
/// # Safety
/// The pointer points to `N` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn norm_squared<const N: usize>(x: *const f32) -> f32 {
    /// One load of all elements, if the last is one of these.
    macro_rules! load {
        ($($last:literal)*) => { concat!($(".if {n} == ", $last, " + 1\n vldmia r0, {{s0-s", $last, "}}\n .endif\n",)*) };
    }
    /// The squares of those elements that there are.
    macro_rules! square {
        ($($x:literal)*) => { concat!($(".if {n} > ", $x, "\n", multiply!($x*$x), ".endif\n",)*) };
    }
    /// The sums of those that there are.
    macro_rules! sum {
        ($($y:literal+$x:literal)*) => { concat!($(".if {n} > ", $x, "\n", add!($y+$x), ".endif\n",)*) };
    }
    naked_asm!(
        fpu!(),
        ".if {n} <= 16",
        // Squares are never −0, so there is no difference between a lane of 0 and no lane.
        load!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
        square!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
        sum!(0+4 1+5 2+6 3+7 0+8 1+9 2+10 3+11 0+12 1+13 2+14 3+15 0+1 2+3 0+2),
        ".else",
        // s0–s3: lanes. s4–s15: x, then squares.
        in_lanes!(
            "r1",
            zero: "movs r3, #0\n vmov d0, r3, r3\n vmov d1, r3, r3\n",
            twelve: concat!(
                "vldmia r0!, {{s0-s11}}\n",
                multiply!(0*0 1*1 2*2 3*3 4*4 5*5 6*6 7*7 8*8 9*9 10*10 11*11),
                add!(0+4 1+5 2+6 3+7 0+8 1+9 2+10 3+11),
            ),
            concat!(
                "vldmia r0!, {{s4-s15}}\n",
                multiply!(4*4 5*5 6*6 7*7 8*8 9*9 10*10 11*11 12*12 13*13 14*14 15*15),
                add!(0+4 1+5 2+6 3+7 0+8 1+9 2+10 3+11 0+12 1+13 2+14 3+15),
            ),
            four: "",
            concat!("vldmia r0!, {{s4-s7}}\n", multiply!(4*4 5*5 6*6 7*7), add!(0+4 1+5 2+6 3+7)),
            two: concat!("vldmia r0!, {{s4-s5}}\n", multiply!(4*4 5*5), add!(0+4 1+5)),
            third: concat!("vldr s4, [r0]\n", multiply!(4 * 4), add!(2 + 4)),
            first: concat!("vldr s4, [r0]\n", multiply!(4 * 4), add!(0 + 4)),
            sum: add!(0+1 2+3 0+2),
            add!(0+1 2+3 0+2)
        ),
        ".endif",
        "bx lr",
        n = const N,
    )
}

/// Two sums, returned in `s0` and `s1`.
#[repr(C)]
pub struct Pair(pub f32, pub f32);

/// a · w and b · w.
///
/// # Safety
/// All three pointers point to `N` readable floats.
#[unsafe(naked)]
pub unsafe extern "C" fn dot_pair<const N: usize>(a: *const f32, b: *const f32, w: *const f32) -> Pair {
    naked_asm!(
        fpu!(),
        "mov r12, #0",
        saving!("d8-d15", two_products!("r0", "r1", "r2", "r12", "r3")),
        "bx lr",
        n = const N,
    )
}

/// y ← y + p · x.
///
/// # Safety
/// `x` points to `N` readable floats, `y` to `N` writable ones that do not overlap with them.
#[unsafe(naked)]
pub unsafe extern "C" fn add_scaled<const N: usize>(y: *mut f32, x: *const f32, p: f32) {
    naked_asm!(
        fpu!(),
        // s0: p. s2–s13: y. s14–s25: x, then products; from s6 on in short blocks.
        saving!(
            "d8-d12",
            in_blocks!(
                "r2",
                concat!(
                    "vldmia r0, {{s2-s13}}\n vldmia r1!, {{s14-s25}}\n",
                    multiply!(14*0 15*0 16*0 17*0 18*0 19*0 20*0 21*0 22*0 23*0 24*0 25*0),
                    add!(2+14 3+15 4+16 5+17 6+18 7+19 8+20 9+21 10+22 11+23 12+24 13+25),
                    "vstmia r0!, {{s2-s13}}\n",
                ),
                concat!(
                    "vldmia r0, {{s2-s5}}\n vldmia r1!, {{s6-s9}}\n",
                    multiply!(6*0 7*0 8*0 9*0),
                    add!(2+6 3+7 4+8 5+9),
                    "vstmia r0!, {{s2-s5}}\n",
                ),
                concat!(
                    "vldmia r0, {{s2-s3}}\n vldmia r1!, {{s6-s7}}\n",
                    multiply!(6*0 7*0),
                    add!(2+6 3+7),
                    "vstmia r0!, {{s2-s3}}\n",
                ),
                concat!("vldr s2, [r0]\n vldr s6, [r1]\n", multiply!(6 * 0), add!(2 + 6), "vstr s2, [r0]\n")
            )
        ),
        "bx lr",
        n = const N,
    )
}
