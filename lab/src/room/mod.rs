//! The room on this machine: its physics, its weather, other controllers, and the device's own agent with its sensors
//! and its serial line mocked at the level of registers and bytes.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`plant`] | floor, room, losses, noise |
//! | [`weather`] | the air outside: a wave with weather, or a recording |
//! | `clock` | hours and dates of a recording |
//! | [`baseline`] | thermostat, one step ahead, PI |
//! | [`planning`] | all plans of two hours |
//! | [`mod@test_bed`] | thermometers and a line for the agent, without a device |
//! | [`host`] | all of them on this machine |
//! | [`device`] | the agent in QEMU, the plant here |
//! | [`power_cut`] | the device loses power, and starts again |
//! | [`run_log`] | the record of a run, for display |
//! | [`controller`] | one of them in any house |
//! | [`many`] | all of them in many houses |
//! | [`record`] | evenings as a file to replay |

pub mod attached;
pub mod baseline;
mod clock;
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
