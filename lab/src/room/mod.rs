//! The room on this machine: its physics, its weather, other controllers, and the device's own agent with its sensors
//! and its serial line mocked at the level of registers and bytes.

pub mod attached;
pub mod baseline;
pub mod controller;
pub mod device;
pub mod host;
pub mod many;
pub mod planning;
pub mod plant;
pub mod power_cut;
pub mod record;
pub mod run_log;
pub mod test_bed;
pub mod weather;
