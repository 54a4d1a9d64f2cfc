//! Faults found by arbitrary bits (`cargo xtask dev fuzz`).

use osculate::features::{OneHot, PerAction};
use osculate::{
    ActionValues, Agent, Arithmetic, Exploration, Limit, Log, Predictor, Q28, RowError, Stored, StoredConfig,
};

#[test]
fn a_step_that_is_left_out_needs_no_row() {
    let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 1, 8, 2>::NEW));
    for (state, reward, expected) in [
        (0, Some(1.0), Ok(0.0)),
        (1, Some(f32::NAN), Ok(0.0)),
        (0, Some(1.0), Ok(0.0)),
        (2, None, Ok(0.0)),
        (3, Some(1.0), Ok(0.0)),
        (1, Some(1.0), Err(RowError::Full(Limit::Rows))),
    ] {
        assert_eq!(predictor.step_at(state, None, &[1.0]), expected, "state {state}");
        predictor.finish_with(reward);
    }
    let outcome = predictor.end();
    assert_eq!((outcome.tau, outcome.dropped), (2, 2));
}

/// The return of an episode that pays this much twice, then ends.
fn payday<A: Arithmetic>(pay: f32) -> Option<f32> {
    let config = StoredConfig { gamma: 1.0, ..StoredConfig::PAPER };
    let policy = ActionValues::new(1, PerAction::new(OneHot::<1>));
    let learner = Stored::new(config, Log::<A, 1, 4, 4>::NEW);
    let mut agent = Agent::new(learner, policy, Exploration::NONE, 0);
    agent.begin(&0).unwrap();
    agent.step(pay, &0).unwrap();
    agent.finish_with(pay);
    agent.end().discounted_return
}

#[test]
fn a_return_is_a_number_or_none() {
    assert_eq!(payday::<f32>(2.0), Some(4.0));
    assert_eq!(payday::<f32>(3e38), None, "the sum is out of range");
    assert_eq!(payday::<Q28>(2e9), Some(2_f32.powi(31)), "it saturates");
}
