//! Learning from a trace on this machine.

use std::panic::resume_unwind;
use std::thread;

use anyhow::{Context, Result, ensure};
use osculate::{Arithmetic, Learner, Log, Predictor, Q24, Q28, RowError, Space};
use osculate_apps::replay::rules::{Room, Run, StepAt};
use osculate_apps::with_arithmetic;

use super::format::Report;
use super::trace::Step;
use super::{Arith, Full, Job, Learned, OnUpdate};

/// Most steps of an episode, for the rules that have a log.
pub const STEPS: usize = 1 << 18;
/// Most distinct states of an episode, for the rules that have a log.
pub const STATES: usize = 1 << 12;
/// Words of 32 distinct states each, for the rule without a log.
const WORDS: usize = 1 << 15;

/// Learns, and reports every update.
///
/// Features are padded with zeros to one of two sizes, so that only two are compiled per arithmetic. Trailing zeros
/// change no bit of any result, if `tracking` is told how many there are.
///
/// # Errors
/// If the parameters are inconsistent, there are too many features, or an episode is too long.
pub fn run(job: &Job<'_>, on_update: OnUpdate<'_>) -> Result<()> {
    let n = job.trace.features();
    let most = if matches!(job.arith, Arith::F32 | Arith::F64) { 512 } else { 128 };
    ensure!(n <= most, "{n} features per step; {} has at most {most}", job.arith.name());
    match (job.arith, n) {
        (arith, ..=32) => with_arithmetic!(arith, A => learn::<A, 32>(job, on_update)),
        (Arith::F32, _) => learn::<f32, 512>(job, on_update),
        (Arith::F64, _) => learn::<f64, 512>(job, on_update),
        (Arith::Q28, _) => learn::<Q28, 128>(job, on_update),
        (Arith::Q24, _) => learn::<Q24, 128>(job, on_update),
    }
}

fn learn<A: Arithmetic, const N: usize>(job: &Job<'_>, on_update: OnUpdate<'_>) -> Result<()> {
    // A log for large episodes is larger than a thread's default stack, and it may pass through the stack on its way to
    // the heap. Untouched pages cost nothing.
    let stack = 3 * size_of::<Log<A, N, STEPS, STATES>>() + (8 << 20);
    thread::scope(|scope| {
        let learner = thread::Builder::new().stack_size(stack).spawn_scoped(scope, || {
            job.config.check()?;
            let features = job.trace.features() as u16;
            Room::<STEPS, STATES, WORDS>.run::<A, _, N>(&job.config, features, Samples { job, on_update })?
        });
        learner.context("cannot start a thread to learn in")?.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Feeds a trace to a learner.
struct Samples<'j, 't, 'u> {
    job: &'j Job<'t>,
    on_update: OnUpdate<'u>,
}

impl<A: Arithmetic, const N: usize> Run<A, N> for Samples<'_, '_, '_> {
    type Output = Result<()>;

    fn run<L>(self, learner: L, step_at: StepAt<L, N>, [steps, states]: [usize; 2]) -> Result<()>
    where
        L: Learner<Space = Space<A, N>, Report: Into<Report>>,
    {
        let Self { job, on_update } = self;
        let mut predictor = Predictor::new(learner);
        let used = job.trace.features();
        let bits = |weights: &[A::Weight; N]| weights[..used].iter().map(|w| A::bits(*w)).collect::<Vec<_>>();
        let tells = !job.config.rule.is_episodic();
        for episode in 0..job.trace.episodes() {
            let (mut last, mut expected) = (None, Vec::new());
            for Step { state, reward, features } in job.trace.episode(episode) {
                let mut padded = [0.0; N];
                padded[..used].copy_from_slice(features);
                // Other unusable rows are dropped and counted.
                let value = step_at(&mut predictor, state, last, &padded);
                if let Err(RowError::Full(limit)) = value {
                    let full = Full::new(limit, steps, states);
                    return Err(job.trace.too_long(episode, full, "host"));
                }
                if tells {
                    expected.push(value.unwrap_or(f32::NAN));
                }
                last = Some(reward);
            }
            predictor.finish_with(last);
            let report = predictor.end().into();
            let (weights, estimate) = (bits(predictor.weights()), bits(predictor.estimate()));
            on_update(Learned { report, weights, estimate, expected });
        }
        Ok(())
    }
}
