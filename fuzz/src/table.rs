//! A world that is an arbitrary table, and agents of every kind for it.

use osculate::control::Policy;
use osculate::features::{ActionMap, FeatureMap};
use osculate::{ActionValues, Branch, Log, LookAhead, Model, RowError, Stored, Streaming, Tracking, Transition, World};

use super::agent;
use super::input::Fuzz;
use super::number::Fuzzed;

/// The number of features.
pub(super) const N: usize = 3;
pub(super) const STATES: u8 = 7;
const ACTIONS: usize = 3;

/// The outcomes of each action in each state, the features of each such pair, and what of them an agent makes use of.
pub(super) struct Table {
    /// Whether its rows are of states with actions, whether they are keyed, and whether there is a fallback rule.
    has_actions: bool,
    are_by_state: bool,
    has_envelope: bool,
    features: Vec<Result<[f32; N], RowError>>,
    /// Two possible outcomes per action. Their probabilities need not add up, and may be invalid.
    outcomes: Vec<[Branch<u8>; 2]>,
    /// What a fallback rule does, depending on the state and the last action.
    fallbacks: Vec<Option<usize>>,
    pub(super) actions: usize,
}

impl Table {
    fn any(fuzz: &mut Fuzz) -> Self {
        let pairs = usize::from(STATES) * ACTIONS;
        let mut outcome = |_| {
            // Some are outside the table.
            let next = fuzz.below(u32::from(STATES) + 3) as u8;
            let next = (next < STATES + 1).then_some(next);
            Branch { probability: fuzz.gamma(), reward: fuzz.float(), next }
        };
        let outcomes = (0..pairs).map(|_| [0, 1].map(&mut outcome)).collect();
        let mut features = || if fuzz.one_in(16) { Err(RowError::OutsideMap) } else { Ok(fuzz.floats()) };
        let features = (0..pairs).map(|_| features()).collect();
        // Some of its actions do not exist.
        let mut fallback = || if fuzz.one_in(2) { None } else { Some(fuzz.pick(&[0, 1, 2, 3, usize::MAX])) };
        let fallbacks = (0..pairs).map(|_| fallback()).collect();
        let (has_actions, are_by_state, has_envelope) = (fuzz.one_in(2), fuzz.one_in(2), fuzz.one_in(2));
        let actions = fuzz.below(ACTIONS as u32 + 1) as usize;
        Self { has_actions, are_by_state, has_envelope, features, outcomes, fallbacks, actions }
    }

    fn place(state: u8, action: usize) -> usize {
        usize::from(state % STATES) * ACTIONS + action % ACTIONS
    }

    fn of(&self, state: u8, action: usize) -> Result<[f32; N], RowError> {
        if state < STATES { self.features[Self::place(state, action)] } else { Err(RowError::OutsideMap) }
    }

    /// The key of an agent's row, if it has one.
    pub(super) fn key(&self, state: u8, action: usize) -> Option<u32> {
        let (state, actions) = (u32::from(state), self.actions as u32);
        self.are_by_state.then_some(if self.has_actions { state * actions + action as u32 } else { state })
    }

    /// The features of an agent's row.
    pub(super) fn row(&self, state: u8, action: usize) -> Result<[f32; N], RowError> {
        self.of(state, if self.has_actions { action } else { 0 })
    }

    /// What the fallback rule does, if there is one.
    pub(super) fn fallback(&self, state: u8, last: usize) -> Option<usize> {
        self.fallbacks[Self::place(state, last)].filter(|_| self.has_envelope)
    }
}

impl Model for Table {
    type State = u8;

    fn actions(&self, _: &u8) -> usize {
        self.actions
    }
    fn outcomes(&self, state: &u8, action: usize) -> impl Iterator<Item = Branch<u8>> {
        self.outcomes[Self::place(*state, action)].into_iter()
    }
}

impl FeatureMap<N> for Table {
    type Observation = u8;

    fn features(&self, state: &u8) -> Result<[f32; N], RowError> {
        self.of(*state, 0)
    }
}

impl ActionMap<N> for &Table {
    type Observation = u8;

    fn features(&self, state: &u8, action: usize) -> Result<[f32; N], RowError> {
        self.of(*state, action)
    }
}

/// A walker in that world, which may fail.
pub(super) struct Walker<'w, 'b> {
    pub(super) table: &'w Table,
    pub(super) fuzz: &'w mut Fuzz<'b>,
    pub(super) state: u8,
    /// 0 for never.
    pub(super) fails_one_in: u32,
}

/// The world has failed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

impl Walker<'_, '_> {
    fn may_fail(&mut self) -> Result<(), Failed> {
        let fails = self.fails_one_in > 0 && self.fuzz.one_in(self.fails_one_in);
        if fails { Err(Failed) } else { Ok(()) }
    }
}

impl World for Walker<'_, '_> {
    type Observation = u8;
    type Error = Failed;

    fn begin(&mut self) -> Result<u8, Failed> {
        self.may_fail()?;
        self.state = self.fuzz.below(STATES.into()) as u8;
        Ok(self.state)
    }

    fn act(&mut self, action: usize) -> Result<Transition<u8>, Failed> {
        self.may_fail()?;
        let outcomes = &self.table.outcomes[Table::place(self.state, action)];
        let Branch { reward, next, .. } = self.fuzz.pick(outcomes);
        self.state = next.unwrap_or(0);
        Ok(Transition { reward: (!self.fuzz.one_in(16)).then_some(reward), next })
    }
}

/// An agent with any policy and any rule.
pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    let table = Table::any(fuzz);
    let envelope = |state: &u8, last: usize| table.fallback(*state, last);
    let state = |state: &u8| (*state).into();
    let (values, look_ahead) = (ActionValues::new(table.actions, &table), LookAhead::new(&table, &table));
    let (values, look_ahead) =
        if table.are_by_state { (values.by_state(state), look_ahead.by_state(state)) } else { (values, look_ahead) };
    match (table.has_actions, table.has_envelope) {
        (false, false) => any_rule::<A, _>(fuzz, &table, look_ahead),
        (false, true) => any_rule::<A, _>(fuzz, &table, look_ahead.within(envelope)),
        (true, false) => any_rule::<A, _>(fuzz, &table, values),
        (true, true) => any_rule::<A, _>(fuzz, &table, values.within(envelope)),
    }
}

/// A policy of any kind.
pub(super) trait AnyPolicy<A: Fuzzed>: Policy<A, N, Observation = u8> + Clone {}

impl<A: Fuzzed, P: Policy<A, N, Observation = u8> + Clone> AnyPolicy<A> for P {}

fn any_rule<A: Fuzzed, P: AnyPolicy<A>>(fuzz: &mut Fuzz, table: &Table, policy: P) {
    match fuzz.below(3) {
        0 => agent::live::<A, Tracking<A, N>, P>(fuzz, table, policy),
        1 => agent::live::<A, Streaming<A, N, 1>, P>(fuzz, table, policy),
        _ => agent::live::<A, Stored<Log<A, N, 16, 6>>, P>(fuzz, table, policy),
    }
}
