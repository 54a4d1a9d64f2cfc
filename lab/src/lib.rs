//! Builds the firmware, runs it in an emulator, and plays the world around it: rooms to heat, data to learn from, counts to
//! read.
//! The lab measures and reports but does not judge: pass and fail are decided in `host-tests`.

#![forbid(unsafe_code)]

pub mod bench;
pub mod boards;
pub mod device_link;
pub mod documents;
pub mod drawing;
pub mod elf;
pub mod emulation;
pub mod firmware;
pub mod image_check;
pub mod image_files;
pub mod jobs;
pub mod log;
pub mod nexting;
pub mod numbers;
pub mod processes;

pub mod qmp;
pub mod replay;
pub mod repository;
pub mod room;
pub mod table;
pub mod temporary;
pub mod text_table;
pub mod toolchain;
pub mod waiting;
