//! A stream that drifts and jumps, learned from at every sample: a digest of all weights on the way.

use osculate::{Arithmetic, Predictor, Random, Tracking, TrackingConfig};

use osculate_apps::digest::Digest;
use osculate_apps::failure::Result;

const N: usize = 4;
/// Steps per discount, if nobody says how many.
pub const STEPS: u32 = 2_000;
/// Steps between two jumps.
const CALM: u32 = 1_000;
/// Samples between two ends.
const EPISODE: u32 = 250;

/// Runs tracking for this many steps without a discount, and with one. Returns a digest of the weights after every step, and of the final
/// states.
///
/// # Errors
/// A [`Failure`](osculate_apps::failure::Failure) says why it had to give up.
pub fn run<A: Arithmetic>(steps: u32) -> Result<u64> {
    let mut digest = Digest::new();
    for gamma in [0.0, 0.9] {
        follow::<A>(gamma, steps, &mut digest)?;
    }
    Ok(digest.value())
}

#[inline(never)]
fn follow<A: Arithmetic>(gamma: f32, steps: u32, digest: &mut Digest) -> Result<()> {
    let config = TrackingConfig { gamma, ..TrackingConfig::DEFAULT };
    let mut predictor = Predictor::new(Tracking::<A, N>::try_new(config)?);
    let mut random = Random::new(1);
    let mut truth = [0.0; N];
    let mut signal = None;
    for step in 0..steps {
        for w in &mut truth {
            *w = if step % CALM == 0 { uniform(&mut random) } else { *w + 0.005 * uniform(&mut random) };
        }
        // In units that differ, and at times without any reading.
        let unit = [0.125, 1.0, 8.0][random.below(3) as usize];
        let mut features = [0; N].map(|_: u8| unit * uniform(&mut random));
        if random.below(100) == 0 {
            features = [0.0; N];
        }
        // Where features have no direction, the sample is dropped and counted.
        _ = predictor.step(signal, &features);
        let value = features.iter().zip(&truth).map(|(x, w)| x * w).sum::<f32>();
        signal = Some((1.0 - gamma) * value + 0.1 * unit * uniform(&mut random));
        if step % EPISODE == EPISODE - 1 {
            predictor.finish_with(signal.take());
            predictor.end();
        }
        predictor.weights().iter().for_each(|&w| digest.add(&A::bits(w).to_le_bytes()));
    }
    let mut bytes = [0; 512];
    let length = predictor.save(&mut bytes)?;
    digest.add(bytes.get(..length).unwrap_or_default());
    Ok(())
}

/// In [−1, 1), with 15 bits.
fn uniform(random: &mut Random) -> f32 {
    random.below(1 << 16) as f32 / 32768.0 - 1.0
}
