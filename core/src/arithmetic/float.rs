//! The floating-point backends: `f32` for cores with or without an FPU, `f64` for the host.
//!
//! Rows and directions are scaled by powers of two, which is exact, so that the largest element lies in [1, 2). Norms
//! then stay in [1, 2√n), whatever the units of the features, and a row times any power of two is the *same* row, bit
//! for bit.

use super::backend::{Backend, Empty, Features, StreamRow, TracedStep, Value};
use super::eligibility::{self, Eligibility};
use super::error::{Overflow, RowError};
use super::real::Real;
use super::row::{Row, exponent_of, replace};
use crate::state::persist;

/// A vector 2^exponent · mantissas of floats; the largest mantissa lies in [1, 2), or all are zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction<T, const N: usize> {
    mantissas: [T; N],
    exponent: i32,
}

impl<T: Empty, const N: usize> Empty for Direction<T, N> {
    const EMPTY: Self = Self { mantissas: Empty::EMPTY, exponent: 0 };
}

persist!(Direction<T, N>: mantissas: [T; N], exponent: i32);

/// The elements scaled so that the largest lies in [1, 2), and the exponent.
#[inline(always)]
fn normalise<T: Real, const N: usize>(vector: &[T; N]) -> Result<Direction<T, N>, Overflow> {
    let largest = T::largest(vector);
    if !largest.is_finite() {
        return Err(Overflow);
    }
    let exponent = if largest == T::ZERO { 0 } else { largest.exponent() };
    Ok(Direction { mantissas: T::scaled_all(vector, -exponent), exponent })
}

/// The same in place.
#[inline(always)]
fn normalise_in_place<T: Real, const N: usize>(vector: &mut [T; N]) -> Result<i32, Overflow> {
    let largest = T::largest(vector);
    if !largest.is_finite() {
        return Err(Overflow);
    }
    if largest == T::ZERO {
        return Ok(0);
    }
    let exponent = largest.exponent();
    T::scale_in_place(vector, -exponent);
    Ok(exponent)
}

impl<T: Real> Backend for T {
    type Number = T;
    type Weight = T;
    type Scalar = T;
    type Quotient = T;
    type Raw<const N: usize> = [T; N];
    type Row<const N: usize> = Row<T, N>;
    type Sum<const N: usize> = [T; N];
    type Direction<const N: usize> = Direction<T, N>;
    type Trace<const N: usize> = [T; N];
    type Eligibility<const N: usize> = Eligibility<T, N>;

    const MAX_ROWS: usize = usize::MAX;
    const ID: u8 = T::CODE;

    fn encode<const N: usize>(row: &mut Row<T, N>, features: &[f32; N]) -> Result<(), RowError> {
        T::with_features(features, |features| Self::encode_raw(row, features))
    }

    fn encode_raw<const N: usize>(row: &mut Row<T, N>, features: &[T; N]) -> Result<(), RowError> {
        row.exponent = exponent_of(features)?;
        T::scale_into(&mut row.features, features, -i32::from(row.exponent));
        row.target = T::ZERO;
        row.norm_squared = T::norm_squared(&row.features);
        Ok(())
    }

    #[inline(always)]
    fn replace<const N: usize>(
        row: &mut Row<T, N>,
        features: Features<'_, T, N>,
        before: impl FnOnce(&mut Row<T, N>, Value<'_, T, N>),
    ) -> Result<(), RowError> {
        match features {
            Features::Floats(features) => T::with_features(features, |features| replace(row, features, before)),
            Features::Raw(features) => replace(row, features, before),
        }
    }

    fn number(value: f32) -> Result<T, RowError> {
        if value.is_finite() { Ok(T::from(value)) } else { Err(RowError::NonFiniteTarget) }
    }

    fn to_f32(number: T) -> f32 {
        number.to_f32()
    }

    fn set_target<const N: usize>(row: &mut Row<T, N>, target: T) -> Result<(), RowError> {
        if !target.is_finite() {
            return Err(RowError::NonFiniteTarget);
        }
        let target = target.scaled_here(-i32::from(row.exponent));
        if !target.is_finite() {
            return Err(RowError::TargetOutOfRange);
        }
        row.target = target;
        Ok(())
    }

    fn value<const N: usize>(row: &Row<T, N>, weights: &[T; N]) -> T {
        T::dot(&row.features, weights).scaled(row.exponent.into())
    }

    fn value_of<const N: usize>(features: &[f32; N], weights: &[T; N]) -> Result<T, RowError> {
        let value = T::with_features(features, |features| T::dot(features, weights));
        if value.is_finite() { Ok(value) } else { Err(RowError::NonFiniteFeature) }
    }

    fn backup(reward: T, gamma: T, next: T) -> T {
        reward + gamma * next
    }

    fn is_finite(number: T) -> bool {
        number.is_finite()
    }

    #[inline]
    fn residual<const N: usize>(row: &Row<T, N>, weights: &[T; N]) -> T {
        (T::dot(&row.features, weights) - row.target) / row.norm_squared
    }

    #[inline]
    fn project<const N: usize>(row: &Row<T, N>, direction: &Direction<T, N>) -> T {
        T::dot(&row.features, &direction.mantissas) / row.norm_squared
    }

    #[inline]
    fn accumulate<const N: usize>(sum: &mut [T; N], quotient: T, row: &Row<T, N>) {
        T::add_scaled(sum, quotient, &row.features);
    }

    fn accumulate_residuals<const N: usize>(sum: &mut [T; N], rows: &[Row<T, N>], weights: &[T; N]) {
        let (pairs, single) = rows.as_chunks();
        T::add_projections(sum, pairs, weights, true);
        if let [row] = single {
            Self::accumulate(sum, Self::residual(row, weights), row);
        }
    }

    fn accumulate_projections<const N: usize>(sum: &mut [T; N], rows: &[Row<T, N>], direction: &Direction<T, N>) {
        let (pairs, single) = rows.as_chunks();
        T::add_projections(sum, pairs, &direction.mantissas, false);
        if let [row] = single {
            Self::accumulate(sum, Self::project(row, direction), row);
        }
    }

    #[inline(always)]
    fn normalise_residuals<const N: usize>(sum: &[T; N]) -> Result<Direction<T, N>, Overflow> {
        normalise(sum)
    }

    #[inline(always)]
    fn normalise_projections<const N: usize>(sum: &[T; N]) -> Result<Direction<T, N>, Overflow> {
        normalise(sum)
    }

    fn total_residual<const N: usize>(
        direction: &mut Direction<T, N>,
        rows: &[Row<T, N>],
        weights: &[T; N],
    ) -> Result<(), Overflow> {
        Self::accumulate_residuals(&mut direction.mantissas, rows, weights);
        direction.exponent = normalise_in_place(&mut direction.mantissas)?;
        Ok(())
    }

    fn projections_norm<const N: usize>(sum: &mut [T; N]) -> Result<(T, i32), Overflow> {
        let exponent = normalise_in_place(sum)?;
        Ok((T::norm_squared(sum).sqrt(), exponent))
    }

    fn exponent<const N: usize>(direction: &Direction<T, N>) -> i32 {
        direction.exponent
    }

    fn saturated<const N: usize>(_: &Direction<T, N>) -> u32 {
        0
    }

    fn norm<const N: usize>(direction: &Direction<T, N>) -> T {
        T::norm_squared(&direction.mantissas).sqrt()
    }

    fn step<const N: usize>(
        weights: &mut [T; N],
        velocity: &mut [T; N],
        direction: &Direction<T, N>,
        gain: T,
        beta: T,
    ) -> Result<u32, Overflow> {
        let gain = gain.scaled(direction.exponent);
        // Checked first, so that nothing has moved if the step is refused; keeping the old numbers would take longer.
        if !T::step_is_finite(weights, velocity, &direction.mantissas, gain, beta) {
            return Err(Overflow);
        }
        <T as super::kernels::FloatKernels>::step(weights, velocity, &direction.mantissas, gain, beta);
        Ok(0)
    }

    fn average<const N: usize>(mean: &mut [T; N], weights: &[T; N], gain: T) {
        if !T::average_step(mean, weights, gain) {
            T::replace_infinite(mean, weights);
        }
    }

    fn length<const N: usize>(vector: &[T; N]) -> T {
        // After normalisation, the squares of very small and very large numbers stay in range.
        normalise(vector).map_or(T::ZERO, |d| Self::norm(&d).scaled(d.exponent))
    }

    fn scale_weight(weight: T, by: u8) -> (T, bool) {
        let scaled = weight.scaled(by.into());
        let limit = if weight < T::ZERO { -T::MAX } else { T::MAX };
        if scaled.is_finite() { (scaled, false) } else { (limit, true) }
    }

    fn is_weight(weight: T) -> bool {
        weight.is_finite()
    }

    fn minus(a: T, b: T) -> T {
        a - b
    }

    fn distance<const N: usize>(row: &Row<T, N>, quotient: T) -> T {
        T::larger_magnitude(quotient, T::ZERO) * row.norm_squared.sqrt()
    }

    fn pull<const N: usize>(weights: &mut [T; N], row: &Row<T, N>, quotient: T, gain: T) -> Result<u32, Overflow> {
        eligibility::pull(weights, row, gain * quotient)
    }

    fn pull_traced<const N: usize>(
        weights: &mut [T; N],
        trace: &mut Eligibility<T, N>,
        row: &Row<T, N>,
        step: &TracedStep<T>,
    ) -> Result<(T, u32), Overflow> {
        trace.pull(weights, row, step)
    }

    fn is_eligibility<const N: usize>(trace: &Eligibility<T, N>) -> bool {
        trace.is_finite()
    }

    fn copy<const N: usize>(to: &mut [T; N], from: &[T; N]) {
        <T as super::kernels::FloatKernels>::copy(to, from);
    }

    fn way<const N: usize>(a: &[T; N], b: &[T; N]) -> f32 {
        let way = normalise(&T::difference(b, a));
        way.map_or(f32::INFINITY, |way| Self::norm(&way).scaled(way.exponent).to_f32())
    }

    fn turn<const N: usize>([a, b, c]: [&[T; N]; 3]) -> T {
        eligibility::cosine(T::difference(b, a), T::difference(c, b))
    }

    fn trace_decay<const N: usize>(trace: &mut [T; N], gamma: T) {
        T::multiply(trace, gamma);
    }

    fn trace_add<const N: usize>(trace: &mut [T; N], row: &Row<T, N>) {
        let inverse = (T::ONE / row.norm_squared).scaled(-i32::from(row.exponent));
        T::add_scaled(trace, inverse, &row.features);
    }

    fn trace_saturated<const N: usize>(_: &[T; N]) -> u32 {
        0
    }

    fn trace_reward<const N: usize>(sum: &mut [T; N], reward: T, trace: &[T; N]) {
        // Subtracting a product equals adding the product with a negated factor, bit for bit.
        T::add_scaled(sum, -reward, trace);
    }

    fn stream_row<const N: usize>(
        trace: &mut [T; N],
        total: &mut [T; N],
        projected: &mut [T; N],
        row: &Row<T, N>,
        known: &StreamRow<'_, T, N>,
    ) {
        let product = match known.direction {
            None => T::dot(&row.features, known.weights),
            Some(direction) => {
                // Two products with a common factor, like those of two rows with the weights.
                let [product, along] = T::dot_pair([known.weights, &direction.mantissas], &row.features);
                T::add_scaled(projected, along / row.norm_squared, &row.features);
                product
            }
        };
        let inverse = (T::ONE / row.norm_squared).scaled(-i32::from(row.exponent));
        let quotient = (product - row.target) / row.norm_squared;
        T::trace_step(trace, total, &row.features, [known.gamma, inverse, quotient, known.reward]);
    }
}
