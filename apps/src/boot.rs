//! Why a device started anew: the note that one run leaves in memory, and the next one reads.

use core::fmt;

use heapless::String;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::supervision::Stage;

/// How much of a file's path is kept: its end.
pub const TAIL: usize = 24;

/// What ended the previous run. The addresses are those of code or data on the device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// A panic.
    Panic {
        /// The end of the source file's path.
        file: String<TAIL>,
        /// The line in it.
        line: u32,
    },
    /// An assertion of the logger's own. Only the log of that run says which.
    Assertion,
    /// The stack has outgrown its memory.
    StackOverflow {
        /// The instruction; `None` if the core had no stack left to write it to.
        pc: Option<u32>,
        /// Where it was to write, or what it has overwritten.
        address: u32,
    },
    /// The core detected a fault.
    Fault {
        /// The kind of fault.
        fault: CoreFault,
        /// The instruction.
        pc: u32,
        /// Where its function was called from.
        lr: u32,
        /// The core's fault status (CFSR); 0 on a core without that register.
        status: u32,
    },
    /// An interrupt without a handler; negative: an exception.
    Interrupt(i16),
    /// The watchdog has missed this stage of the loop.
    Hang(Stage),
    /// A fault inside a fault handler.
    Lockup,
}

/// A kind of fault, as the core names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CoreFault {
    /// A fault that has no handler of its own, or that happened while interrupts were off.
    Hard,
    /// Forbidden memory.
    MemManage,
    /// No memory there.
    Bus,
    /// No such instruction.
    Usage,
}

impl CoreFault {
    /// Every kind.
    pub const ALL: [Self; 4] = [CoreFault::Hard, CoreFault::MemManage, CoreFault::Bus, CoreFault::Usage];

    /// Arm's name of it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hard => "HardFault",
            Self::MemManage => "MemManage fault",
            Self::Bus => "BusFault",
            Self::Usage => "UsageFault",
        }
    }
}

impl Cause {
    /// A panic at this line of a file.
    pub fn panic(file: &str, line: u32) -> Self {
        let start = (file.len().saturating_sub(TAIL)..=file.len()).find(|start| file.is_char_boundary(*start));
        let tail = start.and_then(|start| file.get(start..)).unwrap_or_default();
        Self::Panic { file: String::try_from(tail).unwrap_or_default(), line }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic { file, line } => write!(f, "panic at {file}:{line}"),
            Self::Assertion => f.write_str("failed assertion"),
            Self::StackOverflow { pc: Some(pc), address } => {
                write!(f, "stack overflow at {address:#010x}, by the instruction at {pc:#010x}")
            }
            Self::StackOverflow { pc: None, address } => write!(f, "stack overflow at {address:#010x}"),
            Self::Fault { fault, pc, lr, status } => {
                write!(f, "{} at pc {pc:#010x}, called from lr {lr:#010x}, status {status:#010x}", fault.name())
            }
            Self::Interrupt(number) => write!(f, "no handler for interrupt {number} (negative: an exception)"),
            Self::Hang(stage) => write!(f, "hang: the stage `{}` was not reached in time", stage.name()),
            Self::Lockup => f.write_str("lockup: a fault inside a fault handler"),
        }
    }
}

/// What a device tells after a reset that it did not want.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boot {
    /// Why it was reset.
    pub cause: Cause,
    /// How many such resets there have been in a row, without a round of the loop in between.
    pub resets: u32,
}

impl fmt::Display for Boot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reset {} in a row: {}", self.resets, self.cause)
    }
}

/// What memory that survives a reset is to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What ended the previous run, unless that has been told.
    pub cause: Option<Cause>,
    /// As in [`Boot`].
    pub resets: u32,
}

/// Bytes of an encoded note; it is padded with zeros.
const BYTES: usize = 40;
const MAGIC: u32 = 0x6e65_6b6f;

impl Note {
    /// Words of memory for a note.
    pub const WORDS: usize = BYTES / 4 + 3;

    /// The content of the memory: a magic word, the note, a digest. `None` if the note is too long, which it never is.
    pub fn to_words(&self) -> Option<[u32; Self::WORDS]> {
        let mut bytes = [0; BYTES];
        postcard::to_slice(self, &mut bytes).ok()?;
        let check = digest(&bytes);
        let (chunks, _) = bytes.as_chunks();
        let note = chunks.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let mut content = [MAGIC].into_iter().chain(note).chain([check as u32, (check >> 32) as u32]);
        Some([(); Self::WORDS].map(|()| content.next().unwrap_or_default()))
    }

    /// The note in the memory; `None` if there is none, for instance when the power has just come on.
    pub fn from_words(words: &[u32; Self::WORDS]) -> Option<Self> {
        let [magic, note @ .., low, high] = words;
        let mut bytes = [0; BYTES];
        for (bytes, word) in bytes.chunks_exact_mut(4).zip(note) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let check = u64::from(*high) << 32 | u64::from(*low);
        if *magic != MAGIC || check != digest(&bytes) {
            return None;
        }
        postcard::take_from_bytes(&bytes).ok().map(|(note, _)| note)
    }
}

fn digest(bytes: &[u8; BYTES]) -> u64 {
    let mut digest = Digest::new();
    digest.add(bytes);
    digest.value()
}
