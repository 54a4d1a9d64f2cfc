//! The iterate, its heavy-ball momentum, and its average.

use crate::arithmetic::backend::{Empty, Overflow, Persist, Scalar};
use crate::arithmetic::{Arithmetic, Shape, Space};
use crate::learn::curvature::PastCurvature;
use crate::learn::state::EpisodicState;

/// Everything that an update changes.
///
/// The velocity is stored instead of w⁻, because the difference of two nearby weights would round away its low bits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Iterate<S: Shape> {
    /// w.
    pub(crate) weights: S::Weights,
    /// w − w⁻.
    pub(crate) velocity: S::Weights,
    /// w̄, the average of all iterates, with later ones weighted more (as k³).
    pub(crate) averaged: S::Weights,
    /// k, the number of updates since the start or the last restart.
    pub(crate) updates: u32,
}

impl<A: Arithmetic, const N: usize> Iterate<Space<A, N>> {
    /// Zero velocity at the given weights.
    pub(crate) const fn new(weights: [A::Weight; N]) -> Self {
        Self { weights, velocity: Empty::EMPTY, averaged: weights, updates: 0 }
    }

    /// w⁺ = w − gain · direction + β (w − w⁻), and w̄ += min(1, 4/(k + 3)) (w⁺ − w̄).
    ///
    /// k is the last number that [`count`](Self::count) returned. Returns how many weights saturated in a fixed-point
    /// format.
    ///
    /// # Errors
    /// [`Overflow`] if a float would leave its range; nothing has moved in that case.
    pub(crate) fn advance(
        &mut self,
        direction: &A::Direction<N>,
        gain: A::Scalar,
        beta: A::Scalar,
    ) -> Result<u32, Overflow> {
        let saturated = A::step(&mut self.weights, &mut self.velocity, direction, gain, beta)?;
        let share = A::Scalar::from_ratio(4, self.updates.saturating_add(3));
        A::average(&mut self.averaged, &self.weights, share);
        Ok(saturated)
    }

    /// Begins an update that has rows to learn from. Returns its number k, which is taken whether it steps or not.
    pub(crate) fn count(&mut self) -> u32 {
        self.updates = self.next();
        self.updates
    }

    /// What is known, with the lengths of past episodes.
    pub(crate) fn state<'s>(&'s self, past: &PastCurvature<A::Scalar>) -> EpisodicState<'s, Space<A, N>> {
        let Self { weights, velocity, averaged, updates } = self;
        let past_lengths = [past.g_norm, past.c_norm].map(A::Scalar::into);
        EpisodicState { weights, velocity, averaged, updates: *updates, past_lengths, past_episodes: past.count }
    }

    /// The number k of the next update, from 1.
    pub(crate) fn next(&self) -> u32 {
        self.updates.saturating_add(1)
    }
}

impl<S: Shape> Persist for Iterate<S> {
    crate::state::persist!(fields weights: S::Weights, velocity: S::Weights, averaged: S::Weights, updates: u32);

    fn is_valid(&self) -> bool {
        [&self.weights, &self.velocity, &self.averaged].into_iter().all(S::Weights::is_valid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::backend::Backend;

    #[test]
    fn momentum_carries_on_and_the_average_follows() {
        let mut iterate = Iterate::<Space<f32, 1>>::new([1.0]);
        let [g, nothing] = [1.0, 0.0].map(|sum| f32::normalise_residuals(&[sum]).unwrap());
        assert_eq!(iterate.count(), 1);
        iterate.advance(&g, 0.5, 0.5).unwrap();
        assert_eq!((iterate.weights, iterate.velocity, iterate.averaged), ([0.5], [-0.5], [0.5]));
        assert_eq!(iterate.count(), 2);
        iterate.advance(&nothing, 0.5, 0.5).unwrap();
        // The second weight of the average is 4/5.
        assert_eq!((iterate.weights, iterate.velocity, iterate.averaged), ([0.25], [-0.25], [0.3]));
        assert_eq!((iterate.updates, iterate.next()), (2, 3));
    }
}
