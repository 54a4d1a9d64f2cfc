//! How far f32 may be from plain f64, each entry with its reason. Everything not listed here is compared bit for bit.

/// ‖w_f32 − w_f64‖/‖w_f64‖ after one update of a batch with n ≤ 32, τ ≤ 64.
///
/// A dot product of n terms in four lanes has at most n/4 + 2 roundings in a row, the sum over rows τ more: 2⁻²⁴ · 80 in
/// the worst case if nothing cancels. ϑ divides two such norms.
pub const ONE_UPDATE: f64 = 80.0 / (1 << 24) as f64;

/// |ϑ_f32/ϑ_f64 − 1| for the same batches.
pub const THETA: f64 = 2.0 * ONE_UPDATE;
