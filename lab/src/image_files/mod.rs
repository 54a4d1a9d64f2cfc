//! Files that a board's flash is written from: bin, Intel hex and UF2. Each format has a writer, and a reader that
//! shares no code with it and so proves what was written.

pub mod bin;
mod content;
mod format;
pub mod hex;
pub mod uf2;

pub use self::content::{Content, PADDING};
pub use self::format::Format;
