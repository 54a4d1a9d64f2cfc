//! Why there is no answer.

use std::{fmt, io};

/// Why there is no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read.
    File(io::Error),
    /// It is no ELF file, or a broken one.
    Elf(object::Error),
    /// Something that an image must have, in words.
    Missing(&'static str),
    /// Code that cannot be decoded or followed.
    Code {
        /// The function that it is in.
        function: String,
        /// Where.
        address: u32,
        /// What is wrong there.
        why: &'static str,
    },
    /// A call leads to an address where no function begins.
    NoFunction(u32),
    /// No function has the name that was asked for.
    NoSuchName,
    /// Functions that call each other without a pointer; the first one is the last one, too.
    Recursion(Vec<String>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => write!(f, "cannot read the file: {error}"),
            Self::Elf(error) => write!(f, "no ELF file: {error}"),
            Self::Missing(what) => f.write_str(what),
            Self::Code { function, address, why } => write!(f, "in `{function}`, at {address:#x}: {why}"),
            Self::NoFunction(address) => write!(f, "a call to {address:#x}, where no function begins"),
            Self::NoSuchName => f.write_str("the image has no such function"),
            Self::Recursion(names) => write!(f, "recursion: {}", names.join(" → ")),
        }
    }
}

impl std::error::Error for Error {}

impl From<object::Error> for Error {
    fn from(error: object::Error) -> Self {
        Self::Elf(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}
