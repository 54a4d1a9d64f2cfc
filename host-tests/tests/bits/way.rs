//! The interface that the library and the reference share, as the comparison drives them.

use osculate_host_tests::reference::rounded::{Report, Settings};

/// Where the rows of an update come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// They are passed with their targets.
    Rows,
    /// The first visits of an episode, with returns.
    Returns,
    /// The first visits of an episode, with one-step targets.
    OneStep,
    /// Nothing is stored.
    Streaming,
}

/// What to compare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) n: usize,
    pub(crate) source: Source,
    pub(crate) settings: Settings,
    pub(crate) gamma: f32,
}

/// The capacity for rows with targets, and the capacity of an episode log in steps and in rows.
pub(crate) const BATCH: usize = 64;
pub(crate) const LOG: (usize, usize) = (48, 24);

/// One way to learn.
pub(crate) trait Way {
    /// A step of the episode: the state that was left and the reward for leaving it. With `Source::Rows`: a row and its
    /// target.
    fn record(&mut self, state: u32, phi: &[f32], number: f32);
    /// The update at the end. `cut` holds the features of the state in which the episode was cut, if any.
    fn end(&mut self, cut: Option<&[f32]>) -> Report;
    /// Restarts from the current estimate.
    fn restart(&mut self);
    /// φ·w, and φ times the best estimate of w*.
    fn values(&self, phi: &[f32]) -> [f32; 2];
    /// The observable state.
    fn learned(&self) -> Learned;
}

/// The observable state of a learner.
#[derive(Clone, Debug)]
pub(crate) struct Learned {
    pub(crate) weights: Vec<f32>,
    pub(crate) averaged: Vec<f32>,
    pub(crate) velocity: Vec<f32>,
    pub(crate) step_length: f32,
    pub(crate) steps: u32,
}

impl Learned {
    /// Every bit. 0 and −0 differ.
    pub(crate) fn bits(&self) -> (Vec<u32>, Vec<u32>, Vec<u32>, u32, u32) {
        let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect();
        let Self { weights, averaged, velocity, step_length, steps } = self;
        (bits(weights), bits(averaged), bits(velocity), step_length.to_bits(), *steps)
    }
}
