//! What is told about an agent's evenings.

use osculate::Episode;
use serde::{Deserialize, Serialize};

use super::Reading;
use super::features::N;

/// A step, as it is learned from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The row that it belongs to.
    pub row: u16,
    /// What the thermometers said before it.
    pub reading: Reading,
    /// The reward that came of it.
    pub reward: f32,
}

/// A step with its features: all that was learned from.
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
    /// Rows learned from.
    pub tau: u32,
    /// ϑ of the update.
    pub theta: f32,
    /// ‖g‖ of the update.
    pub g_norm: f32,
    /// The bits of w after it.
    pub weights: [u32; N],
}

impl Evening {
    /// From what the agent says of it.
    pub fn new(episode: &Episode, weights: [u32; N]) -> Self {
        let Episode { steps, explored, missed, update, .. } = *episode;
        let (tau, theta, g_norm) = (update.tau, update.theta, update.g_norm);
        Self { steps: steps + missed, explored, silences: missed, tau, theta, g_norm, weights }
    }
}

/// Whoever wants to know.
pub trait Telemetry {
    /// A step is over.
    fn step(&mut self, step: &Step);
    /// An evening is over.
    fn evening(&mut self, evening: &Evening);
}
