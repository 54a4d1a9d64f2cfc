//! `f32` on cores without an FPU: the same bits as the compiler's functions, in half of their instructions.
//!
//! These functions know only what is usual, normal numbers with a normal result, and leave the rest to the compiler's.
//!
//! A mantissa at the top of a word leaves eight bits below it, and a sticky bit keeps what is shifted out: rounding only asks
//! whether it is more than a half, a half, or less.

pub use super::single::{add, divide, from_integer, multiply, root};

/// x − y.
#[inline(always)]
pub fn subtract(x: f32, y: f32) -> f32 {
    add(x, -y)
}

/// √x.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    let is_normal = x.to_bits().wrapping_sub(LEAST) < INFINITY - LEAST;
    if is_normal { root(x) } else { any_root(x) }
}

const LEAST: u32 = f32::MIN_POSITIVE.to_bits();
const INFINITY: u32 = f32::INFINITY.to_bits();

/// The same for what is unusual: zeros, subnormals, negative numbers, infinity and NaN.
#[cold]
#[inline(never)]
fn any_root(x: f32) -> f32 {
    const FRACTION: u32 = f32::MANTISSA_DIGITS - 1;
    match x.to_bits() {
        // In units of 2⁻¹⁴⁹; half of it, in units of 2⁻¹⁴⁸, whose root is a power of two. Exponents are added.
        fraction @ 1..LEAST => {
            let half = f32::from_bits(from_integer(fraction).to_bits() - (1 << FRACTION));
            f32::from_bits(root(half).to_bits() - (74 << FRACTION))
        }
        0 | 0x8000_0000 | INFINITY => x,
        _ => f32::NAN,
    }
}
