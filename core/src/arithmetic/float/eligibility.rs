//! Steps towards one row at a time, with floats: plain, and along the dutch trace of true-online TD(λ).

use super::real::Real;
use super::row::Row;
use crate::arithmetic::backend::{Empty, Overflow, TracedStep};
use crate::state::{Persist, Reader, Writer};

/// A dutch trace z of floats, in the inverse units of the features.
#[derive(Clone, Debug, PartialEq)]
pub struct Eligibility<T, const N: usize> {
    values: [T; N],
    /// No |z| is larger, apart from rounding.
    bound: T,
}

impl<T: Empty, const N: usize> Empty for Eligibility<T, N> {
    const EMPTY: Self = Self { values: Empty::EMPTY, bound: T::EMPTY };
}

impl<T: Real, const N: usize> Persist for Eligibility<T, N> {
    const BYTES: usize = <[T; N]>::BYTES;

    fn write(&self, writer: &mut Writer<'_>) {
        self.values.write(writer);
    }

    /// The bound is derived: whatever the bytes contain, it is one.
    fn read(&mut self, reader: &mut Reader<'_>) {
        self.values.read(reader);
        self.bound = T::largest(&self.values);
    }

    fn is_valid(&self) -> bool {
        self.values.is_valid()
    }
}

/// weights ← weights − factor · φ of the scaled row, or nothing if a weight would not be finite.
pub(super) fn subtract<T: Real, const N: usize>(
    weights: &mut [T; N],
    row: &Row<T, N>,
    factor: T,
) -> Result<(), Overflow> {
    let small = T::larger_magnitude(factor, T::ZERO) <= T::HARMLESS;
    if !small && !T::difference_is_finite(weights, &row.features, factor) {
        return Err(Overflow);
    }
    T::add_scaled(weights, -factor, &row.features);
    Ok(())
}

impl<T: Real, const N: usize> Eligibility<T, N> {
    /// Returns the row's (φ·w − V)/‖φ‖² before the step.
    pub(super) fn step(&mut self, weights: &mut [T; N], row: &Row<T, N>, step: &TracedStep<T>) -> Result<T, Overflow> {
        let exponent = i32::from(row.exponent);
        let [product, along] = T::dot_pair([weights, &self.values], &row.features);
        let value = product.scaled_here(exponent);
        let expected = step.expected.unwrap_or(value);
        // α times something, as a factor of the scaled row.
        let alpha = |x: T| (step.gain * x / row.norm_squared).scaled_here(-exponent);
        let entry = alpha(T::ONE - step.decay * along.scaled_here(exponent));
        let back = alpha(value - expected);
        // A scaled feature is below 2.
        let largest = T::larger_magnitude(entry, T::ZERO);
        self.bound = step.decay * self.bound + (largest + largest);
        self.advance(weights, row, [step.decay, entry, -back, expected - step.target])?;
        Ok((product - row.target) / row.norm_squared)
    }

    /// z ← decay · z + entry · φ, then weights ← (weights + back · φ) − along · z.
    fn advance(&mut self, weights: &mut [T; N], row: &Row<T, N>, factors: [T; 4]) -> Result<(), Overflow> {
        let [_, _, back, along] = factors;
        let [along_size, back_size] = [along, back].map(|x| T::larger_magnitude(x, T::ZERO));
        let small = along_size * self.bound <= T::HARMLESS && back_size <= T::HARMLESS;
        if !small && !T::trace_step_is_finite(&self.values, weights, &row.features, factors) {
            return Err(Overflow);
        }
        T::trace_step(&mut self.values, weights, &row.features, factors);
        Ok(())
    }
}
