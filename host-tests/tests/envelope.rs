//! Promise: where a fallback rule says that it acts, its action is taken; the agent learns from it as from any other
//! action, and says how often it happened. (That it goes on from a saved state bit for bit: `resume`. Actions that there
//! are not: the target `agent` of `fuzz`.)

use std::cell::Cell;

use osculate::features::{ActionMap, Bounds, FeatureMap, Fourier, PerAction};
use osculate::{
    ActionValues, Agent, Arithmetic, Exploration, Log, Predictor, Q28, RowError, Stored, StoredConfig, Streaming,
    StreamingConfig, Targets, Tracking, TrackingConfig,
};
use osculate::{Learner, Space};
use osculate_host_tests::worlds::Dice;

const LEVELS: usize = 12;
const ACTIONS: usize = 3;
const ALWAYS: Exploration = Exploration { start: 1.0, half_after: u32::MAX };
const SOMETIMES: Exploration = Exploration { start: 0.5, half_after: 8 };

/// Fills or empties near the ends, and keeps doing so until the level is in the middle.
fn hysteresis(level: &usize, last: usize) -> Option<usize> {
    match (*level, last) {
        (0..2, _) | (2..5, 2) => Some(2),
        (10.., _) | (7..10, 0) => Some(0),
        _ => None,
    }
}

/// A tank whose level depends on the action and on chance.
struct Tank {
    level: usize,
    dice: Dice,
}

impl Tank {
    fn new(seed: u64) -> Self {
        Self { level: LEVELS / 2, dice: Dice::new(seed) }
    }

    /// Returns the reward, which is sometimes missing.
    fn flow(&mut self, action: usize) -> Option<f32> {
        let next = (self.level + action + self.dice.below(3) as usize).saturating_sub(2);
        self.level = next.min(LEVELS - 1);
        (self.dice.below(8) > 0).then_some(-(self.level as f32 - 4.5).abs() / 8.0)
    }
}

/// Level 8 is outside of it.
#[derive(Clone)]
struct Levels(Fourier<1, 3, 4>);

impl FeatureMap<4> for Levels {
    type Observation = usize;
    fn features(&self, level: &usize) -> Result<[f32; 4], RowError> {
        if *level == 8 { Err(RowError::OutsideMap) } else { self.0.features(&[*level as f32 / LEVELS as f32]) }
    }
}

fn levels() -> Levels {
    Levels(Fourier::new(Bounds::UNIT))
}

fn values() -> ActionValues<PerAction<Levels, 4>, usize> {
    ActionValues::new(ACTIONS, PerAction::new(levels()))
}

const N: usize = 4 * ACTIONS;
const STREAMING: StreamingConfig = StreamingConfig { gamma: 0.75, ..StreamingConfig::DEFAULT };

/// The agent's rows, given by hand to a predictor with the same rule, lead to the same weights.
fn learns_what_happened<A: Arithmetic, L: Learner<Space = Space<A, N>>>(learner: impl Fn() -> L) {
    let mut agent = Agent::new(learner(), values().within(hysteresis), SOMETIMES, 3);
    let mut by_hand = Predictor::new(learner());
    let map = PerAction::<_, 4>::new(levels());
    let mut all = [0; 2];
    for episode in 0..40 {
        let mut tank = Tank::new(episode);
        let (mut last, mut expected) = (0, 0);
        let mut given = agent.begin(&tank.level);
        for step in 0..25 {
            // Without features there is no action: things stay as they are.
            let action = given.unwrap_or(last);
            let features = map.features(&tank.level, action);
            let wanted = hysteresis(&tank.level, last);
            if let (Some(wanted), Ok(action)) = (wanted, given) {
                assert_eq!(action, wanted, "level {}", tank.level);
            }
            assert_eq!(given.err(), features.err());
            expected += u32::from(wanted.is_some());
            // Features that are missing make no row. The reward of the sample before is given already.
            let phi = features.unwrap_or([f32::NAN; N]);
            _ = if step == 0 { by_hand.begin(&phi) } else { by_hand.step(None, &phi) };
            last = action;
            let reward = tank.flow(action);
            by_hand.finish_with(reward);
            given = agent.step(reward, &tank.level);
        }
        // The last step has no reward.
        expected += u32::from(hysteresis(&tank.level, last).is_some());
        let ended = agent.end();
        let features = map.features(&tank.level, given.unwrap_or(last));
        _ = by_hand.step(None, &features.unwrap_or([f32::NAN; N]));
        assert_eq!(ended.fallbacks, expected, "episode {episode}");
        assert_eq!(ended.report, by_hand.end(), "episode {episode}");
        let bits = |weights: &[A::Weight; N]| weights.map(A::bits);
        assert_eq!(bits(agent.weights()), bits(by_hand.weights()), "episode {episode}");
        assert_eq!(bits(agent.estimate()), bits(by_hand.estimate()), "episode {episode}");
        all[0] += ended.fallbacks;
        all[1] += ended.explored;
    }
    assert!(all[0] > 200 && all[1] > 50, "{all:?}: too little of one or the other");
}

#[test]
fn what_the_fallback_did_is_learned_like_any_other_step() {
    learns_what_happened(|| Streaming::<f32, N>::new(STREAMING));
    learns_what_happened(|| Streaming::<Q28, N>::new(STREAMING));
    learns_what_happened(|| Tracking::<f32, N>::new(TrackingConfig::CONTROL));
    learns_what_happened(|| Tracking::<Q28, N>::new(TrackingConfig::CONTROL));
    let one_step = StoredConfig { gamma: 0.75, targets: Targets::OneStep, ..StoredConfig::PREDICTABLE };
    learns_what_happened(|| Stored::new(one_step, Log::<f32, N, 32, 32>::NEW));
}

#[test]
fn where_the_agent_is_free_it_draws_as_if_it_always_were() {
    let agent = || Streaming::<f32, N>::new(STREAMING);
    let mut free = Agent::new(agent(), values(), ALWAYS, 5);
    let asked = Cell::new(0);
    let counted = |level: &usize, last| {
        asked.set(asked.get() + 1);
        hysteresis(level, last)
    };
    let mut bound = Agent::new(agent(), values().within(counted), ALWAYS, 5);
    let mut tank = Tank::new(5);
    let (mut last, mut fallbacks) = (0, 0);
    for _ in 0..1000 {
        if tank.level == 8 {
            tank.level = 6;
        }
        let (level, action) = (tank.level, bound.step(0.0, &tank.level).unwrap());
        let drawn = free.step(0.0, &level).unwrap();
        let fallback = hysteresis(&level, last);
        assert_eq!(action, fallback.unwrap_or(drawn));
        fallbacks += u32::from(fallback.is_some());
        last = action;
        tank.flow(action);
    }
    let (bound, free) = (bound.end(), free.end());
    assert!(fallbacks > 100, "{fallbacks}: too few");
    assert_eq!(asked.get(), 1000, "once per step");
    assert_eq!((bound.fallbacks, bound.explored), (fallbacks, 1000 - fallbacks));
    assert_eq!((free.fallbacks, free.explored), (0, 1000));
}
