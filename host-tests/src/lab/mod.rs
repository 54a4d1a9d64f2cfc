//! Building the firmware and running it without a board.

#![forbid(unsafe_code)]

pub mod boards;
pub mod elf;
pub mod firmware;
pub mod log;
pub mod processes;
pub mod qemu;
pub mod qmp;
pub mod repository;
pub mod temporary;
pub mod toolchain;
pub mod waiting;
pub mod wires;
