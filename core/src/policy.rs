//! Which action to take, and what is learned from having taken it.
//!
//! | policy | learns the value of | chooses | needs |
//! | --- | --- | --- | --- |
//! | [`LookAhead`] | states | the best of reward + γ φ(next)·w | a one-step [`Model`] |
//! | [`ActionValues`] | states with actions | the best of φ(s, a)·w | no model, but more features |
//! | [`Prediction`] | states | nothing: a fixed rule, or no actions at all | |
//!
//! Exploration is not their business: [`Sim`](crate::Sim) draws the random actions. Where several actions are equally
//! good, the first one is taken, on every machine.

use crate::arithmetic::{Arithmetic, RowError};
use crate::world::Model;

/// A way to choose actions by weights, and to make rows of what happened.
///
/// ```
/// use osculate::policy::{ActionValues, Policy};
/// // Two actions in every state, a feature for each.
/// let policy = ActionValues::new(2, |_: &u8, action| Ok(if action == 0 { [1.0, 0.0] } else { [0.0, 1.0] }));
/// let weights = [0.25_f32, 0.75];
/// assert_eq!(Policy::<f32, u8, 2>::decide(&policy, &7, 0.9, &weights), 1);
/// assert_eq!(Policy::<f32, u8, 2>::value(&policy, &7, 0.9, &weights), Some(0.75));
/// assert_eq!(Policy::<f32, u8, 2>::actions(&policy, &7), 2);
/// assert_eq!(Policy::<f32, u8, 2>::row(&policy, &7, 0), ((7, 0), Ok([1.0, 0.0])));
/// ```
pub trait Policy<A: Arithmetic, S, const N: usize> {
    /// What a row is about, such as a state. First visits are told from later ones by it.
    type Key;

    /// How many actions there are to explore, from 0 on; none where it is 0 or 1.
    fn actions(&self, state: &S) -> usize;

    /// The action that is taken where none is drawn at random.
    fn decide(&self, state: &S, gamma: A::Scalar, weights: &[A::Weight; N]) -> usize;

    /// φ·w, the estimated value of being in a state; `None` where its features cannot be used.
    fn value(&self, state: &S, gamma: A::Scalar, weights: &[A::Weight; N]) -> Option<A::Target>;

    /// What a step from this state by this action is a row of: its key and its features φ.
    fn row(&self, state: &S, action: usize) -> (Self::Key, Result<A::Features<N>, RowError>);
}

/// Chooses by the values of states, one step ahead: the greatest Σ p·(reward + γ φ(next)·w) over a model's outcomes.
///
/// ```
/// use osculate::policy::{LookAhead, Policy};
/// use osculate::world::{Model, Transition};
/// use osculate::RowError;
/// /// A crumb here (action 0), or a step towards the loaf (action 1).
/// struct Kitchen;
/// impl Model<f32, 2> for Kitchen {
///     type State = usize;
///     fn actions(&self, _: &usize) -> usize {
///         2
///     }
///     fn outcomes(&self, place: &usize, action: usize) -> impl Iterator<Item = (f32, Transition<f32, usize>)> {
///         let (reward, next) = match (place, action) {
///             (_, 0) => (0.25, None),
///             (0, _) => (0.0, Some(1)),
///             _ => (1.0, None),
///         };
///         core::iter::once((1.0, Transition { reward, next }))
///     }
///     fn features(&self, place: &usize) -> Result<[f32; 2], RowError> {
///         Ok(if *place == 0 { [1.0, 0.0] } else { [0.0, 1.0] })
///     }
/// }
/// let policy = LookAhead(Kitchen);
/// assert_eq!(policy.decide(&0, 0.9, &[0.0, 0.0]), 0); // knows nothing, takes the crumb
/// assert_eq!(policy.decide(&0, 0.9, &[0.0, 1.0]), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookAhead<M>(pub M);

impl<M> LookAhead<M> {
    /// Σ p·(reward + γ φ(next)·w), and what has ended is worth 0; `None` where it is not a number.
    fn outlook<A, const N: usize>(
        &self,
        state: &M::State,
        action: usize,
        gamma: A::Scalar,
        weights: &[A::Weight; N],
    ) -> Option<A::Target>
    where
        A: Arithmetic,
        M: Model<A, N>,
    {
        let nothing = A::target(0.0).ok()?;
        let outlook = self.0.outcomes(state, action).try_fold(nothing, |sum, (probability, transition)| {
            let worth = match transition.next {
                Some(next) => {
                    let features = self.0.features(&next).ok()?;
                    A::backup(transition.reward, gamma, A::value(&features, weights))
                }
                None => transition.reward,
            };
            Some(A::backup(sum, probability, worth))
        });
        outlook.filter(|outlook| A::is_usable(*outlook))
    }
}

impl<A, S, M, const N: usize> Policy<A, S, N> for LookAhead<M>
where
    A: Arithmetic<Target: PartialOrd>,
    S: Clone,
    M: Model<A, N, State = S>,
{
    type Key = S;

    fn actions(&self, state: &S) -> usize {
        self.0.actions(state)
    }

    fn decide(&self, state: &S, gamma: A::Scalar, weights: &[A::Weight; N]) -> usize {
        first_best(self.0.actions(state), |action| self.outlook::<A, N>(state, action, gamma, weights))
    }

    fn value(&self, state: &S, _: A::Scalar, weights: &[A::Weight; N]) -> Option<A::Target> {
        usable_value::<A, N>(self.0.features(state), weights)
    }

    fn row(&self, state: &S, _: usize) -> (S, Result<A::Features<N>, RowError>) {
        (state.clone(), self.0.features(state))
    }
}

/// Chooses by the values of actions, without a model: the greatest φ(s, a)·w. Rows are about a state *and* an action.
///
/// ```
/// use osculate::features::{FeatureMap, OneHot};
/// use osculate::policy::{ActionValues, Policy};
/// // A table of 2 states with 2 actions each.
/// let policy = ActionValues::new(2, |state: &usize, action| OneHot::<4>.encode::<f32>(&(2 * state + action)));
/// let decide = |state| Policy::<f32, _, 4>::decide(&policy, &state, 0.9, &[0.5, 0.25, 0.125, 1.0]);
/// assert_eq!((decide(0), decide(1)), (0, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionValues<F> {
    actions: usize,
    features: F,
}

impl<F> ActionValues<F> {
    /// With this many actions in every state, and φ(s, a) in the form of an arithmetic, `A::Features<N>`.
    pub fn new<S, X>(actions: usize, features: F) -> Self
    where
        F: Fn(&S, usize) -> Result<X, RowError>,
    {
        Self { actions, features }
    }
}

impl<A, S, F, const N: usize> Policy<A, S, N> for ActionValues<F>
where
    A: Arithmetic<Target: PartialOrd>,
    S: Clone,
    F: Fn(&S, usize) -> Result<A::Features<N>, RowError>,
{
    type Key = (S, usize);

    fn actions(&self, _: &S) -> usize {
        self.actions
    }

    fn decide(&self, state: &S, _: A::Scalar, weights: &[A::Weight; N]) -> usize {
        first_best(self.actions, |action| usable_value::<A, N>((self.features)(state, action), weights))
    }

    /// Of the best action.
    fn value(&self, state: &S, gamma: A::Scalar, weights: &[A::Weight; N]) -> Option<A::Target> {
        let best = Policy::<A, S, N>::decide(self, state, gamma, weights);
        usable_value::<A, N>((self.features)(state, best), weights)
    }

    fn row(&self, state: &S, action: usize) -> ((S, usize), Result<A::Features<N>, RowError>) {
        ((state.clone(), action), (self.features)(state, action))
    }
}

/// Chooses nothing: learns what a fixed rule is worth, or a world that goes its own way.
///
/// ```
/// use osculate::policy::{Policy, Prediction};
/// let features = |level: &u8| Ok([1.0_f32, f32::from(*level)]);
/// let thermostat = Prediction::new(features, |level| usize::from(*level < 20));
/// assert_eq!(Policy::<f32, u8, 2>::decide(&thermostat, &18, 0.9, &[0.0, 0.0]), 1);
/// let spectator = Prediction::without_actions(features);
/// assert_eq!(Policy::<f32, u8, 2>::value(&spectator, &18, 0.9, &[1.0, 0.5]), Some(10.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction<F, P> {
    features: F,
    rule: P,
}

impl<F, P> Prediction<F, P> {
    /// With φ of a state in the form of an arithmetic, `A::Features<N>`, and the rule's action in a state.
    pub fn new<S, X>(features: F, rule: P) -> Self
    where
        F: Fn(&S) -> Result<X, RowError>,
        P: Fn(&S) -> usize,
    {
        Self { features, rule }
    }
}

impl<F> Prediction<F, ()> {
    /// Of a world without actions: its `act` is always called with 0.
    pub fn without_actions<S, X>(features: F) -> Prediction<F, fn(&S) -> usize>
    where
        F: Fn(&S) -> Result<X, RowError>,
    {
        Prediction { features, rule: |_| 0 }
    }
}

impl<A, S, F, P, const N: usize> Policy<A, S, N> for Prediction<F, P>
where
    A: Arithmetic,
    S: Clone,
    F: Fn(&S) -> Result<A::Features<N>, RowError>,
    P: Fn(&S) -> usize,
{
    type Key = S;

    fn actions(&self, _: &S) -> usize {
        1
    }

    fn decide(&self, state: &S, _: A::Scalar, _: &[A::Weight; N]) -> usize {
        (self.rule)(state)
    }

    fn value(&self, state: &S, _: A::Scalar, weights: &[A::Weight; N]) -> Option<A::Target> {
        usable_value::<A, N>((self.features)(state), weights)
    }

    fn row(&self, state: &S, _: usize) -> (S, Result<A::Features<N>, RowError>) {
        (state.clone(), (self.features)(state))
    }
}

/// φ·w, where both the features and the value can be used.
fn usable_value<A: Arithmetic, const N: usize>(
    features: Result<A::Features<N>, RowError>,
    weights: &[A::Weight; N],
) -> Option<A::Target> {
    Some(A::value(&features.ok()?, weights)).filter(|value| A::is_usable(*value))
}

/// The first of the actions that nothing exceeds; 0 where none has a worth.
fn first_best<T: PartialOrd>(actions: usize, worth: impl Fn(usize) -> Option<T>) -> usize {
    let mut best: Option<(usize, T)> = None;
    for action in 0..actions {
        if let Some(worth) = worth(action)
            && best.as_ref().is_none_or(|(_, most)| worth > *most)
        {
            best = Some((action, worth));
        }
    }
    best.map_or(0, |(action, _)| action)
}
