//! Counting what the firmware does: instructions, stack, flash.

pub mod cycles;
pub mod device;
pub mod elf;
pub mod report;
pub mod size;
