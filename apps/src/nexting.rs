//! Nexting: a device that continuously predicts its next sensor readings, on several time scales at once.
//!
//! [`learn`] is the whole application.

use osculate::features::{FeatureMap, Polynomial};
use osculate::{ConfigError, Predictor, RowError, Streaming, StreamingConfig};
use serde::{Deserialize, Serialize};

/// The discount per step: horizons of 1, 2, 8 and 32 steps.
pub const GAMMAS: [f32; 4] = [0.0, 0.5, 0.875, 0.96875];
/// Steps per episode. Rows are taken from its first half, so that each of them sees enough of its future.
pub const STEPS: u32 = 256;
/// All products of the two axes up to degree 3.
const MAP: Polynomial<2, 3, 10> = Polynomial::new();

/// The I²C address of the compass, an LSM303DLHC.
pub const COMPASS: u8 = 0x1e;

/// A step: the compass reading, and the predictions for its first axis on each time scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Both axes.
    pub field: [f32; 2],
    /// The predicted discounted mean of the first axis, for each of [`GAMMAS`].
    pub expected: [f32; 4],
}

/// Converts the registers of x, z and y, two bytes each, to x and y relative to the middle of the wheel magnets' range.
pub fn field(registers: [u8; 6]) -> [f32; 2] {
    let [x, xx, _, _, y, yy] = registers;
    [[x, xx], [y, yy]].map(|axis| f32::from(i16::from_be_bytes(axis)) / 1024.0 - 1.0)
}

/// Reads two axes of a compass next to a wheel, and reports them with the predictions for the first one.
///
/// # Errors
/// The errors of `read`.
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
