//! For comparison: the stream is cut into episodes, and the weights move at the end of each.

use osculate::features::FeatureMap;
use osculate::{ConfigError, Predictor, RowError, Streaming, StreamingConfig};

use super::{GAMMAS, MAP, Moment};

/// Steps per episode. Rows are taken from its first half, so that each of them sees enough of its future.
const STEPS: u32 = 256;

/// As [`stream::learn`](super::stream::learn).
///
/// # Errors
/// The errors of `read`.
pub fn learn<E: From<ConfigError> + From<RowError>>(
    steps: u32,
    mut read: impl FnMut() -> Result<[f32; 2], E>,
    mut tell: impl FnMut(Moment),
) -> Result<(), E> {
    let learner = |gamma| Streaming::try_new(StreamingConfig { gamma, ..StreamingConfig::DEFAULT });
    let [a, b, c, d] = GAMMAS.map(learner);
    let mut predictors = [a?, b?, c?, d?].map(Predictor::<Streaming<f32, 10>>::new);
    for step in (0..steps).map(|step| step % STEPS) {
        let (field, mut expected) = (read()?, [0.0; 4]);
        let phi = MAP.features(&field)?;
        for (i, predictor) in predictors.iter_mut().enumerate() {
            expected[i] = predictor.step((1.0 - GAMMAS[i]) * field[0], &phi)?;
            if step == STEPS / 2 - 1 {
                predictor.close_rows();
            } else if step == STEPS - 1 {
                predictor.end();
            }
        }
        tell(Moment { field, expected, band: None });
    }
    Ok(())
}
