//! Weights from elsewhere.

use super::*;
use crate::Predictor;

#[test]
fn weights_from_elsewhere_survive_until_the_first_reward() {
    let config = TrackingConfig { gamma: 0.5, lambda: 0.0, ..TrackingConfig::DEFAULT };
    let mut predictor = Predictor::new(Tracking::<f32, 2>::new(config)).with_weights([2.0, 4.0]);
    predictor.step(None, &[1.0, 0.0]).unwrap();
    predictor.step(0.0, &[0.0, 1.0]).unwrap();
    assert_eq!(predictor.weights(), &[2.0, 4.0], "0 + ½ · 4 is what the first weight says");
    // From here on no value is believed that the rewards so far could not add up to: 1/(1 − ½).
    predictor.step(1.0, &[0.0, 1.0]).unwrap();
    assert_eq!(predictor.weights(), &[2.0, 3.0], "half of the way from 4 to 1 + ½ · 2");
}
