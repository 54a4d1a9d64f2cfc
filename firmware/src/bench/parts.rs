//! The parts of the learner, each measured by itself.

use core::hint::black_box;
use core::mem::size_of;

use cortex_m_stack::{current_stack_in_use, repaint_stack, stack_painted, stack_size};
use osculate::batch::Rows;
use osculate::episodic::{Episodic, Logged, Targets};
use osculate::{Batch, Learner, LearnerConfig, Recorded, RowError, StreamingLearner};

use super::counter::Counter;
use super::workload::{Measurable, Workload};
use super::{ROOM, TAU};

const GAMMA: f32 = 0.9375;

/// What was measured of a part of the learner.
pub struct Part {
    /// Which part.
    pub name: &'static str,
    /// How many rows it was about.
    pub tau: usize,
    /// Instructions.
    pub instructions: u32,
    /// Multiply-accumulates among them.
    pub macs: usize,
    /// Bytes of stack.
    pub stack: u32,
}

/// Measures everything with `N` features and hands each part on.
///
/// What does not fit into the board's RAM is left out.
///
/// # Errors
/// Where a row of the workload is refused, so that the numbers would mean nothing.
pub fn measure<A: Measurable, const N: usize>(meter: &Meter, mut report: impl FnMut(Part)) -> Result<(), RowError> {
    if size_of::<Batch<A, N, TAU>>() + size_of::<A::Features<N>>() * 2 < ROOM {
        stored::<A, N>(meter, &mut report)?;
    }
    if size_of::<Logged<A, u16, N, TAU, TAU>>() * 5 / 4 < ROOM {
        episode::<A, N>(meter, &mut report)?;
    }
    streaming::<A, N>(meter, &mut report)
}

/// What measures.
pub struct Meter {
    pub(super) counter: Counter,
    /// Whether the stack is looked at, too.
    pub(super) painted: bool,
}

impl Meter {
    /// Does the work, and returns its bytes of stack.
    #[inline(never)]
    fn depth(&self, mut work: impl FnMut()) -> u32 {
        if !self.painted {
            work();
            return 0;
        }
        let before = current_stack_in_use();
        repaint_stack();
        work();
        stack_size() - stack_painted() - before
    }

    /// Does the work, and returns its instructions.
    fn count(&self, work: impl FnMut()) -> u32 {
        self.counter.count(work)
    }

    /// Both, one after the other: what is counted is the second time, as in a learner that has been at work.
    fn part(&self, mut work: impl FnMut()) -> (u32, u32) {
        let stack = self.depth(&mut work);
        (self.count(&mut work), stack)
    }
}

#[inline(never)]
fn stored<A: Measurable, const N: usize>(meter: &Meter, report: &mut impl FnMut(Part)) -> Result<(), RowError> {
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
    let (norm, _) = meter.part(|| A::take_norm(black_box(&held)));
    let (cached, stack) = meter.part(|| projection::<A, N>(&batch, learner.weights()));
    report(Part { name: "pass1", tau: TAU, instructions: norm * TAU as u32 + cached, macs: 3 * N * TAU, stack });
    report(Part { name: "pass1_cached", tau: TAU, instructions: cached, macs: 2 * N * TAU, stack });

    if let Ok(direction) = osculate::projection::total_projection(&batch, learner.weights()) {
        let (instructions, stack) = meter.part(|| change::<A, N>(&batch, &direction));
        report(Part { name: "pass2", tau: TAU, instructions, macs: 2 * N * TAU, stack });
    }
    // From the whole batch down, so that the cost per row shows.
    for tau in [TAU, 24, 16, 8] {
        batch.clear();
        let mut workload = Workload::new(N);
        for _ in 0..tau {
            batch.push(&workload.features::<A, N>()?, workload.target::<A>()?)?;
        }
        let (instructions, stack) = meter.part(|| update::<A, N>(&mut learner, &batch));
        report(Part { name: "update", tau, instructions, macs: 4 * N * tau, stack });
    }
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
fn episode<A: Measurable, const N: usize>(meter: &Meter, report: &mut impl FnMut(Part)) -> Result<(), RowError> {
    let learner = Learner::<A, N>::default();
    let Ok(mut logged) = Logged::<A, u16, N, TAU, TAU>::new(learner, GAMMA, Targets::MonteCarlo) else { return Ok(()) };
    let mut result = Ok(());
    let mut instructions = 0;
    let mut depth = None;
    // The second episode counts: by then the weights are not all zero.
    for _ in 0..2 {
        let mut workload = Workload::new(N);
        instructions = 0;
        for state in 0..TAU as u16 {
            let (features, reward) = (workload.features::<A, N>()?, workload.target::<A>()?);
            let mut step = || {
                if logged.record(state, &features, Some(reward)) != Recorded::First {
                    result = Err(RowError::BatchFull);
                }
            };
            instructions += meter.count(&mut step);
        }
        let mut end = || {
            black_box(logged.end_episode());
        };
        match depth {
            None => depth = Some(meter.depth(&mut end)),
            Some(_) => instructions += meter.count(&mut end),
        }
    }
    report(Part { name: "episode", tau: TAU, instructions, macs: 5 * N * TAU, stack: depth.unwrap_or(0) });
    result
}

#[inline(never)]
fn streaming<A: Measurable, const N: usize>(meter: &Meter, report: &mut impl FnMut(Part)) -> Result<(), RowError> {
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
    let (instructions, stack) = meter.part(|| result = learner.step(&features, true, reward));
    report(Part { name: "stream_step", tau: 1, instructions, macs: 8 * N, stack });
    let mut end = || {
        black_box(learner.end_episode());
    };
    let stack = meter.depth(&mut end);
    // An episode without steps would have no update.
    learner.step(&features, true, reward)?;
    let instructions = meter.count(|| {
        black_box(learner.end_episode());
    });
    report(Part { name: "stream_end", tau: 1, instructions, macs: 0, stack });
    result
}
