//! What a whole learner takes: SIM with a log of 32 steps, 16 features, on a world that is as small as can be.

use core::hint::black_box;

use osculate::episodic::{Logged, Targets};
use osculate::policy::LookAhead;
use osculate::world::{Model, Transition, World};
use osculate::{Arithmetic, Learner, LearnerConfig, RowError, Scalar, Sim, SimConfig};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

use super::TAU;

const FEATURES: usize = 16;

/// A ring of states, with a way on and a way out.
struct Ring<A: Arithmetic> {
    features: A::Features<FEATURES>,
    reward: A::Target,
    state: u8,
}

impl<A: Arithmetic> Ring<A> {
    fn step(&self, state: u8, action: usize) -> Transition<A::Target, u8> {
        Transition { reward: self.reward, next: (action == 0).then_some(state.wrapping_add(1) % TAU as u8) }
    }
}

impl<A: Arithmetic> Model<A, FEATURES> for Ring<A> {
    type State = u8;

    fn actions(&self, _: &u8) -> usize {
        2
    }

    fn outcomes(&self, state: &u8, action: usize) -> impl Iterator<Item = (A::Scalar, Transition<A::Target, u8>)> {
        core::iter::once((A::Scalar::ONE, self.step(*state, action)))
    }

    fn features(&self, _: &u8) -> Result<A::Features<FEATURES>, RowError> {
        Ok(self.features.clone())
    }
}

impl<A: Arithmetic> World<A> for Ring<A> {
    type State = u8;

    fn begin(&mut self) -> u8 {
        self.state = 0;
        0
    }

    fn act(&mut self, action: usize) -> Transition<Option<A::Target>, u8> {
        let transition = self.step(self.state, action);
        self.state = transition.next.unwrap_or(0);
        transition.observed()
    }
}

/// The size of a learner with 8 features and 32 stored rows: with its log, and with nothing but a batch.
pub const fn ram<A: Arithmetic>() -> (usize, usize) {
    (size_of::<Logged<A, u16, 8, TAU, TAU>>(), size_of::<Learner<A, 8>>() + size_of::<osculate::Batch<A, 8, TAU>>())
}

/// Learns for one episode, so that nothing of it is left out of the binary.
#[inline(never)]
pub fn learn<A: Arithmetic<Target: PartialOrd>>(features: A::Features<FEATURES>, reward: A::Target) -> Option<()> {
    let learner = Learner::<A, FEATURES>::new(LearnerConfig::default()).ok()?;
    let logged =
        Logged::<A, u8, FEATURES, TAU, TAU>::new(learner, A::Scalar::from_ratio(15, 16), Targets::MonteCarlo).ok()?;
    let mut sim = Sim::<A, _>::new(logged, SimConfig::default()).ok()?;
    let mut world = Ring::<A> { features: features.clone(), reward, state: 0 };
    let model = Ring::<A> { features, reward, state: 0 };
    let mut random = Xoshiro128PlusPlus::seed_from_u64(black_box(1));
    black_box(sim.run_episode(&mut world, &LookAhead(&model), &mut random));
    Some(())
}
