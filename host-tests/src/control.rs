//! `tracking` without a model: Sarsa(λ) in mountain car and cart pole, Q-learning in the grid.

use std::convert::Infallible;

use osculate::features::{ActionMap, Fourier, OneHot, PerAction, TileCoding};
use osculate::{
    ActionValues, Agent, Arithmetic, Exploration, RowError, Sim, Tracking, TrackingConfig, Transition, World,
};

use crate::worlds::grid::{self, Exact, Walk};
use crate::worlds::{CartPole, MountainCar};

/// The first ε of the agents in mountain car and cart pole; it halves after 20 episodes.
const EXPLORATION: Exploration = Exploration { start: 0.1, half_after: 20 };
/// The only parameter that is not the default: γ, which belongs to the task.
const CONFIG: TrackingConfig = TrackingConfig { gamma: 0.99, ..TrackingConfig::CONTROL };
/// An episode of mountain car is cut after this many steps.
const PATIENCE: u32 = 2_000;

/// A world with features to learn it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Mountain car, Fourier features of order 3: 16 for each of 3 actions.
    CarFourier,
    /// Mountain car, 8 grids of 8 × 8 tiles for each action.
    CarTiles,
    /// Cart pole, Fourier features of order 2: 81 for each of 2 actions.
    Pole,
}

/// One learner's life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// Steps of each episode.
    pub steps: Vec<u32>,
    /// All actions.
    pub actions: Vec<u8>,
}

impl Life {
    /// The mean number of steps of the last episodes, or of all if there are not so many.
    pub fn mean_steps(&self, last: usize) -> f64 {
        let counted = &self.steps[self.steps.len().saturating_sub(last)..];
        counted.iter().copied().map(f64::from).sum::<f64>() / counted.len() as f64
    }
}

impl Task {
    /// All tasks and their names.
    pub const ALL: [(Self, &str); 3] = [
        (Self::CarFourier, "mountain car, 48 Fourier features"),
        (Self::CarTiles, "mountain car, 1536 tiles"),
        (Self::Pole, "cart pole, 162 Fourier features"),
    ];

    /// Learns in f32, with one default for all tasks; the features are multiplied by `units`.
    pub fn live(self, episodes: u32, seed: u64, units: f32) -> Life {
        let (car, pole) = (MountainCar::BOUNDS, CartPole::BOUNDS);
        match self {
            Self::CarFourier => car_fourier::<f32>(episodes, seed, units),
            Self::CarTiles => {
                let map = Scaled { map: PerAction::new(TileCoding::<2, 8, 8, 512>::new(car)), units };
                live::<f32, 1536, _>(MountainCar::new(seed), MountainCar::ACTIONS, map, episodes, PATIENCE, seed)
            }
            Self::Pole => {
                let map = Scaled { map: PerAction::new(Fourier::<4, 2, 81>::new(pole)), units };
                live::<f32, 162, _>(CartPole::new(seed), CartPole::ACTIONS, map, episodes, CartPole::STEPS, seed)
            }
        }
    }
}

/// [`Task::CarFourier`] in any arithmetic. The other tasks have more features than a fixed-point row may have.
pub fn car_fourier<A: Arithmetic>(episodes: u32, seed: u64, units: f32) -> Life {
    let map = Scaled { map: PerAction::new(Fourier::<2, 3, 16>::new(MountainCar::BOUNDS)), units };
    live::<A, 48, _>(MountainCar::new(seed), MountainCar::ACTIONS, map, episodes, PATIENCE, seed)
}

fn live<A: Arithmetic, const N: usize, W: World<Error = Infallible>>(
    world: W,
    actions: usize,
    map: impl ActionMap<N, Observation = W::Observation>,
    episodes: u32,
    patience: u32,
    seed: u64,
) -> Life {
    let learner = Tracking::<A, N>::new(CONFIG).expect("a valid config");
    let policy = ActionValues::new(actions, map);
    let mut agent = Agent::new(learner, policy, EXPLORATION, seed + 500).expect("a valid exploration");
    let mut witness = Witness { world, actions: Vec::new() };
    let mut sim = Sim::new(&mut agent, &mut witness, patience);
    let steps = (0..episodes).map(|_| sim.episode().map_or_else(|never| match never {}, |episode| episode.steps));
    Life { steps: steps.collect(), actions: witness.actions }
}

/// The grid with a table: whether the greedy policy is the optimal one after these episodes. One action in five is
/// random.
pub fn finds_the_optimum<A: Arithmetic>(episodes: u32, seed: u64) -> bool {
    let config = TrackingConfig { gamma: grid::GAMMA, ..TrackingConfig::TABLE };
    let learner = Tracking::<A, { 4 * grid::CELLS }>::new(config).expect("a valid config");
    let policy = ActionValues::new(4, PerAction::new(OneHot::<{ grid::CELLS }>));
    let exploration = Exploration { start: 0.2, half_after: u32::MAX };
    let mut agent = Agent::new(learner, policy, exploration, seed + 500).expect("a valid exploration");
    let mut sim = Sim::new(&mut agent, Walk::new(seed), grid::MAX_STEPS as u32);
    for _ in 0..episodes {
        let Ok(_) = sim.episode();
    }
    let exact = Exact::new();
    exact.states().iter().zip(exact.optimal_policy()).all(|(cell, (best, _))| agent.greedy(cell) == best)
}

/// Features in other units.
#[derive(Clone, Copy, Debug)]
struct Scaled<M> {
    map: M,
    units: f32,
}

impl<M: ActionMap<N>, const N: usize> ActionMap<N> for Scaled<M> {
    type Observation = M::Observation;

    fn features(&self, observation: &M::Observation, action: usize) -> Result<[f32; N], RowError> {
        Ok(self.map.features(observation, action)?.map(|x| x * self.units))
    }
}

/// Writes down every action.
#[derive(Debug)]
struct Witness<W> {
    world: W,
    actions: Vec<u8>,
}

impl<W: World> World for Witness<W> {
    type Observation = W::Observation;
    type Error = W::Error;

    fn begin(&mut self) -> Result<W::Observation, W::Error> {
        self.world.begin()
    }

    fn act(&mut self, action: usize) -> Result<Transition<W::Observation>, W::Error> {
        self.actions.push(action as u8);
        self.world.act(action)
    }
}
