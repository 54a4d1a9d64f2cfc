//! The bytes that travel between host and device, all little-endian.
//!
//! To the device: a [`Header`], then for each episode its number of steps (`u32`), and for each step its state (`u32`), its
//! reward and its features, as `f64` for [`Arith::F64`] and as `f32` for all others.
//!
//! From the device: for each episode an [`Update`], the weights after it and their average; then [`END`], or [`FULL`]
//! where an episode found no room. A file without either was cut short.

use osculate::{Outcome, Verdict};

use super::Full;
use super::config::{Config, Eta, Rule, Targets};
use super::number::{Arith, Replayed};

const MAGIC: [u8; 4] = *b"OSR1";

/// What a trace starts with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Header {
    /// What to learn in.
    pub arith: Arith,
    /// How to learn.
    pub config: Config,
    /// Features per step.
    pub features: u16,
    /// Episodes in the trace.
    pub episodes: u32,
}

impl Header {
    /// How many bytes it takes.
    pub const BYTES: usize = 48;

    /// To bytes.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let Config { rule, targets, gamma, eta, beta, skip_below } = self.config;
        let (eta, gain) = match eta {
            None => (0, 0.0),
            Some(Eta::Harmonic) => (1, 0.0),
            Some(Eta::ThreeQuarters) => (2, 0.0),
            Some(Eta::Constant(gain)) => (3, gain),
        };
        let given = u8::from(beta.is_some()) | u8::from(skip_below.is_some()) << 1;
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..9].copy_from_slice(&[self.arith as u8, rule as u8, targets as u8, eta, given]);
        bytes[10..12].copy_from_slice(&self.features.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.episodes.to_le_bytes());
        let numbers = [gain, gamma, beta.unwrap_or(0.0), skip_below.unwrap_or(0.0)];
        for (bytes, number) in bytes[16..].chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// Back from bytes; `None` where they are none of a header.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let number = |index: usize| {
            let bytes = bytes[16..].chunks_exact(8).nth(index)?;
            bytes.try_into().map(f64::from_le_bytes).ok()
        };
        let [gain, gamma, beta, skip_below] = [number(0)?, number(1)?, number(2)?, number(3)?];
        let given = bytes[8];
        let config = Config {
            rule: *[Rule::Paper, Rule::Predictable, Rule::Streaming, Rule::Plain].get(usize::from(bytes[5]))?,
            targets: *[Targets::MonteCarlo, Targets::OneStep].get(usize::from(bytes[6]))?,
            gamma,
            eta: *[None, Some(Eta::Harmonic), Some(Eta::ThreeQuarters), Some(Eta::Constant(gain))]
                .get(usize::from(bytes[7]))?,
            beta: (given & 1 != 0).then_some(beta),
            skip_below: (given & 2 != 0).then_some(skip_below),
        };
        let header = Self {
            arith: *Arith::ALL.get(usize::from(bytes[4]))?,
            config,
            features: u16::from_le_bytes([bytes[10], bytes[11]]),
            episodes: u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]),
        };
        bytes.starts_with(&MAGIC).then_some(header)
    }
}

/// The first byte of an [`Update`].
pub const UPDATE: u8 = 1;
/// The end, a byte.
pub const END: u8 = 2;
/// The first byte of the end where an episode has too much: then 0 for steps or 1 for states, then the limit (`u32`).
pub const FULL: u8 = 3;

/// What one update did, its numbers as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// What became of the episode.
    pub verdict: Verdict,
    /// The update's number.
    pub k: u32,
    /// Rows learned from.
    pub tau: u32,
    /// Steps and rows dropped.
    pub dropped: u32,
    /// Numbers cut to the format's range.
    pub saturated: u32,
    /// ϑ.
    pub theta: u64,
    /// ‖g‖.
    pub g_norm: u64,
}

const VERDICTS: [Verdict; 4] = [Verdict::Stepped, Verdict::Skipped, Verdict::Empty, Verdict::Overflow];

impl Update {
    /// How many bytes it takes.
    pub const BYTES: usize = 36;

    /// From what the learner reports.
    pub fn of<A: Replayed>(outcome: &Outcome<A::Scalar>) -> Self {
        let Outcome { k, tau, dropped, saturated, g_norm, theta, verdict } = *outcome;
        Self { verdict, k, tau, dropped, saturated, theta: A::scalar_bits(theta), g_norm: A::scalar_bits(g_norm) }
    }

    /// To bytes.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        // A verdict that this format does not know is one that no reader knows either.
        let verdict = VERDICTS.iter().position(|verdict| *verdict == self.verdict).map_or(u8::MAX, |code| code as u8);
        bytes[..2].copy_from_slice(&[UPDATE, verdict]);
        let counts = [self.k, self.tau, self.dropped, self.saturated];
        for (bytes, count) in bytes[4..20].chunks_exact_mut(4).zip(counts) {
            bytes.copy_from_slice(&count.to_le_bytes());
        }
        bytes[20..28].copy_from_slice(&self.theta.to_le_bytes());
        bytes[28..].copy_from_slice(&self.g_norm.to_le_bytes());
        bytes
    }

    /// Back from bytes; `None` where they are none of an update.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let count = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let wide = |at: usize| u64::from(count(at)) | u64::from(count(at + 4)) << 32;
        let verdict = *VERDICTS.get(usize::from(bytes[1]))?;
        let [k, tau, dropped, saturated] = [4, 8, 12, 16].map(count);
        let update = Self { verdict, k, tau, dropped, saturated, theta: wide(20), g_norm: wide(28) };
        (bytes[0] == UPDATE).then_some(update)
    }
}

impl Full {
    /// How many bytes it takes.
    pub const BYTES: usize = 8;

    /// To bytes.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let (kind, limit) = match self {
            Self::Steps(limit) => (0, limit),
            Self::States(limit) => (1, limit),
        };
        let [a, b, c, d] = limit.to_le_bytes();
        [FULL, kind, 0, 0, a, b, c, d]
    }

    /// Back from bytes; `None` where they are none of this.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let [FULL, kind, _, _, a, b, c, d] = *bytes else { return None };
        let limit = u32::from_le_bytes([a, b, c, d]);
        match kind {
            0 => Some(Self::Steps(limit)),
            1 => Some(Self::States(limit)),
            _ => None,
        }
    }
}
