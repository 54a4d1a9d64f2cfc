//! Models that are learned on the device: rows of any bits, gains of any size, and their states.

use osculate::{ConfigError, LeastSquares, LinearModel, RowError, StateError};

use super::check::{finite, made};
use super::input::Fuzz;
use super::number::flaw;

pub(super) fn live(fuzz: &mut Fuzz) {
    match fuzz.below(10) {
        8 => least_squares::<1, 1>(fuzz),
        9 => least_squares::<4, 2>(fuzz),
        0 => learn::<0, 1>(fuzz),
        1 => learn::<1, 1>(fuzz),
        2 => learn::<9, 4>(fuzz),
        _ => learn::<4, 2>(fuzz),
    }
}

fn learn<const INPUTS: usize, const OUTPUTS: usize>(fuzz: &mut Fuzz) {
    let gain = if fuzz.one_in(4) { fuzz.any_float() } else { fuzz.pick(&[1.0 / 32.0, 1.0, 1e-45, 2.0]) };
    let faults = if gain > 0.0 && gain.is_finite() { vec![] } else { vec![ConfigError::Gain] };
    let Some(model) = made(fuzz, LinearModel::<INPUTS, OUTPUTS>::try_new(gain), &faults) else { return };
    let weights = [(); OUTPUTS].map(|()| fuzz.floats::<INPUTS>().map(|w| if w.is_finite() { w } else { f32::MAX }));
    let mut model = model.with_weights(weights);
    for _ in 0..30 {
        let (x, y) = (fuzz.floats::<INPUTS>(), fuzz.floats::<OUTPUTS>());
        let (before, outcome) = (model, model.learn(&x, &y));
        let numbers = |model: &LinearModel<INPUTS, OUTPUTS>| finite(&[model.weights().as_flattened()]);
        // Promises 2 and 3.
        let after = numbers(&model);
        assert!(outcome.is_ok() || after == numbers(&before), "{outcome:?} has changed {before:?}");
        if outcome.is_ok() {
            nearer(gain, &before, &model, (&x, &y));
        }
        answered(fuzz, outcome, &x, &y);
        if fuzz.one_in(8) {
            state(fuzz, &model);
        }
        if !fuzz.goes_on() {
            return;
        }
    }
}

/// The answer to a row is the right one.
fn answered(fuzz: &mut Fuzz, outcome: Result<(), RowError>, x: &[f32], y: &[f32]) {
    let unusable = flaw(x).or_else(|| y.iter().any(|y| !y.is_finite()).then_some(RowError::NonFiniteTarget));
    match (outcome, unusable) {
        // The first output that is wrong is the one that is reported.
        (Ok(()), None) | (Err(RowError::TargetOutOfRange), None | Some(RowError::NonFiniteTarget)) => {}
        _ => assert_eq!(outcome.err(), unusable, "{x:?} {y:?}"),
    }
    fuzz.called(match outcome {
        Ok(()) => "learned",
        Err(RowError::TargetOutOfRange) => "out of range",
        Err(RowError::NonFiniteTarget) => "bad outputs",
        Err(_) => "bad inputs",
    });
}

fn least_squares<const INPUTS: usize, const OUTPUTS: usize>(fuzz: &mut Fuzz) {
    let mut squares = LeastSquares::<INPUTS, OUTPUTS>::new();
    for _ in 0..60 {
        let (x, y) = (fuzz.floats::<INPUTS>(), fuzz.floats::<OUTPUTS>());
        let (before, outcome) = (squares, squares.learn(&x, &y));
        finite(&[squares.model().weights().as_flattened()]);
        assert!(outcome.is_ok() || squares == before, "{outcome:?} has changed {before:?}");
        if outcome.is_ok() {
            nearer(1.0, before.model(), squares.model(), (&x, &y));
        }
        answered(fuzz, outcome, &x, &y);
        if !fuzz.goes_on() {
            return;
        }
    }
}

/// With a gain of at most 1, a row of ordinary size is predicted no worse after it was learned from.
fn nearer<const INPUTS: usize, const OUTPUTS: usize>(
    gain: f32,
    before: &LinearModel<INPUTS, OUTPUTS>,
    after: &LinearModel<INPUTS, OUTPUTS>,
    (x, y): (&[f32; INPUTS], &[f32; OUTPUTS]),
) {
    let product = |w: &[f32; INPUTS]| x.iter().zip(w).map(|(x, w)| f64::from(*x) * f64::from(*w)).sum::<f64>();
    let size = |w: &[f32; INPUTS]| x.iter().zip(w).map(|(x, w)| (f64::from(*x) * f64::from(*w)).abs()).sum::<f64>();
    let largest = x.iter().fold(0.0_f64, |most, x| most.max(x.abs().into()));
    for ((before, after), y) in before.weights().iter().zip(after.weights()).zip(y) {
        let (was, is) = ((product(before) - f64::from(*y)).abs(), (product(after) - f64::from(*y)).abs());
        // Each operation rounds, to 24 bits or to the grid of the subnormal numbers; scaled inputs and weights are on
        // that grid, too.
        let weights: f64 = before.iter().chain(after).map(|w| f64::from(w.abs())).sum();
        let grid = 1e-43 * largest * (1.0 + weights);
        let rounding = 1e-5 * (size(before) + size(after) + f64::from(y.abs())) + grid;
        assert!(gain > 1.0 || is <= was + rounding, "{is:e} instead of {was:e}: {x:?} {y:?} by {before:?}");
    }
}

/// Promise 10.
fn state<const INPUTS: usize, const OUTPUTS: usize>(fuzz: &mut Fuzz, model: &LinearModel<INPUTS, OUTPUTS>) {
    let mut bytes = vec![0; LinearModel::<INPUTS, OUTPUTS>::BYTES];
    assert_eq!(model.save(&mut bytes), Ok(bytes.len()));
    let mut other = model.with_weights([[0.0; INPUTS]; OUTPUTS]);
    assert_eq!((other.restore(&bytes), other), (Ok(()), *model));
    fuzz.called("restored");
    let length = fuzz.below(bytes.len() as u32) as usize;
    assert_eq!(model.save(&mut bytes[..length]), Err(StateError::NoRoom));
    fuzz.called("no room to save");
    assert_eq!(model.save(&mut bytes), Ok(bytes.len()));
    bytes[length] ^= 1 + fuzz.below(255) as u8;
    assert!(other.restore(&bytes).is_err());
    assert_eq!(other, *model, "a damaged state has changed something");
    fuzz.called("damaged");
}
