//! Single floats in words, for every core that divides them.

/// The biased exponent of 1.
const BIAS: u32 = 127;
/// The largest biased exponent of a finite number.
const LARGEST: u32 = 254;
/// From this biased exponent on, a difference is not subnormal, since it has at most so many leading zeros.
const NEAR_ZERO: u32 = 32;
const TOP: u32 = 1 << 31;

/// The biased exponent.
#[inline(always)]
fn exponent(bits: u32) -> u32 {
    bits << 1 >> 24
}

/// The mantissa of a normal number, at the top of a word.
#[inline(always)]
fn mantissa(bits: u32) -> u32 {
    bits << 8 | TOP
}

/// A number from the sign of `sign`, a biased exponent from 1 to [`LARGEST`], and a mantissa at the top of a word, rounded to even.
#[inline(always)]
fn pack(sign: u32, exponent: u32, word: u32) -> f32 {
    let floor = word >> 8;
    let up = u32::from(word << 24 > TOP - (floor & 1));
    // The mantissa's leading one is added to the exponent. Rounding up may carry into it, up to infinity, and that is right.
    f32::from_bits((sign & TOP) | (((exponent - 1) << 23) + floor + up))
}

/// x + y.
#[inline(never)]
pub fn add(x: f32, y: f32) -> f32 {
    let (mut large, mut small) = (x.to_bits(), y.to_bits());
    if large << 1 < small << 1 {
        (large, small) = (small, large);
    }
    let most = exponent(large);
    if most.wrapping_sub(NEAR_ZERO) >= LARGEST - NEAR_ZERO {
        return x + y;
    }
    let by = most - exponent(small);
    if by > 25 {
        // Less than a half of the last bit, whatever the signs: a zero, for example, or a subnormal.
        return f32::from_bits(large);
    }
    // Half as large, so that a sum fits.
    let (one, other) = (mantissa(large) >> 1, mantissa(small) >> 1);
    let floor = other >> by;
    let aligned = floor | u32::from(floor << by != other);
    if (large ^ small) & TOP == 0 {
        let sum = one + aligned;
        return if sum & TOP == 0 { pack(large, most, sum << 1) } else { pack(large, most + 1, sum) };
    }
    let difference = one - aligned;
    if difference == 0 {
        return 0.0;
    }
    let zeros = difference.leading_zeros();
    pack(large, most + 1 - zeros, difference << zeros)
}

/// x · y.
#[inline(never)]
pub fn multiply(x: f32, y: f32) -> f32 {
    let (a, b) = (x.to_bits(), y.to_bits());
    let (of_a, of_b) = (exponent(a), exponent(b));
    let exponent = of_a.wrapping_add(of_b).wrapping_sub(BIAS);
    if !are_normal(of_a, of_b) || exponent.wrapping_sub(1) >= LARGEST - 1 {
        return x * y;
    }
    let product = upper_product(mantissa(a), mantissa(b));
    if product & TOP == 0 { pack(a ^ b, exponent, product << 1) } else { pack(a ^ b, exponent + 1, product) }
}

/// x / y.
#[inline(never)]
pub fn divide(x: f32, y: f32) -> f32 {
    let (a, b) = (x.to_bits(), y.to_bits());
    let (of_a, of_b) = (exponent(a), exponent(b));
    let exponent = (of_a + BIAS).wrapping_sub(of_b);
    // One less, if the mantissas' quotient is below 1.
    if !are_normal(of_a, of_b) || exponent.wrapping_sub(2) >= LARGEST - 1 {
        return x / y;
    }
    let (dividend, divisor) = (mantissa(a) >> 8, mantissa(b) >> 8);
    if dividend < divisor {
        pack(a ^ b, exponent - 1, quotient(2 * dividend - divisor, divisor))
    } else {
        pack(a ^ b, exponent, quotient(dividend - divisor, divisor))
    }
}

/// Whether both are exponents of normal numbers.
#[inline(always)]
fn are_normal(a: u32, b: u32) -> bool {
    a.wrapping_sub(1) < LARGEST && b.wrapping_sub(1) < LARGEST
}

/// The upper word of a product of mantissas, whose last bit is set if anything was cut off.
#[inline(always)]
fn upper_product(a: u32, b: u32) -> u32 {
    let product = u64::from(a) * u64::from(b);
    (product >> 32) as u32 | u32::from(product as u32 != 0)
}
/// 1 + remainder / divisor for a remainder below the divisor of 24 bits, at the top of a word, whose last bit is set if anything
/// was cut off.
#[inline(always)]
fn quotient(mut remainder: u32, divisor: u32) -> u32 {
    let mut quotient = 1;
    // Three digits of eight bits: the remainder fits a word with one more.
    for _ in 0..3 {
        let shifted = remainder << 8;
        // Never 0, as the compiler does not know.
        let digit = shifted / divisor.max(1);
        remainder = shifted - digit * divisor;
        quotient = quotient << 8 | digit;
    }
    quotient << 7 | u32::from(remainder != 0)
}

/// √x of a normal number that is not negative.
#[inline(never)]
pub fn root(x: f32) -> f32 {
    let bits = x.to_bits();
    let biased = bits >> 23;
    // At the top of a word for an odd power of two, else half of that: the same power of four for both.
    let (root, remainder) = root_of_word(mantissa(bits) >> (biased & 1));
    // Nine bits more: the quotient of what is left by twice the root. It is exact, or one too large.
    let numerator = remainder << 8;
    // Never 0, as the compiler does not know.
    let quotient = numerator / root.max(1);
    let rest = numerator - quotient * root;
    let root = (root << 9) + quotient - u32::from(quotient * quotient > rest << 10);
    // It is never halfway between two numbers, so its 25th bit alone decides.
    f32::from_bits((((biased + BIAS) / 2 - 1) << 23) + (root >> 1) + (root & 1))
}

/// √x, rounded down, for an x of at least 2³⁰, and what is left of x.
#[inline(always)]
pub fn root_of_word(x: u32) -> (u32, u32) {
    // A straight line that is at most 8 % off. Each step of Heron's method squares that; the second is at most one too large.
    let line = (x >> 17) + (x >> 19) + 24_700;
    let near = (line + x / line.max(1)) / 2;
    let root = ((near + x / near.max(1)) / 2).min(0xffff);
    let root = root - u32::from(root * root > x);
    (root, x - root * root)
}

/// The nearest number to an integer.
#[inline(always)]
pub fn from_integer(x: u32) -> f32 {
    x as f32
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro128PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::super::super::soft::{sqrt, subtract};
    use super::*;

    const ROUNDS: u32 = if cfg!(miri) { 2_000 } else { 4_000_000 };

    /// Any bits; near each other; few bits, for ties; powers of two, from which a little is missing; the least and the largest.
    fn pair(random: &mut Xoshiro128PlusPlus) -> [f32; 2] {
        let (a, b, kind) = (random.next_u32(), random.next_u32(), random.next_u32());
        let near = (a & 0x807f_ffff) | (120 + (a >> 23 & 15)) << 23;
        let bits = match kind % 9 {
            0 => [a, b],
            1 => [near, near ^ TOP ^ (b >> (kind >> 27))],
            2 => [near & !0xfff, (b & 0x807f_f000) | (100 + (kind >> 27)) << 23],
            3 => [near & 0xff80_0000, b & 0x80ff_ffff | 0x3f00_0000],
            4 => [near, [0, TOP, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x80_0000, 0x7f7f_ffff][b as usize % 8]],
            5 => [a & 0x80ff_ffff, b & 0x83ff_ffff],
            6 => [a | 0x7c00_0000, (b & 0x83ff_ffff) | (kind & 1) << 30],
            7 => [near & 0xff80_0000, (b & 0x807f_ffff) | ((near << 1 >> 24) - 22 - (kind >> 29)) << 23],
            _ => [near, (b & 0x807f_ffff) | (110 + (kind >> 27)) << 23],
        };
        bits.map(f32::from_bits)
    }

    fn is_right(soft: fn(f32, f32) -> f32, hard: fn(f32, f32) -> f32) {
        let mut random = Xoshiro128PlusPlus::seed_from_u64(1);
        for _ in 0..ROUNDS {
            let [x, y] = pair(&mut random);
            for (x, y) in [(x, y), (y, x)] {
                let (is, should) = (soft(x, y), hard(x, y));
                assert!(
                    is.to_bits() == should.to_bits() || is.is_nan() && should.is_nan(),
                    "{x:e}, {y:e}: {is:e}, {should:e}"
                );
            }
        }
    }

    #[test]
    fn sums_are_the_compilers() {
        is_right(add, |x, y| x + y);
        is_right(subtract, |x, y| x - y);
    }

    #[test]
    fn products_are_the_compilers() {
        is_right(multiply, |x, y| x * y);
    }

    #[test]
    fn quotients_are_the_compilers() {
        is_right(divide, |x, y| x / y);
    }

    #[test]
    fn roots_are_the_librarys() {
        let is_right = |x: f32| {
            let (is, should) = (sqrt(x), libm::sqrtf(x));
            assert!(is.to_bits() == should.to_bits() || is.is_nan() && should.is_nan(), "{x:e}: {is:e}, {should:e}");
        };
        // Every mantissa, with both kinds of powers of two.
        let step = if cfg!(miri) { 10_007 } else { 1 };
        (1.0_f32.to_bits()..4.0_f32.to_bits()).step_by(step).for_each(|bits| is_right(f32::from_bits(bits)));
        let mut random = Xoshiro128PlusPlus::seed_from_u64(3);
        (0..ROUNDS).for_each(|_| pair(&mut random).into_iter().for_each(is_right));
    }

    #[test]
    fn roots_of_words_are_rounded_down() {
        let step = if cfg!(miri) { 1_000 } else { 1 };
        for root in (1_u32 << 15..1 << 16).step_by(step) {
            // A root can be wrong only if it is wrong at one of the ends of its range, or at a word in its middle.
            for x in [root * root, root * root + root, root * root + 2 * root] {
                assert_eq!(root_of_word(x), (root, x - root * root), "{x}");
            }
        }
    }
}
