//! What kernels leave to the FPU, where `vfp` has no kernel for a number of elements that is known only at run time: the
//! portable loops.

use core::slice::{from_raw_parts, from_raw_parts_mut};

use super::super::portable;
use super::super::vfp::Pair;

// SAFETY, for every call below: the pointers are those of a kernel, which has the same requirements.

/// As [`rows::dot`](super::rows::dot).
pub(super) unsafe extern "C" fn dot(a: *const f32, b: *const f32, n: usize) -> f32 {
    // SAFETY: see above.
    unsafe { portable::dot(from_raw_parts(a, n), from_raw_parts(b, n)) }
}

/// As [`rows::norm_squared`](super::rows::norm_squared).
pub(super) unsafe extern "C" fn norm_squared(x: *const f32, n: usize) -> f32 {
    // SAFETY: see above.
    unsafe { dot(x, x, n) }
}

/// As [`rows::dot_pair`](super::rows::dot_pair).
pub(super) unsafe extern "C" fn dot_pair(a: *const f32, b: *const f32, w: *const f32, n: usize) -> Pair {
    // SAFETY: see above.
    unsafe { Pair(dot(a, w, n), dot(b, w, n)) }
}

/// As [`rows::add_scaled`](super::rows::add_scaled).
pub(super) unsafe extern "C" fn add_scaled(y: *mut f32, x: *const f32, n: usize, p: f32) {
    // SAFETY: see above.
    unsafe { portable::add_scaled(from_raw_parts_mut(y, n), p, from_raw_parts(x, n)) }
}

/// As [`rows::add_scaled_pair`](super::rows::add_scaled_pair).
pub(super) unsafe extern "C" fn add_scaled_pair(y: *mut f32, a: *const f32, b: *const f32, n: usize, p: f32, q: f32) {
    // SAFETY: see above.
    unsafe {
        add_scaled(y, a, n, p);
        add_scaled(y, b, n, q);
    }
}

/// As [`update::multiply`](super::update::multiply): x and y may be the same.
pub(super) unsafe extern "C" fn multiply(y: *mut f32, x: *const f32, n: usize, p: f32) {
    for i in 0..n {
        // SAFETY: see above.
        unsafe { *y.add(i) = *x.add(i) * p };
    }
}
