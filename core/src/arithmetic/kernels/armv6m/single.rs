//! Single floats in words, for cores with few registers, no division, and nothing that counts zeros: a compiler's code for
//! them is half as long again.
//!
//! These are whole functions that follow the procedure call standard: `r0`–`r3` are free.

use core::arch::naked_asm;

/// Rounds a mantissa at the top of r0 to even, and adds the sign and the exponent in r2, less one. Uses r1 and r3.
///
/// If anything nonzero follows below the half, which is almost always so, the half's bit alone decides: a shift leaves it in the carry.
macro_rules! pack {
    ($return:literal) => {
        concat!(
            "lsls r2, r2, #23
            movs r3, r0
            lsrs r0, r0, #8
            adds r0, r0, r2
            movs r1, #0
            lsls r3, r3, #25
            beq 21f
            20:
            adcs r0, r1\n",
            $return,
            "\n 21:
            bcc 20b
            lsrs r3, r0, #1
            b 20b\n"
        )
    };
}

/// The biased exponents of r0 and r1, less one, in r2 and r3; to 9 if a number is not normal.
macro_rules! exponents {
    () => {
        "lsls r2, r0, #1
        lsrs r2, r2, #24
        lsls r3, r1, #1
        lsrs r3, r3, #24
        subs r2, #1
        cmp r2, #254
        bhs 9f
        subs r3, #1
        cmp r3, #254
        bhs 9f\n"
    };
}

/// Adds the sign of a product of r0 and r1 to the exponent in r2. Uses r4.
macro_rules! sign {
    () => {
        "movs r4, r0
        eors r4, r1
        lsrs r4, r4, #31
        lsls r4, r4, #8
        adds r2, r2, r4\n"
    };
}

/// What is unusual is the compiler's.
macro_rules! otherwise {
    () => {
        "9:
        push {{r4, lr}}
        bl {any}
        pop {{r4, pc}}\n"
    };
}

extern "C" fn any_sum(x: f32, y: f32) -> f32 {
    x + y
}

extern "C" fn any_product(x: f32, y: f32) -> f32 {
    x * y
}

extern "C" fn any_quotient(x: f32, y: f32) -> f32 {
    x / y
}

/// x + y.
#[unsafe(naked)]
pub extern "C" fn add(x: f32, y: f32) -> f32 {
    naked_asm!(
        // r0: the larger one. r2: its exponent. r3: how much larger it is.
        "lsls r2, r0, #1",
        "lsls r3, r1, #1",
        "cmp r2, r3",
        "bhs 2f",
        "movs r2, r0",
        "movs r0, r1",
        "movs r1, r2",
        "lsls r2, r0, #1",
        "lsls r3, r1, #1",
        "2:",
        "lsrs r2, r2, #24",
        "lsrs r3, r3, #24",
        "subs r3, r2, r3",
        // From 32 to 253: nothing becomes subnormal or infinite.
        "subs r2, #32",
        "cmp r2, #222",
        "bhs 9f",
        "cmp r3, #25",
        "bhi 8f",
        "push {{r4, r5, lr}}",
        // r2: sign and exponent. r4: −1 if the signs differ, or 0.
        "lsrs r2, r0, #23",
        "movs r4, r0",
        "eors r4, r1",
        "asrs r4, r4, #31",
        // The mantissas, with room for a sum.
        "movs r5, #1",
        "lsls r5, r5, #30",
        "lsls r0, r0, #9",
        "lsrs r0, r0, #2",
        "orrs r0, r5",
        "lsls r1, r1, #9",
        "lsrs r1, r1, #2",
        "orrs r1, r5",
        // What is cut off sets the last bit.
        "movs r5, r1",
        "lsrs r1, r3",
        "rsbs r3, r3, #0",
        "adds r3, #32",
        "lsls r5, r3",
        "beq 3f",
        "movs r5, #1",
        "orrs r1, r5",
        "3:",
        "eors r1, r4",
        "subs r1, r1, r4",
        "adds r0, r0, r1",
        "bmi 5f",
        "beq 6f",
        "4:",
        "subs r2, #1",
        "lsls r0, r0, #1",
        "bpl 4b",
        "5:",
        pack!("6: pop {{r4, r5, pc}}"),
        "8:",
        "bx lr",
        otherwise!(),
        any = sym any_sum,
    )
}

/// x · y.
#[unsafe(naked)]
pub extern "C" fn multiply(x: f32, y: f32) -> f32 {
    naked_asm!(
        exponents!(),
        // r2: the exponent, less one, if the product of the mantissas is below 2.
        "adds r2, r2, r3",
        "subs r2, #126",
        "cmp r2, #253",
        "bhs 9f",
        "push {{r4, r5, lr}}",
        sign!(),
        // r3, r0 and r4, r1: halves of 12 bits.
        "movs r5, #8",
        "lsls r5, r5, #8",
        "lsls r3, r0, #9",
        "lsrs r3, r3, #21",
        "orrs r3, r5",
        "lsls r4, r1, #9",
        "lsrs r4, r4, #21",
        "orrs r4, r5",
        "lsls r0, r0, #20",
        "lsrs r0, r0, #20",
        "lsls r1, r1, #20",
        "lsrs r1, r1, #20",
        // r3: the upper word of the product. r0: what is below.
        "movs r5, r0",
        "muls r5, r1, r5",
        "muls r1, r3, r1",
        "muls r0, r4, r0",
        "muls r3, r4, r3",
        "adds r0, r0, r1",
        "lsrs r1, r5, #12",
        "adds r0, r0, r1",
        "lsls r3, r3, #8",
        "lsrs r1, r0, #4",
        "adds r3, r3, r1",
        "lsls r0, r0, #28",
        "lsls r5, r5, #20",
        "orrs r0, r5",
        "beq 2f",
        "movs r0, #1",
        "2:",
        "orrs r0, r3",
        "bmi 3f",
        "lsls r0, r0, #1",
        "b 4f",
        "3:",
        "adds r2, #1",
        "4:",
        pack!("pop {{r4, r5, pc}}"),
        otherwise!(),
        any = sym any_product,
    )
}

/// x / y.
#[unsafe(naked)]
pub extern "C" fn divide(x: f32, y: f32) -> f32 {
    /// The next bit: the carry of a comparison, or of the difference if there is one.
    macro_rules! bit {
        () => {
            "lsls r0, r0, #1
            cmp r0, r1
            blo 5f
            subs r0, r0, r1
            5:
            adcs r3, r3\n"
        };
    }
    naked_asm!(
        exponents!(),
        // r2: the exponent, less one, if the quotient of the mantissas is below 1.
        "subs r2, r2, r3",
        "adds r2, #125",
        "cmp r2, #253",
        "bhs 9f",
        "push {{r4, lr}}",
        sign!(),
        "movs r4, #1",
        "lsls r4, r4, #23",
        "lsls r0, r0, #9",
        "lsrs r0, r0, #9",
        "orrs r0, r4",
        "lsls r1, r1, #9",
        "lsrs r1, r1, #9",
        "orrs r1, r4",
        "cmp r0, r1",
        "blo 2f",
        "adds r2, #1",
        "b 3f",
        "2:",
        "lsls r0, r0, #1",
        "3:",
        // r0: the remainder. r3: the quotient, whose first bit is set.
        "subs r0, r0, r1",
        "movs r3, #1",
        "movs r4, #3",
        "4:",
        bit!(),
        bit!(),
        bit!(),
        bit!(),
        bit!(),
        bit!(),
        bit!(),
        bit!(),
        "subs r4, #1",
        "bne 4b",
        // What is left sets the last bit.
        "lsls r3, r3, #7",
        "cmp r0, #0",
        "beq 6f",
        "movs r0, #1",
        "6:",
        "orrs r0, r3",
        pack!("pop {{r4, pc}}"),
        otherwise!(),
        any = sym any_quotient,
    )
}

/// √x of a normal number that is not negative.
#[unsafe(naked)]
pub extern "C" fn root(x: f32) -> f32 {
    /// The next bit of the root r3, from the remainder r2 with two more bits.
    macro_rules! bit {
        () => {
            "lsls r4, r3, #2
            adds r4, #1
            cmp r2, r4
            blo 4f
            subs r2, r2, r4
            4:
            adcs r3, r3\n"
        };
    }
    naked_asm!(
        "push {{r4, r5, lr}}",
        "lsrs r1, r0, #23",
        "subs r1, #1",
        // r0: the mantissa, at the top of a word for an odd power of two, else half of that. r1: the exponent, less one.
        "movs r3, #1",
        "lsls r3, r3, #31",
        "lsls r0, r0, #8",
        "orrs r0, r3",
        "lsrs r1, r1, #1",
        "bcs 2f",
        "lsrs r0, r0, #1",
        "2:",
        "adds r1, #63",
        "movs r2, #0",
        "movs r3, #0",
        // Two bits of the mantissa at a time, then zeros.
        "movs r5, #13",
        "3:",
        "lsls r0, r0, #1",
        "adcs r2, r2",
        "lsls r0, r0, #1",
        "adcs r2, r2",
        bit!(),
        "subs r5, #1",
        "bne 3b",
        "movs r5, #4",
        "3:",
        "lsls r2, r2, #2",
        bit!(),
        "lsls r2, r2, #2",
        bit!(),
        "lsls r2, r2, #2",
        bit!(),
        "subs r5, #1",
        "bne 3b",
        // A root is never halfway between two numbers, so its 25th bit alone decides.
        "lsls r0, r1, #23",
        "lsrs r3, r3, #1",
        "adcs r0, r3",
        "pop {{r4, r5, pc}}",
    )
}

/// The nearest number to an integer.
#[unsafe(naked)]
pub extern "C" fn from_integer(x: u32) -> f32 {
    naked_asm!(
        // r2: the exponent, less one.
        "movs r2, #157",
        "lsrs r1, r0, #16",
        "bne 2f",
        "lsls r0, r0, #16",
        "beq 6f",
        "subs r2, #16",
        "2:",
        "lsrs r1, r0, #24",
        "bne 3f",
        "lsls r0, r0, #8",
        "subs r2, #8",
        "3:",
        "lsrs r1, r0, #28",
        "bne 4f",
        "lsls r0, r0, #4",
        "subs r2, #4",
        "4:",
        "cmp r0, #0",
        "bmi 5f",
        "subs r2, #1",
        "lsls r0, r0, #1",
        "b 4b",
        "5:",
        pack!("6: bx lr"),
    )
}
