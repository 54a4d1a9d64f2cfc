//! The bytes of a state, as `docs/checkpoint-format.md` describes them, without any code of the library.

/// Bytes before the numbers.
pub(crate) const HEADER: usize = 14;

/// CRC-32/ISO-HDLC, bit by bit.
pub(crate) fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

/// Fixes the checksum after a change.
pub(crate) fn reseal(bytes: &mut [u8]) {
    let (state, checksum) = bytes.split_at_mut(bytes.len() - 4);
    checksum.copy_from_slice(&crc(state).to_le_bytes());
}

#[test]
fn the_checksum_is_the_usual_one() {
    assert_eq!(crc(b"123456789"), 0xcbf4_3926);
}
