//! A fan that learns its speed without a model: small enough for an interrupt handler, plain enough for an async task.
//!
//! The agent is a value that takes a sample and returns a speed. It does not matter who calls it, or when: the binary
//! `fan_systick` calls it from an interrupt, `fan_task` from an embassy task, and the host from a loop. All three give
//! the same actions and the same bits.

use osculate::features::{PerAction, Polynomial};
use osculate::{ActionValues, Agent, Exploration, RowError, Streaming, StreamingConfig, Within};
use serde::{Deserialize, Serialize};

/// Features: 1 and the warmth, for each of three speeds.
pub const N: usize = 6;
/// Samples per episode.
pub const SAMPLES: u32 = 60;
/// The number of episodes.
pub const EPISODES: u32 = 40;

/// The agent's type, written out once.
pub type FanAgent = Agent<Streaming<f32, N>, Within<Speeds, fn(&[f32; 1], usize) -> Option<usize>>>;
type Speeds = ActionValues<PerAction<Polynomial<1, 1, 2>, 2>, [f32; 1]>;

/// Whatever the agent wants to try: above this warmth the fan runs at full speed.
pub const TOO_WARM: f32 = 0.75;

/// The envelope.
fn guard([warmth]: &[f32; 1], _: usize) -> Option<usize> {
    (*warmth > TOO_WARM).then_some(2)
}

/// A device and its agent.
#[derive(Clone, Debug)]
pub struct Fan {
    agent: FanAgent,
    warmth: f32,
    speed: usize,
    sample: u32,
    speeds: u128,
}

/// The report of a finished episode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FanEpisode {
    /// The chosen speeds, two bits each.
    pub speeds: u128,
    /// The bits of w.
    pub weights: [u32; N],
}

impl Fan {
    /// The state before the first sample: a constant, so that a `static` can hold it.
    pub const NEW: Self = {
        let guard: fn(&[f32; 1], usize) -> Option<usize> = guard;
        let policy = ActionValues::new(3, PerAction::new(Polynomial::new())).within(guard);
        let learner = Streaming::new(StreamingConfig::new(0.9));
        let agent = Agent::new(learner, policy, Exploration { start: 0.5, half_after: 20 }, 7);
        Self { agent, warmth: 1.0, speed: 0, sample: 0, speeds: 0 }
    };

    /// One sample: the effect of the last speed on the temperature, and the next speed. Reports an episode that has
    /// ended.
    ///
    /// # Errors
    /// [`RowError`] if a sample cannot be learned from.
    pub fn sample(&mut self) -> Result<Option<FanEpisode>, RowError> {
        let cooling = 0.1 * self.speed as f32;
        self.warmth += 0.05 - cooling * self.warmth;
        let reward = -self.warmth * self.warmth - 0.05 * self.speed as f32;
        self.speed = self.agent.step(reward, &[self.warmth])?;
        self.speeds = self.speeds << 2 | self.speed as u128;
        self.sample += 1;
        if !self.sample.is_multiple_of(SAMPLES) {
            return Ok(None);
        }
        self.agent.end();
        let speeds = core::mem::take(&mut self.speeds);
        Ok(Some(FanEpisode { speeds, weights: self.agent.weights().map(f32::to_bits) }))
    }

    /// Whether all episodes are over.
    pub fn is_done(&self) -> bool {
        self.sample >= SAMPLES * EPISODES
    }
}
