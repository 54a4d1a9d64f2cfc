//! The parts of the learner, each measured by itself.

use core::hint::black_box;
use core::mem::size_of;

use osculate::batch::Rows;
use osculate::episodic::{Episodic, Logged, Targets};
use osculate::{Batch, Episode, Learner, LearnerConfig, Recorded, RowError, StreamingLearner};

use super::counter::Counter;
use super::workload::{Measurable, Workload};
use super::{ROOM, TAU, stack};

const GAMMA: f32 = 0.9375;

/// Measures everything with `N` features and hands each part on: its name, instructions, multiply-accumulates, stack.
///
/// What does not fit into the board's RAM is left out.
///
/// # Errors
/// Where a row of the workload is refused, so that the numbers would mean nothing.
pub fn measure<A: Measurable, const N: usize>(
    counter: &Counter,
    mut report: impl FnMut(&str, u32, usize, u32),
) -> Result<(), RowError> {
    if size_of::<Batch<A, N, TAU>>() + size_of::<A::Features<N>>() * 2 < ROOM {
        stored::<A, N>(counter, &mut report)?;
    }
    if size_of::<Logged<A, u16, N, TAU, TAU>>() * 5 / 4 < ROOM {
        episode::<A, N>(counter, &mut report)?;
    }
    streaming::<A, N>(counter, &mut report)
}

/// Counts the second time, as in a learner that has been at work: once for the stack, once for the instructions.
fn part(counter: &Counter, mut work: impl FnMut()) -> (u32, u32) {
    let stack = stack::depth(&mut work);
    (counter.count(&mut work), stack)
}

#[inline(never)]
fn stored<A: Measurable, const N: usize>(
    counter: &Counter,
    report: &mut impl FnMut(&str, u32, usize, u32),
) -> Result<(), RowError> {
    let mut workload = Workload::new(N);
    let mut batch = Batch::<A, N, TAU>::new();
    let mut features = workload.features::<A, N>()?;
    for _ in 0..TAU {
        batch.push(&features, workload.target::<A>()?)?;
        features = workload.features::<A, N>()?;
    }
    let mut learner = Learner::<A, N>::default();
    learner.update(&batch);

    let held = A::hold(features);
    let (norm, _) = part(counter, || A::take_norm(black_box(&held)));
    let (cached, stack) = part(counter, || projection::<A, N>(&batch, learner.weights()));
    report("pass1", norm * TAU as u32 + cached, 3 * N * TAU, stack);
    report("pass1_cached", cached, 2 * N * TAU, stack);

    if let Ok(direction) = osculate::projection::total_projection(&batch, learner.weights()) {
        let (count, stack) = part(counter, || change::<A, N>(&batch, &direction));
        report("pass2", count, 2 * N * TAU, stack);
    }
    let (count, stack) = part(counter, || update::<A, N>(&mut learner, &batch));
    report("update", count, 4 * N * TAU, stack);
    Ok(())
}

#[inline(never)]
fn projection<A: Measurable, const N: usize>(batch: &Batch<A, N, TAU>, weights: &[A::Weight; N]) {
    let mut sum = A::residual_sum();
    A::accumulate_residuals(&mut sum, batch.rows(), weights);
    black_box(&sum);
}

#[inline(never)]
fn change<A: Measurable, const N: usize>(batch: &Batch<A, N, TAU>, direction: &A::Direction<N>) {
    let mut sum = A::change_sum();
    A::accumulate_along(&mut sum, batch.rows(), direction);
    black_box(&sum);
}

#[inline(never)]
fn update<A: Measurable, const N: usize>(learner: &mut Learner<A, N>, batch: &Batch<A, N, TAU>) {
    black_box(learner.update(batch));
}

#[inline(never)]
fn episode<A: Measurable, const N: usize>(
    counter: &Counter,
    report: &mut impl FnMut(&str, u32, usize, u32),
) -> Result<(), RowError> {
    const { assert!(size_of::<Episode<A, u16, N, TAU, TAU>>() > 0) };
    let learner = Learner::<A, N>::default();
    let Ok(mut logged) = Logged::<A, u16, N, TAU, TAU>::new(learner, GAMMA, Targets::MonteCarlo) else { return Ok(()) };
    let mut result = Ok(());
    let mut instructions = 0;
    let mut depth = 0;
    // The second episode counts: by then the weights are not all zero.
    for _ in 0..2 {
        let mut workload = Workload::new(N);
        instructions = 0;
        for state in 0..TAU as u16 {
            let (features, reward) = (workload.features::<A, N>()?, workload.target::<A>()?);
            let mut step = || {
                if logged.record(state, &features, reward) != Recorded::First {
                    result = Err(RowError::BatchFull);
                }
            };
            instructions += counter.count(&mut step);
        }
        let mut end = || {
            black_box(logged.end_episode());
        };
        if depth == 0 {
            depth = stack::depth(&mut end);
        } else {
            instructions += counter.count(&mut end);
        }
    }
    report("episode", instructions, 5 * N * TAU, depth);
    result
}

#[inline(never)]
fn streaming<A: Measurable, const N: usize>(
    counter: &Counter,
    report: &mut impl FnMut(&str, u32, usize, u32),
) -> Result<(), RowError> {
    let mut workload = Workload::new(N);
    let config = LearnerConfig::predictable();
    let Ok(mut learner) = StreamingLearner::<A, N>::new(config, GAMMA) else { return Ok(()) };
    for _ in 0..2 {
        for _ in 0..4 {
            learner.step(&workload.features::<A, N>()?, true, workload.target::<A>()?)?;
        }
        learner.end_episode();
    }
    let (features, reward) = (workload.features::<A, N>()?, workload.target::<A>()?);
    let mut result = Ok(());
    let (count, stack) = part(counter, || result = learner.step(&features, true, reward));
    report("stream_step", count, 8 * N, stack);
    let mut end = || {
        black_box(learner.end_episode());
    };
    let depth = stack::depth(&mut end);
    // An episode without steps would have no update.
    learner.step(&features, true, reward)?;
    let count = counter.count(|| {
        black_box(learner.end_episode());
    });
    report("stream_end", count, 0, depth);
    result
}
