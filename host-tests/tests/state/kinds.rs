//! Every rule in every arithmetic, for predictors and for agents.

use osculate::{Agent, Arithmetic, Predictor, Q24, Q28};
pub(crate) use osculate_host_tests::any_rule::Listed as Rule;
use osculate_host_tests::any_rule::{AnyRule, Visit};

use crate::script::N;
use crate::subject::{EXPLORATION, Predicts, Subject, action_values, look_ahead};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Predictor,
    LookAhead,
    ActionValues,
}

/// What a state belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) owner: Owner,
    pub(crate) rule: Rule,
    pub(crate) arithmetic: &'static str,
    make: fn(Owner, Rule) -> Box<dyn Subject>,
}

impl Kind {
    pub(crate) fn subject(&self) -> Box<dyn Subject> {
        (self.make)(self.owner, self.rule)
    }

    pub(crate) fn name(&self) -> String {
        format!("{:?}, {:?}, {}", self.owner, self.rule, self.arithmetic)
    }
}

/// Gives a learner an owner.
struct Owned(Owner, Rule);

impl<A: Arithmetic> Visit<A, N> for Owned {
    type Output = Box<dyn Subject>;

    fn visit(self, learner: impl AnyRule<A, N> + 'static) -> Self::Output {
        let by_state = self.1 != Rule::Streaming;
        match self.0 {
            Owner::Predictor => Box::new(Predicts { predictor: Predictor::new(learner), by_state }),
            Owner::LookAhead => Box::new(Agent::new(learner, look_ahead(by_state), EXPLORATION, 5)),
            Owner::ActionValues => Box::new(Agent::new(learner, action_values(by_state), EXPLORATION, 5)),
        }
    }
}

fn make<A: Arithmetic>(owner: Owner, rule: Rule) -> Box<dyn Subject> {
    rule.visit::<A, _, N>(Owned(owner, rule))
}

fn kinds_in<A: Arithmetic>() -> impl Iterator<Item = Kind> {
    let owners = [Owner::Predictor, Owner::LookAhead, Owner::ActionValues];
    let all = owners.into_iter().flat_map(|owner| Rule::ALL.map(|rule| (owner, rule)));
    all.map(|(owner, rule)| Kind { owner, rule, arithmetic: A::NAME, make: make::<A> })
}

pub(crate) fn floats() -> Vec<Kind> {
    kinds_in::<f32>().chain(kinds_in::<f64>()).collect()
}

pub(crate) fn fixed() -> Vec<Kind> {
    kinds_in::<Q28>().chain(kinds_in::<Q24>()).collect()
}
