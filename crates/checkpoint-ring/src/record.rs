//! A checkpoint in its frame.
//!
//! | offset | bytes | what |
//! | --- | --- | --- |
//! | 0 | 4 | sequence number |
//! | 4 | 4 | n, the length of the payload |
//! | 8 | n | payload |
//! | 8 + n | 4 | CRC-32/ISO-HDLC of all preceding bytes |
//!
//! All numbers are little-endian. The rest of the last piece is 0xff, as in an erased part.

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};

use crate::{PIECE, Place, StoreError};

/// The bytes of the frame around a payload.
pub const OVERHEAD: usize = HEAD + 4;

const HEAD: usize = 8;

// A table would take a kilobyte of flash, but checkpoints are rare.
static CRC: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// The CRC of any bytes that end with their own CRC.
const INTACT: u32 = !CRC_32_ISO_HDLC.residue;

/// A record, to be written piece by piece: it is never in one buffer.
#[derive(Debug)]
pub(super) struct Record<'p> {
    head: [u8; HEAD],
    payload: &'p [u8],
    crc: [u8; 4],
}

impl<'p> Record<'p> {
    pub(super) fn new(sequence: u32, payload: &'p [u8]) -> Result<Self, StoreError> {
        let length = u32::try_from(payload.len()).map_err(|_| StoreError::TooLong)?;
        let ([a, b, c, d], [e, f, g, h]) = (sequence.to_le_bytes(), length.to_le_bytes());
        let head = [a, b, c, d, e, f, g, h];
        let mut digest = CRC.digest();
        digest.update(&head);
        digest.update(payload);
        Ok(Self { head, payload, crc: digest.finalize().to_le_bytes() })
    }

    /// The number of pieces.
    pub(super) fn pieces(&self) -> usize {
        self.payload.len().saturating_add(OVERHEAD).div_ceil(PIECE)
    }

    /// One of the pieces.
    pub(super) fn piece(&self, index: usize) -> [u8; PIECE] {
        core::array::from_fn(|i| self.byte(index.saturating_mul(PIECE).saturating_add(i)).unwrap_or(0xff))
    }

    fn byte(&self, at: usize) -> Option<u8> {
        let Some(at) = at.checked_sub(HEAD) else { return self.head.get(at).copied() };
        let Some(after) = at.checked_sub(self.payload.len()) else { return self.payload.get(at).copied() };
        self.crc.get(after).copied()
    }
}

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// It has never been written, or was erased.
    Blank,
    /// Something that is not a complete record.
    Damaged,
    /// A record with an intact CRC.
    Complete {
        /// Its sequence number.
        sequence: u32,
        /// The length of its payload.
        length: usize,
    },
}

/// Reads a slot, and as much of its payload as fits into the buffer.
pub(super) fn read(place: &mut dyn Place, slot: usize, buffer: &mut [u8]) -> Result<Content, StoreError> {
    let mut piece = [0; PIECE];
    place.read(slot, 0, &mut piece)?;
    if [0, 0xff].iter().any(|blank| piece.iter().all(|byte| byte == blank)) {
        return Ok(Content::Blank);
    }
    let [a, b, c, d, e, f, g, h, ..] = piece;
    let (sequence, length) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]) as usize);
    let most = place.pieces().saturating_mul(PIECE);
    let Some(total) = length.checked_add(OVERHEAD).filter(|total| *total <= most) else {
        return Ok(Content::Damaged);
    };
    let mut digest = CRC.digest();
    for index in 0..total.div_ceil(PIECE) {
        if index > 0 {
            place.read(slot, index, &mut piece)?;
        }
        let start = index * PIECE;
        digest.update(piece.get(..total - start).unwrap_or(&piece));
        let payload = (start..).zip(piece).filter_map(|(at, byte)| Some((at.checked_sub(HEAD)?, byte)));
        for (at, byte) in payload.take_while(|(at, _)| *at < length) {
            if let Some(kept) = buffer.get_mut(at) {
                *kept = byte;
            }
        }
    }
    Ok(if digest.finalize() == INTACT { Content::Complete { sequence, length } } else { Content::Damaged })
}
