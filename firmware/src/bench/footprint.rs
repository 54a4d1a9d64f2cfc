//! Whole learners to measure: an agent with a log of 32 steps and 16 features, in a minimal world, and a predictor alone.

use core::convert::Infallible;
use core::hint::black_box;

use osculate::features::FeatureMap;
use osculate::{
    Agent, Arithmetic, Branch, Exploration, Log, LookAhead, Model, Predictor, RowError, Sim, Stored, StoredConfig,
    Streaming, Tracking, TrackingConfig, Transition, World,
};

use super::{Number, TAU};

const FEATURES: usize = 16;

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

/// The size of a learner: with a log of 32 rows, streaming, and tracking.
pub const fn ram<A: Arithmetic, const N: usize>() -> [usize; 3] {
    [size_of::<Stored<Log<A, N, TAU, TAU>>>(), size_of::<Streaming<A, N>>(), size_of::<Tracking<A, N>>()]
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
pub fn learn(samples: u32) -> Option<()> {
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
