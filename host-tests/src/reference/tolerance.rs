//! How far f32 may be from plain f64, with the reason for each entry. Everything not listed here is compared bit for
//! bit.

/// ‖w_f32 − w_f64‖/‖w_f64‖ after one update of a batch with n ≤ 32, τ ≤ 64.
///
/// A dot product of n terms in four lanes has a chain of at most n/4 + 2 roundings, and the sum over rows adds τ more:
/// 2⁻²⁴ · 80 in the worst case without cancellation. ϑ divides two such norms.
pub const ONE_UPDATE: f64 = 80.0 / (1 << 24) as f64;

/// |ϑ_f32/ϑ_f64 − 1| for the same batches.
pub const THETA: f64 = 2.0 * ONE_UPDATE;
