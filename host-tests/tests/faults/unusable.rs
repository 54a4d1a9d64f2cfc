//! Observations and rewards that are not numbers.

use std::convert::Infallible;

use osculate::features::{FeatureMap, OneHot, PerAction};
use osculate::{
    ActionValues, Agent, Arithmetic, Branch, End, Exploration, Log, LookAhead, Model, Q28, RowError, Sim, Stored,
    StoredConfig, Streaming, StreamingConfig, Targets, Transition, World,
};
use osculate::{Episodic, Space};

/// Every state leads only to the next one, and pays 1. Only the first two states have features.
#[derive(Clone, Copy)]
struct OffTheMap(usize);

impl Model for OffTheMap {
    type State = usize;
    fn actions(&self, _: &usize) -> usize {
        1
    }
    fn outcomes(&self, state: &usize, _: usize) -> impl Iterator<Item = Branch<usize>> {
        std::iter::once(Branch { probability: 1.0, reward: 1.0, next: Some(state + 1) })
    }
}

impl World for OffTheMap {
    type Observation = usize;
    type Error = Infallible;
    fn begin(&mut self) -> Result<usize, Infallible> {
        self.0 = 0;
        Ok(self.0)
    }
    fn act(&mut self, _: usize) -> Result<Transition<usize>, Infallible> {
        self.0 += 1;
        Ok(Transition { reward: Some(1.0), next: Some(self.0) })
    }
}

fn one_step<A: Arithmetic>() -> Stored<Log<A, 2, 8, 8>> {
    let config = StoredConfig { gamma: 0.5, targets: Targets::OneStep, ..StoredConfig::PAPER };
    Stored::new(config, Log::NEW)
}

fn values_off_the_map_in<A: Arithmetic>() {
    let weights = [0.5, 0.25].map(A::weight);
    let model = LookAhead::new(OffTheMap(0), OneHot::<2>);
    let ahead = Agent::new(one_step::<A>(), model, Exploration::NONE, 0).with_weights(weights);
    let actions = ActionValues::new(1, PerAction::new(OneHot::<2>));
    let without_model = Agent::new(one_step::<A>(), actions, Exploration::NONE, 0).with_weights(weights);
    assert_eq!([ahead.value(&2), without_model.value(&2)], [Err(RowError::OutsideMap); 2]);
    assert_eq!([ahead.value(&1), without_model.value(&1)], [Ok(0.25); 2]);
}

#[test]
fn a_state_without_features_has_no_value_in_any_arithmetic() {
    values_off_the_map_in::<f32>();
    values_off_the_map_in::<Q28>();
}

/// An episode is cut outside the map: the rows before that are learned as if the episode had ended there.
fn a_cut_off_the_map_costs_no_row_in<A: Arithmetic>() {
    let policy = LookAhead::new(OffTheMap(0), OneHot::<2>).by_state(|state| *state as u32);
    let mut agent = Agent::new(one_step::<A>(), policy, Exploration::NONE, 0);
    let Ok(outcome) = Sim::new(&mut agent, OffTheMap(0), 2).episode();
    assert_eq!((outcome.end, outcome.report.tau, outcome.report.dropped), (End::Truncated, 2, 0));
    assert_eq!(agent.weights().map(Into::<f64>::into), [1.0; 2]);
}

#[test]
fn a_cut_in_a_state_without_features_makes_no_reward_unusable() {
    a_cut_off_the_map_costs_no_row_in::<f32>();
    a_cut_off_the_map_costs_no_row_in::<Q28>();
}

/// Pays 2 in three steps. In between, a broken sensor wire gives NaN.
struct BrokenWire(u8);

impl World for BrokenWire {
    type Observation = u8;
    type Error = Infallible;
    fn begin(&mut self) -> Result<u8, Infallible> {
        self.0 = 0;
        Ok(0)
    }
    fn act(&mut self, _: usize) -> Result<Transition<u8>, Infallible> {
        self.0 += 1;
        let reward = if self.0.is_multiple_of(2) { f32::NAN } else { 2.0 };
        Ok(Transition { reward: Some(reward), next: (self.0 < 5).then_some(self.0) })
    }
}

/// Every state has the same features.
struct Same;

impl FeatureMap<1> for Same {
    type Observation = u8;
    fn features(&self, _: &u8) -> Result<[f32; 1], RowError> {
        Ok([1.0])
    }
}

fn weight_after<A: Arithmetic>(learner: impl Episodic<Space = Space<A, 1>>) -> (f64, u32) {
    let policy = ActionValues::new(1, PerAction::new(Same)).by_state(|state: &u8| u32::from(*state));
    let mut agent = Agent::new(learner, policy, Exploration::NONE, 0);
    let Ok(outcome) = Sim::new(&mut agent, BrokenWire(0), 8).episode();
    (agent.weights()[0].into(), outcome.report.dropped)
}

fn a_broken_wire_teaches_nothing_in<A: Arithmetic>() {
    // γ = 0, so every target is 2. A reward learned as 0 would pull the weight down.
    let is_right = |(weight, dropped): (f64, u32)| (weight - 2.0).abs() < 1e-6 && dropped == 2;
    let config = StoredConfig { gamma: 0.0, ..StoredConfig::PAPER };
    assert!(is_right(weight_after::<A>(Stored::new(config, Log::<A, 1, 8, 8>::NEW))));
    let config = StreamingConfig { gamma: 0.0, ..StreamingConfig::DEFAULT };
    assert!(is_right(weight_after::<A>(Streaming::<A, 1, 1>::by_state(config))));
}

#[test]
fn a_reward_that_does_not_exist_is_not_learned_as_0() {
    a_broken_wire_teaches_nothing_in::<f32>();
    a_broken_wire_teaches_nothing_in::<Q28>();
}
