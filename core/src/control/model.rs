//! What the application knows of one step ahead.

/// What may come of an action.
///
/// ```
/// use osculate::Likely;
/// let slips = Likely { probability: 0.25, reward: -0.5, next: Some('b') };
/// let the_end = Likely::<char> { probability: 0.75, reward: 2.0, next: None };
/// assert_eq!(slips.probability + the_end.probability, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Likely<S> {
    /// How likely it is, in [0, 1].
    pub probability: f32,
    /// The reward of leaving the state.
    pub reward: f32,
    /// The next state; `None` where the episode ends. What has ended has the value 0.
    pub next: Option<S>,
}

/// One step ahead: what choosing actions by the values of *states* needs.
///
/// It need not be the world itself: a data sheet, or an estimate, will do. Without any, see
/// [`ActionValues`](crate::ActionValues).
///
/// ```
/// use osculate::{Likely, Model};
/// /// Five cells in a row. Action 0 goes left, 1 goes right, and one time in four the ground is slippery.
/// struct Corridor;
/// impl Model for Corridor {
///     type State = u8;
///     fn actions(&self, _: &u8) -> usize {
///         2
///     }
///     fn outcomes(&self, cell: &u8, action: usize) -> impl Iterator<Item = Likely<u8>> {
///         let next = if action == 0 { cell.checked_sub(1) } else { Some(cell + 1).filter(|cell| *cell < 5) };
///         let moves = Likely { probability: 0.75, reward: if next.is_some() { -0.125 } else { 1.0 }, next };
///         [moves, Likely { probability: 0.25, reward: -0.125, next: Some(*cell) }].into_iter()
///     }
/// }
/// for action in 0..Corridor.actions(&0) {
///     assert_eq!(Corridor.outcomes(&0, action).map(|outcome| outcome.probability).sum::<f32>(), 1.0);
/// }
/// ```
pub trait Model {
    /// What the agent sees of the world.
    type State;

    /// How many actions there are in a state, numbered from 0. Where it is 0 or 1 there is nothing to choose.
    fn actions(&self, state: &Self::State) -> usize;

    /// What may come of an action. A deterministic model gives one outcome of probability 1; one that only knows the mean
    /// reward gives it to every outcome.
    fn outcomes(&self, state: &Self::State, action: usize) -> impl Iterator<Item = Likely<Self::State>>;
}

/// A model is used through its reference, without a copy.
impl<M: Model> Model for &M {
    type State = M::State;

    fn actions(&self, state: &M::State) -> usize {
        M::actions(self, state)
    }

    fn outcomes(&self, state: &M::State, action: usize) -> impl Iterator<Item = Likely<M::State>> {
        M::outcomes(self, state, action)
    }
}
