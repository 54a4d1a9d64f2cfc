//! Nexting: a device that always expects what its sensor will say next, on several time scales at once.
//!
//! [`learn`] is the whole application.

use osculate::features::{FeatureMap, Polynomial};
use osculate::{ConfigError, Predictor, RowError, Streaming, StreamingConfig};
use serde::{Deserialize, Serialize};

/// How much a step counts against the one before: 1, 2, 8 and 32 steps of a future matter.
pub const GAMMAS: [f32; 4] = [0.0, 0.5, 0.875, 0.96875];
/// Steps of an episode. Rows are taken from its first half, so that each of them sees enough of its future.
pub const STEPS: u32 = 256;
/// All products of the two axes up to degree 3.
const MAP: Polynomial<2, 3, 10> = Polynomial::new();

/// The compass's address on the bus: an LSM303DLHC.
pub const COMPASS: u8 = 0x1e;

/// A step: what the compass showed, and what was expected of its first axis on each time scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Both axes.
    pub field: [f32; 2],
    /// The discounted mean of the first axis in the future, for each of [`GAMMAS`].
    pub expected: [f32; 4],
}

/// From the registers of x, z and y, each in two bytes, to x and y around the middle of what the wheel's magnets do.
pub fn field(registers: [u8; 6]) -> [f32; 2] {
    let [x, xx, _, _, y, yy] = registers;
    [[x, xx], [y, yy]].map(|axis| f32::from(i16::from_be_bytes(axis)) / 1024.0 - 1.0)
}

/// Reads two axes of a compass by a wheel, and tells them with what the first one is expected to be in the future.
///
/// # Errors
/// Those of `read`.
pub fn learn<E: From<ConfigError> + From<RowError>>(
    episodes: u32,
    mut read: impl FnMut() -> Result<[f32; 2], E>,
    mut tell: impl FnMut([f32; 2], [f32; 4]),
) -> Result<(), E> {
    let learner = |gamma| Streaming::new(StreamingConfig { gamma, ..StreamingConfig::DEFAULT });
    let [a, b, c, d] = GAMMAS.map(learner);
    let mut predictors = [a?, b?, c?, d?].map(Predictor::<Streaming<f32, 10>>::new);
    for step in (0..episodes).flat_map(|_| 0..STEPS) {
        let (field, mut expected) = (read()?, [0.0; 4]);
        let phi = MAP.features(&field)?;
        for (i, predictor) in predictors.iter_mut().enumerate() {
            expected[i] = (1.0 - GAMMAS[i]) * predictor.step(field[0], &phi)?;
            if step == STEPS / 2 - 1 {
                predictor.close_rows();
            } else if step == STEPS - 1 {
                predictor.end();
            }
        }
        tell(field, expected);
    }
    Ok(())
}
