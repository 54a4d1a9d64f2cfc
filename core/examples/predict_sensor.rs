//! I have a stream: expect what a sensor will say, before it says so.

use osculate::features::{FeatureMap, Polynomial};
use osculate::{Predictor, Tracking, TrackingConfig};

// All products of the last two readings up to degree 2: six features.
const MAP: Polynomial<2, 2, 6> = Polynomial::new();

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Expect the sum of the next 1/(1 − γ) = 4 readings or so.
    let config = TrackingConfig { gamma: 0.75, ..TrackingConfig::DEFAULT };
    let mut predictor = Predictor::new(Tracking::<f32, 6>::new(config)?);
    let (mut last, mut angle) = ([0.0, 0.0], 0.0_f32);
    for sample in 0..20_000 {
        angle += if sample < 10_000 { 0.3 } else { 0.5 }; // halfway, the world changes
        let reading = angle.sin(); // your sensor
        last = [reading, last[0]];
        let expected = predictor.step(reading, &MAP.features(&last)?)?; // learns at once
        if sample % 4_000 < 3 {
            println!("sample {sample:5}: {reading:6.3} now, {expected:6.3} expected to follow");
        }
    }
    Ok(())
}
