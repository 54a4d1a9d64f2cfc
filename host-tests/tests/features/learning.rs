//! The scale of columns, and learning through a map.

use osculate::features::{Bounds, ColumnScaler, FeatureMap, Fourier, Polynomial, Scaled};
use osculate::{Arithmetic, Log, Predictor, Q28, Schedule, Stored, StoredConfig};
use osculate_host_tests::reference::{Row, closed_form};
use osculate_host_tests::worlds::Dice;

use crate::grid;

#[test]
fn column_factors_are_exact_both_ways() {
    let mut dice = Dice::new(5);
    for _ in 0..1_000 {
        let rows: Vec<[f32; 4]> =
            (0..10).map(|_| [1e-3, 1.0, 1e4, 1e30].map(|size: f32| size * dice.uniform())).collect();
        let mut scaler = ColumnScaler::new();
        rows.iter().for_each(|phi| scaler.observe(phi));
        let factors = scaler.factors();
        let scaled: Vec<[f32; 4]> = rows.iter().map(|phi| factors.scale(phi)).collect();
        let weights: [f32; 4] = std::array::from_fn(|_| dice.uniform());
        let unscaled = factors.unscaled_weights(&weights);
        for j in 0..4 {
            let largest = scaled.iter().fold(0.0, |most: f32, phi| most.max(phi[j].abs()));
            assert!((0.5..1.0).contains(&largest), "{largest}");
            for (phi, scaled) in rows.iter().zip(&scaled) {
                // φ_j·w_j is the same number. It is exact in f64: 24 bits times 24 bits.
                assert_eq!(f64::from(phi[j]) * unscaled[j], f64::from(scaled[j]) * f64::from(weights[j]));
            }
        }
    }
}

fn learned<A: Arithmetic, const N: usize, M>(map: &M, data: &[(f32, f32)]) -> [f64; N]
where
    M: FeatureMap<N, Observation = [f32; 1]>,
{
    let config = StoredConfig { schedule: Schedule::Constant(1.0), skip_below: 0.0, ..StoredConfig::PAPER };
    let mut predictor = Predictor::new(Stored::new(config, Log::<A, N, 1, 33>::NEW));
    for _ in 0..200 {
        for &(x, v) in data {
            predictor.learn(v, &map.features(&[x]).unwrap()).unwrap();
        }
        predictor.end();
    }
    predictor.weights().map(Into::into)
}

#[test]
fn a_function_is_learned_through_a_map() {
    // Flat at both ends, like the cosines, with a rise and a bump between.
    let function = |x: f32| x * (3.0 - x * x) / 2.0 + 0.5 * (-8.0 * x * x).exp();
    let data: Vec<(f32, f32)> = grid(-1.0, 1.0, 32).map(|x| (x, function(x))).collect();
    let map = Fourier::<1, 8, 9>::new(Bounds::new([-1.0], [1.0]));
    let rows: Vec<Row> = data.iter().map(|&(x, v)| (map.features(&[x]).unwrap().to_vec(), v)).collect();
    let solution = closed_form::scale_invariant(&rows);
    // f32 is accurate to its rounding, fixed point to the 15 bits of its rows.
    for (weights, tolerance) in [(learned::<f32, 9, _>(&map, &data), 1e-7), (learned::<Q28, 9, _>(&map, &data), 2e-5)] {
        let error = closed_form::relative_error(&weights, &solution);
        assert!(error < tolerance, "{error:e}");
        for x in grid(-1.0, 1.0, 999) {
            let value: f64 = map.features(&[x]).unwrap().iter().zip(&weights).map(|(&phi, w)| f64::from(phi) * w).sum();
            // The tolerance covers what nine cosines cannot represent.
            assert!((value - f64::from(function(x))).abs() < 1e-3, "{value} at {x}");
        }
    }
}

#[test]
fn column_factors_make_a_polynomial_learnable_in_fixed_point() {
    // 1 + x/50 − (x/100)² on 0..100: the scales of the three columns span four orders of magnitude.
    let data: Vec<(f32, f32)> = grid(0.0, 100.0, 32).map(|x| (x, 1.0 + x * (0.02 - 1e-4 * x))).collect();
    let map = Polynomial::<1, 2, 3>::new();
    let mut scaler = ColumnScaler::new();
    data.iter().for_each(|&(x, _)| scaler.observe(&map.features(&[x]).unwrap()));
    let scaled = Scaled { map: &map, factors: scaler.factors() };
    let with = scaled.factors.unscaled_weights(&learned::<Q28, 3, _>(&scaled, &data));
    let without = learned::<Q28, 3, _>(&map, &data);
    // The error of the values, which run from 1 to 2.
    let worst = |w: [f64; 3]| {
        let error = |&(x, v): &(f32, f32)| {
            let value: f64 = map.features(&[x]).unwrap().iter().zip(w).map(|(&phi, w)| f64::from(phi) * w).sum();
            (value - f64::from(v)).abs()
        };
        data.iter().map(error).fold(0.0, f64::max)
    };
    assert!(worst(with) < 0.015, "{}", worst(with));
    assert!(worst(without) > 0.2, "{}", worst(without));
}
