//! Loops over `[T; N]`, each in one pinned order, so that every target and every faster twin gives the same bits.
//!
//! Sums run in four lanes (element i goes to lane i mod 4) that are combined as (l0 + l1) + (l2 + l3): four independent
//! chains are what a pipelined FPU wants. No multiply-add is ever fused.

use super::Real;

const LANES: usize = 4;

/// Σ term(i) for i in 0..N, in the pinned order.
#[inline(always)]
fn lane_sum<T: Real, const N: usize>(term: impl Fn(usize) -> T) -> T {
    let mut lanes = [T::ZERO; LANES];
    for i in 0..N {
        lanes[i % LANES] = lanes[i % LANES] + term(i);
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// a · b.
#[inline]
pub(super) fn dot<T: Real, const N: usize>(a: &[T; N], b: &[T; N]) -> T {
    lane_sum::<T, N>(|i| a[i] * b[i])
}

/// y ← y + factor · x, element by element: one product and one sum each.
#[inline]
pub(super) fn add_scaled<T: Real, const N: usize>(y: &mut [T; N], factor: T, x: &[T; N]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = *y + factor * *x;
    }
}

/// The largest |x|; NaN where any element is NaN.
#[inline]
pub(super) fn largest<T: Real, const N: usize>(x: &[T; N]) -> T {
    // The magnitudes' bit patterns are ordered like the magnitudes, and NaN comes after infinity.
    x.iter().fold(T::ZERO, |most, x| T::larger_magnitude(most, *x))
}

/// x · 2^exponent, element by element, for |exponent| as an element of x may have it.
#[inline]
pub(super) fn scaled<T: Real, const N: usize>(x: &[T; N], exponent: i32) -> [T; N] {
    let (first, second) = T::power_of_two_factors(exponent);
    // `second` is 1 unless the largest element is subnormal, or near enough to need two factors.
    if second == T::ONE { x.map(|x| x * first) } else { x.map(|x| x * first * second) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_has_the_pinned_order() {
        // With one chain in index order the small terms would vanish one by one against 2²⁴.
        let big = 16_777_216.0_f32;
        let ones = [1.0_f32; 8];
        let x = [big, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0];
        assert_eq!(dot(&x, &ones), (big + (1.0 + 1.0)) + 1.0);
        let y = [big, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        assert_eq!(dot(&y, &ones), big, "elements 0 and 4 share a lane");
    }

    #[test]
    fn largest_sees_everything() {
        assert_eq!(largest(&[0.5_f32, -2.0, 1.0]), 2.0);
        assert!(!largest(&[0.5_f32, f32::NAN, f32::INFINITY]).is_finite());
        assert!(!largest(&[f64::NEG_INFINITY, 1.0]).is_finite());
        assert_eq!(largest(&[0.0_f64, -0.0]).to_bits(), 0);
    }
}
