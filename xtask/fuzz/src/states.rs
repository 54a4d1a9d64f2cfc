//! States as bytes: saved at any time, restored elsewhere, damaged, and forged with a valid checksum.

use osculate::learn::{Learner, Space};
use osculate::{Agent, Log, Predictor, StateError, Stored, Streaming, Tracking};

use super::Fuzz;
use super::check::{finite, made, stored_faults, streaming_faults, tracking_faults};
use super::layout::{CHECKSUM, HEADER, Laid, bytes};
use super::number::Fuzzed;
use super::predictor::Life;
use super::table::{self, Rows, Table, Visit};

const N: usize = 3;
type Small<A> = Log<A, N, 9, 4>;
type Large<A> = Log<A, N, 40, 20>;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(4) {
        0 => stored::<A>(fuzz),
        1 => streaming::<A>(fuzz),
        2 => tracking::<A>(fuzz),
        _ => table::any_agent::<A, Reborn>(fuzz),
    }
}

fn stored<A: Fuzzed>(fuzz: &mut Fuzz) {
    let config = fuzz.stored_config();
    let learner = made(fuzz, Stored::new(config, Log::<A, N, 16, 6>::new()), &stored_faults(&config));
    let Some(learner) = learner else { return };
    let fresh = Predictor::new(learner);
    let mut life = Life::new(fuzz, fresh.clone());
    for _ in 0..4 {
        life.live(fuzz, 30);
        let state = bytes(&life.predictor);
        restored(fuzz, &life.predictor, fresh.clone());
        let mut small = Predictor::new(Stored::new(config, Small::<A>::new()).expect("it was allowed before"));
        let (before, fits) = (bytes(&small), life.episode.fits(9, 4));
        let given = small.restore(&state);
        assert_eq!(given, if fits { Ok(()) } else { Err(StateError::OtherSize) });
        assert_eq!(bytes(&small), if fits { state.clone() } else { before });
        fuzz.called(if fits { "into another size" } else { "no room in another size" });
        let mut large = Predictor::new(Stored::new(config, Large::<A>::new()).expect("it was allowed before"));
        assert_eq!((large.restore(&state), bytes(&large)), (Ok(()), state.clone()));
        fuzz.called("into another size");
        let mut twin = life.predictor.clone();
        assert_eq!(said(&large.end()), said(&twin.end()));
        assert_eq!(bytes(&large), bytes(&twin));
        strangers::<A>(fuzz, &state, 1);
        damaged(fuzz, &life.predictor, &fresh);
        forged(fuzz, &state, fresh.clone());
    }
}

fn streaming<A: Fuzzed>(fuzz: &mut Fuzz) {
    let config = fuzz.streaming_config();
    let learner = made(fuzz, Streaming::<A, N, 1>::by_state(config), &streaming_faults(&config));
    let Some(learner) = learner else { return };
    let fresh = Predictor::new(learner);
    let mut life = Life::new(fuzz, fresh.clone());
    for _ in 0..4 {
        life.live(fuzz, 30);
        let state = bytes(&life.predictor);
        restored(fuzz, &life.predictor, fresh.clone());
        let mut wider = Predictor::new(Streaming::<A, N, 2>::by_state(config).expect("it was allowed before"));
        assert_eq!(wider.restore(&state), Err(StateError::OtherSize));
        fuzz.called("no room in another size");
        strangers::<A>(fuzz, &state, 4);
        damaged(fuzz, &life.predictor, &fresh);
        forged(fuzz, &state, fresh.clone());
    }
}

fn tracking<A: Fuzzed>(fuzz: &mut Fuzz) {
    let config = fuzz.tracking_config();
    let learner = made(fuzz, Tracking::<A, N>::new(config), &tracking_faults(&config));
    let Some(learner) = learner else { return };
    let fresh = Predictor::new(learner);
    let mut predictor = fresh.clone();
    for _ in 0..4 {
        blind(fuzz, &mut predictor);
        let state = bytes(&predictor);
        restored(fuzz, &predictor, fresh.clone());
        let mut smaller = Predictor::new(Tracking::<A, 2>::new(config).expect("it was allowed before"));
        assert_eq!(smaller.restore(&state), Err(StateError::OtherSize));
        fuzz.called("no room in another size");
        strangers::<A>(fuzz, &state, 5);
        damaged(fuzz, &predictor, &fresh);
        forged(fuzz, &state, fresh.clone());
    }
}

/// An outcome, bit for bit.
fn said(outcome: &osculate::Outcome) -> String {
    format!("{outcome:?}")
}

/// A state continues bit for bit in another predictor, and can only be saved to a buffer that is long enough.
fn restored<A: Fuzzed, L: Laid + Learner<Space = Space<A, N>>>(
    fuzz: &mut Fuzz,
    predictor: &Predictor<L>,
    mut other: Predictor<L>,
) {
    let state = bytes(predictor);
    let mut short = vec![0; fuzz.below(state.len() as u32) as usize];
    assert_eq!(predictor.save(&mut short), Err(StateError::NoRoom));
    fuzz.called("no room to save");
    // Restoring works in the middle of an episode, too.
    _ = other.begin(&[1.0; N]);
    assert_eq!(other.restore(&state), Ok(()));
    assert_eq!(bytes(&other), state);
    fuzz.called("restored");
    let dice = fuzz.dice.clone();
    let mut predictor = predictor.clone();
    let first = blind(fuzz, &mut predictor);
    fuzz.dice = dice;
    assert_eq!(blind(fuzz, &mut other), first, "it does not go on as before");
    assert_eq!(bytes(&other), bytes(&predictor), "it does not go on as before");
}

/// Calls without a model: checks only that nothing panics and that weights are finite. Returns the answers.
fn blind<A: Fuzzed, L: Laid + Learner<Space = Space<A, N>>>(
    fuzz: &mut Fuzz,
    predictor: &mut Predictor<L>,
) -> Vec<String> {
    let calls = fuzz.below(24);
    (0..calls)
        .map(|_| {
            let (phi, reward) = (fuzz.floats(), fuzz.reward());
            fuzz.called("blind");
            let said = match fuzz.below(8) {
                0 => format!("{:?}", predictor.end()),
                1 => format!("{:?}", predictor.cut(&phi)),
                2 => format!("{:?}", predictor.learn(fuzz.float(), &phi)),
                3 => format!("{:?}", predictor.step_raw(reward, &A::any_raw(fuzz).0)),
                4 | 5 => format!("{:?}", predictor.step_at(fuzz.below(6), reward, &phi)),
                _ => format!("{:?}", predictor.step(reward, &phi)),
            };
            let learner = predictor.learner();
            finite(&[learner.weights(), learner.velocity(), learner.averaged()]);
            said
        })
        .collect()
}

/// A state is refused by any other kind of learner, with the reason.
fn strangers<A: Fuzzed>(fuzz: &mut Fuzz, state: &[u8], rule: u8) {
    fn refused<L: Laid + Learner<Space = Space<A, M>>, A: Fuzzed, const M: usize>(
        learner: L,
        state: &[u8],
        why: StateError,
    ) {
        let mut stranger = Predictor::new(learner);
        let before = bytes(&stranger);
        assert_eq!(stranger.restore(state), Err(why));
        assert_eq!(bytes(&stranger), before, "{why:?} has changed something");
    }
    let config = osculate::StreamingConfig::DEFAULT;
    let stream = Streaming::<A, N>::new(config).expect("it is allowed");
    if rule == 4 {
        if A::NAME == "f64" {
            refused(Streaming::<f32, N>::new(config).expect("it is allowed"), state, StateError::OtherArithmetic);
        } else {
            refused(Streaming::<f64, N>::new(config).expect("it is allowed"), state, StateError::OtherArithmetic);
        }
        refused(stream, state, StateError::OtherSize);
        refused(Streaming::<A, 2, 1>::by_state(config).expect("it is allowed"), state, StateError::OtherSize);
    } else {
        refused(stream, state, StateError::OtherRule);
    }
    fuzz.called("refused by a stranger");
}

/// A changed byte or length is detected, and nothing changes.
fn damaged<A: Fuzzed, L: Laid + Learner<Space = Space<A, N>>>(
    fuzz: &mut Fuzz,
    predictor: &Predictor<L>,
    fresh: &Predictor<L>,
) {
    let (mut state, mut other) = (bytes(fresh), predictor.clone());
    let before = bytes(&other);
    match fuzz.below(4) {
        0 => state.truncate(fuzz.below(state.len() as u32) as usize),
        1 => state.extend((0..=fuzz.below(8)).map(|_| fuzz.dice.bits() as u8)),
        _ => {
            let place = fuzz.below(state.len() as u32) as usize;
            state[place] ^= 1 + fuzz.below(255) as u8;
        }
    }
    let error = other.restore(&state).expect_err("it is damaged");
    assert_eq!(bytes(&other), before, "{error:?} has changed something");
    fuzz.called("damaged");
}

/// Bytes that were never saved, with a valid checksum: whatever the result, nothing panics.
fn forged<A: Fuzzed, L: Laid + Learner<Space = Space<A, N>>>(fuzz: &mut Fuzz, state: &[u8], mut other: Predictor<L>) {
    let before = bytes(&other);
    let state = forge(fuzz, state);
    match other.restore(&state) {
        Ok(()) => {
            fuzz.called("forged");
            for _ in 0..4 {
                blind(fuzz, &mut other);
                bytes(&other);
            }
        }
        Err(error) => {
            fuzz.called("forgery refused");
            assert_eq!(bytes(&other), before, "{error:?} has changed something");
        }
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
            *byte = if fuzz.one_in(4) { fuzz.pick(&[0, 1, 0x7f, 0x80, 0xff]) } else { fuzz.dice.bits() as u8 };
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

impl Visit for Reborn {
    const TRACKS: bool = true;

    fn visit<A, L, P>(fuzz: &mut Fuzz, _: &Table, _: &Rows<'_>, mut agent: Agent<L, P>)
    where
        A: Fuzzed,
        L: Laid + Learner<Space = Space<A, N>>,
        P: osculate::control::Policy<A, N, Observation = u8>,
    {
        let saved = |agent: &Agent<L, P>| {
            let mut bytes = vec![0; Agent::<L, P>::BYTES];
            let length = agent.save(&mut bytes).expect("there is room for it");
            bytes.truncate(length);
            bytes
        };
        for _ in 0..8 {
            act(fuzz, &mut agent);
            let (state, dice) = (saved(&agent), fuzz.dice.clone());
            let first = act(fuzz, &mut agent);
            let after = saved(&agent);
            assert_eq!(agent.restore(&state), Ok(()));
            assert_eq!(saved(&agent), state);
            fuzz.dice = dice;
            assert_eq!(act(fuzz, &mut agent), first, "it does not go on as before");
            assert_eq!(saved(&agent), after, "it does not go on as before");
            fuzz.called("restored");
            let mut predictor = Predictor::new(agent.learner().clone());
            assert_eq!(predictor.restore(&state), Err(StateError::OtherOwner));
            fuzz.called("refused by a stranger");
            let forged = forge(fuzz, &state);
            let given = agent.restore(&forged);
            fuzz.called(if given.is_ok() { "forged" } else { "forgery refused" });
            if given.is_err() {
                assert_eq!(saved(&agent), after, "{given:?} has changed something");
            }
            act(fuzz, &mut agent);
            // Continue from a valid state.
            assert_eq!(agent.restore(&state), Ok(()));
            if !fuzz.goes_on() {
                return;
            }
        }
    }
}

fn act<A, L, P>(fuzz: &mut Fuzz, agent: &mut Agent<L, P>) -> Vec<String>
where
    A: Fuzzed,
    L: Laid + Learner<Space = Space<A, N>>,
    P: osculate::control::Policy<A, N, Observation = u8>,
{
    let calls = fuzz.below(24);
    (0..calls)
        .map(|_| {
            let (state, reward) = (fuzz.below(table::STATES.into()) as u8, fuzz.reward());
            fuzz.called("blind");
            let said = match fuzz.below(8) {
                0 => format!("{:?}", agent.end()),
                1 => format!("{:?}", agent.cut(&state)),
                2 => format!("{:?}", agent.missed()),
                _ => format!("{:?}", agent.step(reward, &state)),
            };
            finite(&[agent.weights(), agent.estimate()]);
            said
        })
        .collect()
}
