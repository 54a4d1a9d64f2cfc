//! What the agent acts in, and what it knows about it beforehand.

use crate::arithmetic::{Arithmetic, RowError};

/// What came, or may come, of an action: the reward, and the state that it led to.
///
/// ```
/// use osculate::world::Transition;
/// let onward = Transition { reward: -0.5, next: Some('b') };
/// let the_end = Transition::<f32, char> { reward: 2.0, next: None };
/// assert!(onward.next.is_some() && the_end.next.is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Transition<T, S> {
    /// The reward of leaving the state.
    pub reward: T,
    /// The next state; `None` where the episode has ended. What has ended has the value 0.
    pub next: Option<S>,
}

impl<T, S> Transition<T, S> {
    /// What a model expected, as what a world has really done: its reward is known.
    ///
    /// ```
    /// use osculate::world::Transition;
    /// let expected = Transition { reward: 1.5, next: Some('b') };
    /// assert_eq!(expected.observed(), Transition { reward: Some(1.5), next: Some('b') });
    /// ```
    pub fn observed(self) -> Transition<Option<T>, S> {
        Transition { reward: Some(self.reward), next: self.next }
    }
}

/// Something that really moves: a simulation with its own randomness, or sensors and actuators.
///
/// An action is a number from 0 on; what it means is up to the world. Where there is nothing to choose, as in
/// [`Prediction`](crate::policy::Prediction), it is 0 and means "carry on".
///
/// ```
/// use osculate::world::{Transition, World};
/// /// A coin machine: action 0 leaves, action 1 pays 1 for the chance to go on, three times at the most.
/// struct Machine(u8);
/// impl World<f32> for Machine {
///     type State = u8;
///     fn begin(&mut self) -> u8 {
///         self.0 = 3;
///         self.0
///     }
///     fn act(&mut self, action: usize) -> Transition<Option<f32>, u8> {
///         self.0 -= 1;
///         let goes_on = action == 1 && self.0 > 0;
///         Transition { reward: Some(if action == 1 { -1.0 } else { 0.0 }), next: goes_on.then_some(self.0) }
///     }
/// }
/// let mut machine = Machine(0);
/// assert_eq!(machine.begin(), 3);
/// assert_eq!(machine.act(0).next, None);
/// ```
pub trait World<A: Arithmetic> {
    /// What the agent sees of it.
    type State;

    /// Begins an episode: the first state. Starting in different states lets the agent see more of them.
    fn begin(&mut self) -> Self::State;

    /// Takes the action. A reward of `None`, one that is not finite, or one that [`Arithmetic::target`] refuses (which is
    /// `None`, too) leaves the step out of what is learned.
    fn act(&mut self, action: usize) -> Transition<Option<A::Target>, Self::State>;
}

/// What the application knows of one step ahead: it is what choosing actions by the values of *states* needs.
///
/// It need not be the world itself: a data sheet, or an estimate, will do. Without any, see
/// [`ActionValues`](crate::policy::ActionValues).
///
/// ```
/// use osculate::features::{FeatureMap, OneHot};
/// use osculate::world::{Model, Transition};
/// use osculate::RowError;
/// /// Five cells in a row. Action 0 goes left, 1 goes right, and one time in four the ground is slippery.
/// struct Corridor;
/// impl Model<f32, 5> for Corridor {
///     type State = u8;
///     fn actions(&self, _: &u8) -> usize {
///         2
///     }
///     fn outcomes(&self, cell: &u8, action: usize) -> impl Iterator<Item = (f32, Transition<f32, u8>)> {
///         let there = if action == 0 { cell.checked_sub(1) } else { Some(cell + 1).filter(|cell| *cell < 5) };
///         let moved = Transition { reward: if there.is_some() { -0.125 } else { 1.0 }, next: there };
///         let slipped = Transition { reward: -0.125, next: Some(*cell) };
///         [(0.75, moved), (0.25, slipped)].into_iter()
///     }
///     fn features(&self, cell: &u8) -> Result<[f32; 5], RowError> {
///         OneHot::<5>.encode::<f32>(&usize::from(*cell))
///     }
/// }
/// for action in 0..Corridor.actions(&0) {
///     assert_eq!(Corridor.outcomes(&0, action).map(|(probability, _)| probability).sum::<f32>(), 1.0);
/// }
/// assert_eq!(Corridor.features(&3), Ok([0.0, 0.0, 0.0, 1.0, 0.0]));
/// ```
pub trait Model<A: Arithmetic, const N: usize> {
    /// What the agent sees of the world.
    type State;

    /// How many actions there are in a state, numbered from 0. Where it is 0 or 1 there is nothing to choose.
    fn actions(&self, state: &Self::State) -> usize;

    /// What may come of an action, each with its probability. A deterministic model gives one outcome of probability 1;
    /// one that only knows the mean reward gives it to every outcome.
    fn outcomes(
        &self,
        state: &Self::State,
        action: usize,
    ) -> impl Iterator<Item = (A::Scalar, Transition<A::Target, Self::State>)>;

    /// φ of a state.
    ///
    /// # Errors
    /// [`RowError`] where it has none that the format can hold: then nothing is learned about it, and no action that may
    /// lead there is greedy.
    fn features(&self, state: &Self::State) -> Result<A::Features<N>, RowError>;
}

/// A model is used through its reference, without a copy.
impl<A: Arithmetic, M: Model<A, N>, const N: usize> Model<A, N> for &M {
    type State = M::State;

    fn actions(&self, state: &M::State) -> usize {
        M::actions(self, state)
    }

    fn outcomes(
        &self,
        state: &M::State,
        action: usize,
    ) -> impl Iterator<Item = (A::Scalar, Transition<A::Target, M::State>)> {
        M::outcomes(self, state, action)
    }

    fn features(&self, state: &M::State) -> Result<A::Features<N>, RowError> {
        M::features(self, state)
    }
}
