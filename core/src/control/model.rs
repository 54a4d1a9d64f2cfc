//! The application's one-step model.

/// A possible outcome of an action.
///
/// ```
/// use osculate::Branch;
/// let slips = Branch { probability: 0.25, reward: -0.5, next: Some('b') };
/// let the_end = Branch::<char> { probability: 0.75, reward: 2.0, next: None };
/// assert_eq!(slips.probability + the_end.probability, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Branch<S> {
    /// Its probability, in [0, 1].
    pub probability: f32,
    /// The reward of leaving the state.
    pub reward: f32,
    /// The next state; `None` if the episode ends, after which the value is 0.
    pub next: Option<S>,
}

/// A one-step model, needed to choose actions by the values of *states*.
///
/// It need not be exact: a data sheet or an estimate will do, and [`LinearModel`](crate::LinearModel) can learn its
/// numbers on the device. Without a model, see [`ActionValues`](crate::ActionValues).
///
/// ```
/// use osculate::{Branch, Model};
/// /// Five cells in a row. Action 0 goes left, 1 goes right, and one time in four the ground is slippery.
/// struct Corridor;
/// impl Model for Corridor {
///     type State = u8;
///     fn actions(&self, _: &u8) -> usize {
///         2
///     }
///     fn outcomes(&self, cell: &u8, action: usize) -> impl Iterator<Item = Branch<u8>> {
///         let next = if action == 0 { cell.checked_sub(1) } else { Some(cell + 1).filter(|cell| *cell < 5) };
///         let moves = Branch { probability: 0.75, reward: if next.is_some() { -0.125 } else { 1.0 }, next };
///         [moves, Branch { probability: 0.25, reward: -0.125, next: Some(*cell) }].into_iter()
///     }
/// }
/// for action in 0..Corridor.actions(&0) {
///     assert_eq!(Corridor.outcomes(&0, action).map(|outcome| outcome.probability).sum::<f32>(), 1.0);
/// }
/// ```
pub trait Model {
    /// The agent's observation of the world.
    type State;

    /// The number of actions in a state, numbered from 0. With 0 or 1 there is nothing to choose.
    fn actions(&self, state: &Self::State) -> usize;

    /// The possible outcomes of an action. A deterministic model gives one outcome of probability 1; a model that only
    /// knows the mean reward gives it to every outcome.
    fn outcomes(&self, state: &Self::State, action: usize) -> impl Iterator<Item = Branch<Self::State>>;
}

/// Uses a model by reference, without a copy.
impl<M: Model> Model for &M {
    type State = M::State;

    fn actions(&self, state: &M::State) -> usize {
        M::actions(self, state)
    }

    fn outcomes(&self, state: &M::State, action: usize) -> impl Iterator<Item = Branch<M::State>> {
        M::outcomes(self, state, action)
    }
}
