//! Promise: a saved state continues bit for bit, even from the middle of an episode. Anything but a complete state of
//! the same kind is refused with the reason, and changes nothing. The bytes are those of `docs/checkpoint-format.md`.

mod kinds;
mod layout;
mod models;
mod refused;
mod resumed;
mod script;
mod subject;

use osculate_host_tests::crc::crc;

/// Bytes before the numbers.
const HEADER: usize = 14;

/// Fixes the checksum after a change.
fn reseal(bytes: &mut [u8]) {
    let (state, checksum) = bytes.split_at_mut(bytes.len() - 4);
    checksum.copy_from_slice(&crc(state).to_le_bytes());
}
