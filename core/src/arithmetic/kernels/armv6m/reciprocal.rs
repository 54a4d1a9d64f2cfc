//! The inverse of a word, bit by bit.

use core::arch::naked_asm;

/// 2⁵⁷/divisor for a divisor from 2³¹ on, to the nearest integer: it is never halfway between two.
#[unsafe(naked)]
pub extern "C" fn reciprocal(divisor: u32) -> u32 {
    /// The next bit, and twice the remainder `$r` less the divisor, if that is not negative, in `$next`. Twice the remainder may
    /// have 33 bits, so it is compared with what it lacks.
    macro_rules! bit {
        ($r:literal, $next:literal) => {
            concat!(
                "subs ",
                $next,
                ", r0, ",
                $r,
                "\n",
                "subs ",
                $next,
                ", ",
                $r,
                ", ",
                $next,
                "\n",
                "bhs 3f\n",
                "lsls ",
                $next,
                ", ",
                $r,
                ", #1\n",
                "3:\n adcs r2, r2\n",
            )
        };
    }
    naked_asm!(
        // r1: the remainder of the numerator's upper bits. r2: the quotient. r4: the pairs of bits that are left.
        "push {{r4, lr}}",
        "movs r1, #1",
        "lsls r1, r1, #30",
        "movs r2, #0",
        "movs r4, #13",
        "2:",
        bit!("r1", "r3"),
        bit!("r3", "r1"),
        "subs r4, #1",
        "bne 2b",
        bit!("r1", "r3"),
        // Rounded up if the remainder is more than a half.
        "subs r0, r0, r3",
        "cmp r0, r3",
        "bhs 4f",
        "adds r2, #1",
        "4:",
        "movs r0, r2",
        "pop {{r4, pc}}",
    )
}
