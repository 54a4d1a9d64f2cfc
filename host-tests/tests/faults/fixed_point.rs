//! Sums, products and roundings at the ends of the fixed-point formats.

use fixed::types::{I1F15, I4F28, I8F24, I32F32};
use osculate::arithmetic::backend::{Backend, Empty, Features};
use osculate::{Arithmetic, Predictor, Q24, Q28, Streaming, StreamingConfig, Update};
use osculate_host_tests::worlds::Dice;

/// Runs episodes of first visits with φ = 1. Returns the last weight and outcome.
fn learn<A: Arithmetic>(gamma: f32, episodes: &[&[f32]]) -> (f64, Update) {
    let config = StreamingConfig { gamma, ..StreamingConfig::DEFAULT };
    let mut predictor = Predictor::new(Streaming::<A, 1>::new(config));
    let mut last = None;
    for rewards in episodes {
        for &reward in *rewards {
            predictor.step(None, &[1.0]).unwrap();
            predictor.finish_with(reward);
        }
        last = Some(predictor.end());
    }
    (predictor.weights()[0].into(), last.expect("there is an episode"))
}

#[test]
fn a_huge_reward_moves_the_weight_towards_it_and_is_counted() {
    // The credit takes the sum to the end of i64, and then the next first visit adds its residual.
    // One step can span the whole format: from 1, with a velocity of 1, to 1 + ½ − 8.
    let (w, outcome) = learn::<Q28>(1.0, &[&[1.0], &[-4_194_302.5, 0.0]]);
    assert!((w + 6.5).abs() < 1e-6 && outcome.saturated > 0, "{w} {outcome:?}");
    let (w, outcome) = learn::<Q24>(1.0, &[&[1.0], &[-67_108_840.0, 0.0]]);
    assert!((w + 126.5).abs() < 1e-4 && outcome.saturated > 0, "{w} {outcome:?}");
    // From w = −8, upwards by the same amount.
    let (w, outcome) = learn::<Q28>(0.5, &[&[-1e6], &[-1e6], &[4_194_288.0, 0.0]]);
    assert!(w > -1.0 && outcome.saturated > 0, "{w} {outcome:?}");
}

#[test]
fn rewards_out_of_range_are_saturated_and_not_learned_as_nothing() {
    let (before, _) = learn::<Q28>(0.0, &[&[3.0][..]; 50]);
    let (after, outcome) = learn::<Q28>(0.0, &[[&[3.0][..]; 50], [&[5e6][..]; 50]].concat());
    assert!(after > before && outcome.saturated > 0, "{before} -> {after}, {outcome:?}");
}

fn row_of<A: Arithmetic, const N: usize>(features: &[f32; N]) -> A::Row<N> {
    let mut row = A::Row::<N>::EMPTY;
    A::encode(&mut row, Features::Floats(features)).unwrap();
    row
}

fn row_of_raw<A: Arithmetic, const N: usize>(features: &A::Raw<N>) -> A::Row<N> {
    let mut row = A::Row::<N>::EMPTY;
    A::encode(&mut row, Features::Raw(features)).unwrap();
    row
}

#[test]
fn the_value_of_large_features_is_right_or_the_nearest_that_fits() {
    assert_eq!(Q28::value(&row_of::<Q28, 4>(&[127.5; 4]), &[I4F28::from_num(7.5); 4]), 3825);
    assert_eq!(Q24::value(&row_of::<Q24, 4>(&[127.5; 4]), &[I8F24::from_num(127.5); 4]), 65025);
    assert_eq!(Q28::value(&row_of::<Q28, 64>(&[16.0; 64]), &[I4F28::from_num(4); 64]), 4096);
    let (far, weights) = ([-2_f32.powi(47); 4], [I4F28::from_num(7.5); 4]);
    assert_eq!(Q28::value(&row_of::<Q28, 4>(&far), &weights), I32F32::MIN);
    assert_eq!(Q28::value_of(&far, &weights), Ok(I32F32::MIN));
}

#[test]
fn the_value_of_features_is_that_of_their_row() {
    fn is_that_of_its_row<A: Arithmetic>(dice: &mut Dice) {
        for round in 0..20_000 {
            let unit = 2_f32.powi(dice.below(25) as i32 - 12 - 31);
            let phi: [f32; 3] = std::array::from_fn(|_| (dice.bits() as i32 >> dice.below(31)) as f32 * unit);
            let weights: [A::Weight; 3] = std::array::from_fn(|_| A::weight(dice.uniform() * 8.0));
            let mut row = A::Row::<3>::EMPTY;
            if A::encode(&mut row, Features::Floats(&phi)).is_ok() {
                assert_eq!(A::value_of(&phi, &weights), Ok(A::value(&row, &weights)), "{round}: {phi:?}");
            }
        }
    }
    let mut dice = Dice::new(1);
    is_that_of_its_row::<Q28>(&mut dice);
    is_that_of_its_row::<Q24>(&mut dice);
    is_that_of_its_row::<f32>(&mut dice);
}

#[test]
fn a_row_and_its_negative_mirror_each_other() {
    let (phi, negative) = ([-0.99999, 0.300018], [0.99999, -0.300018]);
    let raw = |mantissas: [i16; 2]| row_of_raw::<Q28, 2>(&mantissas.map(I1F15::from_bits));
    assert_eq!(row_of::<Q28, 2>(&phi), raw([-32767, 9831]), "rounded once");
    assert_eq!(row_of::<Q28, 2>(&negative), raw([32767, -9831]));
}
