//! Nothing to choose: what a fixed rule is worth.

use osculate::episodic::{Episodic, Targets};
use osculate::features::{FeatureMap, OneHot};
use osculate::policy::Prediction;
use osculate::world::{Transition, World};
use osculate::{Arithmetic, LearnerConfig, Q24, Q28, Sim};
use osculate_host_tests::worlds::grid::{CELLS, Exact, Grid, Walk};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

use crate::{exploring, logged, paper, run};

/// A fixed rule that is far from optimal: east in the top row, else west and north.
fn rule(cell: &u8) -> usize {
    [1, 1, 1, 0, 0, 0, 0, 0, 0, 3, 3, 3][usize::from(*cell)]
}

/// A world that follows the rule by itself and has no actions.
struct Drift<'g, A: Arithmetic>(Walk<'g, A>, u8);

impl<A: Arithmetic> World<A> for Drift<'_, A> {
    type State = u8;
    fn begin(&mut self) -> u8 {
        self.1 = self.0.begin();
        self.1
    }
    fn act(&mut self, action: usize) -> Transition<Option<A::Target>, u8> {
        assert_eq!(action, 0);
        let transition = self.0.act(rule(&self.1));
        self.1 = transition.next.unwrap_or(self.1);
        transition
    }
}

fn predicts<A: Arithmetic>(to_f64: impl Fn(A::Target) -> f64) {
    let exact = Exact::new();
    let truth = exact.values(|_, cell| rule(&(cell as u8)));
    let features = |cell: &u8| OneHot::<CELLS>.encode::<A>(&usize::from(*cell));
    let ruled = Prediction::new(features, rule);
    for (config, targets) in [
        (paper(), Targets::MonteCarlo),
        (LearnerConfig::predictable(), Targets::MonteCarlo),
        (LearnerConfig::predictable(), Targets::OneStep),
    ] {
        let learner = logged::<A, u8, CELLS, CELLS>(config, targets);
        let sim = run::<A, _, _, CELLS>(learner.clone(), &ruled, exploring(100), 20_000, 1);
        let error = |cell: usize| (to_f64(sim.value(&ruled, &(cell as u8)).unwrap()) - truth[cell]).abs();
        let error = exact.states().map(error).into_iter().fold(0.0, f64::max);
        assert!(error < 0.02, "{:?}, {targets:?}: {error}", config.rule);

        // A world that does the same without being told gives the same bits, and neither has drawn a random number.
        let grid = Grid::new().unwrap();
        let mut drift = Drift(Walk::<A>::new(&grid, 1), 0);
        let mut rng = Xoshiro128PlusPlus::seed_from_u64(7);
        let mut watching = Sim::<A, _>::new(learner, exploring(100)).unwrap();
        for _ in 0..20_000 {
            watching.run_episode(&mut drift, &Prediction::without_actions(features), &mut rng);
        }
        assert_eq!(watching.learner().weights(), sim.learner().weights());
        assert_eq!(rng, Xoshiro128PlusPlus::seed_from_u64(7));
    }
}

#[test]
fn prediction_finds_the_values_of_a_fixed_rule() {
    predicts::<f32>(f64::from);
    predicts::<Q28>(|value| value.to_num());
    predicts::<Q24>(|value| value.to_num());
}
