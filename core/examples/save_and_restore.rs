//! I have weights that must survive a power cut: the state goes out as bytes and comes back, bit for bit.

use osculate::{Log, Predictor, Q28, StateError, Stored, StoredConfig};

type Meter<'l> = Predictor<Stored<&'l mut Log<Q28, 2, 16, 16>>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut log, mut other_log) = (Log::NEW, Log::NEW);
    let mut meter: Meter = Predictor::new(Stored::new(StoredConfig::PREDICTABLE, &mut log));
    for episode in 0..10 {
        meter.learn(0.5, &[1.0, 0.0])?;
        meter.learn(0.25 * (episode % 2) as f32, &[0.5, 1.0])?;
        meter.end();
    }
    let mut flash = [0xff; Meter::BYTES];
    let length = meter.save(&mut flash)?;
    println!("{length} bytes saved");

    let mut after_reset: Meter = Predictor::new(Stored::new(StoredConfig::PREDICTABLE, &mut other_log));
    after_reset.restore(&flash[..length])?;
    println!("{:?} before, {:?} after", meter.estimate(), after_reset.estimate());
    flash[length / 2] ^= 1;
    assert_eq!(after_reset.restore(&flash[..length]), Err(StateError::Damaged));
    Ok(())
}
