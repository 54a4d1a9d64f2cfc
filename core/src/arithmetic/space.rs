//! An arithmetic and a number of features, as one type.

use core::fmt::Debug;
use core::marker::PhantomData;

use super::Arithmetic;
use super::backend::Data;

/// `N` features and weights in the arithmetic `A`: what a [`Learner`](crate::Learner) learns in.
///
/// ```
/// use osculate::{Learner, Space, Tracking};
/// fn is_small<R: Learner<Space = Space<f32, 3>>>() -> bool {
///     R::MAX_BYTES < 256
/// }
/// assert!(is_small::<Tracking<f32, 3>>());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space<A, const N: usize>(PhantomData<A>);

/// The types of a [`Space`].
pub trait Shape: Clone + Debug + PartialEq {
    /// The number format.
    type Arithmetic: Arithmetic;
    /// φ.
    type Features;
    /// φ in the arithmetic's native format.
    type Raw;
    /// w.
    type Weights: Data;
    /// Weights as numbers, exactly.
    #[cfg(feature = "serde")]
    fn numbers(weights: &Self::Weights) -> impl Iterator<Item = f64>;
}

impl<A: Arithmetic, const N: usize> Shape for Space<A, N> {
    type Arithmetic = A;
    type Features = [f32; N];
    type Raw = A::Raw<N>;
    type Weights = [A::Weight; N];

    #[cfg(feature = "serde")]
    fn numbers(weights: &[A::Weight; N]) -> impl Iterator<Item = f64> {
        weights.iter().map(|&weight| weight.into())
    }
}
