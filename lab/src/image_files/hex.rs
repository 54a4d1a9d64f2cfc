//! Intel hex: lines of up to 16 bytes with their address and a checksum. What the drive of a micro:bit takes.

use anyhow::{Context, Result};
use ihex::Record;

use super::content::Content;

/// Bytes in a line.
const LINE: usize = 16;

/// The text of the file.
pub fn write(content: &Content) -> Result<String> {
    let mut records = Vec::new();
    let mut upper = None;
    for (start, bytes) in content.parts() {
        // Up to the next multiple: such a line never crosses 64 KiB, where its 16-bit address would wrap.
        let (first, rest) = bytes.split_at(bytes.len().min(start.wrapping_neg() as usize % LINE));
        let mut address = start;
        for line in [first].into_iter().chain(rest.chunks(LINE)).filter(|line| !line.is_empty()) {
            if upper.replace(address >> 16) != Some(address >> 16) {
                records.push(Record::ExtendedLinearAddress((address >> 16) as u16));
            }
            records.push(Record::Data { offset: address as u16, value: line.to_vec() });
            address = address.wrapping_add(line.len() as u32);
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
        assert!(ended && read.bytes().eq(content.bytes()));
    }
}
