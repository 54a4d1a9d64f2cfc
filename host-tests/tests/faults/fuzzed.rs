//! What arbitrary bits have found (`cargo xtask fuzz`).

use osculate::episodic::{Logged, Targets};
use osculate::policy::Prediction;
use osculate::recomputed::StateLog;
use osculate::sim::EpisodeOutcome;
use osculate::world::{Transition, World};
use osculate::{Arithmetic, Episode, Learner, Q28, Recorded, Sim, SimConfig};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

#[test]
fn a_step_that_is_left_out_needs_no_row() {
    let mut log = StateLog::<f32, char, 8, 1>::new();
    let mut episode = Episode::<f32, char, 1, 8, 1>::new();
    for (state, reward, expected) in [
        ('a', 1.0, Recorded::First),
        ('b', f32::NAN, Recorded::BadReward),
        ('a', 1.0, Recorded::Again),
        ('b', 1.0, Recorded::Full),
    ] {
        assert_eq!((log.record(state, reward), episode.record(state, &[1.0], reward)), (expected, expected));
    }
}

/// Pays so much twice, then ends.
struct Payday(f32, u8);

impl<A: Arithmetic> World<A> for Payday {
    type State = u8;
    fn begin(&mut self) -> u8 {
        self.1 = 0;
        0
    }
    fn act(&mut self, _: usize) -> Transition<Option<A::Target>, u8> {
        self.1 += 1;
        Transition { reward: A::target(self.0).ok(), next: (self.1 < 2).then_some(self.1) }
    }
}

fn payday<A: Arithmetic<Scalar = f32>>(pay: f32) -> EpisodeOutcome<A::Target, f32> {
    let learner = Logged::<A, u8, 1, 4, 4>::new(Learner::default(), 1.0, Targets::MonteCarlo).unwrap();
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(0);
    let policy = Prediction::without_actions(|_: &u8| A::features(&[1.0]));
    Sim::new(learner, SimConfig::default()).unwrap().run_episode(&mut Payday(pay, 0), &policy, &mut rng)
}

#[test]
fn a_return_is_a_number_or_none() {
    assert_eq!(payday::<f32>(2.0).discounted_return, Some(4.0));
    assert_eq!(payday::<f32>(3e38).discounted_return, None, "the sum is out of range");
    assert_eq!(payday::<Q28>(2e9).discounted_return, Some(<Q28 as Arithmetic>::Target::MAX), "it saturates");
}
