//! Nexting: a device that continuously predicts its next sensor readings, on several time scales at once.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`stream`] | the whole application: it learns at every reading, and has no episodes |
//! | `learner` | the same in any arithmetic, and such that it can be interrupted and saved |
//! | [`device`] | the application of a board: the learner, its sensor, light and memory |
//! | [`episodes`] | for comparison, the same with episodes and the rule `streaming` |

pub mod device;
pub mod episodes;
mod learner;
pub mod stream;

use osculate::features::Polynomial;
use osculate::{ConfigError, RowError};
use serde::{Deserialize, Serialize};

pub use self::learner::Nexting;
use crate::choice::Rule;

/// The discount per step: horizons of 1, 2, 8 and 32 steps.
pub const GAMMAS: [f32; 4] = [0.0, 0.5, 0.875, 0.96875];
/// All products of the two axes up to degree 3.
const MAP: Polynomial<2, 3, N> = Polynomial::new();
/// Their number.
pub const N: usize = 10;

/// The I²C address of the compass, an LSM303DLHC.
pub const COMPASS: u8 = 0x1e;

/// A step: the compass reading, and the predictions for its first axis on each time scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Both axes.
    pub field: [f32; 2],
    /// The predicted discounted mean of the first axis, for each of [`GAMMAS`].
    pub expected: [f32; 4],
    /// How far the next reading may be from `expected[0]`, in 95 of 100 cases; `None` if the rule cannot tell.
    pub band: Option<f32>,
}

/// Converts the registers of x, z and y, two bytes each, to x and y relative to the middle of the wheel magnets' range.
pub fn field(registers: [u8; 6]) -> [f32; 2] {
    let [x, xx, _, _, y, yy] = registers;
    [[x, xx], [y, yy]].map(|axis| f32::from(i16::from_be_bytes(axis)) / 1024.0 - 1.0)
}

/// Learns for a number of steps: with episodes for `streaming`, without them for `tracking`.
///
/// # Errors
/// The errors of `read`.
pub fn learn<E: From<ConfigError> + From<RowError>>(
    rule: Rule,
    steps: u32,
    read: impl FnMut() -> Result<[f32; 2], E>,
    tell: impl FnMut(Moment),
) -> Result<(), E> {
    match rule {
        Rule::Streaming => episodes::learn(steps, read, tell),
        _ => stream::learn(steps, read, tell),
    }
}
