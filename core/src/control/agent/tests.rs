use super::*;
use crate::arithmetic::Limit;
use crate::features::{OneHot, PerAction};
use crate::learn::Update;
use crate::sealed::Sealed;
use crate::state::{Reader, Writer};
use crate::{ActionValues, Streaming, StreamingConfig, Tracking, TrackingConfig};

type Stream = Streaming<f32, 4>;

fn stream() -> Stream {
    Streaming::new(StreamingConfig::DEFAULT)
}

#[test]
fn an_observation_outside_of_the_map_is_told_from_zeros() {
    let policy = ActionValues::new(2, PerAction::new(OneHot::<2>));
    let mut agent = Agent::new(stream(), policy, Exploration::NONE, 1);
    assert_eq!(agent.begin(&2), Err(RowError::OutsideMap));
    assert_eq!(agent.step(1.0, &7), Err(RowError::OutsideMap));
    assert_eq!(agent.end().report.dropped, 2);
}

/// What a learner is told.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Call {
    Nothing,
    Opened,
    Closed,
    Bootstrapped(Option<f32>),
    Ended,
}

/// Writes down what it is told, and learns nothing.
#[derive(Debug)]
struct Listener {
    stream: Stream,
    greedy: bool,
    calls: [Call; 12],
    count: usize,
}

impl Listener {
    fn told(&mut self, call: Call) {
        self.calls[self.count] = call;
        self.count += 1;
    }
}

impl Sealed for Listener {}

macro_rules! of_the_stream {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty;)+) => {$(
        fn $name(&self, $($arg: $type),*) -> $result {
            Learner::$name(&self.stream, $($arg),*)
        }
    )+};
}

impl Learner for Listener {
    type Space = Space<f32, 4>;
    type Report = Update;
    const MAX_BYTES: usize = Stream::MAX_BYTES;

    of_the_stream! {
        rule() -> u8;
        gamma() -> f32;
        weights() -> &[f32; 4];
        estimate() -> &[f32; 4];
        open_value() -> Option<f32>;
        full() -> Option<Limit>;
        report() -> Update;
        write(writer: &mut Writer<'_>) -> ();
    }

    fn set_weights(&mut self, weights: [f32; 4]) {
        self.stream.set_weights(weights);
    }
    fn restart(&mut self) {}
    fn observe(&mut self, _: Option<u32>, _: &[f32; 4]) -> Result<(), RowError> {
        self.told(Call::Opened);
        Ok(())
    }
    fn observe_raw(&mut self, state: Option<u32>, features: &[f32; 4]) -> Result<(), RowError> {
        self.observe(state, features)
    }
    fn reward(&mut self, _: Option<f32>) {
        self.told(Call::Closed);
    }
    fn learn(&mut self, _: f32, _: &[f32; 4]) -> Result<(), RowError> {
        Ok(())
    }
    fn learn_raw(&mut self, target: f32, features: &[f32; 4]) -> Result<(), RowError> {
        self.learn(target, features)
    }
    fn greedy_targets(&self) -> bool {
        self.greedy
    }
    fn bootstrap(&mut self, value: Option<f32>) {
        self.told(Call::Bootstrapped(value));
    }
    fn end(&mut self) -> Update {
        self.told(Call::Ended);
        self.stream.end()
    }
    fn abandon(&mut self) {}
    fn read(&mut self, _: &mut Reader<'_>) -> Result<(), StateError> {
        Ok(())
    }
}

#[test]
fn the_best_value_is_told_between_two_steps_if_the_rule_asks_for_it() {
    use Call::{Bootstrapped, Closed, Ended, Nothing, Opened};
    let calls = |greedy| {
        let listener = Listener { stream: stream(), greedy, calls: [Nothing; 12], count: 0 };
        // The worst action is taken everywhere; the value is the best one's all the same.
        let worst = |_: &usize, _: usize| Some(0);
        let policy = ActionValues::new(2, PerAction::new(OneHot::<2>)).within(worst);
        let agent = Agent::new(listener, policy, Exploration::NONE, 1);
        let mut agent = agent.with_weights([-1.0, -2.0, 0.5, 0.25]);
        agent.begin(&0).unwrap();
        agent.step(1.0, &1).unwrap();
        // Without features there is no value.
        assert_eq!(agent.step(1.0, &2), Err(RowError::OutsideMap));
        agent.step(None, &0).unwrap();
        agent.finish_with(1.0);
        agent.end();
        agent.learner.calls
    };
    let expected = [Opened, Closed, Opened, Closed, Opened, Closed, Opened, Closed, Ended, Nothing, Nothing, Nothing];
    assert_eq!(calls(false), expected);
    let expected = [
        Opened,
        Closed,
        Bootstrapped(Some(0.25)),
        Opened,
        Closed,
        Bootstrapped(None),
        Opened,
        Closed,
        Bootstrapped(Some(0.5)),
        Opened,
        Closed,
        Ended,
    ];
    assert_eq!(calls(true), expected);
}

#[test]
fn a_table_learns_from_the_best_action_and_sarsa_from_the_one_that_is_taken() {
    let learned = |greedy| {
        let config = TrackingConfig { greedy, gamma: 0.5, gain: 0.5, least_gain: 0.5, ..TrackingConfig::TABLE };
        let policy = ActionValues::new(2, PerAction::new(OneHot::<2>)).within(|_: &usize, _: usize| Some(0));
        let learner = Tracking::<f32, 4>::new(config);
        let mut agent = Agent::new(learner, policy, Exploration::NONE, 1).with_weights([0.0, -1.0, 0.0, 0.5]);
        agent.begin(&0).unwrap();
        agent.step(1.0, &1).unwrap();
        agent.weights()[0]
    };
    // Half of the way to 1 + ½ max(−1, ½), and to 1 + ½ · −1, where the value is clipped to 0: there was no reward
    // below that.
    assert_eq!((learned(true), learned(false)), (0.625, 0.5));
}

#[test]
fn a_step_into_the_unknown_is_dropped_and_not_learned_as_an_end() {
    for greedy in [true, false] {
        let policy = ActionValues::new(2, PerAction::new(OneHot::<2>));
        let learner = Tracking::<f32, 4>::new(TrackingConfig { greedy, ..TrackingConfig::TABLE });
        let mut agent = Agent::new(learner, policy, Exploration::NONE, 1);
        agent.begin(&0).unwrap();
        assert_eq!(agent.step(1.0, &7), Err(RowError::OutsideMap));
        assert_eq!(agent.weights(), &[0.0; 4]);
        assert_eq!(agent.end().report.rows, 0);
    }
}
