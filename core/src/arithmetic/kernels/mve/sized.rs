//! The kernels for a number of elements that is known at compile time, as `vfp` has them. Loops of vectors have nothing to
//! gain from knowing it.

use super::super::vfp::Pair;
use super::{rows, update};

// SAFETY, for every call below: the requirements are those of the kernel of the same name in `vfp`, for N elements.

/// As [`vfp::dot`](super::super::vfp::dot).
///
/// # Safety
/// As there.
#[inline(always)]
pub unsafe fn dot<const N: usize>(a: *const f32, b: *const f32) -> f32 {
    // SAFETY: see above.
    unsafe { rows::dot(a, b, N) }
}

/// As [`vfp::norm_squared`](super::super::vfp::norm_squared).
///
/// # Safety
/// As there.
#[inline(always)]
pub unsafe fn norm_squared<const N: usize>(x: *const f32) -> f32 {
    // SAFETY: see above.
    unsafe { rows::norm_squared(x, N) }
}

/// As [`vfp::dot_pair`](super::super::vfp::dot_pair).
///
/// # Safety
/// As there.
#[inline(always)]
pub unsafe fn dot_pair<const N: usize>(a: *const f32, b: *const f32, w: *const f32) -> Pair {
    // SAFETY: see above.
    unsafe { rows::dot_pair(a, b, w, N) }
}

/// As [`vfp::add_scaled`](super::super::vfp::add_scaled).
///
/// # Safety
/// As there.
#[inline(always)]
pub unsafe fn add_scaled<const N: usize>(y: *mut f32, x: *const f32, p: f32) {
    // SAFETY: see above.
    unsafe { rows::add_scaled(y, x, N, p) }
}

/// As [`vfp::multiply`](super::super::vfp::multiply).
///
/// # Safety
/// As there.
#[inline(always)]
pub unsafe fn multiply<const N: usize>(y: *mut f32, x: *const f32, p: f32) {
    // SAFETY: see above.
    unsafe { update::multiply(y, x, N, p) }
}

/// As [`vfp::add_projections`](super::super::vfp::add_projections).
///
/// # Safety
/// As there.
#[inline]
pub unsafe fn add_projections<const N: usize>(
    y: *mut f32,
    rows: *const f32,
    w: *const f32,
    pairs: usize,
    targets: usize,
) {
    for pair in 0..pairs {
        // SAFETY: see above; a row has N features, its target, its ‖φ‖² and one more word.
        unsafe {
            let a = rows.add(2 * pair * (N + 3));
            let b = a.add(N + 3);
            let quotient = |product: f32, row: *const f32| {
                let product = if targets != 0 { product - *row.add(N) } else { product };
                product / *row.add(N + 1)
            };
            let Pair(p, q) = rows::dot_pair(a, b, w, N);
            rows::add_scaled_pair(y, a, b, N, quotient(p, a), quotient(q, b));
        }
    }
}
