//! The floating-point backends: `f32` for cores with or without an FPU, `f64` for the host.
//!
//! Rows and directions are scaled by powers of two, which is exact, so that the largest element lies in [1, 2). Norms
//! then stay in [1, 2√n), whatever the units of the features, and a row times any power of two is the *same* row, bit
//! for bit.

mod cosine;
mod eligibility;
mod real;
mod row;
mod sum;

use super::RowError;
use super::backend::{Backend, Features, Overflow, StreamStep, StreamSums, TracedStep};
pub use eligibility::Eligibility;
use real::Real;
pub(crate) use real::exponent_of;
pub use row::Row;
pub use sum::Direction;
use sum::{common_exponent, normalise_in_place};

/// |quotient| · ‖φ‖, the distance between the weights and the row's hyperplane.
#[inline(always)]
fn distance<T: Real, const N: usize>(row: &Row<T, N>, quotient: T) -> T {
    T::larger_magnitude(quotient, T::ZERO) * row.norm_squared.sqrt()
}

impl<T: Real> Backend for T {
    type Number = T;
    type Weight = T;
    type Scalar = T;
    type Raw<const N: usize> = [T; N];
    type Row<const N: usize> = Row<T, N>;
    type Sum<const N: usize> = [T; N];
    type Direction<const N: usize> = Direction<T, N>;
    type Trace<const N: usize> = [T; N];
    type Eligibility<const N: usize> = Eligibility<T, N>;

    const MAX_ROWS: usize = usize::MAX;
    const ID: u8 = T::CODE;

    fn number(value: f32) -> Result<T, RowError> {
        if value.is_finite() { Ok(T::from(value)) } else { Err(RowError::NonFiniteTarget) }
    }

    fn to_f32(number: T) -> f32 {
        number.to_f32()
    }

    fn minus(a: T, b: T) -> T {
        a - b
    }

    fn backup(reward: T, gamma: T, next: T) -> T {
        reward + gamma * next
    }

    #[inline(always)]
    fn encode<const N: usize>(row: &mut Row<T, N>, features: Features<'_, T, N>) -> Result<(), RowError> {
        match features {
            Features::Floats(features) => T::with_features(features, |features| row::encode(row, features)),
            Features::Raw(features) => row::encode(row, features),
        }
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

    fn accumulate_residuals<const N: usize>(sum: &mut [T; N], rows: &[Row<T, N>], weights: &[T; N]) {
        let (pairs, single) = rows.as_chunks();
        T::add_projections(sum, pairs, weights, true);
        if let [row] = single {
            T::add_scaled(sum, (T::dot(&row.features, weights) - row.target) / row.norm_squared, &row.features);
        }
    }

    fn accumulate_projections<const N: usize>(sum: &mut [T; N], rows: &[Row<T, N>], direction: &Direction<T, N>) {
        let (pairs, single) = rows.as_chunks();
        T::add_projections(sum, pairs, &direction.mantissas, false);
        if let [row] = single {
            T::add_scaled(sum, T::dot(&row.features, &direction.mantissas) / row.norm_squared, &row.features);
        }
    }

    #[inline(always)]
    fn normalise_residuals<const N: usize>(sum: &[T; N]) -> Result<Direction<T, N>, Overflow> {
        let exponent = common_exponent(sum)?;
        Ok(Direction { mantissas: T::scaled_all(sum, -exponent), exponent })
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

    fn norm<const N: usize>(direction: &Direction<T, N>) -> T {
        T::norm_squared(&direction.mantissas).sqrt()
    }

    fn saturated<const N: usize>(_: &Direction<T, N>) -> u32 {
        0
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
        Self::projections_norm(&mut vector.clone()).map_or(T::ZERO, |(norm, exponent)| norm.scaled(exponent))
    }

    fn cosine<const N: usize>([a, b, c]: [&[T; N]; 3]) -> T {
        cosine::cosine(T::difference(b, a), T::difference(c, b))
    }

    fn scale_weight(weight: T, by: u8) -> (T, bool) {
        let scaled = weight.scaled(by.into());
        let limit = if weight < T::ZERO { -T::MAX } else { T::MAX };
        if scaled.is_finite() { (scaled, false) } else { (limit, true) }
    }

    fn nlms_step<const N: usize>(weights: &mut [T; N], row: &Row<T, N>, gain: T) -> Result<(T, u32), Overflow> {
        let quotient = (T::dot(&row.features, weights) - row.target) / row.norm_squared;
        eligibility::subtract(weights, row, gain * quotient)?;
        Ok((distance(row, quotient), 0))
    }

    fn traced_step<const N: usize>(
        weights: &mut [T; N],
        trace: &mut Eligibility<T, N>,
        row: &Row<T, N>,
        step: &TracedStep<T>,
    ) -> Result<(T, u32), Overflow> {
        Ok((distance(row, trace.step(weights, row, step)?), 0))
    }

    fn stream_step<const N: usize>(sums: &mut StreamSums<T, N>, step: &StreamStep<'_, T, N>) {
        let StreamSums { trace, total, projected } = sums;
        let Some(row) = step.row else {
            if let Some((reward, gamma)) = step.reward {
                T::multiply(trace, gamma);
                // Subtracting a product equals adding the product with a negated factor, bit for bit.
                T::add_scaled(total, -reward, trace);
            }
            return;
        };
        let product = match step.direction {
            None => T::dot(&row.features, step.weights),
            Some(direction) => {
                // Two products with a common factor, like those of two rows with the weights.
                let [product, along] = T::dot_pair([step.weights, &direction.mantissas], &row.features);
                T::add_scaled(projected, along / row.norm_squared, &row.features);
                product
            }
        };
        let quotient = (product - row.target) / row.norm_squared;
        match step.reward {
            None => T::add_scaled(total, quotient, &row.features),
            Some((reward, gamma)) => {
                let inverse = (T::ONE / row.norm_squared).scaled(-i32::from(row.exponent));
                T::trace_step(trace, total, &row.features, [gamma, inverse, quotient, reward]);
            }
        }
    }

    fn trace_saturated<const N: usize>(_: &[T; N]) -> u32 {
        0
    }
}
