//! A learner alone, to measure its flash and static RAM: the difference to the same program without one. The features say
//! which (`footprint-sim`: an agent with a log of 32 steps and 16 features, in a minimal world; `footprint-tracking`: a
//! predictor; or none) and in which arithmetic.
#![no_std]
#![no_main]

use core::convert::Infallible;
use core::hint::black_box;

use cortex_m_rt::entry;
use osculate::features::FeatureMap;
use osculate::{
    Agent, Arithmetic, Branch, Exploration, Log, LookAhead, Model, Predictor, Random, RowError, Sim, Stored,
    StoredConfig, Tracking, TrackingConfig, Transition, World,
};
use osculate_firmware::{exit_failure, exit_success};

#[cfg(feature = "fixed-point")]
type Number = osculate::Q28;
#[cfg(not(feature = "fixed-point"))]
type Number = f32;

const FEATURES: usize = 16;
/// Steps per episode.
const TAU: usize = 32;

#[entry]
fn main() -> ! {
    // The random generator is not part of the learner's footprint: an application that explores has one anyway.
    let learned = learn(black_box(40) + Random::new(black_box(1)).below(6)).is_some();
    // A plain log line: messages to the host would add their own code to the measurement.
    defmt::info!("{=bool}", learned);
    if learned { exit_success() } else { exit_failure() }
}

/// A ring of states that look alike, with one action to move on and one to leave.
#[derive(Clone, Copy)]
struct Ring {
    features: [f32; FEATURES],
    reward: f32,
    state: u8,
}

impl Ring {
    fn step(&self, state: u8, action: usize) -> Option<u8> {
        (action == 0).then_some(state.wrapping_add(1) % TAU as u8)
    }
}

impl FeatureMap<FEATURES> for Ring {
    type Observation = u8;

    fn features(&self, _: &u8) -> Result<[f32; FEATURES], RowError> {
        Ok(self.features)
    }
}

impl Model for Ring {
    type State = u8;

    fn actions(&self, _: &u8) -> usize {
        2
    }

    fn outcomes(&self, state: &u8, action: usize) -> impl Iterator<Item = Branch<u8>> {
        core::iter::once(Branch { probability: 1.0, reward: self.reward, next: self.step(*state, action) })
    }
}

impl World for Ring {
    type Observation = u8;
    type Error = Infallible;

    fn begin(&mut self) -> Result<u8, Infallible> {
        self.state = 0;
        Ok(0)
    }

    fn act(&mut self, action: usize) -> Result<Transition<u8>, Infallible> {
        let next = self.step(self.state, action);
        self.state = next.unwrap_or(0);
        Ok(Transition { reward: Some(self.reward), next })
    }
}

/// Predicts with a tracking learner of 8 features, and nothing else.
#[inline(never)]
fn predict<A: Arithmetic>(samples: u32) -> Option<()> {
    let mut predictor = Predictor::new(Tracking::<A, 8>::try_new(TrackingConfig::DEFAULT).ok()?);
    for _ in 0..samples {
        black_box(predictor.step(black_box(1.0), &black_box([0.5; 8])).ok()?);
    }
    black_box(predictor.weights());
    Some(())
}

/// What the features of this build ask for. Without one of them, nothing is learned.
fn learn(samples: u32) -> Option<()> {
    if cfg!(feature = "footprint-sim") {
        sim::<Number>(black_box([1.0; FEATURES]), black_box(1.0))
    } else if cfg!(feature = "footprint-tracking") {
        predict::<Number>(samples)
    } else {
        Some(())
    }
}

/// Learns for one episode, so that the linker drops no part of the learner.
#[inline(never)]
fn sim<A: Arithmetic>(features: [f32; FEATURES], reward: f32) -> Option<()> {
    let ring = Ring { features, reward, state: 0 };
    let learner = Stored::try_new(StoredConfig::PAPER, Log::<A, FEATURES, TAU, TAU>::NEW).ok()?;
    let policy = LookAhead::new(&ring, &ring).by_state(|state| u32::from(*state));
    let mut agent = Agent::try_new(learner, policy, Exploration { start: 0.5, half_after: 100 }, black_box(1)).ok()?;
    let Ok(episode) = Sim::new(&mut agent, ring, 100).episode();
    black_box(episode);
    Some(())
}
