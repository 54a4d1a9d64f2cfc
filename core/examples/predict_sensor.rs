//! I have a stream: expect what a sensor will say, before it says so.

use osculate::features::{FeatureMap, Polynomial};
use osculate::{Predictor, Streaming, StreamingConfig};

// All products of the last two readings up to degree 2: six features.
const MAP: Polynomial<2, 2, 6> = Polynomial::new();

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Expect the sum of the next 1/(1 − γ) = 4 readings or so.
    let config = StreamingConfig { gamma: 0.75, ..StreamingConfig::DEFAULT };
    let mut predictor = Predictor::new(Streaming::<f32, 6>::new(config)?);
    let mut last = [0.0, 0.0];
    for sample in 0..20_000 {
        let reading = (sample as f32 * 0.3).sin(); // your sensor
        last = [reading, last[0]];
        let expected = predictor.step(reading, &MAP.features(&last)?)?;
        if sample % 256 == 255 {
            predictor.end(); // learn now and then: a stream has no end of its own
        }
        if sample % 4_000 < 3 {
            println!("sample {sample:5}: {reading:6.3} now, {expected:6.3} expected to follow");
        }
    }
    Ok(())
}
