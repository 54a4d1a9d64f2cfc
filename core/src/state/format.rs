//! The frame around the numbers of a state: a header with a fingerprint and the length, and a checksum.

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};

use super::{Persist, Reader, StateError, Writer, persist};

const MAGIC: u32 = u32::from_le_bytes(*b"OSCU");
const VERSION: u8 = 2;
// A table would take a kilobyte of flash, but states are written rarely.
const CHECKSUM: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// What kind of learner a state belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Fingerprint {
    /// Predictor, agent or model.
    pub(crate) owner: u8,
    pub(crate) rule: u8,
    pub(crate) arithmetic: u8,
    pub(crate) features: u16,
}

persist!(Fingerprint: owner: u8, rule: u8, arithmetic: u8, features: u16);

#[derive(Default)]
struct Header {
    magic: u32,
    version: u8,
    of: Fingerprint,
    /// The length of the numbers between the header and the checksum.
    length: u32,
}

persist!(Header: magic: u32, version: u8, of: Fingerprint, length: u32);

/// Bytes of a state in addition to its numbers.
pub(crate) const OVERHEAD: usize = Header::BYTES + u32::BYTES;

/// Writes a state: a header, the numbers that `write` writes, and the checksum of both. Returns its length.
pub(crate) fn seal(
    bytes: &mut [u8],
    of: Fingerprint,
    write: impl FnOnce(&mut Writer<'_>),
) -> Result<usize, StateError> {
    // The header is written last, once the length is known.
    let mut body = Writer::new(bytes.get_mut(Header::BYTES..).ok_or(StateError::NoRoom)?);
    write(&mut body);
    let length = body.length();
    frame(bytes, of, length)
}

/// Adds the header and the checksum. Compiled once, whatever is written.
#[inline(never)]
fn frame(bytes: &mut [u8], of: Fingerprint, length: usize) -> Result<usize, StateError> {
    Header { magic: MAGIC, version: VERSION, of, length: length as u32 }.write(&mut Writer::new(bytes));
    let end = Header::BYTES + length;
    let (state, checksum) = bytes.split_at_mut_checked(end).ok_or(StateError::NoRoom)?;
    let checksum = checksum.first_chunk_mut().ok_or(StateError::NoRoom)?;
    *checksum = CHECKSUM.checksum(state).to_le_bytes();
    Ok(end + u32::BYTES)
}

/// Returns the numbers of a state after checking that it is complete and of the right kind.
pub(crate) fn open(bytes: &[u8], of: Fingerprint) -> Result<Reader<'_>, StateError> {
    let mut header = Header::default();
    let (state, checksum) = bytes.split_last_chunk().ok_or(StateError::NoState)?;
    let body = state.get(Header::BYTES..).ok_or(StateError::NoState)?;
    header.read(&mut Reader::new(state));
    if header.magic != MAGIC {
        return Err(StateError::NoState);
    }
    if header.version != VERSION {
        return Err(StateError::OtherVersion);
    }
    if body.len() != header.length as usize {
        return Err(StateError::NoState);
    }
    if CHECKSUM.checksum(state) != u32::from_le_bytes(*checksum) {
        return Err(StateError::Damaged);
    }
    match header.of {
        it if it.owner != of.owner => Err(StateError::OtherOwner),
        it if it.rule != of.rule => Err(StateError::OtherRule),
        it if it.arithmetic != of.arithmetic => Err(StateError::OtherArithmetic),
        it if it.features != of.features => Err(StateError::OtherSize),
        _ => Ok(Reader::new(body)),
    }
}
