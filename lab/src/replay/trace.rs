//! Recorded episodes.

use anyhow::Context;

use super::format::{Header, MAGIC, TraceRecord, to_extend};
use super::{Full, Job};

/// Episodes of steps (state, reward, φ), in order of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    features: usize,
    episodes: Vec<Episode>,
}

#[derive(Clone, Debug, PartialEq)]
struct Episode {
    /// The line in the file at which it starts.
    line: u64,
    /// The state of each step, and its reward and features.
    steps: Vec<(u32, Vec<f32>)>,
}

/// One step of a [`Trace`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'t> {
    /// The state that was left, numbered from 0 within the episode.
    pub state: u32,
    /// The reward that came with leaving it.
    pub reward: f32,
    /// φ.
    pub features: &'t [f32],
}

impl Trace {
    /// A trace without episodes.
    pub fn new(features: usize) -> Self {
        Self { features, episodes: Vec::new() }
    }

    /// Starts an episode, found at `line` of the file.
    pub fn begin_episode(&mut self, line: u64) {
        self.episodes.push(Episode { line, steps: Vec::new() });
    }

    /// Adds a step to the current episode: its state, then its reward and its features.
    ///
    /// # Panics
    /// If there is no episode, or if the number of values is not the number of features plus one.
    pub fn push(&mut self, state: u32, values: impl IntoIterator<Item = f32>) {
        let values: Vec<f32> = values.into_iter().collect();
        assert_eq!(values.len(), self.features + 1, "one reward and every feature");
        self.episodes.last_mut().expect("a step belongs to an episode").steps.push((state, values));
    }

    /// Features per step.
    pub fn features(&self) -> usize {
        self.features
    }

    /// The number of episodes.
    pub fn episodes(&self) -> usize {
        self.episodes.len()
    }

    /// The total number of steps.
    pub fn steps(&self) -> usize {
        self.episodes.iter().map(|episode| episode.steps.len()).sum()
    }

    /// The steps of an episode, counted from 0.
    pub fn episode(&self, index: usize) -> impl DoubleEndedIterator<Item = Step<'_>> + ExactSizeIterator {
        let steps = self.episodes[index].steps.iter();
        steps.map(|(state, values)| Step { state: *state, reward: values[0], features: &values[1..] })
    }

    /// The error message for an episode that is too large for the log of `place`.
    pub(super) fn too_long(&self, episode: usize, full: Full, place: &str) -> anyhow::Error {
        let line = self.episodes.get(episode).map_or(0, |episode| episode.line);
        let remedy = match full {
            Full::Steps(_) => "use `--rule streaming`, which has no log",
            Full::States(_) => "use shorter episodes, or another arithmetic or board",
        };
        anyhow::anyhow!("the episode that starts at line {line} has {full}, the limit on {place}; {remedy}")
    }
}

impl Job<'_> {
    /// The bytes for a device: see `format`.
    ///
    /// # Errors
    /// If a number does not fit its field; no device could hold it either.
    pub fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let Job { trace, arith, config } = *self;
        let (features, episodes) = (trace.features.try_into()?, trace.episodes().try_into()?);
        let header = Header { arith, config, features, episodes };
        let mut bytes = to_extend(&(MAGIC, header), Vec::new())?;
        for episode in 0..trace.episodes() {
            let mut reward = None;
            for step in trace.episode(episode) {
                let features = step.features.try_into().ok().context("more features than a device has room for")?;
                bytes = to_extend(&TraceRecord::Step { reward, state: step.state, features }, bytes)?;
                reward = Some(step.reward);
            }
            bytes = to_extend(&TraceRecord::End { reward }, bytes)?;
        }
        Ok(bytes)
    }
}
