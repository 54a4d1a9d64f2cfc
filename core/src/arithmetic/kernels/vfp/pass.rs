//! A pass over all rows.

use core::arch::naked_asm;

/// For `pairs` pairs of rows: y ← (y + p · a) + q · b with p = (a · w − its target)/‖a‖², and q likewise for b. Without
/// `targets`, nothing is subtracted.
///
/// A row has `N` features, its target, its ‖φ‖² and one more word, and the rows follow each other.
///
/// # Safety
/// `w` points to `N` readable floats, `rows` to 2 · `pairs` readable rows, `y` to `N` writable floats that do not overlap
/// with them. There is at least one pair.
#[unsafe(naked)]
pub unsafe extern "C" fn add_projections<const N: usize>(
    y: *mut f32,
    rows: *const f32,
    w: *const f32,
    pairs: usize,
    targets: usize,
) {
    naked_asm!(
        fpu!(),
        // r1, r4: the rows a and b. r5: the bytes of a vector. r6: targets. r7: 0. r12: counts blocks.
        "push {{r4-r7}}",
        "ldr r6, [sp, #16]",
        saving!("d8-d15", concat!(
            "movw r5, #(4 * {n} % 65536)\n movt r5, #(4 * {n} / 65536)\n movs r7, #0\n",
            "1:\n adds r4, r1, r5\n adds r4, #12\n",
            two_products!("r1", "r4", "r2", "r7", "r12"),
            // Behind the features.
            "vldmia r1, {{s2-s3}}\n vldmia r4, {{s4-s5}}\n cmp r6, #0\n itt ne\n",
            "vsubne.f32 s0, s0, s2\n vsubne.f32 s1, s1, s4\n",
            "vdiv.f32 s0, s0, s3\n subs r1, r5\n subs r4, r5\n subs r2, r5\n vdiv.f32 s1, s1, s5\n",
            // s0, s1: p and q. s2–s13: y. s14–s25: a, then b, then products; from s6 on in short blocks.
            in_blocks!(
                "r12",
                concat!(
                    "vldmia r0, {{s2-s13}}\n vldmia r1!, {{s14-s25}}\n",
                    multiply!(14*0 15*0 16*0 17*0 18*0 19*0 20*0 21*0 22*0 23*0 24*0 25*0),
                    add!(2+14 3+15 4+16 5+17 6+18 7+19 8+20 9+21 10+22 11+23 12+24 13+25),
                    "vldmia r4!, {{s14-s25}}\n",
                    multiply!(14*1 15*1 16*1 17*1 18*1 19*1 20*1 21*1 22*1 23*1 24*1 25*1),
                    add!(2+14 3+15 4+16 5+17 6+18 7+19 8+20 9+21 10+22 11+23 12+24 13+25),
                    "vstmia r0!, {{s2-s13}}\n",
                ),
                concat!(
                    "vldmia r0, {{s2-s5}}\n vldmia r1!, {{s6-s9}}\n vldmia r4!, {{s10-s13}}\n",
                    multiply!(6*0 7*0 8*0 9*0 10*1 11*1 12*1 13*1),
                    add!(2+6 3+7 4+8 5+9 2+10 3+11 4+12 5+13),
                    "vstmia r0!, {{s2-s5}}\n",
                ),
                concat!(
                    "vldmia r0, {{s2-s3}}\n vldmia r1!, {{s6-s7}}\n vldmia r4!, {{s10-s11}}\n",
                    multiply!(6*0 7*0 10*1 11*1),
                    add!(2+6 3+7 2+10 3+11),
                    "vstmia r0!, {{s2-s3}}\n",
                ),
                concat!(
                    "vldr s2, [r0]\n vldmia r1!, {{s6}}\n vldmia r4!, {{s10}}\n",
                    multiply!(6*0 10*1),
                    add!(2+6 2+10),
                    "vstmia r0!, {{s2}}\n",
                )
            ),
            "subs r0, r5\n add r1, r4, #12\n subs r3, #1\n bne 1b\n",
        )),
        "pop {{r4-r7}}",
        "bx lr",
        n = const N,
    )
}

/// The same for 8, 9 or 10 elements, one row after the other: the sums stay in registers over all rows, and a row's
/// features from its product to its addition. With 8 elements the weights stay as well.
///
/// # Safety
/// As for [`add_projections`], with `N` in 8..=10.
#[unsafe(naked)]
pub unsafe extern "C" fn add_few_projections<const N: usize>(
    y: *mut f32,
    rows: *const f32,
    w: *const f32,
    pairs: usize,
    targets: usize,
) {
    naked_asm!(
        fpu!(),
        // s0–s3: lanes, then the quotient in s0. s4–s11: w. s12–s21: x. s22–s31: y. r12: 0.
        // With 8 elements s20–s23 take products, so that w stays, and y begins at s24.
        "push {{r4, r5}}",
        "ldr r4, [sp, #8]",
        "vpush {{d8-d15}}",
        "lsls r3, r3, #1",
        "mov r12, #0",
        ".if {n} == 8\n vldmia r0, {{s24-s31}}\n vldmia r2, {{s4-s11}}\n .endif",
        ".if {n} == 9\n vldmia r0, {{s22-s30}}\n .endif",
        ".if {n} == 10\n vldmia r0, {{s22-s31}}\n .endif",
        "1:",
        ".if {n} == 8",
        concat!(
            "vldmia r1!, {{s12-s19}}\n",
            product!(0=12*4 1=13*5 2=14*6 3=15*7 20=16*8 21=17*9 22=18*10 23=19*11),
            add!(0+20 1+21 2+22 3+23),
        ),
        ".else",
        ".if {n} == 9\n vldmia r1!, {{s12-s20}}\n .else\n vldmia r1!, {{s12-s21}}\n .endif",
        concat!(
            "vldmia r2, {{s4-s11}}\n",
            product!(0=12*4 1=13*5 2=14*6 3=15*7 8=16*8 9=17*9 10=18*10 11=19*11),
            add!(0+8 1+9 2+10 3+11),
            "vldr s4, [r2, #32]\n .if {n} == 10\n vldr s5, [r2, #36]\n .endif\n",
            product!(4 = 20 * 4),
            ".if {n} == 10\n",
            product!(5 = 21 * 5),
            ".endif\n",
            add!(0 + 4),
            ".if {n} == 10\n",
            add!(1 + 5),
            ".endif\n",
        ),
        ".endif",
        // All lanes may be −0, where the sum of lanes that begin with 0 is 0.
        ".if {n} == 8\n vmov s20, r12\n vldmia r1!, {{s22-s23}}\n .else\n vmov s6, r12\n vldmia r1!, {{s4-s5}}\n .endif",
        add!(0+1 2+3 0+2),
        "adds r1, #4",
        "cmp r4, #0",
        ".if {n} == 8",
        concat!(add!(0 + 20), "it ne\n vsubne.f32 s0, s0, s22\n vdiv.f32 s0, s0, s23\n"),
        concat!(
            product!(12=12*0 13=13*0 14=14*0 15=15*0 16=16*0 17=17*0 18=18*0 19=19*0),
            add!(24+12 25+13 26+14 27+15 28+16 29+17 30+18 31+19),
        ),
        ".else",
        concat!(add!(0 + 6), "it ne\n vsubne.f32 s0, s0, s4\n vdiv.f32 s0, s0, s5\n"),
        concat!(
            product!(12=12*0 13=13*0 14=14*0 15=15*0 16=16*0 17=17*0 18=18*0 19=19*0 20=20*0),
            add!(22+12 23+13 24+14 25+15 26+16 27+17 28+18 29+19 30+20),
            ".if {n} == 10\n",
            product!(21 = 21 * 0),
            add!(31 + 21),
            ".endif\n",
        ),
        ".endif",
        "subs r3, #1",
        "bne 1b",
        ".if {n} == 8\n vstmia r0, {{s24-s31}}\n .endif",
        ".if {n} == 9\n vstmia r0, {{s22-s30}}\n .endif",
        ".if {n} == 10\n vstmia r0, {{s22-s31}}\n .endif",
        "vpop {{d8-d15}}",
        "pop {{r4, r5}}",
        "bx lr",
        n = const N,
    )
}
