//! The iterate and its heavy-ball momentum.

use crate::arithmetic::{Arithmetic, Overflow};

/// Weights w and velocity w − w⁻: all that an update moves.
///
/// The velocity is stored instead of w⁻, because the difference of two nearby weights would round away its low bits.
///
/// ```
/// use osculate::{Arithmetic, momentum::Iterate};
/// let mut iterate = Iterate::<f32, 1>::new([1.0]);
/// let g = f32::close([1.0]).unwrap();
/// iterate.advance(&g, 0.5, 0.5).unwrap();
/// assert_eq!((iterate.weights, iterate.velocity), ([0.5], [-0.5]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Iterate<A: Arithmetic, const N: usize> {
    /// w.
    pub weights: [A::Weight; N],
    /// w − w⁻.
    pub velocity: [A::Weight; N],
}

impl<A: Arithmetic, const N: usize> Iterate<A, N> {
    /// At rest at the given weights.
    pub fn new(weights: [A::Weight; N]) -> Self {
        Self { weights, velocity: [A::Weight::default(); N] }
    }

    /// w⁺ = w − gain · direction + β (w − w⁻); how many weights were stopped at the format's limits.
    ///
    /// # Errors
    /// [`Overflow`] where a float would leave its range; nothing has moved then.
    pub fn advance(&mut self, direction: &A::Direction<N>, gain: A::Scalar, beta: A::Scalar) -> Result<u32, Overflow> {
        A::step(&mut self.weights, &mut self.velocity, direction, gain, beta)
    }
}
