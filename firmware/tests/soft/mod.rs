//! Do floats in words have the bits of the compiler's functions, and inverses those of a division?

use osculate::arithmetic::kernels::soft;

use super::{Numbers, same};

const PAIRS: u32 = 20_000;

/// Any bits; near each other, so that they cancel; few bits, for ties; powers of two, from which a little is missing; the largest.
fn pair(numbers: &mut Numbers, round: u32) -> [f32; 2] {
    let (a, b) = (numbers.bits(), numbers.bits());
    let near = |bits: u32| bits & 0x807f_ffff | (120 + (bits >> 27)) << 23;
    let bits = match round % 7 {
        0 => [a, b],
        1 => [near(a), near(a) ^ 1 << 31 ^ b >> (8 + (round >> 3) % 24)],
        2 => [near(a) & !0xfff, near(b) & !0xfff],
        3 => [near(a), [0, 1 << 31, 0x7f80_0000, 0x7fc0_0000, 1, 0x7f7f_ffff, 0x80_0000, 0x3f80_0000][b as usize % 8]],
        4 => [a & 0x8000_0000 | 150 << 23, b & 0x807f_ffff | (122 + round / 7 % 8) << 23],
        5 => [a | 0x7e00_0000, b & 0x80ff_ffff | 0x7e00_0000],
        _ => [near(a), near(b)],
    };
    bits.map(f32::from_bits)
}

/// The compiler's functions.
#[inline(never)]
fn twins(x: f32, y: f32) -> [f32; 4] {
    [x + y, x - y, x * y, x / y]
}

pub(crate) fn floats() {
    let mut numbers = Numbers::new(0, 7000);
    for round in 0..PAIRS {
        let [x, y] = pair(&mut numbers, round);
        let fast = [soft::add(x, y), soft::subtract(x, y), soft::multiply(x, y), soft::divide(x, y)];
        let whole = y.to_bits() >> (round % 32);
        let [converted, expected] = [soft::from_integer(whole), whole as f32];
        defmt::assert_eq!(converted.to_bits(), expected.to_bits(), "{}", whole);
        for ((name, is), should) in ["sum", "difference", "product", "quotient"].iter().zip(fast).zip(twins(x, y)) {
            defmt::assert!(same(is, should), "{} of {:08x} and {:08x}", *name, x.to_bits(), y.to_bits());
        }
        for x in [x, y, y * y] {
            defmt::assert!(same(soft::sqrt(x), libm::sqrtf(x)), "root of {:08x}", x.to_bits());
        }
    }
}

/// 2⁵⁷/divisor by a division of 64 bits.
#[cfg(not(has_mpu))]
pub(crate) fn reciprocals() {
    use osculate::arithmetic::kernels::armv6m::reciprocal;
    let mut numbers = Numbers::new(0, 8000);
    for round in 0..4_000 {
        let bits = numbers.bits();
        let divisor = [bits | 1 << 31, 1 << 31 | bits >> 28, !(bits >> 24), 3 << 30 | bits >> 20][round % 4];
        let expected = ((1 << 57) + u64::from(divisor) / 2) / u64::from(divisor);
        defmt::assert_eq!(u64::from(reciprocal(divisor)), expected, "{}", divisor);
    }
}
