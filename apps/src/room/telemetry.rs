//! The reports about an agent's evenings.

use serde::{Deserialize, Serialize};

use super::features::N;
use crate::replay::format::Report;
use crate::store::Origin;

/// A step that is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// The row that it belongs to.
    pub row: u16,
    /// Its reward.
    pub reward: f32,
    /// φ before it.
    pub features: [f32; N],
}

/// An evening, after its update.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evening {
    /// The number of steps that the agent chose.
    pub steps: u32,
    /// The number of random ones among them.
    pub explored: u32,
    /// The number of steps under the thermostat, too far from the set-point.
    pub fallbacks: u32,
    /// The number of samples without a reading that can be believed.
    pub silences: u32,
    /// The rule's report.
    pub report: Report,
    /// The bits of w after it.
    pub weights: [u32; N],
}

/// What the agent has learned about its house, after an evening.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// The weights of its model: those of the floor, then those of the room.
    pub model: [[f32; 4]; 2],
    /// The holding surplus in its features.
    pub holding: f32,
}

/// How the agent starts after a boot, or when a store that was unreadable at the boot answers again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Where it starts from.
    pub origin: Origin,
    /// The evenings behind it.
    pub evenings: u32,
}
