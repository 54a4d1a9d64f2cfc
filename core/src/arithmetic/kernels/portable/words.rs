//! Products, roots and inverses of words.

use super::super::sqrt;

/// The two words of a product.
#[inline(always)]
pub fn product(a: i32, b: i32) -> (i32, u32) {
    let product = i64::from(a) * i64::from(b);
    ((product >> 32) as i32, product as u32)
}

/// The same, from products that fit a word. Where b has no lower half, fewer of them are left.
#[inline(always)]
pub fn product_of_halves(a: i32, b: i32) -> (i32, u32) {
    let halves = |x: i32| (x >> 16, x & 0xffff);
    let lower_word = a.wrapping_mul(b).cast_unsigned();
    let (a, b) = (halves(a), halves(b));
    // Below 2³² as it is unsigned.
    let last = a.1.wrapping_mul(b.1).cast_unsigned();
    // An upper half times a lower one leaves room for another half.
    let (upper, lower) = halves(a.1 * b.0 + (last >> 16).cast_signed());
    let middle = a.0 * b.1 + lower;
    (a.0 * b.0 + upper + (middle >> 16), lower_word)
}

/// √x, rounded down, for an x of at least 2³⁰, and what is left of x.
#[inline]
pub fn root_of_word(x: u32) -> (u32, u32) {
    let (mut root, mut remainder, mut bit) = (0_u32, x, 1_u32 << 30);
    while bit != 0 {
        let trial = root + bit;
        root >>= 1;
        if remainder >= trial {
            remainder -= trial;
            root += bit;
        }
        bit >>= 2;
    }
    (root, remainder)
}

/// The same by the FPU's root, which has 24 bits of those 16.
#[inline]
pub fn root_of_word_by_float(x: u32) -> (u32, u32) {
    // Rounded up to 2¹⁶ at most.
    let root = (sqrt(x as f32) as u32).min(0xffff);
    // Rounding up to a whole number makes it one too large.
    let root = root - u32::from(root * root > x);
    (root, x - root * root)
}

/// 2⁵⁷/divisor for a divisor of 32 bits, to the nearest integer: it is never halfway between two.
#[inline]
pub fn reciprocal(divisor: u32) -> u32 {
    // 17 bits of the inverse of the upper half. One step of Newton's method doubles them: its error is below 0.6.
    let estimate = u32::MAX / (divisor >> 16 | 1 << 15);
    let excess = ((u64::from(estimate) * u64::from(divisor)) >> 8) as u32;
    let excess = i64::from(excess.cast_signed()) * i64::from(estimate << 1) + (1 << 31);
    let quotient = (estimate << 9).wrapping_sub((excess >> 32) as u32);
    // The remainder tells if that is one too large or too small.
    let product = u64::from(quotient) * u64::from(divisor) + u64::from(divisor >> 1);
    let (upper, lower) = ((product >> 32) as u32, product as u32);
    match upper {
        NUMERATOR if lower < divisor => quotient,
        ..NUMERATOR => quotient + 1,
        _ => quotient - 1,
    }
}

/// The upper word of 2⁵⁷.
const NUMERATOR: u32 = 1 << 25;
