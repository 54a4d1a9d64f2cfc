//! Feature maps: any coordinates, any parameters.

use osculate::RowError;
use osculate::features::transcendental::{cos_pi, exp};
use osculate::features::{
    ActionMap, Bounds, ColumnScaler, FeatureMap, Fourier, MapError, OneHot, PerAction, Polynomial, RadialBasis, Scaled,
    TileCoding,
};

use super::input::Fuzz;

pub(super) fn live(fuzz: &mut Fuzz) {
    match fuzz.below(6) {
        0 => boxed(fuzz),
        1 => radial(fuzz),
        2 => polynomial(fuzz),
        3 => columns(fuzz),
        4 => one_hot(fuzz),
        _ => {
            let x = fuzz.any_float();
            let (cosine, power) = (cos_pi(x), exp(x));
            assert!(if x.is_finite() { cosine.abs() <= 1.0 } else { cosine.is_nan() }, "cos of {x}: {cosine}");
            assert!(if x.is_nan() { power.is_nan() } else { power >= 0.0 }, "exp of {x}: {power}");
            fuzz.called("cos and exp");
        }
    }
}

/// Promise 9: usable features, or an error with the reason.
fn mapped<M: FeatureMap<N>, const N: usize>(
    fuzz: &mut Fuzz,
    map: &M,
    observation: &M::Observation,
    flaw: Option<RowError>,
) -> Option<[f32; N]> {
    let features = map.features(observation);
    assert_eq!(features.err(), flaw);
    assert!(features.is_err() || features.is_ok_and(|phi| all_finite(&phi)), "{features:?}");
    fuzz.answered("mapped", &features);
    features.ok()
}

/// The flaw of coordinates, if any.
fn infinite(x: &[f32]) -> Option<RowError> {
    (!all_finite(x)).then_some(RowError::NonFiniteFeature)
}

fn all_finite(x: &[f32]) -> bool {
    x.iter().all(|x| x.is_finite())
}

/// The maps over a box: Fourier features and tiles.
fn boxed(fuzz: &mut Fuzz) {
    let [low, high]: [[f32; 2]; 2] = [fuzz.floats(), fuzz.floats()];
    let bounds = Bounds::try_new(low, high);
    fuzz.called(if bounds.is_ok() { "bounds" } else { "bounds refused" });
    let is_box = |d: usize| all_finite(&[low[d], high[d], high[d] - low[d]]) && low[d] < high[d];
    assert_eq!(bounds.is_ok(), is_box(0) && is_box(1), "{low:?} {high:?}");
    let (low, high) = if bounds.is_ok() { (low, high) } else { ([0.0; 2], [1.0; 2]) };
    let bounds = bounds.unwrap_or(Bounds::UNIT);
    let fourier = Fourier::<2, 2, 9>::new(bounds);
    let mut offset =
        |_| if fuzz.one_in(32) { fuzz.any_float() } else { fuzz.pick(&[0.0, 0.5, 1.0 - f32::EPSILON / 2.0]) };
    let offsets = [[0; 2]; 3].map(|grid| grid.map(&mut offset));
    let tiles = TileCoding::<2, 3, 4, 48>::try_with_offsets(bounds, offsets);
    let are_offsets = offsets.as_flattened().iter().all(|x| (0.0..1.0).contains(x));
    assert_eq!(tiles.err(), (!are_offsets).then_some(MapError::Offset), "{offsets:?}");
    let tiles = tiles.unwrap_or_else(|_| TileCoding::new(bounds));
    for _ in 0..8 {
        let mut x: [f32; 2] = fuzz.floats();
        if fuzz.below(3) > 0 {
            // A fraction of the way from one end to the other.
            let shares = [fuzz.below(5), fuzz.below(5)].map(|share| share as f32 / 4.0);
            x = std::array::from_fn(|d| low[d] + (high[d] - low[d]) * shares[d]);
        }
        let is_inside = (0..2).all(|d| low[d] <= x[d] && x[d] <= high[d]);
        let unit = bounds.unit_coordinates(&x);
        assert_eq!(bounds.contain(&x), is_inside);
        assert!(!is_inside || unit.iter().all(|u| (0.0..=1.0).contains(u)), "{unit:?}");
        let outside = infinite(&x).or((!is_inside).then_some(RowError::OutsideMap));
        let active = tiles.active_tiles(&x);
        assert_eq!(active.err(), outside);
        if let (Some(phi), Ok(active)) = (mapped(fuzz, &tiles, &x, outside), active) {
            assert!(active.iter().all(|tile| phi[*tile] == 1.0));
            assert_eq!(phi.iter().sum::<f32>(), 3.0);
        }
        // Outside, the cosines are mirrored; far away from it there are none.
        let phi = fourier.features(&x);
        assert_eq!(phi.err(), infinite(&x));
        let is_cosine = |x: &f32| x.abs() <= 1.0 || (!is_inside && x.is_nan());
        assert!(phi.is_err() || phi.is_ok_and(|phi| phi.iter().all(is_cosine)), "{phi:?}");
        fuzz.answered("cosines", &phi);
    }
}

fn radial(fuzz: &mut Fuzz) {
    let centres: [[f32; 2]; 3] = std::array::from_fn(|_| fuzz.floats());
    let widths: [f32; 2] = fuzz.floats().map(|x: f32| if fuzz.one_in(8) { x } else { x.abs() });
    let map = RadialBasis::<2, 3, 4>::try_new(centres, widths);
    let are_centres = all_finite(centres.as_flattened());
    let are_widths = widths.iter().all(|w| all_finite(&[*w, 1.0 / w]) && *w > 0.0);
    fuzz.called(if map.is_ok() { "radial basis" } else { "radial basis refused" });
    match map {
        Err(MapError::Centre) => assert!(!are_centres),
        Err(error) => assert!(error == MapError::Width && !are_widths),
        Ok(_) => assert!(are_centres && are_widths),
    }
    let Ok(map) = map else { return };
    for _ in 0..8 {
        let x: [f32; 2] = if fuzz.one_in(2) { fuzz.pick(&centres) } else { fuzz.floats() };
        let phi = mapped(fuzz, &map, &x, infinite(&x)).unwrap_or_default();
        assert!(phi.iter().all(|x| (0.0..=1.0).contains(x)), "{phi:?}");
        let shares = map.normalised().features(&x);
        assert_eq!(shares.err(), infinite(&x));
        let away = |centre: &[f32; 2], d: usize| (f64::from(x[d]) - f64::from(centre[d])) / f64::from(widths[d]);
        let nearest = centres.iter().map(|centre| away(centre, 0).hypot(away(centre, 1))).fold(f64::MAX, f64::min);
        let is_held = x.iter().chain(centres.as_flattened()).all(|x| x.abs() < f32::MAX / 2.0);
        // Beyond 10¹⁹ widths the features need not be finite.
        if let (Ok(shares), true) = (shares, is_held && nearest < 1e19) {
            let sum: f32 = shares[1..].iter().sum();
            assert!((sum - 1.0).abs() < 1e-6, "{shares:?} at {x:?}");
        }
        fuzz.answered("shares", &shares);
    }
}

/// The products are finite if the numbers are small enough.
fn polynomial(fuzz: &mut Fuzz) {
    let (map, x): (_, [f32; 2]) = (Polynomial::<2, 3, 10>::new(), fuzz.floats());
    if x.iter().all(|x| x.abs() < 1e12 || !x.is_finite()) {
        mapped(fuzz, &map, &x, infinite(&x));
    }
    let linear = map.features(&x).map(|phi| [phi[0], phi[1], phi[2]]);
    assert_eq!(linear, infinite(&x).map_or(Ok([1.0, x[0], x[1]]), Err));
    fuzz.answered("polynomial", &linear);
}

/// Only rows of numbers count for the factors, which bring the largest of a column near 1.
fn columns(fuzz: &mut Fuzz) {
    let (mut scaler, mut largest) = (ColumnScaler::<3>::new(), [0.0_f32; 3]);
    for _ in 0..fuzz.below(8) {
        let (row, before): ([f32; 3], _) = (fuzz.floats(), scaler.clone());
        scaler.observe(&row);
        fuzz.called("observed");
        if all_finite(&row) {
            largest = std::array::from_fn(|i| largest[i].max(row[i].abs()));
        } else {
            assert_eq!(scaler, before, "{row:?} was seen");
        }
    }
    let factors = scaler.factors();
    for (was, is) in largest.iter().zip(factors.scale(&largest)) {
        let is_tiny = *was < 2_f32.powi(-127) / 2.0;
        assert!(is < 1.0 && (is_tiny || is >= 0.5), "{was:e} became {is:e}");
    }
    let map = Scaled { map: Polynomial::<2, 1, 3>::new(), factors };
    let x: [f32; 2] = fuzz.floats();
    assert_eq!(map.features(&x).err(), infinite(&x));
    fuzz.called("scaled");
}

/// A table of values, for states and for states with actions.
fn one_hot(fuzz: &mut Fuzz) {
    let mut index = |most: u32| if fuzz.one_in(4) { fuzz.any() } else { fuzz.below(most) as usize };
    let (state, action) = (index(8), index(5));
    let flaw = (state >= 5).then_some(RowError::OutsideMap);
    let phi = mapped(fuzz, &OneHot::<5>, &state, flaw);
    assert!(phi.is_none_or(|phi| phi[state] == 1.0 && phi.iter().sum::<f32>() == 1.0));
    let phi: Result<[f32; 15], _> = PerAction::new(OneHot::<5>).features(&state, action);
    assert_eq!(phi.err(), flaw.or((action >= 3).then_some(RowError::OutsideMap)));
    assert!(phi.is_err() || phi.is_ok_and(|phi| phi[5 * action + state] == 1.0 && phi.iter().sum::<f32>() == 1.0));
    fuzz.called("per action");
}
