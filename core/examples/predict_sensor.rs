//! I have a stream: expect what a sensor will say next, before it says so.

use osculate::{Predictor, Tracking, TrackingConfig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // γ = 0: the next reading. With γ = 0.9: the sum of the next ten or so.
    let config = const { TrackingConfig::new(0.0) };
    let mut predictor = Predictor::new(Tracking::<f32, 3>::new(config));
    let (mut last, mut expected, mut error) = (0.0_f32, 0.0, 0.0);
    for sample in 0..5_000_u16 {
        let speed = if sample < 2_500 { 0.5 } else { 0.8 }; // halfway, the world changes
        let reading = (speed * f32::from(sample)).sin(); // your sensor
        error += ((reading - expected).abs() - error) / 50.0;
        expected = predictor.step(reading, &[reading, last, 1.0])?; // learns, and predicts
        last = reading;
        if sample % 500 == 49 {
            println!("sample {sample:4}: off by {error:.4}");
        }
    }
    Ok(())
}
