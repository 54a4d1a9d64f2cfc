//! Measures the firmware: instructions, stack, flash.

pub mod budget;
pub mod cycles;
pub mod device;
pub mod fit;
pub mod host;
pub mod limits;
pub mod report;
pub mod size;
pub mod timing;

pub use osculate_programs::sizes;
