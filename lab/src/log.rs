//! The firmware's log: defmt frames, decoded with the table in the firmware's ELF file.

use std::fmt;

use anyhow::{Context, Result};
use defmt_decoder::{DecodeError, Frame, Locations, StreamDecoder, Table};
use osculate_apps::message::{Message, from_bytes};
use osculate_programs::report::Report;
use serde::de::DeserializeOwned;

/// A line of the firmware's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Severity, such as `error`; `None` for `defmt::println!`.
    pub level: Option<&'static str>,
    /// The message, with its arguments filled in.
    pub message: String,
    /// `file:line` of the log statement, if the ELF file has debug information.
    pub location: Option<String>,
}

/// The table that decodes the log of one ELF file.
pub struct LogTable {
    table: Table,
    locations: Locations,
}

/// Turns the bytes of a log into lines. The bytes may arrive in pieces of any size.
pub struct LogDecoder<'t> {
    stream: Box<dyn StreamDecoder + Send + Sync + 't>,
    locations: &'t Locations,
    recovers: bool,
}

impl LogTable {
    /// Reads the table from the bytes of an ELF file.
    ///
    /// # Errors
    /// If the file has no table, or one of another version of defmt.
    pub fn of_elf(elf: &[u8]) -> Result<LogTable> {
        let table = Table::parse(elf).context("cannot read the defmt table of the ELF file")?;
        let table = table.context("the ELF file has no defmt table: was it linked with -Tdefmt.x and does it log?")?;
        // Without debug information there are no locations.
        let locations = table.get_locations(elf).unwrap_or_default();
        Ok(LogTable { table, locations })
    }

    /// A decoder at the start of a log.
    pub fn decoder(&self) -> LogDecoder<'_> {
        LogDecoder {
            stream: self.table.new_stream_decoder(),
            locations: &self.locations,
            recovers: self.table.encoding().can_recover(),
        }
    }
}

impl LogDecoder<'_> {
    /// Takes the next bytes of the log and passes on every line they complete.
    ///
    /// An incomplete frame waits for its remainder; an invalid frame is replaced by a warning.
    pub fn push(&mut self, bytes: &[u8], mut on_line: impl FnMut(Line)) {
        self.stream.received(bytes);
        loop {
            match self.stream.decode() {
                Ok(frame) => on_line(Line::of_frame(&frame, self.locations)),
                Err(DecodeError::UnexpectedEof) => return,
                Err(DecodeError::Malformed) => {
                    let message = "(a log frame that cannot be decoded)".into();
                    on_line(Line { level: Some("warn"), message, location: None });
                    if !self.recovers {
                        return;
                    }
                }
            }
        }
    }
}

impl Line {
    fn of_frame(frame: &Frame<'_>, locations: &Locations) -> Line {
        let level = frame.level().map(|level| level.as_str());
        let location = locations.get(&frame.index());
        let location = location.map(|location| format!("{}:{}", location.file.display(), location.line));
        Line { level, message: frame.display_message().to_string(), location }
    }
}

impl Line {
    /// The message that the firmware sent by `send`; `None` if the line is for people.
    ///
    /// # Errors
    /// If the message cannot be decoded: the firmware was built from a different source than this program.
    pub fn told(&self) -> Result<Option<Message>> {
        self.sent("message")
    }

    /// The report of a test program; `None` if the line is anything else.
    pub fn reported(&self) -> Result<Option<Report>> {
        self.sent("report")
    }

    fn sent<M: DeserializeOwned>(&self, kind: &str) -> Result<Option<M>> {
        let bytes = self.message.strip_prefix(kind).and_then(|rest| rest.strip_prefix(" [")?.strip_suffix(']'));
        let Some(bytes) = bytes else { return Ok(None) };
        let bytes: Result<Vec<u8>, _> = bytes.split(", ").map(|byte| u8::from_str_radix(byte, 16)).collect();
        let message = bytes.map_err(anyhow::Error::from).and_then(|bytes| Ok(from_bytes(&bytes)?));
        message.map(Some).with_context(|| format!("the device said: {}", self.message))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A message is shown in words.
        let message = match (self.told(), self.reported()) {
            (Ok(Some(told)), _) => &format!("{told:?}"),
            (_, Ok(Some(report))) => &format!("{report:?}"),
            _ => &self.message,
        };
        let Some(level) = self.level else { return f.write_str(message) };
        write!(f, "{:<5} {message}", level.to_uppercase())?;
        match &self.location {
            // On other lines it would only be clutter.
            Some(location) if level == "error" => write!(f, " ({location})"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use osculate_apps::message::{MOST, to_bytes};

    use super::*;

    fn line(message: &str) -> Line {
        Line { level: Some("info"), message: message.into(), location: None }
    }

    #[test]
    fn a_message_is_told_from_a_line_for_people_and_a_damaged_one_is_refused() {
        let mut buffer = [0; MOST];
        let bytes = to_bytes(&Message::Stack(1000), &mut buffer).unwrap();
        // The log's decoder writes bytes like this.
        let text = format!("message {bytes:02x?}");
        assert_eq!(line(&text).told().unwrap(), Some(Message::Stack(1000)));
        assert_eq!(line(&text).to_string(), "INFO  Stack(1000)");
        assert_eq!(line("a message [sic] for people").told().unwrap(), None);
        for damaged in ["message []", "message [02]", "message [02, e8, zz]", "message [02, e8, 07, 00]"] {
            assert!(line(damaged).told().unwrap_err().to_string().contains(damaged));
        }
    }
}
