//! A world that is an arbitrary table, and agents of every kind for it.

use osculate::control::Policy;
use osculate::features::{ActionMap, FeatureMap};
use osculate::{ActionValues, Agent, Branch, Exploration, LookAhead, Model, RowError, Transition, World};
use osculate_host_tests::worlds::Dice;

use super::check::{exploration_faults, made};
use super::input::Fuzz;
use super::number::Fuzzed;
use super::rules::{N, Rule, Visit, any_rule};

pub(super) const STATES: u8 = 7;
const ACTIONS: usize = 3;

/// The outcomes of each action in each state, and the features of each such pair.
pub(super) struct Table {
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
        Self { features, outcomes, fallbacks, actions: fuzz.below(ACTIONS as u32 + 1) as usize }
    }

    fn place(state: u8, action: usize) -> usize {
        usize::from(state % STATES) * ACTIONS + action % ACTIONS
    }

    fn of(&self, state: u8, action: usize) -> Result<[f32; N], RowError> {
        if state < STATES { self.features[Self::place(state, action)] } else { Err(RowError::OutsideMap) }
    }

    fn fallback(&self, state: u8, last: usize) -> Option<usize> {
        self.fallbacks[Self::place(state, last)]
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

/// Features of a state with an action.
struct ByAction<'t>(&'t Table);

impl ActionMap<N> for ByAction<'_> {
    type Observation = u8;

    fn features(&self, state: &u8, action: usize) -> Result<[f32; N], RowError> {
        self.0.of(*state, action)
    }
}

/// A walker in that world, which may fail.
pub(super) struct Walker<'t> {
    pub(super) table: &'t Table,
    pub(super) state: u8,
    pub(super) dice: Dice,
    /// `u32::MAX` for never.
    pub(super) fails_one_in: u32,
}

/// A failure of the world, identified by a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Failed(pub(super) u32);

impl Walker<'_> {
    fn may_fail(&mut self) -> Result<(), Failed> {
        let number = self.dice.bits();
        let fails = self.dice.below(self.fails_one_in) == 0 && self.fails_one_in < u32::MAX;
        if fails { Err(Failed(number)) } else { Ok(()) }
    }
}

impl World for Walker<'_> {
    type Observation = u8;
    type Error = Failed;

    fn begin(&mut self) -> Result<u8, Failed> {
        self.may_fail()?;
        self.state = self.dice.below(STATES.into()) as u8;
        Ok(self.state)
    }

    fn act(&mut self, action: usize) -> Result<Transition<u8>, Failed> {
        self.may_fail()?;
        let Branch { reward, next, .. } =
            self.table.outcomes[Table::place(self.state, action)][self.dice.below(2) as usize];
        self.state = next.unwrap_or(0);
        Ok(Transition { reward: (self.dice.below(16) > 0).then_some(reward), next })
    }
}

/// What the rows of an agent stand for.
pub(super) struct Rows<'t> {
    table: &'t Table,
    has_actions: bool,
    are_by_state: bool,
    has_envelope: bool,
}

impl Rows<'_> {
    /// The key of a step, if it has one.
    pub(super) fn key(&self, state: u8, action: usize) -> Option<u32> {
        let number =
            if self.has_actions { u32::from(state) * self.table.actions as u32 + action as u32 } else { state.into() };
        self.are_by_state.then_some(number)
    }

    pub(super) fn features(&self, state: u8, action: usize) -> Result<[f32; N], RowError> {
        self.table.of(state, if self.has_actions { action } else { 0 })
    }

    /// What the fallback rule does, if there is one.
    pub(super) fn fallback(&self, state: u8, last: usize) -> Option<usize> {
        self.table.fallback(state, last).filter(|_| self.has_envelope)
    }
}

/// What to do with an agent.
pub(super) trait VisitAgent<A: Fuzzed> {
    fn visit<L, P>(self, fuzz: &mut Fuzz, table: &Table, rows: &Rows, agent: Agent<L, P>)
    where
        L: Rule<A, N>,
        P: Policy<A, N, Observation = u8>;
}

/// Any agent, with every rule and policy, if its configuration is valid.
pub(super) fn any_agent<A: Fuzzed>(fuzz: &mut Fuzz, visit: impl VisitAgent<A>) {
    let table = Table::any(fuzz);
    let (has_actions, are_by_state, has_envelope) = (fuzz.one_in(2), fuzz.one_in(2), fuzz.one_in(2));
    let rows = Rows { table: &table, has_actions, are_by_state, has_envelope };
    let envelope = |state: &u8, last: usize| table.fallback(*state, last);
    let state = |state: &u8| (*state).into();
    if has_actions {
        let policy = ActionValues::new(table.actions, ByAction(&table));
        let policy = if are_by_state { policy.by_state(state) } else { policy };
        if has_envelope {
            any_rule::<A>(fuzz, WithPolicy { table: &table, rows: &rows, policy: policy.within(envelope), visit });
        } else {
            any_rule::<A>(fuzz, WithPolicy { table: &table, rows: &rows, policy, visit });
        }
    } else {
        let policy = LookAhead::new(&table, &table);
        let policy = if are_by_state { policy.by_state(state) } else { policy };
        if has_envelope {
            any_rule::<A>(fuzz, WithPolicy { table: &table, rows: &rows, policy: policy.within(envelope), visit });
        } else {
            any_rule::<A>(fuzz, WithPolicy { table: &table, rows: &rows, policy, visit });
        }
    }
}

/// A policy that waits for a rule.
struct WithPolicy<'t, P, V> {
    table: &'t Table,
    rows: &'t Rows<'t>,
    policy: P,
    visit: V,
}

impl<A: Fuzzed, P: Policy<A, N, Observation = u8>, V: VisitAgent<A>> Visit<A> for WithPolicy<'_, P, V> {
    fn visit<L: Rule<A, N>>(self, fuzz: &mut Fuzz, learner: L) {
        let halves = [0, 1, 3, 100, 100, 100, u32::MAX];
        let exploration = Exploration { start: fuzz.gamma(), half_after: fuzz.pick(&halves) };
        let agent = Agent::try_new(learner, self.policy, exploration, fuzz.any());
        let Some(agent) = made(fuzz, agent, &exploration_faults(exploration)) else { return };
        self.visit.visit(fuzz, self.table, self.rows, agent);
    }
}
