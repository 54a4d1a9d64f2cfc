//! How often an agent explores.

/// The probability of a random action in the k-th episode, k = 1, 2, …: ε_k = ε₁ · c/(c + k − 1).
///
/// It is half of ε₁ after c episodes and falls as 1/k eventually, so the policy becomes greedy but never stops
/// exploring.
///
/// ```
/// use osculate::Exploration;
/// let exploration = Exploration { start: 0.5, half_after: 100 };
/// // Half of the actions in the first episode, a quarter in the 101st.
/// assert_eq!(Exploration::NONE.start, 0.0);
/// # let _ = exploration;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Exploration {
    /// ε₁, in [0, 1].
    pub start: f32,
    /// c, at least 1: the number of episodes after which ε has halved. `u32::MAX` keeps ε constant.
    pub half_after: u32,
}

impl Exploration {
    /// No random actions at all.
    pub const NONE: Self = Self { start: 0.0, half_after: u32::MAX };

    /// ε_k.
    pub(crate) fn epsilon(&self, k: u32) -> f32 {
        let later = self.half_after.saturating_add(k.saturating_sub(1));
        self.start * (self.half_after as f32 / later as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::Exploration;

    #[test]
    fn epsilon_halves_and_never_grows() {
        let exploration = Exploration { start: 0.5, half_after: 100 };
        assert_eq!([1, 101, u32::MAX].map(|k| exploration.epsilon(k)), [0.5, 0.25, 0.5 * (100.0 / u32::MAX as f32)]);
        assert!((1..10_000).all(|k| exploration.epsilon(k + 1) <= exploration.epsilon(k)));
        assert_eq!(Exploration::NONE.epsilon(1), 0.0);
    }
}
