//! A model with any gain. (The weights and states of models: `models` and `state` of the host tests.)

use osculate::{ConfigError, LinearModel, RowError};

use super::input::Fuzz;
use super::number::{finite, flaw};

pub(super) fn live(fuzz: &mut Fuzz) {
    match fuzz.below(8) {
        0 => learn::<0, 1>(fuzz),
        1 => learn::<1, 1>(fuzz),
        2 => learn::<9, 4>(fuzz),
        _ => learn::<4, 2>(fuzz),
    }
}

/// Promises 2, 3 and 6; the answer to each row is the right one.
fn learn<const INPUTS: usize, const OUTPUTS: usize>(fuzz: &mut Fuzz) {
    let gain = if fuzz.one_in(4) { fuzz.any_float() } else { fuzz.pick(&[1.0 / 32.0, 1.0, 1e-45, 2.0]) };
    let checks = [(gain > 0.0 && gain.is_finite(), ConfigError::Gain)];
    let Some(model) = fuzz.made(LinearModel::<INPUTS, OUTPUTS>::try_new(gain), &checks) else { return };
    let weights = [(); OUTPUTS].map(|()| fuzz.floats::<INPUTS>().map(|w| if w.is_finite() { w } else { f32::MAX }));
    let mut model = model.with_weights(weights);
    for _ in 0..30 {
        let (x, y) = (fuzz.floats::<INPUTS>(), fuzz.floats::<OUTPUTS>());
        let (before, outcome) = (model, model.learn(&x, &y));
        finite(&[model.weights().as_flattened()]);
        assert!(outcome.is_ok() || model == before, "{outcome:?} has changed {before:?}");
        let unusable = flaw(&x).or_else(|| y.iter().any(|y| !y.is_finite()).then_some(RowError::NonFiniteTarget));
        match (outcome, unusable) {
            // The first output that is wrong is the one that is reported.
            (Err(RowError::TargetOutOfRange), None | Some(RowError::NonFiniteTarget)) => {}
            _ => assert_eq!(outcome.err(), unusable, "{x:?} {y:?}"),
        }
        fuzz.answered("learned", &outcome);
    }
}
