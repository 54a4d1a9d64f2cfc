//! The bytes of a state, as `docs/checkpoint-format.md` describes them, without any code of the library.

use osculate_host_tests::crc::crc;

/// Bytes before the numbers.
pub(crate) const HEADER: usize = 14;

/// Fixes the checksum after a change.
pub(crate) fn reseal(bytes: &mut [u8]) {
    let (state, checksum) = bytes.split_at_mut(bytes.len() - 4);
    checksum.copy_from_slice(&crc(state).to_le_bytes());
}
