//! Prediction without choices: the value of a fixed rule.

use std::cell::Cell;
use std::convert::Infallible;

use osculate::features::FeatureMap;
use osculate::{
    Agent, Arithmetic, Branch, Exploration, LookAhead, Model, Predictor, Q24, Q28, Random, Sim, StoredConfig, Targets,
    Transition, World,
};
use osculate_host_tests::worlds::grid::Exact;

use crate::grid::{CELLS, MAX_STEPS, TABLE, Walk, number};
use crate::{Logged, PAPER, PREDICTABLE, logged};

const EPISODES: usize = 20_000;

/// A fixed rule that is far from optimal: east in the top row, otherwise west and north.
fn rule(cell: usize) -> usize {
    [1, 1, 1, 0, 0, 0, 0, 0, 0, 3, 3, 3][cell]
}

/// One episode under the rule: a predictor in the application's own loop.
fn watch<A: Arithmetic>(predictor: &mut Predictor<Logged<A, CELLS, CELLS>>, walk: &mut Walk) {
    let Ok(mut cell) = walk.begin();
    let mut signal = None;
    for _ in 0..MAX_STEPS {
        predictor.step_at(number(&cell), signal, &TABLE.features(&cell).unwrap()).unwrap();
        let Ok(Transition { reward, next }) = walk.act(rule(cell));
        signal = reward;
        let Some(next) = next else {
            predictor.finish_with(signal);
            predictor.end();
            return;
        };
        cell = next;
    }
    predictor.finish_with(signal);
    predictor.truncate(&TABLE.features(&cell).unwrap());
}

/// A world that follows the rule by itself, whatever the action.
struct Drift(Walk, usize);

impl World for Drift {
    type Observation = usize;
    type Error = Infallible;
    fn begin(&mut self) -> Result<usize, Infallible> {
        self.1 = self.0.begin()?;
        Ok(self.1)
    }
    fn act(&mut self, _: usize) -> Result<Transition<usize>, Infallible> {
        let transition = self.0.act(rule(self.1))?;
        self.1 = transition.next.unwrap_or(self.1);
        Ok(transition)
    }
}

/// This many actions, none of which has an effect.
struct Spectator<'c>(&'c Cell<usize>);

impl Model for Spectator<'_> {
    type State = usize;
    fn actions(&self, _: &usize) -> usize {
        self.0.get()
    }
    fn outcomes(&self, _: &usize, _: usize) -> impl Iterator<Item = Branch<usize>> {
        std::iter::empty()
    }
}

fn predicts<A: Arithmetic>() {
    let exact = Exact::new();
    let truth = exact.values(|_, cell| rule(cell));
    for config in [PAPER, PREDICTABLE, StoredConfig { targets: Targets::OneStep, ..PREDICTABLE }] {
        let mut predictor = Predictor::new(logged::<A, CELLS, CELLS>(config));
        let mut walk = Walk::new(1);
        (0..EPISODES).for_each(|_| watch(&mut predictor, &mut walk));
        let value = |cell: usize| predictor.value(&TABLE.features(&cell).unwrap()).unwrap();
        let error = |cell: usize| (f64::from(value(cell)) - truth[cell]).abs();
        let error = exact.states().map(error).into_iter().fold(0.0, f64::max);
        assert!(error < 0.02, "{:?}, {:?}: {error}", config.theta, config.targets);

        // An agent with nothing to choose gets the same bits, and draws no random number.
        let actions = Cell::new(1);
        let policy = LookAhead::new(Spectator(&actions), TABLE).by_state(number);
        let always = Exploration { start: 1.0, half_after: u32::MAX };
        let mut agent = Agent::new(logged::<A, CELLS, CELLS>(config), policy, always, 7);
        let mut sim = Sim::new(&mut agent, Drift(Walk::new(1), 0), MAX_STEPS as u32);
        assert!((0..EPISODES).all(|_| matches!(sim.episode(), Ok(episode) if episode.explored == 0)));
        assert_eq!((agent.weights(), agent.estimate()), (predictor.weights(), predictor.estimate()));
        actions.set(1000);
        let mut unused = Random::new(7);
        // The draw that decides whether to explore. Here it always does.
        unused.below(1);
        assert_eq!(agent.begin(&0), Ok(unused.below(1000) as usize));
    }
}

#[test]
fn prediction_finds_the_values_of_a_fixed_rule() {
    predicts::<f32>();
    predicts::<Q28>();
    predicts::<Q24>();
}
