//! Kernels for cores whose only multiplication is 32 × 32 to 32 bits: Cortex-M0 and M0+. Exact, like their
//! [portable](super::portable) twins, which call a routine of some 25 instructions for each product of 64 bits here.
//!
//! The other factor is split into halves instead, so that products with a feature of 15 bits and a sign fit 32 bits; and
//! where two of them still fit, they are added before they are widened. No row holds −2¹⁵, see
//! [`admit`](crate::Arithmetic::admit).

/// x · w.
#[inline(never)]
pub(super) fn dot(x: &[i16], w: &[i32]) -> i64 {
    let (mut upper, mut lower) = (0_i64, 0_i64);
    let term = |x: i16, w: i32| (i32::from(x) * (w >> 16), i32::from(x).wrapping_mul(w & 0xffff));
    let (x, w) = (x.chunks_exact(2), w.chunks_exact(2));
    if let ([x], [w]) = (x.remainder(), w.remainder()) {
        let (first, second) = term(*x, *w);
        (upper, lower) = (first.into(), second.into());
    }
    for (x, w) in x.zip(w) {
        let (a, b) = (term(x[0], w[0]), term(x[1], w[1]));
        upper += i64::from(a.0 + b.0);
        lower += i64::from(a.1);
        lower += i64::from(b.1);
    }
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
