//! The chip's memories, from `boards.toml`: the linker's map has the same numbers.

include!(concat!(env!("OUT_DIR"), "/chip.rs"));
