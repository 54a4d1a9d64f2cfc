//! Promise: the feature maps compute their documented formulas, in the documented order and with the documented
//! accuracy, and the features can be learned from. (Observations without features are refused: the target `maps` of
//! `fuzz`.)

use std::f64::consts::PI;

use osculate::features::transcendental::{cos_pi, exp};
use osculate::features::{Bounds, ColumnScaler, FeatureMap, Fourier, Polynomial, RadialBasis, Scaled, TileCoding};
use osculate::{Arithmetic, Log, Predictor, Q28, RowError, Schedule, Stored, StoredConfig};
use osculate_host_tests::reference::{Row, closed_form};
use osculate_host_tests::worlds::Dice;

fn grid(from: f32, to: f32, steps: u16) -> impl Iterator<Item = f32> {
    (0..=steps).map(move |i| from + (to - from) * f32::from(i) / f32::from(steps))
}

/// The relative error of one rounding to f32.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;
/// The errors of the default functions, as documented in `transcendental`.
const EXP_ERROR: f64 = 8e-8;
const COS_ERROR: f64 = 1.9e-7;

fn near(got: f32, expected: f64, tolerance: f64) {
    assert!((f64::from(got) - expected).abs() <= tolerance, "{got} instead of {expected} ± {tolerance:e}");
}

/// Checks a documented error from both sides: an error that shrinks must be documented, too.
fn is_as_documented(worst: f64, documented: f64) {
    assert!(worst <= documented && worst > 0.9 * documented, "{worst:e} instead of {documented:e}");
}

#[test]
fn exp_and_cos_are_as_accurate_as_documented() {
    let mut dice = Dice::new(1);
    let exp_arguments = (0..2_000_000).map(|_| dice.uniform() * 87.5 + 0.5);
    let exp_errors = exp_arguments.map(|x| (f64::from(exp(x)) / f64::from(x).exp() - 1.0).abs());
    is_as_documented(exp_errors.fold(0.0, f64::max), EXP_ERROR);

    let half_turns = (0..=1 << 21).map(|i| i as f32 / 1_048_576.0);
    let cos_errors = half_turns.map(|t| (f64::from(cos_pi(t)) - (PI * f64::from(t)).cos()).abs());
    is_as_documented(cos_errors.fold(0.0, f64::max), COS_ERROR);
}

#[test]
fn polynomial_has_every_monomial_in_the_documented_order() {
    // Words of up to three letters 0, 1, 2 with sorted letters, in order of length and then alphabetically.
    let mut words: Vec<Vec<usize>> = vec![vec![]];
    for a in 0..3 {
        words.push(vec![a]);
        for b in a..3 {
            words.push(vec![a, b]);
            words.extend((b..3).map(|c| vec![a, b, c]));
        }
    }
    words.sort_by_key(|word| (word.len(), word.clone()));
    let map = Polynomial::<3, 3, 20>::new();
    let mut dice = Dice::new(2);
    for _ in 0..1_000 {
        let x = [dice.uniform() * 4.0, dice.uniform(), dice.uniform() * 300.0];
        for (got, word) in map.features(&x).unwrap().into_iter().zip(&words) {
            let expected: f64 = word.iter().map(|&letter| f64::from(x[letter])).product();
            // One rounding per product; the first factor is exact.
            near(got, expected, expected.abs() * ROUNDING * 1.01 * word.len().saturating_sub(1) as f64);
        }
    }
}

const CENTRES: [[f32; 2]; 5] = [[0.0, 0.0], [1.0, 0.0], [0.0, 30.0], [1.0, 30.0], [0.5, 15.0]];
const WIDTHS: [f32; 2] = [0.4, 13.0];

#[test]
fn radial_basis_is_gaussian() {
    let plain = RadialBasis::<2, 5, 6>::new(CENTRES, WIDTHS);
    let normalised = RadialBasis::<2, 5, 5>::new(CENTRES, WIDTHS).normalised();
    for (x, y) in grid(-0.5, 1.7, 40).flat_map(|x| grid(-20.0, 55.0, 40).map(move |y| (x, y))) {
        let exponents = CENTRES.map(|[a, b]| {
            let z = |x: f32, centre: f32, width: f32| (f64::from(x) - f64::from(centre)) / f64::from(width);
            (z(x, a, WIDTHS[0]).powi(2) + z(y, b, WIDTHS[1]).powi(2)) / 2.0
        });
        // z has three roundings, its square 2 · 3 + 1, the sum one more. An absolute error in the exponent is a
        // relative error of exp.
        let errors = exponents.map(|e| e * 8.0 * ROUNDING * 1.01 + EXP_ERROR);
        let phi = plain.features(&[x, y]).unwrap();
        assert_eq!(phi[0], 1.0, "the constant");
        for ((got, e), error) in phi[1..].iter().zip(exponents).zip(errors) {
            near(*got, (-e).exp(), (-e).exp() * error);
        }
        // Normalisation adds the nearest exponent (also 8 roundings) and a difference. The sum adds the errors of all
        // terms.
        let nearest = exponents.into_iter().fold(f64::INFINITY, f64::min);
        let gaussians = exponents.map(|e| (nearest - e).exp());
        let sum: f64 = gaussians.iter().sum();
        let error = |i: usize| errors[i] + (8.0 * nearest + exponents[i]) * ROUNDING * 1.01;
        let in_sum: f64 = (0..5).map(|i| gaussians[i] / sum * error(i)).sum::<f64>() + 5.0 * ROUNDING;
        for (i, got) in normalised.features(&[x, y]).unwrap().into_iter().enumerate() {
            let expected = gaussians[i] / sum;
            near(got, expected, expected * (error(i) + in_sum));
        }
    }
}

#[test]
fn fourier_is_cosines() {
    let (low, high) = ([-20.0, 1.0], [60.0, 1.75]);
    let map = Fourier::<2, 3, 16>::new(Bounds::new(low, high));
    let bounds = |d: usize, x: f32| (f64::from(x) - f64::from(low[d])) / (f64::from(high[d]) - f64::from(low[d]));
    for (x, y) in grid(low[0], high[0], 40).flat_map(|x| grid(low[1], high[1], 40).map(move |y| (x, y))) {
        for (i, got) in map.features(&[x, y]).unwrap().into_iter().enumerate() {
            let half_turns = (i / 4) as f64 * bounds(0, x) + (i % 4) as f64 * bounds(1, y);
            // u has three roundings, its product with c one, the sum one. The slope of the cosine per half turn is at
            // most π.
            near(got, (PI * half_turns).cos(), PI * half_turns * 5.0 * ROUNDING * 1.01 + COS_ERROR);
        }
    }
}

#[test]
fn tiles_are_counted_as_documented_and_shared_with_neighbours() {
    // 4 tiles of 4 units each in a box of 16, and 8 grids: the resolution is cells ½ wide.
    const MAP: TileCoding<2, 8, 5, 200> = TileCoding::new(Bounds::new([-8.0, 0.0], [8.0, 16.0]));
    for (i, j) in (0..=64_usize).flat_map(|i| (0..=64_usize).map(move |j| (i, j))) {
        // At multiples of an eighth of a tile (½ unit) and half-way between. These are exact in f32, so an edge belongs
        // to the tile above.
        let x = [i as f32 / 4.0 - 8.0, j as f32 / 4.0];
        let tiles = MAP.active_tiles(&x).unwrap();
        let expected: [usize; 8] =
            std::array::from_fn(|k| 25 * k + 5 * ((i + 2 * (k % 8)) / 16) + (j + 2 * (3 * k % 8)) / 16);
        assert_eq!(tiles, expected, "{x:?}");
        let phi = MAP.features(&x).unwrap();
        let ones: Vec<usize> = (0..200).filter(|&i| phi[i] == 1.0).collect();
        assert_eq!(ones, tiles, "{x:?}");
        assert_eq!(phi.iter().sum::<f32>(), 8.0);
        // Along one coordinate, each cell boundary crossed loses one shared tile.
        for other in 0..=64_usize {
            let away = MAP.active_tiles(&[other as f32 / 4.0 - 8.0, x[1]]).unwrap();
            let shared = tiles.iter().filter(|tile| away.contains(tile)).count();
            assert_eq!(shared, 8_usize.saturating_sub((i / 2).abs_diff(other / 2)), "{x:?} and {other}");
        }
    }
    assert_eq!(MAP.active_tiles(&[8.01, 0.0]), Err(RowError::OutsideMap));
}

/// FNV-1a over the bits of the features. It detects any change of a bit by another `libm`, compiler or target.
#[test]
fn the_bits_of_the_maps_are_pinned() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |phi: &[f32]| {
        for byte in phi.iter().flat_map(|x| x.to_bits().to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    let plain = RadialBasis::<2, 5, 6>::new(CENTRES, WIDTHS);
    let mut dice = Dice::new(4);
    for _ in 0..500 {
        let x = [dice.uniform(), dice.uniform() * 40.0];
        add(&Polynomial::<2, 3, 10>::new().features(&x).unwrap());
        add(&plain.features(&x).unwrap());
        add(&plain.normalised().features(&x).unwrap());
        add(&Fourier::<2, 3, 16>::new(Bounds::new([-1.0, -40.0], [1.0, 40.0])).features(&x).unwrap());
    }
    assert_eq!(hash, 0x578a_17a9_11b3_b73d, "{hash:#x}");
}

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
