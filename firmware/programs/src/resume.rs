//! Saves at every step, restores into a new value and continues: the result must be bit-exact with an uninterrupted
//! run.

use osculate::features::OneHot;
use osculate::{
    Agent, Arithmetic, Branch, ConfigError, Exploration, Learner, LeastSquares, LinearModel, Log, LookAhead, Model,
    Predictor, Random, RowError, Space, Stored, StoredConfig, Streaming, StreamingConfig, Targets, Theta, Tracking,
    TrackingConfig,
};

use osculate_apps::digest::Digest;
use osculate_apps::failure::{Failure, Result};

const N: usize = 4;
/// Steps per run.
pub const STEPS: u32 = 200;
/// The size of the largest state in bytes.
const BYTES: usize = 2048;

const DIFFERS: Failure = Failure("the bits differ from those of the uninterrupted run");

/// Runs every rule of episodes in an arithmetic, interrupted at every step and uninterrupted. Returns a digest of all
/// final states.
///
/// # Errors
/// [`Failure`].
pub fn run<A: Arithmetic>() -> Result<u64> {
    let stored = |theta, targets| {
        let config = StoredConfig { theta, targets, ..StoredConfig::PREDICTABLE };
        move || Stored::try_new(config, Log::<A, N, 24, 16>::NEW)
    };
    let streaming = StreamingConfig::DEFAULT;
    let past = StoredConfig::PREDICTABLE.theta;
    let mut digest = Digest::new();
    predicts(&mut digest, stored(Theta::SameBatch, Targets::MonteCarlo), Predictor::step_at)?;
    predicts(&mut digest, stored(Theta::One, Targets::MonteCarlo), Predictor::step_at)?;
    predicts(&mut digest, stored(past, Targets::MonteCarlo), step)?;
    predicts(&mut digest, stored(past, Targets::OneStep), Predictor::step_at)?;
    predicts(&mut digest, || Streaming::<A, N>::try_new(streaming), step)?;
    predicts(&mut digest, || Streaming::<A, N, 1>::try_by_state(streaming), Predictor::step_at)?;
    acts(&mut digest, stored(past, Targets::MonteCarlo))?;
    acts(&mut digest, || Streaming::<A, N>::try_new(streaming))?;
    models(&mut digest)?;
    Ok(digest.value())
}

/// The same for tracking. Separate, since the smallest board has no room for all rules.
///
/// # Errors
/// [`Failure`].
pub fn tracking<A: Arithmetic>() -> Result<u64> {
    let mut digest = Digest::new();
    predicts(&mut digest, || Tracking::<A, N>::try_new(TrackingConfig::DEFAULT), step)?;
    acts(&mut digest, || Tracking::<A, N>::try_new(TrackingConfig::CONTROL))?;
    Ok(digest.value())
}

/// A sample: a state, its features, and the signal before it. Some samples are unusable.
fn sample(random: &mut Random) -> (u32, f32, [f32; N]) {
    let state = random.below(8);
    let mut features = [0; N].map(|_: u32| random.below(1 << 16) as f32 / 32768.0 - 1.0);
    if state == 7 {
        features[0] = f32::NAN;
    }
    let signal = if random.below(16) == 0 { f32::INFINITY } else { random.below(256) as f32 / 256.0 };
    (state, signal, features)
}

/// The part of a buffer that was written. Not by an index: that would link a panic into the firmware.
fn first(buffer: &[u8], length: usize) -> &[u8] {
    buffer.get(..length).unwrap_or_default()
}

/// One sample, in a state that has a number.
type Step<L> = fn(&mut Predictor<L>, u32, f32, &[f32; N]) -> core::result::Result<f32, RowError>;

/// One sample, whatever the state.
fn step<A: Arithmetic, L: Learner<Space = Space<A, N>>>(
    predictor: &mut Predictor<L>,
    _: u32,
    signal: f32,
    features: &[f32; N],
) -> core::result::Result<f32, RowError> {
    predictor.step(signal, features)
}

#[inline(never)]
fn predicts<A, L>(
    digest: &mut Digest,
    learner: impl Fn() -> core::result::Result<L, ConfigError>,
    step_at: Step<L>,
) -> Result<()>
where
    A: Arithmetic,
    L: Learner<Space = Space<A, N>>,
{
    let (mut bytes, mut other) = ([0; BYTES], [0; BYTES]);
    let (mut through, mut resumed) = (Predictor::new(learner()?), Predictor::new(learner()?));
    let mut random = Random::new(1);
    for step in 1..=STEPS {
        let (state, signal, features) = sample(&mut random);
        for predictor in [&mut through, &mut resumed] {
            // Unusable samples are dropped and counted.
            _ = step_at(predictor, state, signal, &features);
            if step % 17 == 0 {
                predictor.finish_with(signal);
                predictor.end();
            }
        }
        let length = resumed.save(&mut bytes)?;
        resumed = Predictor::new(learner()?);
        resumed.restore(first(&bytes, length))?;
    }
    let (length, same) = (through.save(&mut bytes)?, resumed.save(&mut other)?);
    let (bytes, other) = (first(&bytes, length), first(&other, same));
    digest.add(bytes);
    if bytes == other { Ok(()) } else { Err(DIFFERS) }
}

/// Models that are learned on the device, with inputs from the smallest to the largest numbers.
#[inline(never)]
fn models(digest: &mut Digest) -> Result<()> {
    let start = LinearModel::from_weights([[0.5, -0.25, 0.0, 1.0], [0.0; N]]);
    let (mut through, mut resumed) = (start, start);
    let mut squares = LeastSquares::new();
    let mut bytes = [0; LinearModel::<N, 2>::BYTES];
    let mut random = Random::new(2);
    for _ in 0..STEPS {
        let (state, signal, mut features) = sample(&mut random);
        if random.below(4) == 0 {
            features = features.map(|x| x * f32::from_bits(random.below(254 << 23)));
        }
        let outputs = [signal, state as f32 / 8.0];
        let learned = through.learn(&features, &outputs);
        if learned != resumed.learn(&features, &outputs) {
            return Err(DIFFERS);
        }
        // Unusable rows are refused.
        _ = squares.learn(&features, &outputs);
        let length = squares.model().save(&mut bytes)?;
        digest.add(first(&bytes, length));
        let length = resumed.save(&mut bytes)?;
        digest.add(first(&bytes, length));
        resumed = start;
        resumed.restore(first(&bytes, length))?;
    }
    if through == resumed { Ok(()) } else { Err(DIFFERS) }
}

/// A ring of four places; action 0 stays, 1 moves on.
struct Ring;

/// Its fallback: who has just come to the last place stays there once.
fn rests(place: &usize, last: usize) -> Option<usize> {
    (*place == N - 1 && last == 1).then_some(0)
}

impl Model for Ring {
    type State = usize;

    fn actions(&self, _: &usize) -> usize {
        2
    }

    fn outcomes(&self, place: &usize, action: usize) -> impl Iterator<Item = Branch<usize>> {
        let next = (place + action) % N;
        core::iter::once(Branch { probability: 1.0, reward: next as f32 / 4.0, next: Some(next) })
    }
}

#[inline(never)]
fn acts<A, L>(digest: &mut Digest, learner: impl Fn() -> core::result::Result<L, ConfigError>) -> Result<()>
where
    A: Arithmetic,
    L: Learner<Space = Space<A, N>>,
{
    let (mut bytes, mut other) = ([0; BYTES], [0; BYTES]);
    let exploration = Exploration { start: 0.5, half_after: 4 };
    let agent = |seed| {
        Ok::<_, Failure>(Agent::try_new(learner()?, LookAhead::new(Ring, OneHot).within(rests), exploration, seed)?)
    };
    // The generator is restored, too, so the seed of the second agent does not matter.
    let (mut through, mut resumed) = (agent(1)?, agent(1)?);
    let mut place = 0;
    for step in 1..=STEPS {
        let reward = place as f32 / 4.0;
        let chosen = through.step(reward, &place);
        if chosen != resumed.step(reward, &place) {
            return Err(DIFFERS);
        }
        place = (place + chosen.unwrap_or(1)) % N;
        if step % 17 == 0 && through.end() != resumed.end() {
            return Err(DIFFERS);
        }
        let length = resumed.save(&mut bytes)?;
        resumed = agent(step.into())?;
        resumed.restore(first(&bytes, length))?;
    }
    let (length, same) = (through.save(&mut bytes)?, resumed.save(&mut other)?);
    let (bytes, other) = (first(&bytes, length), first(&other, same));
    digest.add(bytes);
    if bytes == other { Ok(()) } else { Err(DIFFERS) }
}
