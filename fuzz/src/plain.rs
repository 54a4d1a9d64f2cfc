//! φ·w in plain f64, and how far an arithmetic may be from them.

use super::number::Fuzzed;

pub(super) struct Plain {
    pub(super) value: f64,
    bound: f64,
    /// The largest intermediate number.
    size: f64,
}

impl Plain {
    pub(super) fn dot<A: Fuzzed, const N: usize>(features: &[f64; N], weights: &[A::Weight; N]) -> Self {
        let weights = weights.map(|w| -> f64 { w.into() });
        let largest = features.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let products = features.iter().zip(&weights).map(|(x, w)| x * w);
        let size: f64 = products.clone().map(f64::abs).sum();
        let off: f64 = weights.iter().map(|w| A::FEATURE * largest * w.abs()).sum();
        // A product and a sum per feature, in both computations.
        let bound = off + (N as f64 + 2.0) * (A::UNIT + A::EPSILON * size);
        Self { value: products.sum(), bound, size }
    }

    /// The same through a row, whose largest feature is near 1: much smaller features may underflow.
    pub(super) fn of_row<A: Fuzzed, const N: usize>(self, features: &[f64; N], weights: &[A::Weight; N]) -> Self {
        let largest = features.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let sum: f64 = weights.iter().map(|w| Into::<f64>::into(*w).abs()).sum();
        let bound = self.bound + A::UNIT * (N as f64 + sum) * 2.0 * largest;
        Self { bound, size: self.size.max(2.0 * sum), ..self }
    }

    /// Promise 7.
    pub(super) fn is_near<A: Fuzzed>(&self, number: f64) -> bool {
        match A::LIMITS {
            Some([least, most]) => {
                let [low, high] = [self.value - self.bound, self.value + self.bound].map(|x| x.clamp(least, most));
                (low..=high).contains(&number)
            }
            // Out of range, a float may be infinite or NaN.
            None if self.is_out_of_range::<A>() => true,
            None => (number - self.value).abs() <= self.bound,
        }
    }

    pub(super) fn is_out_of_range<A: Fuzzed>(&self) -> bool {
        A::LIMITS.is_none() && (self.size.is_nan() || self.size > A::LARGEST / 4.0)
    }

    /// The same for a result finally rounded to f32.
    pub(super) fn is_near_rounded<A: Fuzzed>(&self, number: f32) -> bool {
        let rounding = f64::from(f32::EPSILON) * self.value.abs() + 1e-45;
        let [value, size] = [self.value, self.size];
        let largest = f64::from(f32::MAX) / 4.0;
        (A::LIMITS.is_none() && size > largest)
            || Self { value, size, bound: self.bound + rounding }.is_near::<A>(number.into())
    }
}
