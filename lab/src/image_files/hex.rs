//! Intel hex: lines of up to 16 bytes with their address and a checksum. What the drive of a micro:bit takes.

use anyhow::{Context, Result};
use ihex::Record;

use super::content::Content;

/// Bytes in a line.
const LINE: u32 = 16;

/// The text of the file.
///
/// # Errors
/// If there is nothing to write.
pub fn write(content: &Content) -> Result<String> {
    content.start().context("there is nothing to write")?;
    let mut records = Vec::new();
    let mut upper = None;
    for (start, bytes) in content.parts() {
        let mut at = 0;
        while at < bytes.len() {
            let address = start + at as u32;
            if upper != Some(address >> 16) {
                upper = Some(address >> 16);
                records.push(Record::ExtendedLinearAddress((address >> 16) as u16));
            }
            // Up to the next multiple: such a line never crosses 64 KiB, where its 16-bit address would wrap.
            let length = ((LINE - address % LINE) as usize).min(bytes.len() - at);
            records.push(Record::Data { offset: address as u16, value: bytes[at..at + length].to_vec() });
            at += length;
        }
    }
    records.push(Record::EndOfFile);
    ihex::create_object_file_representation(&records).context("cannot write Intel hex")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_read_back_where_it_belongs() {
        // Parts that begin and end in the middle of lines, across 64 KiB, with gaps.
        let mut content = Content::default();
        for (start, count) in [(0x1000_0000, 0x113), (0x1000_fff3, 0x2222), (0x1001_4001, 5)] {
            let bytes: Vec<u8> = (0..count).map(|at: u32| (at * 7) as u8).collect();
            content.add(start, &bytes).unwrap();
        }
        let (mut read, mut base, mut ended) = (Content::default(), 0, false);
        for record in ihex::Reader::new(&write(&content).unwrap()) {
            assert!(!ended);
            match record.unwrap() {
                Record::ExtendedLinearAddress(upper) => base = u32::from(upper) << 16,
                Record::Data { offset, value } => read.add(base + u32::from(offset), &value).unwrap(),
                record => ended = record == Record::EndOfFile,
            }
        }
        assert!(ended && read == content);
        assert!(write(&Content::default()).is_err());
    }
}
