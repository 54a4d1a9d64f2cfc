//! Observations and rewards that are no numbers.

use osculate::episodic::{Episodic, Logged, Streamed, Targets};
use osculate::features::{FeatureMap, OneHot};
use osculate::policy::{ActionValues, LookAhead, Policy, Prediction};
use osculate::schedule::Exploration;
use osculate::sim::End;
use osculate::world::{Model, Transition, World};
use osculate::{Arithmetic, Learner, LearnerConfig, Q28, RowError, Sim, SimConfig};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

/// One way leads from every state to the next one, of which only the first two have features. It pays 1.
struct OffTheMap(usize);

impl<A: Arithmetic<Scalar = f32>> Model<A, 2> for OffTheMap {
    type State = usize;
    fn actions(&self, _: &usize) -> usize {
        1
    }
    fn outcomes(&self, state: &usize, _: usize) -> impl Iterator<Item = (f32, Transition<A::Target, usize>)> {
        A::target(1.0).into_iter().map(move |reward| (1.0, Transition { reward, next: Some(state + 1) }))
    }
    fn features(&self, state: &usize) -> Result<A::Features<2>, RowError> {
        OneHot::<2>.encode::<A>(state)
    }
}

impl<A: Arithmetic> World<A> for OffTheMap {
    type State = usize;
    fn begin(&mut self) -> usize {
        self.0 = 0;
        self.0
    }
    fn act(&mut self, _: usize) -> Transition<Option<A::Target>, usize> {
        self.0 += 1;
        Transition { reward: A::target(1.0).ok(), next: Some(self.0) }
    }
}

fn values<A: Arithmetic<Scalar = f32, Target: PartialOrd>>(weights: [A::Weight; 2]) -> [Option<A::Target>; 4] {
    let prediction = Prediction::without_actions(|state: &usize| OneHot::<2>.encode::<A>(state));
    let actions = ActionValues::new(1, |state: &usize, _| OneHot::<2>.encode::<A>(state));
    let outside = 2;
    [
        Policy::<A, usize, 2>::value(&prediction, &outside, 0.5, &weights),
        Policy::<A, usize, 2>::value(&actions, &outside, 0.5, &weights),
        Policy::<A, usize, 2>::value(&LookAhead(OffTheMap(0)), &outside, 0.5, &weights),
        Policy::<A, usize, 2>::value(&prediction, &1, 0.5, &weights),
    ]
}

#[test]
fn a_state_without_features_has_no_value_in_any_arithmetic() {
    assert_eq!(values::<f32>([0.5, 0.25]), [None, None, None, Some(0.25)]);
    assert_eq!(values::<Q28>([Default::default(); 2]), [None, None, None, Q28::target(0.0).ok()]);
}

/// An episode that is cut where the map ends: the rows before are learned as if it had ended there.
fn a_cut_off_the_map_costs_no_row_in<A: Arithmetic<Scalar = f32, Target: PartialOrd>>() {
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(0);
    let learner = Logged::<A, usize, 2, 8, 8>::new(Learner::default(), 0.5, Targets::OneStep).unwrap();
    let mut sim = Sim::<A, _>::new(learner, SimConfig { exploration: Exploration::NONE, max_steps: 2 }).unwrap();
    let outcome = sim.run_episode(&mut OffTheMap(0), &LookAhead(OffTheMap(0)), &mut rng);
    assert_eq!((outcome.end, outcome.update.tau, outcome.update.dropped), (End::StepLimit, 2, 0));
    assert_eq!(sim.weights().map(Into::<f64>::into), [1.0; 2]);
}

#[test]
fn a_cut_in_a_state_without_features_makes_no_reward_unusable() {
    a_cut_off_the_map_costs_no_row_in::<f32>();
    a_cut_off_the_map_costs_no_row_in::<Q28>();
}

/// Pays 2 for three steps, and in between what its sensor makes of a broken wire.
struct BrokenWire(u8);

impl<A: Arithmetic> World<A> for BrokenWire {
    type State = u8;
    fn begin(&mut self) -> u8 {
        self.0 = 0;
        0
    }
    fn act(&mut self, _: usize) -> Transition<Option<A::Target>, u8> {
        self.0 += 1;
        let reward = if self.0.is_multiple_of(2) { f32::NAN } else { 2.0 };
        Transition { reward: A::target(reward).ok(), next: (self.0 < 5).then_some(self.0) }
    }
}

fn weight_after<A: Arithmetic<Scalar = f32>>(learner: impl Episodic<A, u8, 1>) -> (f64, u32) {
    let policy = Prediction::without_actions(|_: &u8| A::features(&[1.0]));
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(0);
    let mut sim = Sim::new(learner, SimConfig { exploration: Exploration::NONE, max_steps: 8 }).unwrap();
    let outcome = sim.run_episode(&mut BrokenWire(0), &policy, &mut rng);
    (sim.learner().weights()[0].into(), outcome.update.dropped)
}

fn a_broken_wire_teaches_nothing_in<A: Arithmetic<Scalar = f32>>() {
    // γ = 0, so every row says 2; a reward learned as 0 would pull the weight down.
    let logged = Logged::<A, u8, 1, 8, 8>::new(Learner::default(), 0.0, Targets::MonteCarlo).unwrap();
    let is_right = |(weight, dropped): (f64, u32)| (weight - 2.0).abs() < 1e-6 && dropped == 2;
    assert!(is_right(weight_after::<A>(logged)));
    let index = |key: &u8| u32::from(*key);
    let streamed = Streamed::<A, u8, 1, 1>::new(LearnerConfig::predictable(), 0.0, index).unwrap();
    assert!(is_right(weight_after::<A>(streamed)));
}

#[test]
fn a_reward_that_does_not_exist_is_not_learned_as_0() {
    a_broken_wire_teaches_nothing_in::<f32>();
    a_broken_wire_teaches_nothing_in::<Q28>();
}
