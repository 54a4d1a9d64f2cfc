//! Promise: the feature maps compute the formulas in their documentation, in the order it states and as accurately;
//! what cannot be mapped is dropped; and what they give can be learned from.

use std::f64::consts::PI;

use osculate::features::transcendental::{cos_pi, exp};
use osculate::features::{
    Bounds, ColumnScaler, FeatureMap, Fourier, ObservationError, OneHot, Polynomial, RadialBasis, Scaled, TileCoding,
};
use osculate::{Arithmetic, Batch, Learner, LearnerConfig, Q28, RowError, Scalar, Schedule};
use osculate_host_tests::reference::{Row, closed_form};
use osculate_host_tests::worlds::Dice;

/// One rounding to f32, relative.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;
/// The errors of the default functions, as documented in `transcendental`.
const EXP_ERROR: f64 = 8e-8;
const COS_ERROR: f64 = 1.9e-7;

fn near(got: f32, expected: f64, tolerance: f64) {
    assert!((f64::from(got) - expected).abs() <= tolerance, "{got} instead of {expected} ± {tolerance:e}");
}

/// An error in a table of the documentation, from both sides: one that shrinks is news as well.
fn is_as_documented(worst: f64, documented: f64) {
    assert!(worst <= documented && worst > 0.9 * documented, "{worst:e} instead of {documented:e}");
}

fn grid(from: f32, to: f32, steps: u16) -> impl Iterator<Item = f32> {
    (0..=steps).map(move |i| from + (to - from) * f32::from(i) / f32::from(steps))
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
    // Words of up to three letters 0, 1, 2 with sorted letters; by length, then as in a dictionary.
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
        for (got, word) in map.features(&x).into_iter().zip(&words) {
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
    let plain = RadialBasis::<2, 5, 6>::new(CENTRES, WIDTHS).unwrap();
    let normalised = RadialBasis::<2, 5, 5>::new(CENTRES, WIDTHS).unwrap().normalised();
    for (x, y) in grid(-0.5, 1.7, 40).flat_map(|x| grid(-20.0, 55.0, 40).map(move |y| (x, y))) {
        let exponents = CENTRES.map(|[a, b]| {
            let z = |x: f32, centre: f32, width: f32| (f64::from(x) - f64::from(centre)) / f64::from(width);
            (z(x, a, WIDTHS[0]).powi(2) + z(y, b, WIDTHS[1]).powi(2)) / 2.0
        });
        // z has three roundings, its square 2 · 3 + 1, the sum one more; an error of the exponent is a relative one of
        // exp.
        let errors = exponents.map(|e| e * 8.0 * ROUNDING * 1.01 + EXP_ERROR);
        let phi = plain.features(&[x, y]);
        assert_eq!(phi[0], 1.0, "the constant");
        for ((got, e), error) in phi[1..].iter().zip(exponents).zip(errors) {
            near(*got, (-e).exp(), (-e).exp() * error);
        }
        // Normalised, the nearest exponent (8 roundings as well) and a difference come in; and everyone's errors, by
        // the sum.
        let nearest = exponents.into_iter().fold(f64::INFINITY, f64::min);
        let gaussians = exponents.map(|e| (nearest - e).exp());
        let sum: f64 = gaussians.iter().sum();
        let error = |i: usize| errors[i] + (8.0 * nearest + exponents[i]) * ROUNDING * 1.01;
        let in_sum: f64 = (0..5).map(|i| gaussians[i] / sum * error(i)).sum::<f64>() + 5.0 * ROUNDING;
        for (i, got) in normalised.features(&[x, y]).into_iter().enumerate() {
            let expected = gaussians[i] / sum;
            near(got, expected, expected * (error(i) + in_sum));
        }
    }
}

#[test]
fn fourier_is_cosines() {
    let (low, high) = ([-20.0, 1.0], [60.0, 1.75]);
    let map = Fourier::<2, 3, 16>::new(Bounds::new(low, high).unwrap());
    let bounds = |d: usize, x: f32| (f64::from(x) - f64::from(low[d])) / (f64::from(high[d]) - f64::from(low[d]));
    for (x, y) in grid(low[0], high[0], 40).flat_map(|x| grid(low[1], high[1], 40).map(move |y| (x, y))) {
        for (i, got) in map.features(&[x, y]).into_iter().enumerate() {
            let half_turns = (i / 4) as f64 * bounds(0, x) + (i % 4) as f64 * bounds(1, y);
            // u has three roundings, its product with c one, the sum one; the cosine's slope in half turns is at most
            // π.
            near(got, (PI * half_turns).cos(), PI * half_turns * 5.0 * ROUNDING * 1.01 + COS_ERROR);
        }
    }
}

#[test]
fn tiles_are_counted_as_documented_and_shared_with_neighbours() {
    // 4 tiles of 4 units each, in a box of 16, and 8 grids: the cells that tell points apart are ½ wide.
    const MAP: TileCoding<2, 8, 5, 200> = match Bounds::new([-8.0, 0.0], [8.0, 16.0]) {
        Ok(bounds) => TileCoding::new(bounds),
        Err(_) => panic!(),
    };
    for (i, j) in (0..=64_usize).flat_map(|i| (0..=64_usize).map(move |j| (i, j))) {
        // In eighths of a tile (½ unit), and between: exact in f32, so that the edges of tiles belong to the tile
        // above.
        let x = [i as f32 / 4.0 - 8.0, j as f32 / 4.0];
        let tiles = MAP.active_tiles(&x).unwrap();
        let expected: [usize; 8] =
            std::array::from_fn(|k| 25 * k + 5 * ((i + 2 * (k % 8)) / 16) + (j + 2 * (3 * k % 8)) / 16);
        assert_eq!(tiles, expected, "{x:?}");
        let ones: Vec<usize> = (0..200).filter(|&i| MAP.features(&x)[i] == 1.0).collect();
        assert_eq!(ones, tiles, "{x:?}");
        assert_eq!(MAP.features(&x).iter().sum::<f32>(), 8.0);
        // Along one coordinate, each cell crossed costs one shared tile.
        for other in 0..=64_usize {
            let away = MAP.active_tiles(&[other as f32 / 4.0 - 8.0, x[1]]).unwrap();
            let shared = tiles.iter().filter(|tile| away.contains(tile)).count();
            assert_eq!(shared, 8_usize.saturating_sub((i / 2).abs_diff(other / 2)), "{x:?} and {other}");
        }
    }
    assert_eq!(MAP.active_tiles(&[8.01, 0.0]), Err(ObservationError::OutOfRange));
}

#[test]
fn what_cannot_be_mapped_is_dropped_by_every_arithmetic() {
    fn dropped<const N: usize, M: FeatureMap<N>>(map: &M, observation: &M::Observation) {
        assert_eq!(map.encode::<Q28>(observation).unwrap_err(), RowError::NonFiniteFeature);
        let phi = map.encode::<f32>(observation).unwrap();
        assert_eq!(Batch::<f32, N, 1>::new().push(&phi, 1.0), Err(RowError::NonFiniteFeature));
    }
    dropped(&OneHot::<3>, &3);
    dropped(&TileCoding::<1, 4, 3, 12>::new(Bounds::UNIT), &[1.5]);
    let bases = RadialBasis::<2, 5, 6>::new(CENTRES, WIDTHS).unwrap();
    let mut dice = Dice::new(3);
    for _ in 0..100_000 {
        // Any bits at all: one in 128 is not finite.
        let x = [f32::from_bits(dice.bits()), f32::from_bits(dice.bits())];
        if x.iter().all(|x| x.is_finite()) {
            let _ = (Polynomial::<2, 2, 6>::new().features(&x), bases.normalised().features(&x));
            assert!(bases.features(&x).iter().all(|x| (0.0..=1.0).contains(x)), "{x:?}");
            let turns = Fourier::<2, 1, 4>::new(Bounds::UNIT).features(&x);
            // The sum of two coordinates may overflow: then its cosine is NaN.
            assert!(turns[..3].iter().all(|x| (-1.0..=1.0).contains(x)), "{x:?}");
        } else {
            dropped(&Polynomial::<2, 2, 6>::new(), &x);
            dropped(&bases, &x);
            dropped(&RadialBasis::<2, 5, 5>::new(CENTRES, WIDTHS).unwrap().normalised(), &x);
            dropped(&Fourier::<2, 1, 4>::new(Bounds::UNIT), &x);
            dropped(&TileCoding::<2, 4, 3, 36>::new(Bounds::UNIT), &x);
        }
    }
}

/// FNV-1a over the bits of the features, so that another `libm`, compiler or target that changes one of them is
/// noticed.
#[test]
fn the_bits_of_the_maps_are_pinned() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |phi: &[f32]| {
        for byte in phi.iter().flat_map(|x| x.to_bits().to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    let plain = RadialBasis::<2, 5, 6>::new(CENTRES, WIDTHS).unwrap();
    let mut dice = Dice::new(4);
    for _ in 0..500 {
        let x = [dice.uniform(), dice.uniform() * 40.0];
        add(&Polynomial::<2, 3, 10>::new().features(&x));
        add(&plain.features(&x));
        add(&plain.normalised().features(&x));
        add(&Fourier::<2, 3, 16>::new(Bounds::new([-1.0, -40.0], [1.0, 40.0]).unwrap()).features(&x));
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
                // φ_j·w_j is the same number, in f64 without a rounding: 24 bits times 24 bits.
                assert_eq!(f64::from(phi[j]) * unscaled[j], f64::from(scaled[j]) * f64::from(weights[j]));
            }
        }
    }
}

fn as_rows<const N: usize, M: FeatureMap<N, Observation = [f32; 1]>>(map: &M, data: &[(f32, f32)]) -> Vec<Row> {
    data.iter().map(|&(x, v)| (map.features(&[x]).to_vec(), v)).collect()
}

#[test]
fn the_size_of_a_column_matters_and_that_of_an_equation_does_not() {
    let map = Polynomial::<1, 2, 3>::new();
    let data: Vec<(f32, f32)> = grid(0.0, 100.0, 20).map(|x| (x, (x / 10.0).sin() + x / 50.0)).collect();
    let mut scaler = ColumnScaler::new();
    data.iter().for_each(|&(x, _)| scaler.observe(&map.features(&[x])));
    let scaled = Scaled { map: &map, factors: scaler.factors() };

    let rows = as_rows(&map, &data);
    let solution = closed_form::scale_invariant(&rows);
    let other_units: Vec<Row> = rows
        .iter()
        .zip(1_u8..)
        .map(|((phi, v), i)| (phi.iter().map(|x| x * f32::from(i)).collect(), v * f32::from(i)))
        .collect();
    assert!((closed_form::scale_invariant(&other_units) - &solution).norm() < 1e-6 * solution.norm());

    let of_scaled: [f64; 3] = closed_form::scale_invariant(&as_rows(&scaled, &data)).as_slice().try_into().unwrap();
    let distance = closed_form::relative_error(&scaled.factors.unscaled_weights(&of_scaled), &solution);
    assert!(distance > 0.1, "{distance}");

    // What is left of the constant feature, next to 100², in an i16 row; and with factors.
    assert_eq!(map.encode::<Q28>(&[100.0]).unwrap().mantissas(), &[2, 200, 20_000]);
    assert_eq!(scaled.encode::<Q28>(&[100.0]).unwrap().mantissas(), &[16_384, 25_600, 20_000]);
}

/// The weights after 200 updates from 33 points of a function, without noise and so with η = 1.
fn learned<A: Arithmetic, const N: usize, M>(map: &M, data: &[(f32, f32)]) -> [f64; N]
where
    M: FeatureMap<N, Observation = [f32; 1]>,
{
    let schedule = Schedule::Constant(A::Scalar::ONE);
    let config = LearnerConfig { schedule, skip_below: A::Scalar::ZERO, ..LearnerConfig::default() };
    let mut learner = Learner::<A, N>::new(config).unwrap();
    let mut batch = Batch::<A, N, 33>::new();
    for &(x, v) in data {
        batch.push(&map.encode::<A>(&[x]).unwrap(), A::target(v).unwrap()).unwrap();
    }
    for _ in 0..200 {
        learner.update(&batch);
    }
    learner.weights().map(Into::into)
}

#[test]
fn a_function_is_learned_through_a_map() {
    // Flat at both ends, where the cosines are flat as well; a rise and a bump between.
    let function = |x: f32| x * (3.0 - x * x) / 2.0 + 0.5 * (-8.0 * x * x).exp();
    let data: Vec<(f32, f32)> = grid(-1.0, 1.0, 32).map(|x| (x, function(x))).collect();
    let map = Fourier::<1, 8, 9>::new(Bounds::new([-1.0], [1.0]).unwrap());
    let solution = closed_form::scale_invariant(&as_rows(&map, &data));
    // f32 to its rounding; fixed point to that of its rows, 15 bits.
    for (weights, tolerance) in [(learned::<f32, 9, _>(&map, &data), 1e-7), (learned::<Q28, 9, _>(&map, &data), 2e-5)] {
        let error = closed_form::relative_error(&weights, &solution);
        assert!(error < tolerance, "{error:e}");
        for x in grid(-1.0, 1.0, 999) {
            let value: f64 = map.features(&[x]).iter().zip(&weights).map(|(&phi, w)| f64::from(phi) * w).sum();
            // What nine cosines cannot say, they do not.
            assert!((value - f64::from(function(x))).abs() < 1e-3, "{value} at {x}");
        }
    }
}

#[test]
fn column_factors_make_a_polynomial_learnable_in_fixed_point() {
    // 1 + x/50 − (x/100)² on 0..100: three columns that are four orders of magnitude apart.
    let data: Vec<(f32, f32)> = grid(0.0, 100.0, 32).map(|x| (x, 1.0 + x * (0.02 - 1e-4 * x))).collect();
    let map = Polynomial::<1, 2, 3>::new();
    let mut scaler = ColumnScaler::new();
    data.iter().for_each(|&(x, _)| scaler.observe(&map.features(&[x])));
    let scaled = Scaled { map: &map, factors: scaler.factors() };
    let with = scaled.factors.unscaled_weights(&learned::<Q28, 3, _>(&scaled, &data));
    let without = learned::<Q28, 3, _>(&map, &data);
    // In the values, which run from 1 to 2.
    let worst = |w: [f64; 3]| {
        let error = |&(x, v): &(f32, f32)| {
            let value: f64 = map.features(&[x]).iter().zip(w).map(|(&phi, w)| f64::from(phi) * w).sum();
            (value - f64::from(v)).abs()
        };
        data.iter().map(error).fold(0.0, f64::max)
    };
    assert!(worst(with) < 0.015, "{}", worst(with));
    assert!(worst(without) > 0.2, "{}", worst(without));
}
