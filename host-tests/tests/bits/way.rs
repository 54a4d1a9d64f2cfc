//! What the library and the reference have in common: the ways to learn, as a comparison drives them.

use osculate_host_tests::reference::rounded::{Report, Settings};

/// How the rows of an update come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// They are handed over with their targets.
    Rows,
    /// The first visits of an episode, with returns.
    Returns,
    /// The first visits of an episode, with one-step targets.
    OneStep,
    /// Nothing is stored.
    Streaming,
}

/// What is to be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) n: usize,
    pub(crate) source: Source,
    pub(crate) settings: Settings,
    pub(crate) gamma: f32,
}

/// The room for rows that have their targets, and in the log of an episode for steps and for rows.
pub(crate) const BATCH: usize = 64;
pub(crate) const LOG: (usize, usize) = (48, 24);

/// One of the ways to learn.
pub(crate) trait Way {
    /// A step of the episode: the state that was left and the reward for it. With `Source::Rows`: a row and its target.
    fn record(&mut self, state: u32, phi: &[f32], number: f32);
    /// The update at the end; with the features of the state that the episode was cut in, if it was.
    fn end(&mut self, cut: Option<&[f32]>) -> Report;
    /// A new beginning from what was learned.
    fn restart(&mut self);
    /// φ·w, and φ times the best estimate of w*.
    fn values(&self, phi: &[f32]) -> [f32; 2];
    /// All that can be seen from outside.
    fn learned(&self) -> Learned;
}

/// All that a learner shows of itself.
#[derive(Clone, Debug)]
pub(crate) struct Learned {
    pub(crate) weights: Vec<f32>,
    pub(crate) averaged: Vec<f32>,
    pub(crate) velocity: Vec<f32>,
    pub(crate) step_length: f32,
    pub(crate) steps: u32,
}

impl Learned {
    /// Every bit, with 0 and −0 told apart.
    pub(crate) fn bits(&self) -> (Vec<u32>, Vec<u32>, Vec<u32>, u32, u32) {
        let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect();
        let Self { weights, averaged, velocity, step_length, steps } = self;
        (bits(weights), bits(averaged), bits(velocity), step_length.to_bits(), *steps)
    }
}
