//! States of tiny learners, decoded by the offsets in `docs/checkpoint-format.md`.

use osculate::features::{OneHot, PerAction};
use osculate::{
    ActionValues, Agent, Exploration, Log, Predictor, Q24, Q28, Stored, StoredConfig, Streaming, StreamingConfig,
    Tracking, TrackingConfig,
};
use osculate_host_tests::crc::crc;

use crate::HEADER;
use crate::kinds::{Owner, fixed, floats};
use crate::script::N;

const CONFIG: StreamingConfig = StreamingConfig { gamma: 0.5, ..StreamingConfig::DEFAULT };

/// The bytes of a state, read by offset.
struct State(Vec<u8>);

macro_rules! numbers {
    ($($number:ident)+) => {$(
        fn $number(&self, offset: usize) -> $number {
            $number::from_le_bytes(self.0[offset..][..size_of::<$number>()].try_into().unwrap())
        }
    )+};
}

impl State {
    /// A state written by `save`. Checks that it ends with a checksum of all preceding bytes.
    fn new(save: impl FnOnce(&mut [u8]) -> Result<usize, osculate::StateError>) -> Self {
        let mut bytes = vec![0; 1024];
        let length = save(&mut bytes).unwrap();
        bytes.truncate(length);
        let state = Self(bytes);
        let end = length - 4;
        assert_eq!((state.u32(10) as usize, state.u32(end)), (end - HEADER, crc(&state.0[..end])));
        state
    }

    numbers!(u8 u16 u32 i16 i32 i64 f32 f64);
}

#[test]
fn a_header_says_what_the_state_is_of() {
    for kind in floats().into_iter().chain(fixed()) {
        let state = State(kind.subject().save());
        let owner = if kind.owner == Owner::Predictor { 1 } else { 2 };
        let arithmetic = match kind.arithmetic {
            "f32" => 1,
            "f64" => 2,
            "q24" => 40,
            "q28" => 44,
            other => panic!("no number for {other}"),
        };
        assert_eq!(&state.0[..4], b"OSCU");
        assert_eq!(
            [4, 5, 6, 7].map(|offset| state.u8(offset)),
            [2, owner, kind.rule.number(), arithmetic],
            "{}",
            kind.name()
        );
        assert_eq!(state.u16(8), N as u16);
        assert_eq!(state.u32(10) as usize, state.0.len() - 18);
    }
}

#[test]
fn streaming_in_f32() {
    let mut predictor = Predictor::new(Streaming::<f32, 1>::new(CONFIG));
    predictor.step(None, &[2.0]).unwrap();
    predictor.finish_with(3.0);
    predictor.end();
    predictor.step(None, &[4.0]).unwrap();
    let state = State::new(|bytes| predictor.save(bytes));
    assert_eq!(state.0.len(), 96);
    // Weight, velocity and average, and the number of updates: 3/2 in one step.
    assert_eq!(([14, 18, 22].map(|offset| state.f32(offset)), state.u32(26)), ([1.5; 3], 1));
    // No past yet: there was no direction before the first episode.
    assert_eq!((state.f32(30), state.f32(34), state.u32(38)), (0.0, 0.0, 0));
    // The direction of the episode, −1.5 · 2⁰.
    assert_eq!((state.f32(42), state.i32(46), state.u8(50)), (-1.5, 0, 1));
    // The row 4 = 1 · 2², its target and its square.
    assert_eq!((state.f32(51), state.f32(55), state.f32(59), state.i16(63)), (1.0, 0.0, 1.0, 2));
    // It is a first visit, of no state.
    assert_eq!((state.u8(65), state.u32(66)), (1, u32::MAX));
    // Trace, sums and counts of the new episode.
    assert_eq!([70, 74, 78].map(|offset| state.f32(offset)), [0.0; 3]);
    assert_eq!((state.u32(82), state.u32(86), state.u8(90), state.u8(91)), (0, 0, 0, 0));
}

#[test]
fn streaming_by_state_in_fixed_point() {
    let mut predictor = Predictor::new(Streaming::<Q24, 1, 2>::by_state(CONFIG));
    predictor.step_at(33, None, &[1.0]).unwrap();
    predictor.step_at(33, 1.0, &[1.0]).unwrap();
    let state = State::new(|bytes| predictor.save(bytes));
    assert_eq!(state.0.len(), 132);
    assert_eq!([14, 18, 22, 26].map(|offset| state.i32(offset)), [0; 4]);
    assert_eq!((state.f32(30), state.f32(34), state.u32(38)), (0.0, 0.0, 0));
    assert_eq!((state.i32(42), state.i32(46), state.u32(50), state.u8(54)), (0, 0, 0, 0), "no direction yet");
    assert_eq!([55, 59].map(|offset| state.u32(offset)), [0, 1 << 1], "state 33 was seen");
    // The row 1 = 2¹⁴ · 2^(1 − 15), its target, 1/2²⁸ = 2²⁶ · 2⁻⁵⁴, and its exponent.
    assert_eq!((state.i16(63), state.i64(65)), (1 << 14, 0));
    assert_eq!((state.u32(73), state.u16(77), state.i16(79)), (1 << 26, 54, 1));
    assert_eq!((state.u8(81), state.u32(82)), (2, 0), "not the first visit");
    assert_eq!((state.i32(86), state.u32(90)), (1 << 22, 0), "the trace, 1");
    assert_eq!((state.i64(94), state.u32(102)), (-1 << 37, 0), "g, −1");
    assert_eq!((state.i64(106), state.u32(114)), (0, 0), "c");
    assert_eq!((state.u32(118), state.u32(122), state.u8(126), state.u8(127)), (1, 0, 0, 0), "one row");
}

#[test]
fn tracking_in_f32() {
    let config = TrackingConfig { gamma: 0.5, lambda: 1.0, ..TrackingConfig::DEFAULT };
    let mut predictor = Predictor::new(Tracking::<f32, 1>::new(config));
    predictor.step(None, &[2.0]).unwrap();
    predictor.step(3.0, &[4.0]).unwrap();
    predictor.finish_with(1.0);
    assert!(predictor.learn(1.0, &[0.0]).is_err());
    let state = State::new(|bytes| predictor.save(bytes));
    assert_eq!(state.0.len(), 14 + 92 + 4);
    // w has gone half of the way to 3/2; w̄ and the last check are at the start.
    assert_eq!([14, 18, 22].map(|offset| state.f32(offset)), [0.75, 0.0, 0.0]);
    // The trace ½ · 2/2², and the value expected of the next sample, by the weights before.
    assert_eq!((state.f32(26), state.u8(30), state.f32(31)), (0.25, 1, 0.0));
    // The gain's depth and the rows since the last check.
    assert_eq!((state.u16(35), state.u16(37)), (0, 1));
    // The mean error |0 − 3|/2, the excess, the errors of the probe and of w, their count, and no probe.
    assert_eq!([39, 43, 47, 51].map(|offset| state.f32(offset)), [1.5, 0.0, 0.0, 0.0]);
    assert_eq!((state.u8(55), state.u16(56)), (1, 0));
    // No mean square with a discount. The bounds, 0 and 3/(1 − ½). One row, nothing saturated.
    assert_eq!([58, 62, 66].map(|offset| state.f32(offset)), [0.0, 0.0, 6.0]);
    assert_eq!((state.u32(70), state.u32(74)), (1, 0));
    // The row 4 = 1 · 2² has its signal 1.
    assert_eq!((state.f32(78), state.f32(82), state.f32(86), state.i16(90)), (1.0, 0.0, 1.0, 2));
    assert_eq!((state.u8(92), state.f32(93)), (2, 1.0));
    // Rows may come; one was learned from since the last report, and one dropped.
    assert_eq!((state.u8(97), state.u32(98), state.u32(102)), (0, 1, 1));
}

#[test]
fn tracking_in_fixed_point() {
    let config = TrackingConfig { gamma: 0.5, lambda: 1.0, ..TrackingConfig::DEFAULT };
    let mut predictor = Predictor::new(Tracking::<Q28, 1>::new(config));
    predictor.step(None, &[0.5]).unwrap();
    predictor.step(0.25, &[0.5]).unwrap();
    let state = State::new(|bytes| predictor.save(bytes));
    assert_eq!([14, 18, 22].map(|offset| state.i32(offset)), [1 << 26, 0, 0], "w, half of the way to ½");
    assert_eq!(f64::from(state.i32(26)) * 2_f64.powi(state.i16(30).into()), 1.0, "the trace, ½/½");
    assert_eq!((state.u8(32), state.i64(33)), (1, 0), "the value that was expected");
    assert_eq!((state.u16(41), state.u16(43)), (0, 1));
    assert_eq!([45, 49, 53, 57].map(|offset| state.f32(offset)), [0.5, 0.0, 0.0, 0.0]);
    assert_eq!((state.u8(61), state.u16(62)), (1, 0));
    assert_eq!([64, 68, 72].map(|offset| state.f32(offset)), [0.0, 0.0, 0.5]);
    assert_eq!((state.u32(76), state.u32(80)), (1, 0));
    assert_eq!((state.i16(84), state.u32(94), state.u16(98), state.i16(100)), (1 << 14, 1 << 26, 54, 0), "the row");
    assert_eq!((state.u8(102), state.i64(103)), (1, 0), "it waits for its signal");
    assert_eq!((state.u8(111), state.u32(112), state.u32(116), state.0.len()), (0, 1, 0, 124));
}

#[test]
fn a_log_in_fixed_point() {
    let log = Log::<Q28, 1, 4, 4>::NEW;
    let mut predictor = Predictor::new(Stored::new(StoredConfig::PREDICTABLE, log));
    predictor.step_at(9, None, &[0.5]).unwrap();
    predictor.step_at(3, 0.25, &[1.0]).unwrap();
    predictor.learn(2.0, &[0.25]).unwrap();
    assert!(predictor.learn(2.0, &[0.0]).is_err());
    predictor.close_rows();
    let state = State::new(|bytes| predictor.save(bytes));
    assert_eq!(state.0.len(), 14 + 43 + 3 * 26 + 10 + 4);
    assert_eq!([14, 18, 22, 26].map(|offset| state.i32(offset)), [0; 4]);
    assert_eq!((state.f32(30), state.f32(34), state.u32(38)), (0.0, 0.0, 0));
    assert_eq!((state.u16(42), state.u32(44)), (3, 1), "three rows, one step");
    assert_eq!((state.u8(48), state.u16(49)), (1, 2), "row 2 waits for its reward");
    assert_eq!((state.u32(51), state.u8(55), state.u8(56)), (1, 0, 1), "one dropped, nothing full, no more rows");
    // State, first visit, feature, target, inverse and exponent. The row with its target precedes the open one.
    let row = |offset| {
        let of = (state.u32(offset), state.u32(offset + 4));
        assert_eq!((state.i16(offset + 8), state.u32(offset + 18), state.u16(offset + 22)), (1 << 14, 1 << 26, 54));
        (of, state.i64(offset + 10), state.i16(offset + 24))
    };
    assert_eq!(row(57), ((9, 0), 0, 0));
    assert_eq!(row(83), ((u32::MAX, u32::MAX - 1), 1 << 45, -1));
    assert_eq!(row(109), ((3, 1), 0, 1));
    assert_eq!((state.u16(135), state.i64(137)), (0, 1 << 30), "the step: row 0, reward 1/4");
}

#[test]
fn an_agent_in_f64() {
    let policy = ActionValues::new(1, PerAction::new(OneHot::<1>)).within(|_: &usize, _: usize| Some(7));
    let learner = Streaming::<f64, 1>::new(CONFIG);
    let mut agent = Agent::new(learner, policy, Exploration::NONE, 1);
    agent.begin(&0).unwrap();
    agent.finish_with(0.25);
    agent.end();
    agent.begin(&0).unwrap();
    agent.step(0.75, &0).unwrap();
    agent.missed();
    let state = State::new(|bytes| agent.save(bytes));
    assert_eq!(state.0.len(), 14 + 58 + 126 + 4);
    // Two numbers of SplitMix64 from the seed 1, the lower half of each first. Nothing has been drawn.
    assert_eq!([14, 18, 22, 26].map(|offset| state.u32(offset)), [0x8902_5cc1, 0x910a_2dec, 0x658e_ec67, 0xbeeb_8da1]);
    // Episodes; then, for this episode, steps, explored, of the fallback, missed, and the last action.
    assert_eq!([30, 34, 38, 42, 46, 50].map(|offset| state.u32(offset)), [1, 1, 0, 2, 1, 0]);
    assert_eq!((state.u8(54), state.u8(55)), (1, 1), "an action waits, and a reward has come");
    assert_eq!((state.f64(56), state.f64(64)), (0.75, 0.5), "the return, and the next reward's discount");
    // Then the learner.
    assert_eq!(([72, 80, 88].map(|offset| state.f64(offset)), state.u32(96)), ([0.25; 3], 1));
}
