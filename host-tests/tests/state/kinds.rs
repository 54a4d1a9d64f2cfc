//! Every rule in every arithmetic, for predictors and for agents.

use osculate::{
    Agent, Arithmetic, Log, Predictor, Q24, Q28, Stored, StoredConfig, Streaming, StreamingConfig, Targets, Tracking,
    TrackingConfig,
};
use osculate_host_tests::any_rule::AnyRule;

use crate::script::N;
use crate::subject::{EXPLORATION, Predicts, Subject, action_values, look_ahead};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Predictor,
    LookAhead,
    ActionValues,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Paper,
    OneStep,
    Predictable,
    Plain,
    Streaming,
    StreamingByState,
    Tracking,
    /// With γ = 0.
    TrackingRows,
}

impl Rule {
    const ALL: [Self; 8] = [
        Self::Paper,
        Self::OneStep,
        Self::Predictable,
        Self::Plain,
        Self::Streaming,
        Self::StreamingByState,
        Self::Tracking,
        Self::TrackingRows,
    ];

    fn config(self) -> StoredConfig {
        match self {
            Self::OneStep => StoredConfig { targets: Targets::OneStep, ..StoredConfig::PAPER },
            Self::Predictable => StoredConfig::PREDICTABLE,
            Self::Plain => StoredConfig::PLAIN,
            _ => StoredConfig::PAPER,
        }
    }
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

    pub(crate) fn has_log(&self) -> bool {
        matches!(self.rule, Rule::Paper | Rule::OneStep | Rule::Predictable | Rule::Plain)
    }

    pub(crate) fn name(&self) -> String {
        format!("{:?}, {:?}, {}", self.owner, self.rule, self.arithmetic)
    }
}

fn owned<A: Arithmetic>(owner: Owner, rule: Rule, learner: impl AnyRule<A, N> + 'static) -> Box<dyn Subject> {
    let by_state = rule != Rule::Streaming;
    match owner {
        Owner::Predictor => Box::new(Predicts { predictor: Predictor::new(learner), by_state }),
        Owner::LookAhead => Box::new(Agent::new(learner, look_ahead(by_state), EXPLORATION, 5)),
        Owner::ActionValues => Box::new(Agent::new(learner, action_values(by_state), EXPLORATION, 5)),
    }
}

fn make<A: Arithmetic>(owner: Owner, rule: Rule) -> Box<dyn Subject> {
    let streaming = StreamingConfig::DEFAULT;
    let tracking = TrackingConfig { every: 4, ..TrackingConfig::DEFAULT };
    let rows = TrackingConfig { gamma: 0.0, ..tracking };
    match rule {
        Rule::Tracking => owned::<A>(owner, rule, Tracking::<A, N>::new(tracking)),
        Rule::TrackingRows => owned::<A>(owner, rule, Tracking::<A, N>::new(rows)),
        Rule::Streaming => owned::<A>(owner, rule, Streaming::<A, N>::new(streaming)),
        Rule::StreamingByState => owned::<A>(owner, rule, Streaming::<A, N, 1>::by_state(streaming)),
        _ => owned::<A>(owner, rule, Stored::new(rule.config(), Log::<A, N, 12, 8>::NEW)),
    }
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
