//! The reports about an agent's evenings.

use osculate::StateError;
use serde::{Deserialize, Serialize};

use super::features::N;
use crate::replay::format::Update;
use crate::store::StoreError;

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
    /// The report of the update.
    pub update: Update,
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

impl Start {
    /// Whether the store could not be read.
    pub fn is_unreadable(self) -> bool {
        matches!(self.origin, Origin::Unreadable(_))
    }
}

/// Where the agent starts from: a checkpoint, or else the data sheet, and why.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Origin {
    /// The newest complete checkpoint; its number.
    Checkpoint(u32),
    /// Nothing was ever stored, or nothing complete is left.
    NothingStored,
    /// The newest checkpoint was refused.
    Refused(Refusal),
    /// The store cannot be read.
    Unreadable(StoreError),
}

impl Origin {
    /// Whether it is a checkpoint; `None` if one that was stored completely is lost. `stored` is the number of the last one.
    pub fn is_no_older_than(self, stored: Option<u32>) -> Option<bool> {
        match (self, stored) {
            (Self::Checkpoint(sequence), Some(last)) => (sequence >= last).then_some(true),
            (Self::Checkpoint(_), None) => Some(true),
            (_, None) => Some(false),
            // It was not overwritten, so it may be read the next time.
            (Self::Unreadable(_), Some(_)) => Some(false),
            (_, Some(_)) => None,
        }
    }
}

/// Why a checkpoint was refused.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Refusal {
    /// Of another rule, arithmetic, number of features or kind of learner.
    OtherShape,
    /// Of another version of the format.
    OtherVersion,
    /// Not the bytes of a state.
    NoState,
}

impl From<StateError> for Refusal {
    fn from(error: StateError) -> Self {
        match error {
            StateError::OtherOwner | StateError::OtherRule | StateError::OtherArithmetic | StateError::OtherSize => {
                Self::OtherShape
            }
            StateError::OtherVersion => Self::OtherVersion,
            _ => Self::NoState,
        }
    }
}
