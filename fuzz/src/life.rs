//! What has a state: called at random, saved at any time, restored elsewhere, damaged, and forged with a valid checksum.

use osculate::StateError;

use super::input::Fuzz;

/// Magic, version, owner, rule, arithmetic, features, length.
pub(super) const HEADER: usize = 4 + 1 + 1 + 1 + 1 + 2 + 4;
pub(super) const CHECKSUM: usize = 4;

/// A predictor or an agent, and what it should answer.
pub(super) trait Life: Clone {
    /// The maximum size of its state in bytes.
    const BYTES: usize;

    /// An arbitrary call, and the checks of its answer, if something is expected of it.
    fn call(&mut self, fuzz: &mut Fuzz);
    fn save(&self, bytes: &mut [u8]) -> Result<usize, StateError>;
    fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError>;
    /// From here on it should answer as the other one; without one, only its numbers have to be finite.
    fn expect_as(&mut self, other: Option<&Self>);

    /// Its full state.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; Self::BYTES];
        let length = self.save(&mut bytes).expect("there is room for it");
        bytes.truncate(length);
        bytes
    }
}

/// Calls it until there are no more bytes; now and then, its state is taken elsewhere.
pub(super) fn live<T: Life>(fuzz: &mut Fuzz, mut life: T) {
    // This is slow for a long log.
    let saves_one_in = 64 * (1 + T::BYTES as u32 / 1024);
    while fuzz.goes_on() {
        life.call(fuzz);
        if fuzz.one_in(saves_one_in) {
            saved(fuzz, &life);
        }
    }
}

/// Promise 10.
fn saved<T: Life>(fuzz: &mut Fuzz, life: &T) {
    let state = life.bytes();
    let mut short = vec![0; fuzz.below(state.len() as u32) as usize];
    assert_eq!(life.save(&mut short), Err(StateError::NoRoom));
    fuzz.called("no room to save");
    // Restoring works in the middle of an episode, too.
    let mut other = life.clone();
    (0..fuzz.below(8)).for_each(|_| other.call(fuzz));
    let mut damaged = state.clone();
    damaged[fuzz.below(state.len() as u32) as usize] ^= 1 + fuzz.below(255) as u8;
    let is_restored = restore(fuzz, &mut other, "damaged", &damaged);
    assert!(!is_restored, "a damaged state was restored");
    assert!(restore(fuzz, &mut other, "restored", &state));
    assert_eq!(other.bytes(), state);
    other.expect_as(Some(life));
    go_on_alike(fuzz, [&mut life.clone(), &mut other]);
    // Bytes that were never saved: a state like any other, if they are not refused.
    let forged = forge(fuzz, state);
    if restore(fuzz, &mut other, "forged", &forged) {
        other.expect_as(None);
        let (mut again, state) = (other.clone(), other.bytes());
        assert_eq!((again.restore(&state), again.bytes()), (Ok(()), state));
        go_on_alike(fuzz, [&mut other, &mut again]);
    }
}

/// Whether a state was restored; if not, nothing has changed.
fn restore(fuzz: &mut Fuzz, life: &mut impl Life, what: &'static str, state: &[u8]) -> bool {
    let (before, given) = (life.bytes(), life.restore(state));
    assert!(given.is_ok() || life.bytes() == before, "{given:?} has changed something");
    fuzz.called(if given.is_ok() { what.to_owned() } else { format!("{what} refused") });
    given.is_ok()
}

/// The same calls of both: the answers and the states are the same.
fn go_on_alike<T: Life>(fuzz: &mut Fuzz, [one, other]: [&mut T; 2]) {
    let calls = fuzz.below(24);
    let [mut first, mut second] = [fuzz.listening(), fuzz.listening()];
    for _ in 0..calls {
        one.call(&mut first);
        other.call(&mut second);
        assert_eq!(first.heard(), second.heard(), "it does not go on as before");
        assert_eq!(one.bytes(), other.bytes(), "it does not go on as before");
    }
    fuzz.go_on_from(first);
}

/// Replaces some or most bytes of a state with arbitrary ones, and fixes the checksum.
fn forge(fuzz: &mut Fuzz, mut state: Vec<u8>) -> Vec<u8> {
    let body = state.len() - CHECKSUM;
    let one_in = fuzz.pick(&[1, 2, 10, 100]);
    // The numbers of rows and steps have to agree with the length, so the header is mostly left alone.
    let begin = if fuzz.one_in(8) { 0 } else { HEADER };
    for byte in &mut state[begin..body] {
        if fuzz.one_in(one_in) {
            *byte = if fuzz.one_in(4) { fuzz.pick(&[0, 1, 0x7f, 0x80, 0xff]) } else { fuzz.any() };
        }
    }
    let checksum = checksum(&state[..body]);
    state[body..].copy_from_slice(&checksum.to_le_bytes());
    state
}

/// CRC-32, bit by bit.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
