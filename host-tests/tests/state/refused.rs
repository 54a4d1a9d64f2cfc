//! Bytes that are not a state, or are the state of something else.

use osculate::{Arithmetic, Log, Predictor, Q28, StateError, Stored, StoredConfig, Streaming, StreamingConfig};
use osculate::{Learner, Space};

use crate::kinds::{Kind, Owner, Rule, fixed, floats};
use crate::script::{N, script};
use crate::subject::Subject;
use crate::{HEADER, reseal};

/// A subject in the middle of an episode, after several others.
fn experienced(kind: &Kind, seed: u64) -> Box<dyn Subject> {
    let mut subject = kind.subject();
    script(seed).iter().take(90).for_each(|sample| _ = subject.take(sample));
    subject
}

fn is_refused(subject: &mut dyn Subject, state: &[u8], reason: StateError, place: &dyn Fn() -> String) {
    let before = subject.save();
    assert_eq!(subject.restore(state), Err(reason), "{}", place());
    assert_eq!(subject.save(), before, "{} has changed something", place());
}

fn damage_is_refused(kind: &Kind) {
    let state = experienced(kind, 1).save();
    let mut subject = experienced(kind, 2);
    for length in 0..state.len() {
        let place = || format!("{}, {length} of {} bytes", kind.name(), state.len());
        is_refused(&mut *subject, &state[..length], StateError::NoState, &place);
    }
    let longer = [&state[..], &[0]].concat();
    is_refused(&mut *subject, &longer, StateError::NoState, &|| format!("{}, a byte more", kind.name()));
    let mut damaged = state.clone();
    for bit in 0..8 * state.len() {
        damaged[bit / 8] ^= 1 << (bit % 8);
        let reason = match bit / 8 {
            0..4 | 10..14 => StateError::NoState,
            4 => StateError::OtherVersion,
            _ => StateError::Damaged,
        };
        is_refused(&mut *subject, &damaged, reason, &|| format!("{}, bit {bit} flipped", kind.name()));
        damaged[bit / 8] = state[bit / 8];
    }
    subject.restore(&state).expect("it is whole again");
    assert_eq!(subject.save(), state);
}

#[test]
fn every_truncation_and_every_flipped_bit_of_floats_is_refused() {
    floats().iter().filter(|kind| kind.arithmetic == "f32").for_each(damage_is_refused);
}

#[test]
fn every_truncation_and_every_flipped_bit_of_fixed_point_is_refused() {
    fixed().iter().filter(|kind| kind.arithmetic == "q28").for_each(damage_is_refused);
}

/// The order in which reasons are checked. `None` if the state fits.
fn reason(of: &Kind, into: &Kind) -> Option<StateError> {
    let is_agent = |kind: &Kind| kind.owner != Owner::Predictor;
    let counts_states = |kind: &Kind| kind.rule == Rule::StreamingByState;
    if is_agent(of) != is_agent(into) {
        Some(StateError::OtherOwner)
    } else if of.rule.number() != into.rule.number() {
        Some(StateError::OtherRule)
    } else if of.arithmetic != into.arithmetic {
        Some(StateError::OtherArithmetic)
    } else if counts_states(of) != counts_states(into) {
        Some(StateError::OtherSize)
    } else {
        None
    }
}

#[test]
fn a_state_of_another_kind_is_refused_with_the_reason() {
    let kinds = [floats(), fixed()].concat();
    let states: Vec<_> = kinds.iter().map(|kind| experienced(kind, 1).save()).collect();
    for into in &kinds {
        let mut subject = experienced(into, 2);
        for (of, state) in kinds.iter().zip(&states) {
            let place = || format!("a state of {} into {}", of.name(), into.name());
            match reason(of, into) {
                Some(reason) => is_refused(&mut *subject, state, reason, &place),
                None => {
                    assert_eq!(subject.restore(state), Ok(()), "{}", place());
                    subject = experienced(into, 2);
                }
            }
        }
    }
}

fn saved<A: Arithmetic, const N: usize>(predictor: &Predictor<impl Learner<Space = Space<A, N>>>) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    let length = predictor.save(&mut bytes).unwrap();
    bytes.truncate(length);
    bytes
}

#[test]
fn a_state_of_another_size_is_refused() {
    fn streaming<const N: usize, const WORDS: usize>() -> Predictor<Streaming<Q28, N, WORDS>> {
        Predictor::new(Streaming::by_state(StreamingConfig::DEFAULT))
    }
    let state = saved(&streaming::<3, 2>());
    assert_eq!(streaming::<3, 2>().restore(&state), Ok(()));
    assert_eq!(streaming::<4, 2>().restore(&state), Err(StateError::OtherSize), "features");
    assert_eq!(streaming::<3, 1>().restore(&state), Err(StateError::OtherSize), "states");
    assert_eq!(streaming::<3, 3>().restore(&state), Err(StateError::OtherSize), "states");
}

#[test]
fn a_log_that_is_too_small_is_refused_and_one_that_is_not_goes_on() {
    fn stored<const STEPS: usize, const ROWS: usize>() -> Predictor<Stored<Log<f32, 2, STEPS, ROWS>>> {
        Predictor::new(Stored::new(StoredConfig::PAPER, Log::NEW))
    }
    let mut full = stored::<4, 3>();
    full.learn(3.0, &[1.0, 2.0]).unwrap();
    full.end();
    for (state, features) in [(0, [1.0, 0.0]), (1, [0.0, 1.0]), (0, [1.0, 0.0]), (2, [1.0, 1.0])] {
        full.step_at(state, 1.0, &features).unwrap();
    }
    full.finish_with(1.0);
    let state = saved(&full);
    fn is_refused<const STEPS: usize, const ROWS: usize>(state: &[u8]) {
        let mut other = stored::<STEPS, ROWS>();
        other.step_at(7, None, &[0.5, 0.25]).unwrap();
        let before = saved(&other);
        assert_eq!(other.restore(state), Err(StateError::OtherSize));
        assert_eq!(saved(&other), before);
    }
    is_refused::<4, 2>(&state);
    is_refused::<3, 3>(&state);
    let mut larger = stored::<5, 9>();
    larger.restore(&state).unwrap();
    assert_eq!(saved(&larger), state);
    let expected = full.end();
    assert_eq!((expected.tau, larger.end(), larger.weights()), (3, expected, full.weights()));
    // Between episodes, what was learned fits any log.
    let mut smaller = stored::<1, 1>();
    smaller.restore(&saved(&full)).unwrap();
    assert_eq!(smaller.weights(), full.weights());
}

/// Overwrites a number at an offset, and fixes the checksum.
fn with_number(state: &[u8], offset: usize, number: &[u8]) -> Vec<u8> {
    let mut state = state.to_vec();
    state[offset..offset + number.len()].copy_from_slice(number);
    reseal(&mut state);
    state
}

#[test]
fn weights_that_are_no_numbers_are_refused_though_the_checksum_is_right() {
    for kind in floats() {
        // Of another one, whose generator must not be taken over, either: the weights are checked after it was read.
        let (state, mut subject) = (experienced(&kind, 1).save(), experienced(&kind, 2));
        let is_single = kind.arithmetic == "f32";
        let width = if is_single { 4 } else { 8 };
        // An agent's generator, six counts, two flags, the return and the discount come first.
        let before = if kind.owner == Owner::Predictor { 0 } else { 16 + 6 * 4 + 2 + 2 * width };
        for number in 0..kind.rule.vectors() * N {
            let offset = HEADER + before + number * width;
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let bytes = if is_single { (bad as f32).to_le_bytes().to_vec() } else { bad.to_le_bytes().to_vec() };
                let place = || format!("{}, {bad} at {offset}", kind.name());
                is_refused(&mut *subject, &with_number(&state, offset, &bytes), StateError::NonFinite, &place);
            }
        }
        assert_eq!(subject.restore(&with_number(&state, HEADER + before, &vec![0; width])), Ok(()), "{}", kind.name());
    }
}
