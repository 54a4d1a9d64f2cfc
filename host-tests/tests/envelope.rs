//! Promise: where a fallback rule says that it acts, its action is taken; the agent learns from it as from any other
//! action, says how often it happened, and goes on from a saved state bit for bit.

use std::cell::RefCell;
use std::convert::Infallible;

use osculate::features::{ActionMap, Bounds, FeatureMap, Fourier, PerAction};
use osculate::{
    ActionValues, Agent, Arithmetic, Branch, Envelope, Exploration, Log, LookAhead, Model, Predictor, Q28, RowError,
    Sim, Stored, StoredConfig, Streaming, StreamingConfig, Targets, Tracking, TrackingConfig, Transition, World,
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

impl Model for Levels {
    type State = usize;
    fn actions(&self, _: &usize) -> usize {
        ACTIONS
    }
    fn outcomes(&self, level: &usize, action: usize) -> impl Iterator<Item = Branch<usize>> {
        let next = (level + action).saturating_sub(1).min(LEVELS - 1);
        std::iter::once(Branch { probability: 1.0, reward: 0.0, next: Some(next) })
    }
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
            sample(&mut by_hand, step == 0, features);
            last = action;
            let reward = tank.flow(action);
            by_hand.finish_with(reward);
            given = agent.step(reward, &tank.level);
        }
        // The last step has no reward.
        expected += u32::from(hysteresis(&tank.level, last).is_some());
        let ended = agent.end();
        let features = map.features(&tank.level, given.unwrap_or(last));
        sample(&mut by_hand, false, features);
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

/// A sample, given by hand: its features may be missing, and then it makes no row. The reward of the one before was
/// already given by `last`.
fn sample<A, L>(predictor: &mut Predictor<L>, first: bool, features: Result<[f32; N], RowError>)
where
    A: Arithmetic,
    L: Learner<Space = Space<A, N>>,
{
    let features = features.unwrap_or([f32::NAN; N]);
    _ = if first { predictor.begin(&features) } else { predictor.step(None, &features) };
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
    let mut bound = Agent::new(agent(), values().within(hysteresis), ALWAYS, 5);
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
    assert_eq!((bound.fallbacks, bound.explored), (fallbacks, 1000 - fallbacks));
    assert_eq!((free.fallbacks, free.explored), (0, 1000));
}

#[test]
fn an_action_that_there_is_not_is_the_last_one() {
    for (actions, expected) in [(0, 0), (1, 0), (2, 1), (3, 2)] {
        let policy =
            ActionValues::new(actions, PerAction::<_, 4>::new(levels())).within(|_: &usize, _| Some(usize::MAX));
        let learner = Streaming::<f32, N>::new(STREAMING);
        let mut agent = Agent::new(learner, policy, ALWAYS, 1);
        assert_eq!((agent.begin(&1), agent.missed()), (Ok(expected), expected));
        assert_eq!((agent.step(1.0, &8), agent.greedy(&1)), (Err(RowError::OutsideMap), 0));
        agent.finish_with(1.0);
        let ended = agent.end();
        assert_eq!((ended.fallbacks, ended.explored, ended.steps), (2, 0, 2));
    }
}

fn saved<A: Arithmetic, P>(agent: &Agent<Streaming<A, 4>, P>) -> Vec<u8>
where
    P: osculate::control::Policy<A, 4, Observation = usize>,
{
    let mut bytes = vec![0; Agent::<Streaming<A, 4>, P>::BYTES];
    let length = agent.save(&mut bytes).unwrap();
    bytes.truncate(length);
    bytes
}

fn goes_on<A: Arithmetic>() {
    let new = |seed| {
        let policy = LookAhead::new(levels(), levels()).within(hysteresis);
        Agent::new(Streaming::<A, 4>::new(STREAMING), policy, SOMETIMES, seed)
    };
    let (mut through, mut resumed) = (new(1), new(1));
    let (mut tank, mut last) = (Tank::new(9), 0);
    let mut fallbacks = 0;
    for step in 0..2000 {
        let reward = tank.flow(last);
        let action = through.step(reward, &tank.level);
        assert_eq!(resumed.step(reward, &tank.level), action, "step {step}");
        last = action.unwrap_or(last);
        if step % 37 == 36 {
            let ended = through.end();
            assert_eq!(resumed.end(), ended);
            fallbacks += ended.fallbacks;
        }
        let state = saved(&resumed);
        assert_eq!(state, saved(&through), "step {step}");
        resumed = new(1000 + step);
        resumed.restore(&state).unwrap();
    }
    assert!(fallbacks > 300, "{fallbacks}");
}

#[test]
fn a_saved_agent_goes_on_with_its_fallback() {
    goes_on::<f32>();
    goes_on::<Q28>();
}

/// Writes down what it is asked, and acts at every third call.
struct Asked<'a>(&'a RefCell<Vec<(usize, usize)>>);

impl Envelope<usize> for Asked<'_> {
    fn fallback(&mut self, level: &usize, last: usize) -> Option<usize> {
        self.0.borrow_mut().push((*level, last));
        self.0.borrow().len().is_multiple_of(3).then_some(2)
    }
}

/// A tank that writes down the actions.
struct Watched<'a>(Tank, &'a RefCell<Vec<(usize, usize)>>);

impl World for Watched<'_> {
    type Observation = usize;
    type Error = Infallible;
    fn begin(&mut self) -> Result<usize, Infallible> {
        Ok(self.0.level)
    }
    fn act(&mut self, action: usize) -> Result<Transition<usize>, Infallible> {
        self.1.borrow_mut().push((self.0.level, action));
        let reward = self.0.flow(action);
        Ok(Transition { reward, next: Some(self.0.level) })
    }
}

#[test]
fn a_simulation_asks_once_per_step_and_tells_the_action_before() {
    let (asked, acted) = (RefCell::default(), RefCell::default());
    let learner = Streaming::<f32, 4>::new(STREAMING);
    let policy = LookAhead::new(levels(), levels()).within(Asked(&asked));
    let mut agent = Agent::new(learner, policy, ALWAYS, 2);
    let Ok(episode) = Sim::new(&mut agent, Watched(Tank::new(2), &acted), 300).episode();
    let (asked, acted) = (asked.borrow(), acted.borrow());
    assert_eq!((episode.steps, episode.fallbacks, episode.explored), (300, 100, 200));
    assert_eq!((asked.len(), acted.len()), (300, 300));
    // Level 8 has no features, but it is acted on all the same.
    assert!(acted.iter().any(|(level, _)| *level == 8));
    for step in 0..300 {
        let before = if step == 0 { 0 } else { acted[step - 1].1 };
        assert_eq!(asked[step], (acted[step].0, before), "step {step}");
        assert!(step % 3 != 2 || acted[step].1 == 2, "step {step}");
    }
}

#[test]
fn the_model_is_within_reach_inside_of_an_envelope() {
    struct Steps(usize);
    impl Model for Steps {
        type State = usize;
        fn actions(&self, _: &usize) -> usize {
            self.0
        }
        fn outcomes(&self, _: &usize, _: usize) -> impl Iterator<Item = Branch<usize>> {
            std::iter::empty()
        }
    }
    let learner = Streaming::<f32, 4>::new(STREAMING);
    let policy = LookAhead::new(Steps(2), levels()).within(|_: &usize, _: usize| Some(9));
    let mut agent = Agent::new(learner, policy, Exploration::NONE, 2);
    assert_eq!(agent.begin(&1), Ok(1));
    agent.model_mut().0 = 5;
    assert_eq!((agent.model().0, agent.step(0.0, &1)), (5, Ok(4)));
    *agent.map_mut() = levels();
    assert!(agent.map().features(&8).is_err());
}
