//! The whole application.

use osculate::features::FeatureMap;
use osculate::{ConfigError, Predictor, RowError, Tracking, TrackingConfig};

use super::{GAMMAS, MAP, Moment};

/// Reads two axes of a compass next to a wheel, and reports them with the predictions for the first one.
///
/// # Errors
/// The errors of `read`.
pub fn learn<E: From<ConfigError> + From<RowError>>(
    steps: u32,
    mut read: impl FnMut() -> Result<[f32; 2], E>,
    mut tell: impl FnMut(Moment),
) -> Result<(), E> {
    let learner = |gamma| Tracking::try_new(TrackingConfig { gamma, ..TrackingConfig::DEFAULT });
    let [a, b, c, d] = GAMMAS.map(learner);
    let mut predictors = [a?, b?, c?, d?].map(Predictor::<Tracking<f32, 10>>::new);
    for _ in 0..steps {
        let (field, mut expected) = (read()?, [0.0; 4]);
        let phi = MAP.features(&field)?;
        for (i, predictor) in predictors.iter_mut().enumerate() {
            expected[i] = predictor.step((1.0 - GAMMAS[i]) * field[0], &phi)?;
        }
        let band = predictors[0].band(&phi)?.map(|band| band.next);
        tell(Moment { field, expected, band });
    }
    Ok(())
}
