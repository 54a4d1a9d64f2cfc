//! Faults found by review, use and attack, as far as no other test has taken them in: each failed on the code at the time.
//!
//! What happens to weights and counts, with unusable rows, repeated and full episodes, restarts and sums at the ends of the
//! formats, is compared bit for bit with references; on the boards, with the host (`replay_parity`). What is refused,
//! counted and returned, `fuzz` compares with models of an episode and of an agent.

use std::convert::Infallible;

use osculate::arithmetic::backend::{Backend, Empty, Features, Row, Scalar};
use osculate::features::{OneHot, PerAction};
use osculate::{
    ActionValues, Agent, Arithmetic, Branch, End, Exploration, Log, LookAhead, Model, Predictor, Q28, RowError, Sim,
    Stored, StoredConfig, Targets, Transition, World,
};
use osculate_host_tests::worlds::Dice;

fn stored<A: Arithmetic, const N: usize>(targets: Targets) -> Stored<Log<A, N, 8, 8>> {
    Stored::new(StoredConfig { gamma: 0.5, targets, ..StoredConfig::PAPER }, Log::NEW)
}

/// The row of a step that was waiting for its reward was taken to be the last row, even if a row with its target came
/// after it.
#[test]
fn a_step_that_is_left_out_takes_no_other_row_along() {
    let mut mixed = Predictor::new(stored::<f32, 1>(Targets::MonteCarlo));
    let mut apart = mixed.clone();
    for reward in [None, Some(f32::NAN), Some(4.0)] {
        mixed.step(None, &[1.0]).unwrap();
        mixed.step(8.0, &[2.0]).unwrap();
        mixed.learn(3.0, &[4.0]).unwrap();
        mixed.learn(5.0, &[8.0]).unwrap();
        mixed.step(reward, &[16.0]).unwrap();
        mixed.finish_with(1.0);

        apart.step(None, &[1.0]).unwrap();
        apart.finish_with(8.0);
        apart.learn(3.0, &[4.0]).unwrap();
        apart.learn(5.0, &[8.0]).unwrap();
        apart.step(None, &[2.0]).unwrap();
        apart.step(reward, &[16.0]).unwrap();
        apart.finish_with(1.0);
        let (outcome, expected) = (mixed.end(), apart.end());
        assert_eq!((outcome, mixed.weights()), (expected, apart.weights()));
        assert_eq!(outcome.tau, if reward == Some(4.0) { 5 } else { 4 });
    }
}

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

/// A state without features has no value. An episode is cut there: the rows before that are learned as if the episode had
/// ended there, and no reward is unusable.
fn off_the_map<A: Arithmetic>() {
    let weights = [0.5, 0.25].map(A::weight);
    let model = LookAhead::new(OffTheMap(0), OneHot::<2>).by_state(|state| *state as u32);
    let mut agent = Agent::new(stored::<A, 2>(Targets::OneStep), model, Exploration::NONE, 0);
    let actions = ActionValues::new(1, PerAction::new(OneHot::<2>));
    let without_model = Agent::new(stored::<A, 2>(Targets::OneStep), actions, Exploration::NONE, 0);
    let values = |state| [agent.clone().with_weights(weights).value(&state), without_model.value(&state)];
    assert_eq!(values(2), [Err(RowError::OutsideMap); 2]);
    assert_eq!(values(1), [Ok(0.25), Ok(0.0)]);
    let Ok(outcome) = Sim::new(&mut agent, OffTheMap(0), 2).episode();
    assert_eq!((outcome.end, outcome.report.tau, outcome.report.dropped), (End::Truncated, 2, 0));
    assert_eq!(agent.weights().map(Into::<f64>::into), [1.0; 2]);
}

#[test]
fn a_state_without_features_has_no_value_and_costs_no_row() {
    off_the_map::<f32>();
    off_the_map::<Q28>();
}

/// x · 2^exponent in f64, which holds every f32 times 2^±800 exactly, rounded once to f32.
fn once(x: f32, exponent: i32) -> f32 {
    (f64::from(x) * 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2)) as f32
}

#[test]
fn scaling_rounds_once_and_has_no_limit() {
    let mut dice = Dice::new(9);
    for _ in 0..200_000 {
        let (x, exponent) = (f32::from_bits(dice.bits()), dice.below(801) as i32 - 400);
        let (ours, expected) = (x.scaled(exponent), once(x, exponent));
        let same = ours.to_bits() == expected.to_bits() || (ours.is_nan() && expected.is_nan());
        assert!(same, "{x:e} * 2^{exponent}: {ours:e} instead of {expected:e}");
    }
    assert_eq!([1.0_f32.scaled(i32::MAX), 1.0_f32.scaled(i32::MIN)], [f32::INFINITY, 0.0]);
    assert_eq!(f64::from_bits(1).scaled(2097), 2_f64.powi(1023));
    // Three quarters of the smallest number round up to it, in a single rounding.
    assert_eq!(f64::from_bits(3).scaled(-2), f64::from_bits(1));
    assert_eq!([1.0_f64.scaled(i32::MAX), -1.0_f64.scaled(i32::MIN)], [f64::INFINITY, 0.0]);
}

#[test]
fn a_row_is_scaled_with_one_rounding() {
    // Five eighths of the smallest number, once the largest feature is 1: the nearest number is the smallest, not 0.
    let mut row = Row::<f32, 2>::EMPTY;
    f32::encode(&mut row, Features::Floats(&[2_f32.powi(127), 0.625 * 2_f32.powi(-22)])).unwrap();
    assert_eq!(f32::value(&row, &[0.0, 1.0]), 2_f32.powi(-22));
    let mut row = Row::<f64, 2>::EMPTY;
    f64::encode(&mut row, Features::Raw(&[2_f64.powi(1023), 0.625 * 2_f64.powi(-51)])).unwrap();
    assert_eq!(f64::value(&row, &[0.0, 1.0]), 2_f64.powi(-51));
}
