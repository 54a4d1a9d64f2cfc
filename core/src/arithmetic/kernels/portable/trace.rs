//! The first visit of a streaming learner.

use super::super::super::scalar::Scalar;

/// trace ← gamma · trace + inverse · x, then sum ← (sum + quotient · x) − reward · trace.
#[inline]
pub fn trace_step<T: Scalar>(trace: &mut [T], sum: &mut [T], x: &[T], [gamma, inverse, quotient, reward]: [T; 4]) {
    for ((z, sum), x) in trace.iter_mut().zip(sum).zip(x) {
        *z = gamma * *z + inverse * *x;
        *sum = (*sum + quotient * *x) - reward * *z;
    }
}

/// Whether all sums of a [`trace_step`] are finite.
#[inline(always)]
pub fn trace_step_is_finite<T: Scalar>(trace: &[T], sum: &[T], x: &[T], factors: [T; 4]) -> bool {
    let [gamma, inverse, quotient, reward] = factors;
    let mut all = trace.iter().zip(sum).zip(x);
    all.all(|((&z, &sum), &x)| ((sum + quotient * x) - reward * (gamma * z + inverse * x)).is_finite())
}
