//! Columns of similar size, by exact factors.

use super::{FeatureMap, finite};
use crate::arithmetic::RowError;
use crate::arithmetic::backend::Scalar;
use crate::arithmetic::exponent_of;

/// Observes features, and finds the power of two per column that brings the column's largest |φ_j| into [½, 1).
///
/// **Why.** The learner's solution is invariant under a factor per *equation* (φ, V). It is not invariant under a
/// factor per *column*: it minimises distances in the space of the weights, and the units of the columns are the units
/// of its axes. With x in 0..100 and the features 1, x, x², x² alone decides how much a row counts. The other weights
/// are learned slowly, and an `i16` row has two bits left for the 1. (Measured on 1 + x/50 − (x/100)², 200 updates in
/// `Q28`: the values are off by up to 0.26 without factors, and by up to 0.013 with factors.) So the sizes of the
/// columns are a choice that belongs to the features, and similar sizes are the neutral choice. Choose once, before
/// learning: the weights depend on the factors.
///
/// **Why powers of two.** Scaling is exact short of underflow, and so is its inverse:
/// φ·w = Σ (φ_j f_j)(w_j/f_j), hence [`ColumnFactors::unscaled_weights`].
///
/// ```
/// use osculate::features::{ColumnScaler, FeatureMap, Polynomial, Scaled};
/// let map = Polynomial::<1, 2, 3>::new();
/// let mut scaler = ColumnScaler::new();
/// for x in [0.0, 50.0, 100.0] {
///     scaler.observe(&map.features(&[x])?);
/// }
/// let scaled = Scaled { map, factors: scaler.factors() };
/// assert_eq!(scaled.features(&[100.0]), Ok([0.5, 0.78125, 0.6103515625]));
/// # Ok::<(), osculate::RowError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnScaler<const N: usize> {
    largest: [f32; N],
}

impl<const N: usize> ColumnScaler<N> {
    /// A scaler without observations: its factors are 1.
    pub const fn new() -> Self {
        Self { largest: [0.0; N] }
    }

    /// Takes a row into account, unless a feature is not finite: the learner drops such a row, too.
    ///
    /// ```
    /// use osculate::features::ColumnScaler;
    /// let mut scaler = ColumnScaler::new();
    /// scaler.observe(&[0.5, -6.0]);
    /// scaler.observe(&[f32::NAN, 100.0]);
    /// assert_eq!(scaler.factors().exponents(), &[0, -3]); // 0.5 and 6 were the largest
    /// ```
    pub fn observe(&mut self, features: &[f32; N]) {
        if finite(features).is_ok() {
            for (largest, x) in self.largest.iter_mut().zip(features) {
                *largest = largest.max(x.abs());
            }
        }
    }

    /// The factors for the rows observed so far. A column of zeros keeps 1; if the largest magnitude is below 2⁻¹²⁸,
    /// the column gets the largest possible factor, 2¹²⁷.
    pub fn factors(&self) -> ColumnFactors<N> {
        ColumnFactors::from_exponents(self.largest.map(|largest| {
            // In [2^e, 2^(e + 1)), with e from −149 to 127.
            let exponent = if largest == 0.0 { -1 } else { exponent_of(largest) };
            (-1 - exponent).min(i8::MAX.into()) as i8
        }))
    }
}

impl<const N: usize> Default for ColumnScaler<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// A power of two per column.
///
/// ```
/// use osculate::features::ColumnFactors;
/// // As found by a `ColumnScaler` on recorded data, now a constant in the program.
/// const FACTORS: ColumnFactors<3> = ColumnFactors::from_exponents([-1, -7, -14]);
/// assert_eq!(FACTORS.scale(&[1.0, 100.0, 10_000.0]), [0.5, 0.78125, 0.6103515625]);
/// assert_eq!(FACTORS.unscaled_weights(&[2.0_f32, 128.0, 16_384.0]), [1.0, 1.0, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ColumnFactors<const N: usize> {
    exponents: [i8; N],
}

impl<const N: usize> ColumnFactors<N> {
    /// The factors 2^exponent.
    pub const fn from_exponents(exponents: [i8; N]) -> Self {
        Self { exponents }
    }

    /// Their exponents.
    ///
    /// ```
    /// use osculate::features::ColumnScaler;
    /// let mut scaler = ColumnScaler::new();
    /// scaler.observe(&[1.0, 100.0, 10_000.0]);
    /// // To be copied into the program.
    /// assert_eq!(scaler.factors().exponents(), &[-1, -7, -14]);
    /// ```
    pub const fn exponents(&self) -> &[i8; N] {
        &self.exponents
    }

    /// φ with each column multiplied by its factor. Exact, unless a feature underflows, or overflows because it exceeds
    /// the observed range.
    pub fn scale(&self, features: &[f32; N]) -> [f32; N] {
        core::array::from_fn(|j| features[j].scaled(self.exponents[j].into()))
    }

    /// The weights for the original φ, from those for the [`scale`](Self::scale)d φ: w_j times the *same* factor. Exact
    /// for weights of every arithmetic.
    pub fn unscaled_weights<W: Copy + Into<f64>>(&self, weights: &[W; N]) -> [f64; N] {
        core::array::from_fn(|j| weights[j].into().scaled(self.exponents[j].into()))
    }
}

/// A feature map with scaled columns, itself a feature map.
///
/// ```
/// use osculate::features::{ColumnFactors, FeatureMap, Polynomial, Scaled};
/// let map = Scaled { map: Polynomial::<1, 1, 2>::new(), factors: ColumnFactors::from_exponents([0, -2]) };
/// assert_eq!(map.features(&[3.0]), Ok([1.0, 0.75]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled<M, const N: usize> {
    /// The map before scaling, or a reference to it.
    pub map: M,
    /// The factors of its columns.
    pub factors: ColumnFactors<N>,
}

impl<M: FeatureMap<N>, const N: usize> FeatureMap<N> for Scaled<M, N> {
    type Observation = M::Observation;

    fn features(&self, observation: &M::Observation) -> Result<[f32; N], RowError> {
        Ok(self.factors.scale(&self.map.features(observation)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exponent_of_f32() {
        for exponent in -128..=127 {
            // The smallest and the largest number with this exponent.
            let smallest = 1.0_f32.scaled(exponent);
            let largest = (2.0 - f32::EPSILON).scaled(exponent);
            for x in [smallest, -smallest, largest, -largest] {
                let mut scaler = ColumnScaler::<1>::new();
                scaler.observe(&[x]);
                let [scaled] = scaler.factors().scale(&[x]);
                assert!((0.5..1.0).contains(&scaled.abs()) && scaled * x > 0.0, "{x:e}");
            }
        }
    }

    #[test]
    fn columns_without_data() {
        let mut scaler = ColumnScaler::<3>::default();
        assert_eq!(scaler.factors().exponents(), &[0; 3]);
        scaler.observe(&[0.0, f32::from_bits(1), f32::MAX]);
        scaler.observe(&[1.0, f32::INFINITY, 0.0]);
        assert_eq!(scaler.factors().exponents(), &[0, 127, -128]);
    }
}
