//! Building the firmware, running it without a board, and the other side of what it does there: rooms to heat, data to
//! learn from, counts to read. Nothing in here judges; what does is in `host-tests`.

#![forbid(unsafe_code)]

pub mod bench;
pub mod boards;
pub mod device_link;
pub mod dice;
pub mod elf;
pub mod firmware;
pub mod log;
pub mod nexting;
pub mod processes;
pub mod qemu;
pub mod qmp;
pub mod replay;
pub mod repository;
pub mod room;
pub mod table;
pub mod temporary;
pub mod toolchain;
pub mod waiting;
