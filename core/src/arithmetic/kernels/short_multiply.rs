//! Kernels for cores whose only multiplication is 32 × 32 to 32 bits: Cortex-M0 and M0+. Exact, like their
//! [portable](super::portable) twins, which call a routine of some 25 instructions for each product of 64 bits here.
//!
//! The other factor is split into halves instead, so that products with a feature of 15 bits and a sign fit 32 bits; and
//! where two of them still fit, they are added before they are widened. No row holds −2¹⁵, see
//! [`admit`](crate::Arithmetic::admit).

/// x · w.
///
/// Upper and lower halves one after the other: together they would need more than the eight registers that these cores
/// compute with, and spend their time in spilling them.
#[inline(never)]
pub(super) fn dot(x: &[i16], w: &[i32]) -> i64 {
    let (pairs_of_x, pairs_of_w) = (x.chunks_exact(2), w.chunks_exact(2));
    let mut upper = match (pairs_of_x.remainder(), pairs_of_w.remainder()) {
        ([x], [w]) => i64::from(i32::from(*x) * (w >> 16)),
        _ => 0,
    };
    for (x, w) in pairs_of_x.zip(pairs_of_w) {
        upper += i64::from(i32::from(x[0]) * (w[0] >> 16) + i32::from(x[1]) * (w[1] >> 16));
    }
    let lower: i64 = x.iter().zip(w).map(|(&x, &w)| i64::from(i32::from(x) * (w & 0xffff))).sum();
    (upper << 16) + lower
}

/// x · x.
#[inline(never)]
pub(super) fn norm_squared(x: &[i16]) -> u64 {
    let square = |x: i16| (i32::from(x) * i32::from(x)).cast_unsigned();
    let pairs = x.chunks_exact(2);
    let rest = pairs.remainder().first().map_or(0, |&x| square(x));
    pairs.fold(rest.into(), |sum, x| sum + u64::from(square(x[0]) + square(x[1])))
}

/// sum ← sum + p · a + q · b.
#[inline(never)]
pub(super) fn add_scaled_pair(sum: &mut [i64], p: i32, q: i32, a: &[i16], b: &[i16]) {
    // Rounded to the nearest multiple of 2¹⁶, so that the lower half has a sign and two products fit.
    let halves = |factor: i32| (((factor >> 15) + 1) >> 1, i32::from(factor as i16));
    let (p, q) = (halves(p), halves(q));
    for ((sum, &a), &b) in sum.iter_mut().zip(a).zip(b) {
        let (a, b) = (i32::from(a), i32::from(b));
        let (upper, lower) = (p.0 * a + q.0 * b, p.1 * a + q.1 * b);
        *sum += (i64::from(upper) << 16) + i64::from(lower);
    }
}
