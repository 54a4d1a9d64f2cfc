//! Whether floats are those of IEEE 754, on which the learner's bit-exact results rely: a digest of many results. The
//! on-target test `kernels` compares that of the chip, and the host's tests that of the host.

use core::hint::black_box;

use osculate::Random;
use osculate_apps::digest::Digest;

/// Where roundings, subnormal numbers, overflows and conversions go wrong: zero, the smallest numbers, the largest
/// subnormal and the smallest normal ones, halves of a step and neighbours of 1, 1 + 2⁻¹² (whose square is halfway), 3,
/// 2²⁴ and its neighbour, 2³¹, half a step of the largest number and the number below, the largest, infinity, NaN.
const SPECIAL: [u32; 21] = [
    0x00000000, 0x00000001, 0x00000003, 0x007fffff, 0x00800000, 0x00800001, 0x33000000, 0x33800000, 0x33800001,
    0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3f800800, 0x40400000, 0x4b800000, 0x4b800001, 0x4f000000,
    0x72ffffff, 0x73000000, 0x7f7fffff,
];
const INFINITY: u32 = 0x7f80_0000;
const NAN: u32 = 0x7fc0_0000;

/// The digest of floats that are rounded once, to the nearest, and never flushed to zero.
pub const EXPECTED: u64 = 0x94fb_eb5f_5f9c_f6c4;

/// Sum, difference, product, quotient, and the square root of the first.
pub type Results = [f32; 5];

/// The digest of all results, and of conversions from and to integers, for all pairs of special numbers of both signs and
/// for as many random ones.
pub fn digest(operate: impl Fn(f32, f32) -> Results) -> u64 {
    let mut digest = Digest::new();
    let mut add = |a: u32, b: u32| {
        // Hidden from the compiler, which would otherwise compute some results itself.
        let (a, b) = (black_box(f32::from_bits(a)), black_box(f32::from_bits(b)));
        // The last but one is 0 for 1 + 2⁻¹² and 1 + 2⁻¹¹ only if the product is rounded before the difference is taken.
        let [sum, difference, product, quotient, root] = operate(a, b);
        let [rounded, integer] = [operate(product, b)[1], a as i32 as f32];
        for x in [sum, difference, product, quotient, root, rounded, integer, a.to_bits().cast_signed() as f32] {
            // The payload of a NaN differs between chips.
            digest.add(&if x.is_nan() { NAN } else { x.to_bits() }.to_le_bytes());
        }
    };
    let special = || SPECIAL.iter().chain(&[INFINITY, NAN]).flat_map(|bits| [*bits, bits | 1 << 31]);
    special().for_each(|a| special().for_each(|b| add(a, b)));
    let mut random = Random::new(1);
    let mut bits = || random.below(1 << 16) << 16 | random.below(1 << 16);
    for _ in 0..2000 {
        let (a, b) = (bits(), bits());
        add(a, b);
    }
    digest.value()
}
