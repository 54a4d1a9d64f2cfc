//! A small decision problem: the binary `grid` solves it on the device, and the host beside it.
//!
//! ```text
//! . . . G     G: the goal, 1
//! L # T .     T: a trap, −1
//! . . . .     L: a lure, ⅛, and the episode is over
//! ```
//!
//! Every other step costs 1/16, and one time in eight it goes off to a side. Beside the lure, the best next reward is to be
//! had there, but the long way to the goal is worth more; and one of the two ways leads past the trap.

use osculate::episodic::{Episodic, Logged, Targets};
use osculate::features::{FeatureMap, OneHot};
use osculate::policy::LookAhead;
use osculate::random::below;
use osculate::schedule::Exploration;
use osculate::sim::EpisodeOutcome;
use osculate::world::{Model, Transition, World};
use osculate::{Arithmetic, Learner, LearnerConfig, RowError, Scalar, Schedule, Sim, SimConfig};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

/// The map, row by row.
pub const MAP: [u8; CELLS] = *b"...GL#T.....";
/// Cells of the map; a state is a cell's index.
pub const CELLS: usize = 12;
const COLUMNS: u8 = 4;
/// Where an action leads if all goes well, in the order of the actions' numbers.
pub const ACTIONS: [u8; 4] = *b"NESW";
/// An episode is cut after this many steps.
pub const MAX_STEPS: usize = 64;
/// Episodes of [`learn`].
pub const EPISODES: u32 = 2000;
/// The seed of [`learn`].
pub const SEED: u64 = 3;

/// What is known of the map: it is the world's own rule here.
#[derive(Debug)]
pub struct Grid<A: Arithmetic> {
    goal: A::Target,
    trap: A::Target,
    lure: A::Target,
    step: A::Target,
    straight: A::Scalar,
    aside: A::Scalar,
}

impl<A: Arithmetic> Grid<A> {
    /// γ, a number that every format holds exactly.
    pub fn gamma() -> A::Scalar {
        A::Scalar::from_ratio(15, 16)
    }

    /// The map with its rewards in the format of an arithmetic.
    ///
    /// # Errors
    /// Where the format cannot hold a reward; all of ours can.
    pub fn new() -> Result<Self, RowError> {
        Ok(Self {
            goal: A::target(1.0)?,
            trap: A::target(-1.0)?,
            lure: A::target(0.125)?,
            step: A::target(-0.0625)?,
            straight: A::Scalar::from_ratio(14, 16),
            aside: A::Scalar::from_ratio(1, 16),
        })
    }

    /// Where a step in a direction really leads: walls and borders leave it in place.
    fn step(&self, cell: u8, direction: usize) -> Transition<A::Target, u8> {
        let column = cell % COLUMNS;
        let there = match direction {
            0 => cell.checked_sub(COLUMNS),
            1 => (column + 1 < COLUMNS).then_some(cell + 1),
            2 => Some(cell + COLUMNS),
            _ => (column > 0).then(|| cell - 1),
        };
        let free = |there: &u8| MAP.get(usize::from(*there)).is_some_and(|place| *place != b'#');
        let there = there.filter(free).unwrap_or(cell);
        match MAP[usize::from(there)] {
            b'G' => Transition { reward: self.goal, next: None },
            b'T' => Transition { reward: self.trap, next: None },
            b'L' => Transition { reward: self.lure, next: None },
            _ => Transition { reward: self.step, next: Some(there) },
        }
    }
}

impl<A: Arithmetic> Model<A, CELLS> for Grid<A> {
    type State = u8;

    fn actions(&self, _: &u8) -> usize {
        ACTIONS.len()
    }

    fn outcomes(&self, cell: &u8, action: usize) -> impl Iterator<Item = (A::Scalar, Transition<A::Target, u8>)> {
        let outcome = |probability, turn| (probability, self.step(*cell, (action + turn) % 4));
        [outcome(self.straight, 0), outcome(self.aside, 1), outcome(self.aside, 3)].into_iter()
    }

    fn features(&self, cell: &u8) -> Result<A::Features<CELLS>, RowError> {
        OneHot::<CELLS>.encode::<A>(&usize::from(*cell))
    }
}

/// Somebody who really walks on the map, and leaves a trail.
#[derive(Debug)]
pub struct Walk<'g, A: Arithmetic> {
    grid: &'g Grid<A>,
    random: Xoshiro128PlusPlus,
    cell: u8,
    trail: [u8; MAX_STEPS],
    steps: usize,
}

impl<'g, A: Arithmetic> Walk<'g, A> {
    /// The same seed gives the same starts and slips for the same actions, on every machine.
    pub fn new(grid: &'g Grid<A>, seed: u64) -> Self {
        Self { grid, random: Xoshiro128PlusPlus::seed_from_u64(seed), cell: 0, trail: [0; MAX_STEPS], steps: 0 }
    }

    /// The actions of the episode so far, in letters; no more than [`MAX_STEPS`] of them.
    pub fn trail(&self) -> &str {
        core::str::from_utf8(&self.trail[..self.steps]).unwrap_or_default()
    }
}

impl<A: Arithmetic> World<A> for Walk<'_, A> {
    type State = u8;

    /// In any of the free cells.
    fn begin(&mut self) -> u8 {
        self.steps = 0;
        let mut free = (0..CELLS as u8).filter(|cell| MAP[usize::from(*cell)] == b'.');
        let count = free.clone().count() as u32;
        self.cell = free.nth(below(&mut self.random, count) as usize).unwrap_or(0);
        self.cell
    }

    fn act(&mut self, action: usize) -> Transition<Option<A::Target>, u8> {
        if let Some(place) = self.trail.get_mut(self.steps) {
            *place = ACTIONS[action % 4];
            self.steps += 1;
        }
        let turn = match below(&mut self.random, 16) {
            0 => 1,
            1 => 3,
            _ => 0,
        };
        let transition = self.grid.step(self.cell, (action + turn) % 4);
        self.cell = transition.next.unwrap_or(self.cell);
        transition.observed()
    }
}

/// Learns the map by SIM: paper's rule with η = k^−¾, Monte Carlo targets, a feature per cell.
///
/// Reports each episode's actions, its outcome, and the weights after it as the integers that `bits` makes of them. Returns
/// the greedy policy in the end: a letter for each cell of the map, where there is something to decide.
///
/// # Errors
/// Where a parameter makes no sense; none of ours does.
pub fn learn<A: Arithmetic<Scalar = f32, Target: PartialOrd>>(
    bits: impl Fn(A::Weight) -> u32,
    mut report: impl FnMut(&str, &EpisodeOutcome<A::Target, f32>, [u32; CELLS]),
) -> Result<[u8; CELLS], &'static str> {
    let grid = Grid::<A>::new().map_err(|_| "a reward does not fit")?;
    let config = LearnerConfig { schedule: Schedule::ThreeQuarters, ..LearnerConfig::default() };
    let learner =
        Learner::new(config).and_then(|learner| Logged::new(learner, Grid::<A>::gamma(), Targets::MonteCarlo));
    let learner: Logged<A, u8, CELLS, MAX_STEPS, CELLS> = learner.map_err(|_| "the learner's parameters")?;
    let exploration = Exploration { start: 0.5, half_after: 100 };
    let sim = Sim::<A, _>::new(learner, SimConfig { exploration, max_steps: MAX_STEPS as u32 });
    let mut sim = sim.map_err(|_| "the exploration's parameters")?;
    let policy = LookAhead(&grid);
    let mut world = Walk::new(&grid, SEED);
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(SEED + 1);
    for _ in 0..EPISODES {
        let outcome = sim.run_episode(&mut world, &policy, &mut rng);
        report(world.trail(), &outcome, sim.learner().weights().map(&bits));
    }
    Ok(core::array::from_fn(|cell| match MAP[cell] {
        b'.' => ACTIONS[sim.greedy(&policy, &(cell as u8))],
        other => other,
    }))
}
