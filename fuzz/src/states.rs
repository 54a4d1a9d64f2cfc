//! States as bytes: saved at any time, restored elsewhere, damaged, and forged with a valid checksum.

use std::fmt::Debug;

use osculate::control::Policy;
use osculate::{Agent, Log, Predictor, StateError, Stored, Streaming, StreamingConfig, Tracking, TrackingConfig};

use super::check::finite;
use super::input::Fuzz;
use super::layout::{CHECKSUM, HEADER};
use super::number::Fuzzed;
use super::predictor::{Call, Life, bytes};
use super::rules::{AnyStored, N, Rule, Visit, any_rule};
use super::table::{self, Rows, STATES, Table, VisitAgent};

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(4) {
        0 => other_sizes::<A>(fuzz),
        1 => table::any_agent::<A>(fuzz, Reborn),
        _ => any_rule::<A>(fuzz, Saved),
    }
}

/// A predictor with any rule.
struct Saved;

impl<A: Fuzzed> Visit<A> for Saved {
    fn visit<L: Rule<A, N>>(self, fuzz: &mut Fuzz, learner: L) {
        let fresh = Predictor::new(learner);
        let mut life = Life::<A, L, N>::new(fuzz, fresh.clone());
        while fuzz.goes_on() {
            (0..fuzz.below(30)).for_each(|_| life.call(fuzz));
            let state = bytes(&life.predictor);
            goes_on(fuzz, &life.predictor, fresh.clone());
            strangers::<A>(fuzz, &state, L::NUMBER);
            damaged(fuzz, &life.predictor, &bytes(&fresh));
            forged(fuzz, &state, fresh.clone());
        }
    }
}

/// The same calls, of both: the answers and the states are the same.
fn twins<A: Fuzzed, L: Rule<A, N>>(fuzz: &mut Fuzz, twins: &mut [&mut Predictor<L>]) {
    for _ in 0..fuzz.below(24) {
        let call = match fuzz.below(8) {
            0 => Call::End,
            1 => Call::Cut(fuzz.floats()),
            _ => Call::<A, N>::any(fuzz, 6, &[1.0; N]),
        };
        let after = twins.iter_mut().map(|twin| (format!("{:?}", call.make(twin)), bytes(twin)));
        let after: Vec<_> = after.collect();
        assert!(after.iter().all(|other| *other == after[0]), "it does not go on as before: {}", after[0].0);
        let learner = twins[0].learner();
        let [a, b] = learner.vectors();
        finite(&[learner.weights(), a, b]);
        fuzz.called("twins");
    }
}

/// A state continues bit for bit in another predictor, and can only be saved to a buffer that is long enough.
fn goes_on<A: Fuzzed, L: Rule<A, N>>(fuzz: &mut Fuzz, predictor: &Predictor<L>, mut other: Predictor<L>) {
    let state = bytes(predictor);
    let mut short = vec![0; fuzz.below(state.len() as u32) as usize];
    assert_eq!(predictor.save(&mut short), Err(StateError::NoRoom));
    fuzz.called("no room to save");
    // Restoring works in the middle of an episode, too.
    _ = other.begin(&[1.0; N]);
    assert_eq!(other.restore(&state), Ok(()));
    assert_eq!(bytes(&other), state);
    fuzz.called("restored");
    twins(fuzz, &mut [&mut predictor.clone(), &mut other]);
}

/// Logs of other sizes.
fn other_sizes<A: Fuzzed>(fuzz: &mut Fuzz) {
    let config = fuzz.stored_config();
    let Ok(learner) = AnyStored::<A>::try_new(config, Log::NEW) else { return };
    let mut life = Life::<A, AnyStored<A>, N>::new(fuzz, Predictor::new(learner));
    while fuzz.goes_on() {
        (0..fuzz.below(30)).for_each(|_| life.call(fuzz));
        let state = bytes(&life.predictor);
        let mut small = Predictor::new(Stored::new(config, Log::<A, N, 9, 4>::NEW));
        let (before, fits) = (bytes(&small), life.course.fits(9, 4));
        assert_eq!(small.restore(&state), if fits { Ok(()) } else { Err(StateError::OtherSize) });
        assert_eq!(bytes(&small), if fits { state.clone() } else { before });
        fuzz.called(if fits { "into another size" } else { "no room in another size" });
        let mut large = Predictor::new(Stored::new(config, Log::<A, N, 40, 20>::NEW));
        assert_eq!((large.restore(&state), bytes(&large)), (Ok(()), state));
        let mut twin = life.predictor.clone();
        assert_eq!(format!("{:?}", large.end()), format!("{:?}", twin.end()));
        assert_eq!(bytes(&large), bytes(&twin));
        fuzz.called("into another size");
    }
}

/// A state is refused by any other kind of learner, with the reason.
fn strangers<A: Fuzzed>(fuzz: &mut Fuzz, state: &[u8], rule: u8) {
    fn refused<A: Fuzzed, L: Rule<A, M>, const M: usize>(learner: L, state: &[u8], why: StateError) {
        let mut stranger = Predictor::new(learner);
        let before = bytes(&stranger);
        assert_eq!(stranger.restore(state), Err(why));
        assert_eq!(bytes(&stranger), before, "{why:?} has changed something");
    }
    const CONFIG: StreamingConfig = StreamingConfig::DEFAULT;
    if rule == 4 {
        let other = StateError::OtherArithmetic;
        if A::NAME == "f64" {
            refused(Streaming::<f32, N>::new(CONFIG), state, other);
        } else {
            refused(Streaming::<f64, N>::new(CONFIG), state, other);
        }
        // Without states, with another number of features, and with more states.
        refused(Streaming::<A, N>::new(CONFIG), state, StateError::OtherSize);
        refused(Streaming::<A, 2, 1>::by_state(CONFIG), state, StateError::OtherSize);
        refused(Streaming::<A, N, 2>::by_state(CONFIG), state, StateError::OtherSize);
    } else {
        refused(Streaming::<A, N>::new(CONFIG), state, StateError::OtherRule);
        let tracking = Tracking::<A, 2>::new(TrackingConfig::DEFAULT);
        refused(tracking, state, if rule == 5 { StateError::OtherSize } else { StateError::OtherRule });
    }
    fuzz.called("refused by a stranger");
}

/// A changed byte or length is detected, and nothing changes.
fn damaged<A: Fuzzed, L: Rule<A, N>>(fuzz: &mut Fuzz, predictor: &Predictor<L>, state: &[u8]) {
    let (mut state, mut other) = (state.to_vec(), predictor.clone());
    match fuzz.below(4) {
        0 => state.truncate(fuzz.below(state.len() as u32) as usize),
        1 => state.extend((0..=fuzz.below(8)).map(|_| fuzz.any::<u8>())),
        _ => {
            let place = fuzz.below(state.len() as u32) as usize;
            state[place] ^= 1 + fuzz.below(255) as u8;
        }
    }
    let error = other.restore(&state).expect_err("it is damaged");
    assert_eq!(bytes(&other), bytes(predictor), "{error:?} has changed something");
    fuzz.called("damaged");
}

/// Bytes that were never saved, with a valid checksum: whatever the result, nothing panics.
fn forged<A: Fuzzed, L: Rule<A, N>>(fuzz: &mut Fuzz, state: &[u8], mut other: Predictor<L>) {
    let before = bytes(&other);
    let given = other.restore(&forge(fuzz, state));
    fuzz.called(if given.is_ok() { "forged" } else { "forgery refused" });
    if given.is_ok() {
        twins(fuzz, &mut [&mut other]);
    } else {
        assert_eq!(bytes(&other), before, "{given:?} has changed something");
    }
}

/// Replaces some or most bytes of a state with arbitrary ones, and fixes the checksum.
fn forge(fuzz: &mut Fuzz, state: &[u8]) -> Vec<u8> {
    let mut forged = state.to_vec();
    let body = state.len() - CHECKSUM;
    let one_in = fuzz.pick(&[1, 2, 10, 100]);
    // The numbers of rows and steps have to agree with the length, so the header is mostly left alone.
    let begin = if fuzz.one_in(8) { 0 } else { HEADER };
    for byte in &mut forged[begin..body] {
        if fuzz.one_in(one_in) {
            *byte = if fuzz.one_in(4) { fuzz.pick(&[0, 1, 0x7f, 0x80, 0xff]) } else { fuzz.any() };
        }
    }
    let checksum = checksum(&forged[..body]);
    forged[body..].copy_from_slice(&checksum.to_le_bytes());
    forged
}

/// CRC-32, bit by bit.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

/// Agents: the generator and the progress are part of the state.
struct Reborn;

impl<A: Fuzzed> VisitAgent<A> for Reborn {
    fn visit<L, P>(self, fuzz: &mut Fuzz, _: &Table, _: &Rows, mut agent: Agent<L, P>)
    where
        L: Rule<A, N>,
        P: Policy<A, N, Observation = u8>,
    {
        let saved = |agent: &Agent<L, P>| {
            let mut bytes = vec![0; Agent::<L, P>::BYTES];
            let length = agent.save(&mut bytes).expect("there is room for it");
            bytes.truncate(length);
            bytes
        };
        while fuzz.goes_on() {
            let samples: [Vec<_>; 3] = [(); 3].map(|()| (0..fuzz.below(24)).map(|_| Sample::any(fuzz)).collect());
            let act = |fuzz: &mut Fuzz, agent: &mut Agent<L, P>, samples: &[Sample]| -> Vec<String> {
                let said = samples.iter().map(|sample| sample.act(agent)).collect();
                finite(&[agent.weights(), agent.estimate()]);
                fuzz.called("twins");
                said
            };
            act(fuzz, &mut agent, &samples[0]);
            let state = saved(&agent);
            let first = act(fuzz, &mut agent, &samples[1]);
            let after = saved(&agent);
            assert_eq!((agent.restore(&state), saved(&agent)), (Ok(()), state.clone()));
            assert_eq!(act(fuzz, &mut agent, &samples[1]), first, "it does not go on as before");
            assert_eq!(saved(&agent), after, "it does not go on as before");
            fuzz.called("restored");
            let mut predictor = Predictor::new(agent.learner().clone());
            assert_eq!(predictor.restore(&state), Err(StateError::OtherOwner));
            fuzz.called("refused by a stranger");
            let given = agent.restore(&forge(fuzz, &state));
            fuzz.called(if given.is_ok() { "forged" } else { "forgery refused" });
            assert!(given.is_ok() || saved(&agent) == after, "{given:?} has changed something");
            act(fuzz, &mut agent, &samples[2]);
            // Continue from a valid state.
            assert_eq!(agent.restore(&state), Ok(()));
        }
    }
}

/// A call of an agent.
enum Sample {
    End,
    Cut(u8),
    Missed,
    Step(Option<f32>, u8),
}

impl Sample {
    fn any(fuzz: &mut Fuzz) -> Self {
        let state = fuzz.below(STATES.into()) as u8;
        match fuzz.below(8) {
            0 => Self::End,
            1 => Self::Cut(state),
            2 => Self::Missed,
            _ => Self::Step(fuzz.reward(), state),
        }
    }

    fn act<A, L, P>(&self, agent: &mut Agent<L, P>) -> String
    where
        A: Fuzzed,
        L: Rule<A, N>,
        P: Policy<A, N, Observation = u8>,
    {
        let answer: &dyn Debug = match self {
            Self::End => &agent.end(),
            Self::Cut(state) => &agent.truncate(state),
            Self::Missed => &agent.missed(),
            Self::Step(reward, state) => &agent.step(*reward, state),
        };
        format!("{answer:?}")
    }
}
