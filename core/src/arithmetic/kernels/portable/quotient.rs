//! A quotient by multiplication with an inverse: once per row and pass.

/// A product of two mantissas of this many bits stays below 2⁵³, so an f64 model of it is exact.
pub const MANTISSA: u32 = 26;

const HALF_WORD: u32 = 1 << 31;

/// A product of mantissas fits a word after dropping this many bits.
const CUT: u32 = 21;

/// a · b / 2²¹ for mantissas, with a sticky bit for the bits shifted out.
#[inline(always)]
fn cut_product(a: u32, b: u32) -> u32 {
    let product = u64::from(a) * u64::from(b);
    (product >> CUT) as u32 | u32::from((product as u32) << (u32::BITS - CUT) != 0)
}

/// r · mantissa / 2^`shift` in 32 bits for a mantissa in [2²⁵, 2²⁶], where r is first rounded to 26 bits; `None` if the
/// result has 30 bits or more. Everything is rounded to nearest even.
///
/// There are no 64-bit shifts, which most cores must emulate. Magnitudes round to even as signed numbers do, and their
/// leading bits fit a word.
#[inline(always)]
pub fn quotient(r: i64, mantissa: u32, shift: i32) -> Option<i32> {
    let magnitude = r.unsigned_abs();
    let (upper, lower) = ((magnitude >> 32) as u32, magnitude as u32);
    let (upper, lower, bits) = if upper != 0 { (upper, lower, u64::BITS) } else { (lower, 0, u32::BITS) };
    // The leading one moved to the top of a word, less one bit so that rounding up cannot overflow, with a sticky bit
    // for the bits shifted out.
    let zeros = (upper | 1).leading_zeros();
    let word = (upper << zeros) | (lower >> 1 >> (31 - zeros));
    let word = (word >> 1) | (word & 1) | u32::from(lower << zeros != 0);
    const BELOW: u32 = u32::BITS - 1 - MANTISSA;
    let factor = (word + (1 << (BELOW - 1)) - 1 + ((word >> BELOW) & 1)) >> BELOW;
    // Negative where there are fewer bits than that. A word of 0 has one zero more.
    let drop = (bits - MANTISSA) as i32 - zeros as i32 - i32::from(upper == 0);

    // Both factors are in [2²⁵, 2²⁶]: these are the product's leading bits, with a sticky bit.
    let word = cut_product(factor, mantissa);
    let shift = shift - drop - CUT as i32;
    // From 2 on, the sticky bit is below a half.
    if shift < 2 {
        return None;
    }
    // From 32 on, nothing is left: a half at most, which rounds to 0.
    let shift = shift.cast_unsigned();
    let (floor, remainder) = if shift < 32 { (word >> shift, word << (32 - shift)) } else { (0, 0) };
    let rounded = (floor + u32::from(remainder > HALF_WORD - (floor & 1))) as i32;
    Some(if r < 0 { -rounded } else { rounded })
}
