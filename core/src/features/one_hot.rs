//! One feature per state.

use super::FeatureMap;
use crate::arithmetic::RowError;

/// 1 for the observed state and 0 for the `N` − 1 others: the weights are a table of values.
///
/// The observation is the state's index in 0..`N`. Every row has ‖φ‖ = 1, so the scale-invariant and least-squares
/// solutions are the same here.
///
/// ```
/// use osculate::RowError;
/// use osculate::features::{FeatureMap, OneHot};
/// assert_eq!(OneHot::<3>.features(&1), Ok([0.0, 1.0, 0.0]));
/// assert_eq!(OneHot::<3>.features(&3), Err(RowError::OutsideMap));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneHot<const N: usize>;

impl<const N: usize> OneHot<N> {
    /// The index of the only non-zero feature: the state's own index, if it is in range.
    const fn index(&self, state: usize) -> Result<usize, RowError> {
        if state < N { Ok(state) } else { Err(RowError::OutsideMap) }
    }
}

impl<const N: usize> FeatureMap<N> for OneHot<N> {
    type Observation = usize;

    fn features(&self, state: &usize) -> Result<[f32; N], RowError> {
        let hot = self.index(*state)?;
        Ok(core::array::from_fn(|i| if i == hot { 1.0 } else { 0.0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hot_feature_is_the_state() {
        for state in 0..5 {
            let phi = OneHot::<5>.features(&state).unwrap();
            assert_eq!(phi.iter().sum::<f32>(), 1.0);
            assert_eq!(phi[state], 1.0);
        }
        assert_eq!(OneHot::<5>.index(usize::MAX), Err(RowError::OutsideMap));
        assert_eq!(OneHot::<0>.index(0), Err(RowError::OutsideMap));
    }
}
