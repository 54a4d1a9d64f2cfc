//! The IEEE 754 facts that the learner's bit-exact results rely on, as `(a, b, result)` in bits.
//!
//! They come from the standard, not from a run. The on-target test `float_bits` checks the chip against them, and the
//! host tests check the host.

// The names are self-explanatory.
#![allow(missing_docs)]

/// Operands and result of an operation, as the bits of `f32`.
pub type Case = (u32, u32, u32);

pub const ZERO: u32 = 0x0000_0000;
pub const NEG_ZERO: u32 = 0x8000_0000;
pub const ONE: u32 = 0x3f80_0000;
pub const NEG_ONE: u32 = 0xbf80_0000;
pub const TWO: u32 = 0x4000_0000;
pub const HALF: u32 = 0x3f00_0000;
pub const INFINITY: u32 = 0x7f80_0000;
pub const NEG_INFINITY: u32 = 0xff80_0000;
pub const MAX: u32 = 0x7f7f_ffff;
/// The smallest normal number, 2^-126.
pub const MIN_NORMAL: u32 = 0x0080_0000;
/// The smallest subnormal number, 2^-149.
pub const TINY: u32 = 0x0000_0001;

pub const ADD: &[Case] = &[
    // Halfway between two neighbours, the even one wins: down, then up.
    (ONE, 0x3380_0000, ONE),
    (0x3f80_0001, 0x3380_0000, 0x3f80_0002),
    (ONE, 0x3380_0001, 0x3f80_0001),
    // 2^24 + 1 and 2^24 + 3: halfway again, with integers.
    (0x4b80_0000, ONE, 0x4b80_0000),
    (0x4b80_0000, 0x4040_0000, 0x4b80_0002),
    // Subnormal numbers are kept, alone and when they carry into a normal one.
    (TINY, TINY, 0x0000_0002),
    (0x007f_ffff, TINY, MIN_NORMAL),
    // The sign of zero.
    (NEG_ZERO, ZERO, ZERO),
    (NEG_ZERO, NEG_ZERO, NEG_ZERO),
    (NEG_ONE, ONE, ZERO),
    // Overflow begins at half a step above MAX, not before.
    (MAX, 0x7300_0000, INFINITY),
    (MAX, 0x72ff_ffff, MAX),
];

pub const SUB: &[Case] = &[
    // Cases that flush-to-zero breaks: different numbers have a non-zero difference.
    (MIN_NORMAL, TINY, 0x007f_ffff),
    (0x0080_0001, MIN_NORMAL, TINY),
    (ONE, ONE, ZERO),
    (ZERO, ZERO, ZERO),
    (NEG_ZERO, ZERO, NEG_ZERO),
    // The step below 1 is half the step above: 1 - 2^-25 is halfway, 1 - 2^-24 exact.
    (ONE, 0x3300_0000, ONE),
    (ONE, 0x3380_0000, 0x3f7f_ffff),
];

pub const MUL: &[Case] = &[
    // (1 + 2^-12)² = 1 + 2^-11 + 2^-24 is halfway.
    (0x3f80_0800, 0x3f80_0800, 0x3f80_1000),
    // Into the subnormal range: exact, halfway to even (down to zero, up to two), and lost.
    (MIN_NORMAL, HALF, 0x0040_0000),
    (TINY, HALF, ZERO),
    (0x0000_0003, HALF, 0x0000_0002),
    (TINY, TINY, ZERO),
    (0x8000_0001, HALF, NEG_ZERO),
    // Rounds up to the smallest normal number: (2 - 2^-23) · 2^-127.
    (0x3fff_ffff, 0x0040_0000, MIN_NORMAL),
    // Out of the subnormal range.
    (TINY, 0x4b00_0000, MIN_NORMAL),
    (ZERO, NEG_ONE, NEG_ZERO),
    (MAX, TWO, INFINITY),
    (MAX, NEG_ONE, 0xff7f_ffff),
];

pub const DIV: &[Case] = &[
    (ONE, 0x4040_0000, 0x3eaa_aaab),
    (TWO, 0x4040_0000, 0x3f2a_aaab),
    (ONE, 0x4120_0000, 0x3dcc_cccd),
    (ONE, ZERO, INFINITY),
    (ONE, NEG_ZERO, NEG_INFINITY),
    (ONE, NEG_INFINITY, NEG_ZERO),
    // Subnormal results and operands: 2^-126 / 2, halfway to even twice, and 2^-149 / 2^-149.
    (MIN_NORMAL, TWO, 0x0040_0000),
    (TINY, TWO, ZERO),
    (0x0000_0003, TWO, 0x0000_0002),
    (TINY, TINY, ONE),
    // 1 / MAX is just above 2^-128, which is subnormal.
    (ONE, MAX, 0x0020_0000),
    (MAX, HALF, INFINITY),
];

/// `(a, √a)`.
pub const SQRT: &[(u32, u32)] = &[
    (ZERO, ZERO),
    (NEG_ZERO, NEG_ZERO),
    (ONE, ONE),
    (TWO, 0x3fb5_04f3),
    (0x4040_0000, 0x3fdd_b3d7),
    // Just above and just below 1: the root of 1 + 2^-23 is below half a step above 1.
    (0x3f80_0001, ONE),
    (0x3f7f_ffff, 0x3f7f_ffff),
    (MIN_NORMAL, 0x2000_0000),
    (TINY, 0x1a35_04f3),
    (MAX, 0x5f7f_ffff),
    (INFINITY, INFINITY),
];

/// Operations whose result is NaN. Only NaN itself is guaranteed: the payload differs between chips.
pub const NOT_A_NUMBER: &[(char, u32, u32)] = &[
    ('+', INFINITY, NEG_INFINITY),
    ('-', INFINITY, INFINITY),
    ('*', ZERO, INFINITY),
    ('/', ZERO, ZERO),
    ('/', INFINITY, INFINITY),
];

/// `(integer, nearest f32)`: halfway to even, and the largest.
pub const FROM_I32: &[(i32, u32)] = &[
    (16_777_217, 0x4b80_0000),
    (16_777_219, 0x4b80_0002),
    (-16_777_217, 0xcb80_0000),
    (i32::MAX, 0x4f00_0000),
    (i32::MIN, 0xcf00_0000),
];

/// `(f32, integer)` as defined by Rust's `as`: towards zero, saturating, and zero for NaN.
pub const TO_I32: &[(u32, i32)] =
    &[(0xbfff_ffff, -1), (0x3f7f_ffff, 0), (0x4f00_0000, i32::MAX), (NEG_INFINITY, i32::MIN), (0x7fc0_0000, 0)];
