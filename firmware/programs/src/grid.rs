//! A small decision problem, solved by the binary `grid` on the device and by the host for comparison.
//!
//! ```text
//! . . . G     G: the goal, 1
//! L # T .     T: a trap, −1
//! . . . .     L: a lure, ⅛; it ends the episode
//! ```
//!
//! Every other step costs 1/16, and one step in eight slips to a side. Next to the lure, the lure gives the best next
//! reward, but the long way to the goal is worth more. One of the two ways leads past the trap.

use core::convert::Infallible;

use osculate::features::OneHot;
use osculate::{
    Agent, Arithmetic, Branch, ConfigError, Exploration, Log, LookAhead, Model, Random, Schedule, Sim, Stored,
    StoredConfig, Transition, Update, World,
};
use osculate_apps::digest::Digest;

/// The map, row by row.
pub const MAP: [u8; CELLS] = *b"...GL#T.....";
/// The number of cells; a state is a cell's index.
pub const CELLS: usize = 12;
const COLUMNS: usize = 4;
/// The intended direction of each action, in the order of the action numbers.
pub const ACTIONS: [u8; 4] = *b"NESW";
/// An episode is cut after this many steps.
pub const MAX_STEPS: usize = 64;
/// The number of episodes of [`learn`].
pub const EPISODES: u32 = 2000;
/// The seed of [`learn`].
pub const SEED: u64 = 3;

/// γ, exact in every format.
pub const GAMMA: f32 = 15.0 / 16.0;

/// The model of the map: here it is exact.
#[derive(Clone, Copy, Debug)]
pub struct Grid;

impl Grid {
    /// Where a step in a direction leads, and its reward. At walls and borders it stays in place.
    fn step(self, cell: usize, direction: usize) -> (f32, Option<usize>) {
        let column = cell % COLUMNS;
        let there = match direction {
            0 => cell.checked_sub(COLUMNS),
            1 => (column + 1 < COLUMNS).then_some(cell + 1),
            2 => Some(cell + COLUMNS),
            _ => (column > 0).then(|| cell - 1),
        };
        let free = |there: &usize| MAP.get(*there).is_some_and(|place| *place != b'#');
        let there = there.filter(free).unwrap_or(cell);
        match MAP.get(there) {
            Some(b'G') => (1.0, None),
            Some(b'T') => (-1.0, None),
            Some(b'L') => (0.125, None),
            _ => (-0.0625, Some(there)),
        }
    }
}

impl Model for Grid {
    type State = usize;

    fn actions(&self, _: &usize) -> usize {
        ACTIONS.len()
    }

    fn outcomes(&self, cell: &usize, action: usize) -> impl Iterator<Item = Branch<usize>> {
        [(14, 0), (1, 1), (1, 3)].into_iter().map(move |(sixteenths, turn)| {
            let (reward, next) = self.step(*cell, (action + turn) % 4);
            Branch { probability: sixteenths as f32 / 16.0, reward, next }
        })
    }
}

/// A walker on the map that records its actions.
#[derive(Debug)]
pub struct Walk {
    random: Random,
    cell: usize,
    trail: [u8; MAX_STEPS],
    steps: usize,
}

impl Walk {
    /// The same seed gives the same starts and slips for the same actions, on every target.
    pub const fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), cell: 0, trail: [0; MAX_STEPS], steps: 0 }
    }

    /// The actions of the episode so far, as letters; at most [`MAX_STEPS`] of them.
    fn trail(&self) -> &[u8] {
        self.trail.get(..self.steps).unwrap_or_default()
    }
}

impl World for Walk {
    type Observation = usize;
    type Error = Infallible;

    /// Starts in any of the free cells.
    fn begin(&mut self) -> Result<usize, Infallible> {
        self.steps = 0;
        let mut free = (0..CELLS).filter(|cell| MAP[*cell] == b'.');
        let count = free.clone().count() as u32;
        self.cell = free.nth(self.random.below(count) as usize).unwrap_or(0);
        Ok(self.cell)
    }

    fn act(&mut self, action: usize) -> Result<Transition<usize>, Infallible> {
        if let Some(place) = self.trail.get_mut(self.steps) {
            *place = ACTIONS[action % 4];
            self.steps += 1;
        }
        let turn = match self.random.below(16) {
            0 => 1,
            1 => 3,
            _ => 0,
        };
        let (reward, next) = Grid.step(self.cell, (action + turn) % 4);
        self.cell = next.unwrap_or(self.cell);
        Ok(Transition { reward: Some(reward), next })
    }
}

/// Learns the map by SIM: the paper's rule with η = k^−¾, Monte Carlo targets, one feature per cell.
///
/// Returns the greedy policy, a letter for each cell of the map in which there is a choice; and a digest of each episode's
/// actions and result, and of the weights after it.
///
/// # Errors
/// An invalid parameter; cannot happen with these.
pub fn learn<A: Arithmetic>() -> Result<([u8; CELLS], u64), ConfigError> {
    let config = StoredConfig { gamma: GAMMA, schedule: Schedule::ThreeQuarters, ..StoredConfig::PAPER };
    let learner = Stored::try_new(config, Log::<A, CELLS, MAX_STEPS, CELLS>::NEW)?;
    let policy = LookAhead::new(Grid, OneHot).by_state(|cell| *cell as u32);
    let mut agent = Agent::try_new(learner, policy, Exploration { start: 0.5, half_after: 100 }, SEED + 1)?;
    let (mut walk, mut digest) = (Walk::new(SEED), Digest::new());
    for _ in 0..EPISODES {
        let Ok(episode) = Sim::new(&mut agent, &mut walk, MAX_STEPS as u32).episode();
        let Update { k, theta, .. } = episode.report;
        digest.add(walk.trail());
        [k, episode.explored, theta.to_bits()].iter().for_each(|number| digest.add(&number.to_le_bytes()));
        agent.weights().iter().for_each(|&weight| digest.add(&A::bits(weight).to_le_bytes()));
    }
    let policy = core::array::from_fn(|cell| match MAP[cell] {
        b'.' => ACTIONS.get(agent.greedy(&cell)).copied().unwrap_or(b'.'),
        other => other,
    });
    Ok((policy, digest.value()))
}
