//! The words of the command line.

use core::str;

use osculate_apps::failure::Failure;

use crate::host;

/// A command line of at most `BYTES` bytes, its end included.
pub struct Arguments<const BYTES: usize> {
    line: [u8; BYTES],
    length: usize,
}

impl<const BYTES: usize> Arguments<BYTES> {
    /// Asks the host for it.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn read() -> Result<Self, Failure> {
        let mut line = [0; BYTES];
        let length = host::command_line(&mut line).map_err(|_| Failure("the command line is too long"))?;
        Ok(Self { line, length })
    }

    /// Its words, without the name of the binary; none if it is not UTF-8.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let line = self.line.get(..self.length).unwrap_or_default();
        str::from_utf8(line).unwrap_or_default().split_ascii_whitespace().skip(1)
    }
}
