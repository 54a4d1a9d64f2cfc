//! Scaling by powers of two, at the ends of the float range.

use osculate::arithmetic::backend::{Backend, Empty, Features, Row, Scalar};
use osculate_host_tests::worlds::Dice;

/// x · 2^exponent in f64, which holds every f32 times 2^±800 exactly, rounded once to f32.
fn once(x: f32, exponent: i32) -> f32 {
    (f64::from(x) * 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2)) as f32
}

#[test]
fn scaling_rounds_once() {
    let mut dice = Dice::new(9);
    for _ in 0..200_000 {
        let (x, exponent) = (f32::from_bits(dice.bits()), dice.below(801) as i32 - 400);
        let (ours, expected) = (x.scaled(exponent), once(x, exponent));
        let same = ours.to_bits() == expected.to_bits() || (ours.is_nan() && expected.is_nan());
        assert!(same, "{x:e} * 2^{exponent}: {ours:e} instead of {expected:e}");
    }
}

#[test]
fn scaling_has_no_limit() {
    assert_eq!(f32::from_bits(1).scaled(276), 2_f32.powi(127));
    assert_eq!(2_f32.powi(127).scaled(-300), 0.0);
    assert_eq!([1.0_f32.scaled(i32::MAX), 1.0_f32.scaled(i32::MIN)], [f32::INFINITY, 0.0]);
    assert_eq!(f64::from_bits(1).scaled(2097), 2_f64.powi(1023));
    assert_eq!(2_f64.powi(1023).scaled(-2100), 0.0);
    // Three quarters of the smallest number round up to it, in a single rounding.
    assert_eq!(f64::from_bits(3).scaled(-2), f64::from_bits(1));
    assert_eq!([1.0_f64.scaled(i32::MAX), -1.0_f64.scaled(i32::MIN)], [f64::INFINITY, 0.0]);
}

#[test]
fn a_row_is_scaled_with_one_rounding() {
    // Five eighths of the smallest number, once the largest feature is 1: the nearest number is the smallest, not 0.
    let mut row = Row::<f32, 2>::EMPTY;
    f32::encode(&mut row, Features::Floats(&[2_f32.powi(127), 0.625 * 2_f32.powi(-22)])).unwrap();
    assert_eq!(f32::value(&row, &[0.0, 1.0]), 2_f32.powi(-22));
    let mut row = Row::<f64, 2>::EMPTY;
    f64::encode(&mut row, Features::Raw(&[2_f64.powi(1023), 0.625 * 2_f64.powi(-51)])).unwrap();
    assert_eq!(f64::value(&row, &[0.0, 1.0]), 2_f64.powi(-51));
}
