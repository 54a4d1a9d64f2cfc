//! Sums, products and roundings at the ends of the fixed-point formats.

use fixed::types::{I4F28, I8F24, I32F32};
use osculate::arithmetic::Features;
use osculate::{Arithmetic, LearnerConfig, Outcome, Q24, Q24Wide, Q28, Q28Wide, StreamingLearner};
use osculate_host_tests::worlds::Dice;

fn streaming<A: Arithmetic<Scalar = f32>, const N: usize>(gamma: f32) -> StreamingLearner<A, N> {
    StreamingLearner::new(LearnerConfig::predictable(), gamma).unwrap()
}

/// Episodes of first visits with φ = 1; the last weight and outcome.
fn learn<A: Arithmetic<Scalar = f32>>(gamma: f32, episodes: &[&[f32]]) -> (f64, Outcome<f32>) {
    let mut learner = streaming::<A, 1>(gamma);
    let mut last = None;
    for rewards in episodes {
        for &reward in *rewards {
            learner.step(&A::features(&[1.0]).unwrap(), true, A::target(reward).unwrap()).unwrap();
        }
        last = Some(learner.end_episode());
    }
    (learner.weights()[0].into(), last.expect("there is an episode"))
}

#[test]
fn a_huge_reward_moves_the_weight_towards_it_and_is_counted() {
    // The credit takes the sum to the end of i64, and the next first visit adds its residual.
    // One step reaches as far as the format does: from 1, with a velocity of 1, to 1 + ½ − 8.
    let (w, outcome) = learn::<Q28>(1.0, &[&[1.0], &[-4_194_302.5, 0.0]]);
    assert!((w + 6.5).abs() < 1e-6 && outcome.saturated > 0, "{w} {outcome:?}");
    let (w, outcome) = learn::<Q24>(1.0, &[&[1.0], &[-67_108_840.0, 0.0]]);
    assert!((w + 126.5).abs() < 1e-4 && outcome.saturated > 0, "{w} {outcome:?}");
    // 128 i32 rows leave less room: a reward of some thousands is enough.
    let mut rewards = [0.0; 14];
    rewards[1] = -8188.0;
    let (w, outcome) = learn::<Q28Wide>(1.0, &[&[1.0], &rewards]);
    assert!(w < 0.0, "{w} {outcome:?}");
    // From w = −8, upwards by as much.
    let (w, outcome) = learn::<Q28>(0.5, &[&[-1e6], &[-1e6], &[4_194_288.0, 0.0]]);
    assert!(w > -1.0 && outcome.saturated > 0, "{w} {outcome:?}");
}

#[test]
fn rewards_out_of_range_are_saturated_and_not_learned_as_nothing() {
    let (before, _) = learn::<Q28>(0.0, &[&[3.0][..]; 50]);
    let (after, outcome) = learn::<Q28>(0.0, &[[&[3.0][..]; 50], [&[5e6][..]; 50]].concat());
    assert!(after > before && outcome.saturated > 0, "{before} -> {after}, {outcome:?}");
}

#[test]
fn the_value_of_wide_features_is_right_or_the_nearest_that_fits() {
    let phi: Features<i32, 4> = [I8F24::from_num(127.5); 4].into();
    assert_eq!(Q28Wide::value(&phi, &[I4F28::from_num(7.5); 4]), 3825);
    assert_eq!(Q24Wide::value(&phi, &[I8F24::from_num(127.5); 4]), 65025);
    let phi: Features<i32, 64> = [I8F24::from_num(16); 64].into();
    assert_eq!(Q28Wide::value(&phi, &[I4F28::from_num(4); 64]), 4096);
    let phi = Features::<i32, 4>::new([i32::MIN; 4], 40);
    assert_eq!(Q28Wide::value(&phi, &[I4F28::from_num(7.5); 4]), I32F32::MIN);
}

#[test]
fn the_value_of_features_is_that_of_their_row() {
    let mut dice = Dice::new(1);
    for round in 0..20_000 {
        let wide: [i32; 3] = std::array::from_fn(|_| (dice.bits() as i32) >> dice.below(31));
        let exponent = dice.below(25) as i32 - 12;
        let weights: [I4F28; 3] = std::array::from_fn(|_| I4F28::from_bits(dice.bits() as i32));
        let phi = Features::<i32, 3>::new(wide, exponent);
        if let Ok(row) = Q28Wide::admit(&phi) {
            assert_eq!(Q28Wide::value(&phi, &weights), Q28Wide::row_value(&row, &weights), "{round}: {phi:?}");
        }
        let phi = Features::<i16, 3>::new(wide.map(|x| (x >> 16) as i16), exponent);
        if let Ok(row) = Q28::admit(&phi) {
            assert_eq!(Q28::value(&phi, &weights), Q28::row_value(&row, &weights), "{round}: {phi:?}");
        }
    }
}

#[test]
fn a_row_and_its_negative_mirror_each_other() {
    let one = Features::<i16, 2>::from_f32(&[-0.99999, 0.300018]).unwrap();
    let other = Features::<i16, 2>::from_f32(&[0.99999, -0.300018]).unwrap();
    assert_eq!(one.mantissas(), &[-32767, 9831]);
    assert_eq!(one.mantissas().map(|x| -x), *other.mantissas());
    assert_eq!(Q28::admit(&one).unwrap(), Q28::admit(&Features::new([-32767, 9831], 0)).unwrap(), "rounded once");
}
