//! The device's own map.

use osculate::features::OneHot;

pub(crate) use osculate_programs::grid::{CELLS, GAMMA, Grid, MAP, MAX_STEPS, Walk};

/// A feature per cell.
pub(crate) const TABLE: OneHot<CELLS> = OneHot;

/// A cell's number.
pub(crate) fn number(cell: &usize) -> u32 {
    *cell as u32
}
