//! Promise: the room's device goes on after power cuts, hangs and faults of its bus; and a device that fails says why, at
//! once and after its reset. With `OSCULATE_ALL=1` (`cargo xtask dev torture`) everything is tried many times. (That a
//! checkpoint survives a power cut at any byte, the tests of the crate `checkpoint-ring` try.)

mod bus_faults;
mod checkpoints;
mod faults;
mod home;
mod kills;
mod past;
mod resets;
mod soak;

use osculate_lab::repository::runs_all;

/// How often something is tried: for a change, and for a release.
fn often(change: u32, release: u32) -> u32 {
    if runs_all() { release } else { change }
}
