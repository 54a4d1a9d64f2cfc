//! The checksum that `docs/checkpoint-format.md` describes, without the code that writes it.

/// CRC-32/ISO-HDLC, bit by bit.
///
/// ```
/// assert_eq!(osculate_host_tests::crc::crc(b"123456789"), 0xcbf4_3926);
/// ```
pub fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    !crc
}
