//! Features of an observation together with an action.

use super::FeatureMap;
use crate::arithmetic::RowError;

/// A function from observations and actions to `N` features, for [`ActionValues`](crate::ActionValues).
///
/// ```
/// use osculate::RowError;
/// use osculate::features::ActionMap;
/// /// The temperature, the fan's speed, and their product.
/// struct Fan;
/// impl ActionMap<4> for Fan {
///     type Observation = f32;
///     fn features(&self, warmth: &f32, speed: usize) -> Result<[f32; 4], RowError> {
///         let speed = speed as f32 / 2.0;
///         Ok([1.0, *warmth, speed, speed * warmth])
///     }
/// }
/// assert_eq!(Fan.features(&0.5, 2), Ok([1.0, 0.5, 1.0, 0.5]));
/// ```
pub trait ActionMap<const N: usize> {
    /// The application's observation.
    type Observation: ?Sized;

    /// φ(s, a).
    ///
    /// # Errors
    /// [`RowError`] if the observation cannot be mapped.
    fn features(&self, observation: &Self::Observation, action: usize) -> Result<[f32; N], RowError>;
}

/// The `K` features of a map, once per action: the features for the chosen action, and zeros for the others. Every
/// action then has its own weights, `N` = `K` · actions in total.
///
/// ```
/// use osculate::features::{ActionMap, PerAction, Polynomial};
/// let map = PerAction::new(Polynomial::<1, 1, 2>::new());
/// assert_eq!(map.features(&[0.5], 1), Ok([0.0, 0.0, 1.0, 0.5]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerAction<M, const K: usize> {
    map: M,
}

impl<M: FeatureMap<K>, const K: usize> PerAction<M, K> {
    /// From a map of states.
    pub const fn new(map: M) -> Self {
        Self { map }
    }
}

impl<M: FeatureMap<K>, const K: usize, const N: usize> ActionMap<N> for PerAction<M, K> {
    type Observation = M::Observation;

    fn features(&self, observation: &M::Observation, action: usize) -> Result<[f32; N], RowError> {
        const { assert!(K > 0 && N.is_multiple_of(K), "N must be the number of actions times K") };
        let mut all = [0.0; N];
        let block = all.as_chunks_mut().0.get_mut(action).ok_or(RowError::OutsideMap)?;
        *block = self.map.features(observation)?;
        Ok(all)
    }
}
