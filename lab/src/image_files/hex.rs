//! Intel hex: lines of up to 16 bytes with their address and a checksum. What the drive of a micro:bit takes.

use anyhow::{Context, Result, bail, ensure};
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

/// What a file holds.
///
/// # Errors
/// The line, and what is wrong with it.
pub fn read(text: &str) -> Result<Content> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.line(line.trim_end()).with_context(|| format!("line {number}"))?;
    }
    ensure!(reader.ended, "the file is cut short: its last line is not `:00000001FF`");
    Ok(reader.content)
}

#[derive(Default)]
struct Reader {
    content: Content,
    base: u32,
    ended: bool,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<()> {
        ensure!(!self.ended, "`{line}` follows the end of the file");
        let digits = line.strip_prefix(':').context("does not begin with `:`")?;
        ensure!(digits.is_ascii() && digits.len() % 2 == 0, "a digit is missing");
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).context("not hexadecimal");
        let bytes = (0..digits.len()).step_by(2).map(byte).collect::<Result<Vec<u8>>>()?;
        let [count, high, low, kind, data @ .., _] = bytes.as_slice() else { bail!("is too short") };
        ensure!(data.len() == usize::from(*count), "has {} bytes of data, not {count}", data.len());
        // The last byte makes the sum of all a multiple of 256.
        ensure!(bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) == 0, "the checksum is wrong");
        let address = self.base + u32::from(u16::from_be_bytes([*high, *low]));
        match (kind, data) {
            (0, data) => self.content.add(address, data)?,
            (1, []) => self.ended = true,
            (2, [high, low]) => self.base = u32::from(u16::from_be_bytes([*high, *low])) << 4,
            (4, [high, low]) => self.base = u32::from(u16::from_be_bytes([*high, *low])) << 16,
            // Where a program starts: the chips here take it from the table of vectors.
            (3 | 5, [_, _, _, _]) => {}
            _ => bail!("a record of kind {kind} with {count} bytes"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_what_others_write() {
        // Segments of 16 bytes, lower case, Windows line ends, an entry point.
        let text = ":020000021000ec\r\n:0400000301020304ef\r\n:03000500010203f2\r\n:00000001FF\r\n";
        let mut content = Content::default();
        content.add(0x1_0005, &[1, 2, 3]).unwrap();
        assert_eq!(read(text).unwrap(), content);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let end = ":00000001FF\n";
        for (line, complaint) in [
            ("03000500010203F2", "does not begin with `:`"),
            (":03000500010203F", "a digit is missing"),
            (":03000500010203FG", "not hexadecimal"),
            (":00", "is too short"),
            (":0400050001020304F2", "the checksum is wrong"),
            (":0500050001020304F2", "has 4 bytes of data, not 5"),
            (":03000500010203F2\n:03000500010203F2", "overlaps what is already at 0x00000005"),
            (":0100000600F9", "a record of kind 6"),
        ] {
            let error = format!("{:#}", read(&format!("{line}\n{end}")).unwrap_err());
            assert!(error.starts_with("line ") && error.contains(complaint), "{error}");
        }
        assert!(read(":03000500010203F2\n").unwrap_err().to_string().contains("cut short"));
        assert!(format!("{:#}", read(&format!("{end}{end}")).unwrap_err()).contains("follows the end"));
    }
}
