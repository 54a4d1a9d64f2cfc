//! What is told about an agent's evenings.

use serde::{Deserialize, Serialize};

use super::features::N;
use crate::replay::format::Update;

/// A step, as it is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// The row that it belongs to.
    pub row: u16,
    /// The reward that came of it.
    pub reward: f32,
    /// φ before it.
    pub features: [f32; N],
}

/// An evening, after its update.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evening {
    /// Steps.
    pub steps: u32,
    /// Of these, the random ones.
    pub explored: u32,
    /// How often the thermometers were silent.
    pub silences: u32,
    /// What the update did.
    pub update: Update,
    /// The bits of w after it.
    pub weights: [u32; N],
}
