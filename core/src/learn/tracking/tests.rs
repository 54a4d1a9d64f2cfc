//! Rows that are not built, rows without a trace, and weights from elsewhere.

use super::*;
use crate::Predictor;
use crate::learn::learner::Learner;
use crate::rows::Key;

/// Every kind of row, some of which need to be built, and a target now and then that makes weights saturate.
#[test]
fn rows_that_are_not_built_give_the_same_bits() {
    use crate::{Q28, Random};
    use fixed::types::I1F15;

    let config = TrackingConfig { gamma: 0.0, ..TrackingConfig::DEFAULT };
    let [mut direct, mut built] = [Tracking::<Q28, 5>::new(config).unwrap(), Tracking::new(config).unwrap()];
    let mut random = Random::new(1);
    let (mut saturated, mut refused) = (0, 0);
    for row in 0..if cfg!(miri) { 200 } else { 20_000 } {
        let mut number = || random.below(1 << 16) as u16 as i16 >> (row / 16 % 16);
        let mut features = [0; 5].map(|_| I1F15::from_bits(number()));
        match row % 50 {
            0 => features[1] = I1F15::MIN,
            1 => features = [I1F15::ZERO; 5],
            2..5 => features[0] = I1F15::from_bits(-(1 << (row % 15))),
            _ => {}
        }
        let sum = features.iter().zip([0.5, -1.0, 2.0, 0.25, 0.0]).map(|(x, w)| x.to_num::<f32>() * w).sum::<f32>();
        let target = match row % 97 {
            0 => 300.0,
            1..4 => 100.0,
            4 => f32::NAN,
            5 => 3e-9,
            _ => sum + f32::from(number()) * if row % 2000 < 1000 { 1e-6 } else { 1e-9 },
        };
        let learned = direct.learn_raw(target, &features);
        built.open(Key::Step, &features.map(I1F15::to_num)).ok();
        built.close(Some(target));
        refused += u32::from(learned.is_err());
        assert_eq!(direct.weights(), built.weights(), "row {row}: {features:?}, {target}");
        assert_eq!((direct.averaged(), direct.velocity()), (built.averaged(), built.velocity()), "row {row}");
        if row % 100 == 0 {
            let [a, b] = [direct.end(), built.end()];
            assert_eq!((a.tau, a.saturated, a.g_norm, a.theta), (b.tau, b.saturated, b.g_norm, b.theta));
            saturated += a.saturated;
        }
    }
    assert!(refused > 0 && (saturated > 0 || cfg!(miri)));
}

#[test]
fn weights_from_elsewhere_survive_until_the_first_reward() {
    let config = TrackingConfig { gamma: 0.5, lambda: 0.0, ..TrackingConfig::DEFAULT };
    let mut predictor = Predictor::new(Tracking::<f32, 2>::new(config).unwrap()).with_weights([2.0, 4.0]);
    predictor.step(None, &[1.0, 0.0]).unwrap();
    predictor.step(0.0, &[0.0, 1.0]).unwrap();
    assert_eq!(predictor.weights(), &[2.0, 4.0], "0 + ½ · 4 is what the first weight says");
    // From here on no value is believed that the rewards so far could not add up to: 1/(1 − ½).
    predictor.step(1.0, &[0.0, 1.0]).unwrap();
    assert_eq!(predictor.weights(), &[2.0, 3.0], "half of the way from 4 to 1 + ½ · 2");
}

/// A learner without a trace is one with γ = 0, bit for bit, and either goes on from the other's state.
#[test]
fn rows_need_no_trace() {
    use crate::{Q28, Random};

    fn check<A: Arithmetic>() {
        let config = TrackingConfig { gamma: 0.0, ..TrackingConfig::DEFAULT };
        let mut traced = Predictor::new(Tracking::<A, 3>::new(config).unwrap());
        let mut rows = Predictor::new(TrackingRows::<A, 3>::of_rows(config).unwrap());
        let mut random = Random::new(7);
        let (mut bytes, mut others) = ([0; 512], [0; 512]);
        for sample in 0..if cfg!(miri) { 30 } else { 600 } {
            let features = [0; 3].map(|_| random.below(1000) as f32 / 500.0 - 1.0);
            let features = if sample % 50 == 0 { [0.0; 3] } else { features };
            // The world changes once, which starts a probe.
            let slope = if sample < 300 { 1.0 } else { -3.0 };
            let signal = (sample % 40 > 0).then_some(slope * features[0] + random.below(100) as f32 / 1e4);
            assert_eq!(traced.step(signal, &features), rows.step(signal, &features));
            let length = traced.save(&mut bytes).unwrap();
            assert_eq!(rows.save(&mut others), Ok(length));
            assert_eq!(bytes, others, "sample {sample}");
            if sample % 7 == 0 {
                traced.restore(&others[..length]).unwrap();
                rows.restore(&bytes[..length]).unwrap();
            }
        }
        assert_eq!(traced.end(), rows.end());
    }
    check::<f32>();
    check::<Q28>();
}
