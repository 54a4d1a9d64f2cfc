//! Measures the firmware: instructions, stack, flash.

pub mod budget;
pub mod cycles;
pub mod device;
pub mod host;
pub mod report;
pub mod size;

pub use osculate_apps::sizes;
