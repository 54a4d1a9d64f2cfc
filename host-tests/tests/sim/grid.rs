//! The device's map, as somebody would write it down for a simulation on the host.
//!
//! ```text
//! . . . G     G: the goal, 1
//! L # T .     T: a trap, −1
//! . . . .     L: a lure, ⅛, and the episode is over
//! ```
//!
//! Every other step costs 1/16, and one time in eight it goes off to a side. Beside the lure, the best next reward is to be
//! had there, but the long way to the goal is worth more; and one of the two ways leads past the trap.

use std::convert::Infallible;

use osculate::features::{FeatureMap, OneHot};
use osculate::{Likely, Model, Random, RowError, Transition, World};

/// The map, row by row.
pub(crate) const MAP: [u8; CELLS] = *b"...GL#T.....";
/// Cells of the map; a state is a cell's index.
pub(crate) const CELLS: usize = 12;
const COLUMNS: u8 = 4;
/// An episode is cut after this many steps.
pub(crate) const MAX_STEPS: usize = 64;
/// γ, a number that every format holds exactly.
pub(crate) const GAMMA: f32 = 0.9375;

/// What is known of the map: it is the world's own rule here. Actions are north, east, south, west.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid;

impl Grid {
    /// Where a step in a direction really leads: walls and borders leave it in place.
    fn step(cell: u8, direction: usize) -> (f32, Option<u8>) {
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
            b'G' => (1.0, None),
            b'T' => (-1.0, None),
            b'L' => (0.125, None),
            _ => (-0.0625, Some(there)),
        }
    }
}

impl Model for Grid {
    type State = u8;

    fn actions(&self, _: &u8) -> usize {
        4
    }

    fn outcomes(&self, cell: &u8, action: usize) -> impl Iterator<Item = Likely<u8>> {
        [(0.875, 0), (0.0625, 1), (0.0625, 3)].into_iter().map(move |(probability, turn)| {
            let (reward, next) = Self::step(*cell, (action + turn) % 4);
            Likely { probability, reward, next }
        })
    }
}

/// A weight per cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table;

impl FeatureMap<CELLS> for Table {
    type Observation = u8;

    fn features(&self, cell: &u8) -> Result<[f32; CELLS], RowError> {
        OneHot::<CELLS>.features(&usize::from(*cell))
    }
}

/// The number of a cell.
pub(crate) fn number(cell: &u8) -> u32 {
    (*cell).into()
}

/// Somebody who really walks on the map.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    random: Random,
    cell: u8,
}

impl Walk {
    /// The same seed gives the same starts and slips for the same actions.
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), cell: 0 }
    }
}

impl World for Walk {
    type Observation = u8;
    type Error = Infallible;

    /// In any of the free cells.
    fn begin(&mut self) -> Result<u8, Infallible> {
        let free: Vec<u8> = (0..CELLS as u8).filter(|cell| MAP[usize::from(*cell)] == b'.').collect();
        self.cell = free[self.random.below(free.len() as u32) as usize];
        Ok(self.cell)
    }

    fn act(&mut self, action: usize) -> Result<Transition<u8>, Infallible> {
        let turn = match self.random.below(16) {
            0 => 1,
            1 => 3,
            _ => 0,
        };
        let (reward, next) = Grid::step(self.cell, (action + turn) % 4);
        self.cell = next.unwrap_or(self.cell);
        Ok(Transition { reward: Some(reward), next })
    }
}
