//! The floating-point backends: `f32` for cores with or without an FPU, `f64` for the host.
//!
//! Rows and directions are scaled by powers of two, which is exact, so that a largest element lies in [1, 2). Norms then
//! stay in [1, 2√n), whatever the units of the features, and a row times any power of two is the *same* row, bit for bit.

use core::borrow::Borrow;
use core::fmt::Debug;

use super::pairs::next_pair;
use super::{Arithmetic, Overflow, Real, RowError};

/// A row (φ, V) of floats, scaled so that its largest feature lies in [1, 2).
///
/// ```
/// use osculate::Arithmetic;
/// use osculate::arithmetic::Row;
/// let row: Row<f32, 2> = f32::admit(&[12.0, 3.0]).unwrap();
/// assert_ne!(row, f32::admit(&[1.5, 0.375]).unwrap()); // scaled alike, but it remembers by how much
/// assert_eq!(f32::row_value(&row, &[1.0, 0.0]), 12.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Row<T, const N: usize> {
    features: [T; N],
    target: T,
    norm_squared: T,
    /// The row as it came is 2^exponent times this one.
    exponent: i16,
}

/// A vector 2^exponent · mantissas of floats; the largest mantissa lies in [1, 2), or all are zero.
///
/// ```
/// use osculate::Arithmetic;
/// use osculate::arithmetic::Direction;
/// let direction: Direction<f32, 2> = f32::close([12.0, 0.0]).unwrap();
/// assert_eq!((f32::norm(&direction), f32::exponent(&direction)), (1.5, 3));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Direction<T, const N: usize> {
    mantissas: [T; N],
    exponent: i32,
}

impl<T: Real + Debug> Arithmetic for T {
    type Features<const N: usize> = [T; N];
    type Target = T;
    type Weight = T;
    type Scalar = T;
    type Quotient = T;
    type Row<const N: usize> = Row<T, N>;
    type Sum<const N: usize> = [T; N];
    type Direction<const N: usize> = Direction<T, N>;
    type Trace<const N: usize> = Trace<T, N>;

    const MAX_ROWS: usize = usize::MAX;

    fn features<const N: usize>(values: &[f32; N]) -> Result<[T; N], RowError> {
        Ok(values.map(T::from))
    }

    fn target(value: f32) -> Result<T, RowError> {
        Ok(T::from(value))
    }

    fn admit<const N: usize>(features: &[T; N]) -> Result<Row<T, N>, RowError> {
        let largest = T::largest(features);
        if !largest.is_finite() {
            return Err(RowError::NonFiniteFeature);
        }
        if largest == T::ZERO {
            return Err(RowError::ZeroFeatures);
        }
        let exponent = largest.exponent();
        let features = T::scaled_all(features, -exponent);
        let mut row = Row { features, target: T::ZERO, norm_squared: T::ZERO, exponent: exponent as i16 };
        row.norm_squared = T::norm_squared(&row.features);
        Ok(row)
    }

    fn aim<const N: usize>(row: &mut Row<T, N>, target: T) -> Result<(), RowError> {
        if !target.is_finite() {
            return Err(RowError::NonFiniteTarget);
        }
        let target = target.scaled(-i32::from(row.exponent));
        if !target.is_finite() {
            return Err(RowError::TargetOutOfRange);
        }
        row.target = target;
        Ok(())
    }

    fn value<const N: usize>(features: &[T; N], weights: &[T; N]) -> T {
        T::dot(features, weights)
    }

    fn row_value<const N: usize>(row: &Row<T, N>, weights: &[T; N]) -> T {
        T::dot(&row.features, weights).scaled(row.exponent.into())
    }

    fn backup(reward: T, gamma: T, next: T) -> T {
        reward + gamma * next
    }

    fn is_usable(reward: T) -> bool {
        reward.is_finite()
    }

    #[inline]
    fn residual<const N: usize>(row: &Row<T, N>, weights: &[T; N]) -> T {
        (T::dot(&row.features, weights) - row.target) / row.norm_squared
    }

    #[inline]
    fn along<const N: usize>(row: &Row<T, N>, direction: &Direction<T, N>) -> T {
        T::dot(&row.features, &direction.mantissas) / row.norm_squared
    }

    fn residual_sum<const N: usize>() -> [T; N] {
        [T::ZERO; N]
    }

    fn change_sum<const N: usize>() -> [T; N] {
        [T::ZERO; N]
    }

    #[inline]
    fn accumulate<const N: usize>(sum: &mut [T; N], quotient: T, row: &Row<T, N>) {
        T::add_scaled(sum, quotient, &row.features);
    }

    fn accumulate_residuals<const N: usize, R: Borrow<Row<T, N>>>(
        sum: &mut [T; N],
        mut rows: impl Iterator<Item = R>,
        weights: &[T; N],
    ) {
        while let Some((a, b)) = next_pair(&mut rows) {
            let a = a.borrow();
            let Some(b) = b else {
                Self::accumulate(sum, Self::residual(a, weights), a);
                break;
            };
            let b = b.borrow();
            let [p, q] = T::dot_pair([&a.features, &b.features], weights);
            let quotients = [(p - a.target) / a.norm_squared, (q - b.target) / b.norm_squared];
            T::add_scaled_pair(sum, quotients, [&a.features, &b.features]);
        }
    }

    fn accumulate_along<const N: usize, R: Borrow<Row<T, N>>>(
        sum: &mut [T; N],
        mut rows: impl Iterator<Item = R>,
        direction: &Direction<T, N>,
    ) {
        while let Some((a, b)) = next_pair(&mut rows) {
            let a = a.borrow();
            let Some(b) = b else {
                Self::accumulate(sum, Self::along(a, direction), a);
                break;
            };
            let b = b.borrow();
            let [p, q] = T::dot_pair([&a.features, &b.features], &direction.mantissas);
            T::add_scaled_pair(sum, [p / a.norm_squared, q / b.norm_squared], [&a.features, &b.features]);
        }
    }

    #[inline(always)]
    fn close<const N: usize>(sum: [T; N]) -> Result<Direction<T, N>, Overflow> {
        let largest = T::largest(&sum);
        if !largest.is_finite() {
            return Err(Overflow);
        }
        let exponent = if largest == T::ZERO { 0 } else { largest.exponent() };
        Ok(Direction { mantissas: T::scaled_all(&sum, -exponent), exponent })
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
        // Looked at first: nothing has moved where it is refused, and to keep the old numbers would take longer.
        if !T::step_is_finite(weights, velocity, &direction.mantissas, gain, beta) {
            return Err(Overflow);
        }
        T::step(weights, velocity, &direction.mantissas, gain, beta);
        Ok(0)
    }

    fn average<const N: usize>(mean: &mut [T; N], weights: &[T; N], gain: T) {
        let done = T::approach(mean, weights, gain);
        let rest = mean.get_mut(done..).into_iter().flatten().zip(weights.get(done..).into_iter().flatten());
        for (mean, w) in rest {
            let next = *mean + gain * (*w - *mean);
            // Two numbers near the ends of the range: their difference is out of it, their average is not.
            *mean = if next.is_finite() { next } else { (*mean - gain * *mean) + gain * *w };
        }
    }

    fn length<const N: usize>(vector: &[T; N]) -> T {
        // Closing keeps the squares of very small and very large numbers in range.
        Self::close(*vector).map_or(T::ZERO, |d| Self::norm(&d).scaled(d.exponent))
    }

    fn decay<const N: usize>(trace: &mut Trace<T, N>, gamma: T) {
        T::multiply(&mut trace.0, gamma);
    }

    fn enter<const N: usize>(trace: &mut Trace<T, N>, row: &Row<T, N>) {
        let inverse = (T::ONE / row.norm_squared).scaled(-i32::from(row.exponent));
        T::add_scaled(&mut trace.0, inverse, &row.features);
    }

    fn trace_saturated<const N: usize>(_: &Trace<T, N>) -> u32 {
        0
    }

    fn credit<const N: usize>(sum: &mut [T; N], reward: T, trace: &Trace<T, N>) {
        // To subtract a product is to add that of the negated factor, to the bit.
        T::add_scaled(sum, -reward, &trace.0);
    }

    fn visit<const N: usize>(
        trace: &mut Trace<T, N>,
        [total, change]: [&mut [T; N]; 2],
        row: &Row<T, N>,
        (weights, direction): (&[T; N], Option<&Direction<T, N>>),
        (gamma, reward): (T, T),
    ) {
        let product = match direction {
            None => T::dot(&row.features, weights),
            Some(direction) => {
                // Two products that share a factor, as those of two rows with the weights do.
                let [product, along] = T::dot_pair([weights, &direction.mantissas], &row.features);
                T::add_scaled(change, along / row.norm_squared, &row.features);
                product
            }
        };
        let inverse = (T::ONE / row.norm_squared).scaled(-i32::from(row.exponent));
        let quotient = (product - row.target) / row.norm_squared;
        T::follow(&mut trace.0, total, &row.features, [gamma, inverse, quotient, reward]);
    }
}

/// The discounted sum of φ/‖φ‖².
///
/// ```
/// use osculate::Arithmetic;
/// use osculate::arithmetic::Trace;
/// let mut trace = Trace::<f32, 1>::default();
/// f32::enter(&mut trace, &f32::admit(&[2.0]).unwrap()); // 2/2²
/// let mut sum = [0.0];
/// f32::credit(&mut sum, 3.0, &trace);
/// assert_eq!(sum, [-1.5]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trace<T, const N: usize>([T; N]);

impl<T: Real, const N: usize> Default for Trace<T, N> {
    fn default() -> Self {
        Self([T::ZERO; N])
    }
}
