//! A tracking learner's sample, on numbers that are not scaled first.
//!
//! Scaling by a power of two changes no bit as long as no result is rounded as a subnormal or overflows. The FPU
//! remembers whether one was: its cumulative flags are cleared first and looked at before anything is written.

use core::arch::naked_asm;

/// Clears the flags of the FPU.
macro_rules! clear_flags {
    () => {
        "vmrs r12, fpscr\n bic r12, r12, #15\n vmsr fpscr, r12"
    };
}

/// Processes `$eights` blocks of eight, then the four, two and one that are left of `{n}`. After a block of two, the last
/// element has a different lane, since element i goes to lane i mod 4. The assembler keeps only the blocks that occur, and
/// only from three eights on there is a loop.
macro_rules! in_eights {
    ($eights:literal, $eight:expr, $four:expr, $two:expr, $third:expr, $first:expr) => {
        concat!(
            ".if (",
            $eights,
            ") >= 3\n movw r12, #(",
            $eights,
            ")\n 2:\n",
            $eight,
            "subs r12, r12, #1\n bne 2b\n .else\n .rept (",
            $eights,
            ")\n",
            $eight,
            ".endr\n .endif\n .if {n} & 4\n",
            $four,
            ".endif\n .if {n} & 2\n",
            $two,
            ".endif\n .if {n} % 4 == 3\n",
            $third,
            ".endif\n .if {n} % 4 == 1\n",
            $first,
            ".endif\n",
        )
    };
}

/// With x̂ = `power` · x, V̂ = `power` · V and ρ = (x̂·w − V̂)/‖x̂‖²: w ← w − (`gain` · ρ) · x̂. Returns |ρ|‖x̂‖.
///
/// Returns −1 and leaves the weights alone unless ‖x̂‖² is in [2⁻¹², 4), |`gain` · ρ| is 0 or in
/// [2⁻¹⁰⁰, 2⁶⁰), and nothing was rounded as a subnormal or overflowed.
///
/// # Safety
/// `x` points to `N` readable floats, `w` to `N` writable ones that do not overlap with them. `power` is a power of two
/// from 2⁻²⁰ to 2²⁰, or 0, and `gain` is positive.
#[unsafe(naked)]
pub unsafe extern "C" fn pull_row<const N: usize>(
    w: *mut f32,
    x: *const f32,
    power: f32,
    target: f32,
    gain: f32,
) -> f32 {
    // Eight x̂ in s12–s19 and w in s20–s27. The first four products are the lanes; what −0 changes is corrected below.
    macro_rules! first_eight {
        () => {
            concat!(
                multiply!(12*0 13*0 14*0 15*0 16*0 17*0 18*0 19*0),
                product!(4=20*12 5=21*13 6=22*14 7=23*15 28=24*16 29=25*17 30=26*18 31=27*19),
                add!(4+28 5+29 6+30 7+31),
                product!(8=12*12 9=13*13 10=14*14 11=15*15 28=16*16 29=17*17 30=18*18 31=19*19),
                add!(8+28 9+29 10+30 11+31),
            )
        };
    }
    naked_asm!(
        fpu!(),
        // s0, s1, s2: power, V, gain. s4–s7: lanes of x̂·w. s8–s11: lanes of ‖x̂‖². s12–s19: x̂, then squares. s20–s27: w,
        // then products. r2, r3: x and w of the first pass. With eight features, x̂ and w stay where they are.
        "vpush {{d8-d15}}",
        clear_flags!(),
        ".if {n} == 8",
        "vldmia r1, {{s12-s19}}",
        "vldmia r0, {{s20-s27}}",
        first_eight!(),
        ".else",
        "mov r2, r1",
        "mov r3, r0",
        ".if {n} >= 8",
        "vldmia r2!, {{s12-s19}}",
        "vldmia r3!, {{s20-s27}}",
        first_eight!(),
        ".else",
        "mov r12, #0",
        "vmov d2, r12, r12",
        "vmov d3, r12, r12",
        "vmov d4, r12, r12",
        "vmov d5, r12, r12",
        ".endif",
        in_eights!(
            // All but the first.
            "{n} / 8 - ({n} / 8 + 0x1fff) / 0x2000",
            concat!(
                "vldmia r2!, {{s12-s19}}\n vldmia r3!, {{s20-s27}}\n",
                multiply!(12*0 13*0 14*0 15*0 16*0 17*0 18*0 19*0),
                multiply!(20*12 21*13 22*14 23*15 24*16 25*17 26*18 27*19),
                add!(4+20 5+21 6+22 7+23 4+24 5+25 6+26 7+27),
                multiply!(12*12 13*13 14*14 15*15 16*16 17*17 18*18 19*19),
                add!(8+12 9+13 10+14 11+15 8+16 9+17 10+18 11+19),
            ),
            concat!(
                "vldmia r2!, {{s12-s15}}\n vldmia r3!, {{s20-s23}}\n",
                multiply!(12*0 13*0 14*0 15*0 20*12 21*13 22*14 23*15),
                add!(4+20 5+21 6+22 7+23),
                multiply!(12*12 13*13 14*14 15*15),
                add!(8+12 9+13 10+14 11+15),
            ),
            concat!(
                "vldmia r2!, {{s12-s13}}\n vldmia r3!, {{s20-s21}}\n",
                multiply!(12*0 13*0 20*12 21*13),
                add!(4+20 5+21),
                multiply!(12*12 13*13),
                add!(8+12 9+13),
            ),
            concat!(
                "vldr s12, [r2]\n vldr s20, [r3]\n",
                multiply!(12*0 20*12),
                add!(6 + 20),
                multiply!(12 * 12),
                add!(10 + 12),
            ),
            concat!(
                "vldr s12, [r2]\n vldr s20, [r3]\n",
                multiply!(12*0 20*12),
                add!(4 + 20),
                multiply!(12 * 12),
                add!(8 + 12),
            )
        ),
        ".endif",
        add!(4+5 6+7 4+6 8+9 10+11 8+10),
        // s4: ρ. s5: gain · ρ. s6: power · gain · ρ, exactly. s0: |ρ|‖x̂‖.
        "vmul.f32 s1, s1, s0",
        "vsub.f32 s4, s4, s1",
        "vdiv.f32 s4, s4, s8",
        "vsqrt.f32 s7, s8",
        "vmul.f32 s5, s2, s4",
        "vabs.f32 s4, s4",
        ".if {n} != 8",
        "vmul.f32 s6, s5, s0",
        ".endif",
        "vmul.f32 s0, s4, s7",
        // The bits of floats are compared: those of 2⁻¹² and 4, and without their sign, those of 2⁻¹⁰⁰ and 2⁶⁰.
        "vmov r3, s8",
        "sub r3, r3, #0x39800000",
        "cmp r3, #0x07000000",
        "bhs 8f",
        "vmov r3, s5",
        "lsl r3, r3, #1",
        "sub r3, r3, #0x1b000000",
        "cmp r3, #0xa0000000",
        "bhs 7f",
        "1:",
        "vmrs r3, fpscr",
        "tst r3, #15",
        "bne 8f",
        ".if {n} == 8",
        multiply!(12*5 13*5 14*5 15*5 16*5 17*5 18*5 19*5),
        subtract!(20-12 21-13 22-14 23-15 24-16 25-17 26-18 27-19),
        "vstmia r0, {{s20-s27}}",
        ".else",
        // s8–s15: w. s16–s23: x, then products.
        in_eights!(
            "{n} / 8",
            concat!(
                "vldmia r1!, {{s16-s23}}\n vldmia r0, {{s8-s15}}\n",
                multiply!(16*6 17*6 18*6 19*6 20*6 21*6 22*6 23*6),
                subtract!(8-16 9-17 10-18 11-19 12-20 13-21 14-22 15-23),
                "vstmia r0!, {{s8-s15}}\n",
            ),
            concat!(
                "vldmia r1!, {{s16-s19}}\n vldmia r0, {{s8-s11}}\n",
                multiply!(16*6 17*6 18*6 19*6),
                subtract!(8-16 9-17 10-18 11-19),
                "vstmia r0!, {{s8-s11}}\n",
            ),
            concat!(
                "vldmia r1!, {{s16-s17}}\n vldmia r0, {{s8-s9}}\n",
                multiply!(16*6 17*6),
                subtract!(8-16 9-17),
                "vstmia r0!, {{s8-s9}}\n",
            ),
            concat!("vldr s16, [r1]\n vldr s8, [r0]\n", multiply!(16 * 6), subtract!(8 - 16), "vstr s8, [r0]\n"),
            concat!("vldr s16, [r1]\n vldr s8, [r0]\n", multiply!(16 * 6), subtract!(8 - 16), "vstr s8, [r0]\n")
        ),
        ".endif",
        "vpop {{d8-d15}}",
        "bx lr",
        "7:",
        // Zero, which is never −0: lanes that begin with 0 are not −0 either.
        "vabs.f32 s5, s5",
        "vabs.f32 s6, s6",
        "vmov r3, s5",
        "cmp r3, #0",
        "beq 1b",
        "8:",
        "vmov.f32 s0, #-1.0",
        "vpop {{d8-d15}}",
        "bx lr",
        n = const N,
    )
}
