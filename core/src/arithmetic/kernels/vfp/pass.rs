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

/// A pass over rows whose sums stay in the registers `$y`, and whose features stay in `$x` from their product to their
/// addition. The weights that `$w` loads stay as well.
///
/// `$lanes` leaves the sums of products in s0–s3, and may use s4 and s5; `$add` adds the multiple by s0.
macro_rules! few {
    ($x:literal, $y:literal, $w:expr, $lanes:expr, $add:expr) => {
        concat!(
            "vldmia r0, {{", $y, "}}\n", $w, "mov r12, #0\n",
            "1:\n vldmia r1!, {{", $x, "}}\n", $lanes, add!(0+1 2+3),
            // Behind the features. All lanes may be −0, where the sum of lanes that begin with 0 is 0.
            "vldmia r1!, {{s3-s5}}\n", add!(0 + 2), "vmov s1, r12\n cmp r4, #0\n", add!(0 + 1),
            "it ne\n vsubne.f32 s0, s0, s3\n vdiv.f32 s0, s0, s4\n", $add,
            "subs r3, #1\n bne 1b\n vstmia r0, {{", $y, "}}\n",
        )
    };
}

/// The weights that stay.
macro_rules! held {
    ($w:literal from $first:literal) => {
        concat!("add r12, r2, #4 * ", $first, "\n vldmia r12, {{", $w, "}}\n")
    };
}

/// The same for 8 to 13 elements, one row after the other: the sums stay in registers over all rows, and a row's
/// features from its product to its addition. So do as many weights as there is room for; the others are loaded for
/// each row.
///
/// # Safety
/// As for [`add_projections`], with `N` in 8..=13.
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
        // s0–s3: lanes, then the quotient in s0. s4, s5: products. Then weights, x, and y up to s31. r4: targets. r12: 0.
        "push {{r4, r5}}",
        "ldr r4, [sp, #8]",
        "vpush {{d8-d15}}",
        "lsls r3, r3, #1",
        ".if {n} == 8",
        few!(
            "s14-s21",
            "s24-s31",
            held!("s6-s13" from 0),
            concat!(
                product!(0=14*6 1=15*7 2=16*8 3=17*9 4=18*10 5=19*11),
                add!(0+4 1+5),
                product!(4=20*12 5=21*13),
                add!(2+4 3+5),
            ),
            concat!(
                multiply!(14*0 15*0 16*0 17*0 18*0 19*0 20*0 21*0),
                add!(24+14 25+15 26+16 27+17 28+18 29+19 30+20 31+21),
            )
        ),
        ".elseif {n} == 9",
        few!(
            "s14-s22",
            "s23-s31",
            held!("s6-s13" from 1),
            concat!(
                "vldr s0, [r2]\n",
                product!(1=15*6 2=16*7 3=17*8 4=18*9 5=19*10 0=14*0),
                add!(1 + 5),
                product!(5 = 20 * 11),
                add!(0 + 4),
                product!(4 = 21 * 12),
                add!(2 + 5),
                product!(5 = 22 * 13),
                add!(3+4 0+5),
            ),
            concat!(
                multiply!(14*0 15*0 16*0 17*0 18*0 19*0 20*0 21*0 22*0),
                add!(23+14 24+15 25+16 26+17 27+18 28+19 29+20 30+21 31+22),
            )
        ),
        ".elseif {n} == 10",
        few!(
            "s12-s21",
            "s22-s31",
            held!("s6-s11" from 4),
            concat!(
                "vldmia r2, {{s0-s3}}\n",
                multiply!(0*12 1*13 2*14 3*15),
                product!(4=16*6 5=17*7),
                add!(0+4 1+5),
                product!(4=18*8 5=19*9),
                add!(2+4 3+5),
                product!(4=20*10 5=21*11),
                add!(0+4 1+5),
            ),
            concat!(
                multiply!(12*0 13*0 14*0 15*0 16*0 17*0 18*0 19*0 20*0 21*0),
                add!(22+12 23+13 24+14 25+15 26+16 27+17 28+18 29+19 30+20 31+21),
            )
        ),
        ".elseif {n} == 11",
        few!(
            "s10-s20",
            "s21-s31",
            held!("s6-s9" from 7),
            concat!(
                "vldmia r2, {{s0-s5}}\n",
                multiply!(0*10 1*11 2*12 3*13 4*14 5*15),
                add!(0+4 1+5),
                "vldr s4, [r2, #24]\n",
                product!(5=17*6 4=16*4),
                add!(3+5 2+4),
                product!(4=18*7 5=19*8),
                add!(0 + 4),
                product!(4 = 20 * 9),
                add!(1+5 2+4),
            ),
            concat!(
                multiply!(10*0 11*0 12*0 13*0 14*0 15*0 16*0 17*0 18*0 19*0 20*0),
                add!(21+10 22+11 23+12 24+13 25+14 26+15 27+16 28+17 29+18 30+19 31+20),
            )
        ),
        ".elseif {n} == 12",
        few!(
            "s8-s19",
            "s20-s31",
            held!("s6-s7" from 10),
            concat!(
                "vldmia r2!, {{s0-s5}}\n",
                multiply!(0*8 1*9 2*10 3*11 4*12 5*13),
                add!(0+4 1+5),
                "vldmia r2!, {{s4-s5}}\n",
                multiply!(4*14 5*15),
                add!(2+4 3+5),
                "vldmia r2!, {{s4-s5}}\n subs r2, #40\n",
                multiply!(4*16 5*17),
                add!(0+4 1+5),
                product!(4=18*6 5=19*7),
                add!(2+4 3+5),
            ),
            concat!(
                multiply!(8*0 9*0 10*0 11*0 12*0 13*0 14*0 15*0 16*0 17*0 18*0 19*0),
                add!(20+8 21+9 22+10 23+11 24+12 25+13 26+14 27+15 28+16 29+17 30+18 31+19),
            )
        ),
        ".else",
        few!(
            "s6-s18",
            "s19-s31",
            "",
            concat!(
                "vldmia r2!, {{s0-s5}}\n",
                multiply!(0*6 1*7 2*8 3*9 4*10 5*11),
                add!(0+4 1+5),
                "vldmia r2!, {{s4-s5}}\n",
                multiply!(4*12 5*13),
                add!(2+4 3+5),
                "vldmia r2!, {{s4-s5}}\n",
                multiply!(4*14 5*15),
                add!(0+4 1+5),
                "vldmia r2!, {{s4-s5}}\n",
                multiply!(4*16 5*17),
                add!(2+4 3+5),
                "vldr s4, [r2]\n",
                multiply!(4 * 18),
                "subs r2, #48\n",
                add!(0 + 4),
            ),
            concat!(
                multiply!(6*0 7*0 8*0 9*0 10*0 11*0 12*0 13*0 14*0 15*0 16*0 17*0 18*0),
                add!(19+6 20+7 21+8 22+9 23+10 24+11 25+12 26+13 27+14 28+15 29+16 30+17 31+18),
            )
        ),
        ".endif",
        "vpop {{d8-d15}}",
        "pop {{r4, r5}}",
        "bx lr",
        n = const N,
    )
}
