//! Counting what the firmware does: instructions, stack, flash.

pub mod device;
