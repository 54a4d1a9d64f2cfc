//! Promise: a model that is learned on the device is bit-exact with an f64 reference that is rounded after every
//! operation, for rows of every size; it finds the numbers of the world, and refuses what would spoil it.

use osculate::{ConfigError, LinearModel, RowError};
use osculate_host_tests::reference::rounded;
use osculate_host_tests::reference::rounded::Flaw;
use osculate_host_tests::worlds::Dice;

/// How a learner of rows fared.
#[derive(Debug, Default)]
struct Tally {
    rows: u32,
    learned: u32,
    refused: u32,
    subnormal: u32,
    huge: u32,
}

/// A number of any magnitude, near a common one, or special.
fn number(dice: &mut Dice, scale: i32, spread: u32) -> f32 {
    let exponent = scale + dice.below(2 * spread + 1) as i32 - spread as i32;
    // Two factors: 2^−149 is not a normal number.
    let uniform = dice.uniform() * 2_f32.powi(exponent / 2) * 2_f32.powi(exponent - exponent / 2);
    match dice.below(200) {
        0 => [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45][dice.below(6) as usize],
        1..6 => 0.0,
        _ => uniform,
    }
}

fn numbers<const K: usize>(dice: &mut Dice, scale: i32) -> [f32; K] {
    let spread = [0, 2, 40, 120][dice.below(4) as usize];
    if dice.below(100) == 0 { [0.0; K] } else { [(); K].map(|()| number(dice, scale, spread)) }
}

fn compare<const INPUTS: usize, const OUTPUTS: usize>(models: u64, tally: &mut Tally) {
    for seed in 0..models {
        let mut dice = Dice::new(seed);
        let gain = [1.0 / 32.0, 1.0 / 32.0, 0.3, 1.0, 1.9][dice.below(5) as usize];
        // From below the smallest f32 to above the largest one.
        let mut scales = || [dice.below(281) as i32 - 152, dice.below(81) as i32 - 40][dice.below(2) as usize];
        let (unit, worth) = (scales(), scales());
        let weights =
            [(); OUTPUTS].map(|()| numbers(&mut dice, worth).map(|w| if f32::is_finite(w) { w } else { 1.0 }));
        let mut ours = LinearModel::<INPUTS, OUTPUTS>::new(gain).unwrap().with_weights(weights);
        let mut theirs = rounded::LinearModel::new(&weights.each_ref().map(|row| &row[..]), gain);
        for _ in 0..40 {
            let (x, y) = (numbers::<INPUTS>(&mut dice, unit), numbers::<OUTPUTS>(&mut dice, unit + worth));
            let (before, row) = (*ours.weights(), (x, y));
            let bits = |numbers: &[f32]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            let predicted = ours.predict(&x).into_iter().zip(theirs.predict(&x)).all(|(a, b)| same(a, b));
            assert!(predicted, "{row:?} by {before:?}");
            let expected = theirs.learn(&x, &y).map_err(|flaw| match flaw {
                Flaw::Input => RowError::NonFiniteFeature,
                Flaw::NoInput => RowError::ZeroFeatures,
                Flaw::Output => RowError::NonFiniteTarget,
                Flaw::Range => RowError::TargetOutOfRange,
            });
            assert_eq!(ours.learn(&x, &y), expected, "{row:?} by {before:?}");
            for (ours, theirs) in ours.weights().iter().zip(theirs.weights()) {
                assert_eq!(bits(ours), bits(&theirs), "{row:?} by {before:?}");
            }
            if expected.is_err() {
                assert_eq!(bits(ours.weights().as_flattened()), bits(before.as_flattened()));
            }
            tally.rows += 1;
            tally.learned += u32::from(before != *ours.weights());
            tally.refused += u32::from(expected.is_err());
            tally.subnormal += u32::from(x.iter().any(|x| x.is_subnormal()));
            tally.huge += u32::from(x.iter().any(|x| x.is_finite() && x.abs() > 1e30));
        }
    }
}

#[test]
fn every_bit_equals_the_rounded_reference() {
    let mut tally = Tally::default();
    compare::<1, 1>(500, &mut tally);
    compare::<4, 2>(1000, &mut tally);
    compare::<7, 3>(500, &mut tally);
    compare::<9, 1>(500, &mut tally);
    println!("{tally:?}");
    assert!(tally.rows >= 100_000 && tally.learned > 50_000 && tally.refused > 5_000, "{tally:?}");
    assert!(tally.subnormal > 5_000 && tally.huge > 5_000, "{tally:?}");
}

#[test]
fn a_row_times_a_power_of_two_is_the_same_row() {
    let mut dice = Dice::new(1);
    let mut models = [-60, 0, 60].map(|exponent| (exponent, LinearModel::from_weights([[0.5, 0.25, -1.0]; 2])));
    for _ in 0..1000 {
        let (x, y) = ([(); 3].map(|()| dice.uniform()), [(); 2].map(|()| dice.uniform()));
        for (exponent, model) in &mut models {
            let scaled = |x: f32| x * 2_f32.powi(*exponent);
            model.learn(&x.map(scaled), &y.map(scaled)).unwrap();
        }
    }
    assert_eq!(models[0].1.weights(), models[1].1.weights());
    assert_eq!(models[2].1.weights(), models[1].1.weights());
}

/// The world's numbers differ from those of the data sheet, and readings are noisy.
#[test]
fn the_numbers_of_the_world_are_found_and_followed() {
    let mut model = LinearModel::from_weights([[0.5, -0.25, 0.0, 0.0], [0.0, 0.5, 0.5, 0.0]]);
    let mut dice = Dice::new(3);
    for world in [[[0.3, -0.4, 0.1, 0.05], [0.1, 0.3, 0.7, -0.1_f32]], [[0.6, -0.1, 0.0, 0.2], [0.2, 0.2, 0.4, 0.1]]] {
        for _ in 0..3000 {
            let x = [(); 4].map(|()| dice.uniform());
            let y = world.map(|w| x.iter().zip(w).map(|(x, w)| x * w).sum::<f32>() + 0.05 * dice.uniform());
            model.learn(&x, &y).unwrap();
        }
        for (found, true_ones) in model.weights().as_flattened().iter().zip(world.as_flattened()) {
            assert!((found - true_ones).abs() < 0.02, "{model:?} instead of {world:?}");
        }
    }
}

#[test]
fn a_gain_that_is_none_is_refused() {
    for gain in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(LinearModel::<2, 1>::new(gain), Err(ConfigError::Gain), "{gain}");
    }
    assert_eq!(LinearModel::<2, 1>::new(LinearModel::<2, 1>::GAIN), Ok(LinearModel::from_weights([[0.0; 2]])));
}
