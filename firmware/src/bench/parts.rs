//! Measures each part of the learner by itself.

use core::hint::black_box;
use core::mem::size_of;

use cortex_m_stack::{current_stack_in_use, repaint_stack, stack_painted, stack_size};
use osculate::arithmetic::backend::Empty;
use osculate::learn::{Learner, Space};
use osculate::rows::Key;
use osculate::{
    ConfigError, Log, RowError, Stored, StoredConfig, Streaming, StreamingConfig, Tracking, TrackingConfig,
};
use osculate_apps::count::{Count, Part, Stretch};

use super::counter::Counter;
use super::workload::{Measurable, Workload};
use super::{ROOM, TAU};

const GAMMA: f32 = 0.9375;

/// Why a measurement is invalid.
#[derive(Debug)]
pub(super) struct Refused;

impl From<RowError> for Refused {
    fn from(_: RowError) -> Self {
        Self
    }
}

impl From<ConfigError> for Refused {
    fn from(_: ConfigError) -> Self {
        Self
    }
}

/// Measures every part with `N` features and reports each.
///
/// Parts that do not fit into the board's RAM are skipped.
///
/// # Errors
/// [`Refused`] if a row of the workload is refused, which would make the numbers meaningless.
pub(super) fn measure<A: Measurable, const N: usize>(
    meter: &Meter,
    mut report: impl FnMut(Count),
) -> Result<(), Refused> {
    if size_of::<Log<A, N, TAU, TAU>>() * 5 / 4 < ROOM {
        stored::<A, N>(meter, &mut report)?;
        episode::<A, N>(meter, &mut report)?;
    }
    streaming::<A, N>(meter, &mut report)?;
    // The norm, the residual, the step; with a trace also the next value, z·φ, the trace and the step along it.
    tracking::<A, N>(meter, Part::TrackRow, 0.0, 3 * N, &mut report)?;
    tracking::<A, N>(meter, Part::TrackStep, GAMMA, 8 * N, &mut report)
}

/// Measures instructions and stack.
pub(super) struct Meter {
    pub(super) counter: Counter,
    /// Whether the stack is measured, too.
    pub(super) painted: bool,
}

impl Meter {
    /// Runs the work and returns its stack use in bytes.
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

    /// Runs the work and counts its instructions.
    fn count(&self, work: impl FnMut()) -> Measured {
        let stretch = Stretch { first: self.counter.counted(), length: 1, times: 1 };
        Measured { instructions: self.counter.count(work), stack: 0, stretch }
    }

    /// Runs the work twice, first for its stack, then for its count: the count is that of a warmed-up learner.
    fn part(&self, mut work: impl FnMut()) -> Measured {
        let stack = self.depth(&mut work);
        Measured { stack, ..self.count(&mut work) }
    }
}

/// The cost of a piece of work.
#[derive(Clone, Copy)]
struct Measured {
    instructions: u32,
    stack: u32,
    stretch: Stretch,
}

impl Measured {
    /// As a part of its own, with this number of multiply-accumulates.
    fn part<const N: usize>(self, part: Part, tau: usize, macs: usize) -> Count {
        let Self { instructions, stack, stretch } = self;
        let stretches = [stretch, Stretch::default()];
        Count { part, n: N as u32, tau: tau as u32, instructions, macs: macs as u32, stack, stretches }
    }
}

/// An episode with one reward per row, not yet learned from.
fn fill<A: Measurable, const N: usize>(
    learner: &mut impl Learner<Space = Space<A, N>>,
    tau: usize,
) -> Result<(), Refused> {
    let mut workload = Workload::new(N);
    for _ in 0..tau {
        learner.open_raw(Key::Step, &workload.features::<A, N>())?;
        learner.close(Some(workload.number()));
    }
    Ok(())
}

#[inline(never)]
fn stored<A: Measurable, const N: usize>(meter: &Meter, report: &mut impl FnMut(Count)) -> Result<(), Refused> {
    let mut log = Log::<A, N, TAU, TAU>::new();
    // Without a discount, the rewards are the targets.
    let mut learner = Stored::new(StoredConfig { gamma: 0.0, ..StoredConfig::PAPER }, &mut log)?;
    fill::<A, N>(&mut learner, TAU)?;
    learner.set_targets();
    learner.update();

    let held = A::hold(Workload::new(N).features::<A, N>());
    let norm = meter.part(|| A::take_norm(black_box(&held)));
    let cached = meter.part(|| residuals::<A, N>(learner.rows(), learner.weights()));
    // ‖φ‖² of one row is representative.
    report(Count {
        instructions: norm.instructions * TAU as u32 + cached.instructions,
        stretches: [Stretch { times: TAU as u32, ..norm.stretch }, cached.stretch],
        ..cached.part::<N>(Part::Pass1, TAU, 3 * N * TAU)
    });
    report(cached.part::<N>(Part::Pass1Cached, TAU, 2 * N * TAU));

    let mut sum = Empty::EMPTY;
    A::accumulate_residuals(&mut sum, learner.rows(), learner.weights());
    if let Ok(direction) = A::normalise_residuals(&sum) {
        let measured = meter.part(|| projections::<A, N>(learner.rows(), &direction));
        report(measured.part::<N>(Part::Pass2, TAU, 2 * N * TAU));
    }
    // From the whole batch downwards, to show the cost per row.
    for tau in [TAU, 24, 16, 8] {
        learner.abandon();
        fill::<A, N>(&mut learner, tau)?;
        learner.set_targets();
        let measured = meter.part(|| update::<A, N>(&mut learner));
        report(measured.part::<N>(Part::Update, tau, 4 * N * tau));
    }
    Ok(())
}

#[inline(never)]
fn residuals<A: Measurable, const N: usize>(rows: &[A::Row<N>], weights: &[A::Weight; N]) {
    let mut sum = Empty::EMPTY;
    A::accumulate_residuals(&mut sum, rows, weights);
    black_box(&sum);
}

#[inline(never)]
fn projections<A: Measurable, const N: usize>(rows: &[A::Row<N>], direction: &A::Direction<N>) {
    let mut sum = Empty::EMPTY;
    A::accumulate_projections(&mut sum, rows, direction);
    black_box(&sum);
}

#[inline(never)]
fn update<A: Measurable, const N: usize>(learner: &mut Stored<&mut Log<A, N, TAU, TAU>>) {
    black_box(learner.update());
}

#[inline(never)]
fn episode<A: Measurable, const N: usize>(meter: &Meter, report: &mut impl FnMut(Count)) -> Result<(), Refused> {
    let mut log = Log::<A, N, TAU, TAU>::new();
    let mut learner = Stored::new(StoredConfig { gamma: GAMMA, ..StoredConfig::PAPER }, &mut log)?;
    let mut result = Ok(());
    let mut instructions = 0;
    let mut first = 0;
    let mut depth = None;
    // The second episode is counted: by then the weights are no longer all zero.
    for _ in 0..2 {
        let mut workload = Workload::new(N);
        instructions = 0;
        first = meter.counter.counted();
        for state in 0..TAU as u32 {
            let (features, reward) = (workload.features::<A, N>(), workload.number());
            let mut step = || {
                result = result.and(learner.open_raw(Key::State(state), &features));
                learner.close(Some(reward));
            };
            instructions += meter.count(&mut step).instructions;
        }
        let mut end = || {
            black_box(learner.end());
        };
        match depth {
            None => depth = Some(meter.depth(&mut end)),
            Some(_) => instructions += meter.count(&mut end).instructions,
        }
    }
    let stretch = Stretch { first, length: meter.counter.counted() - first, times: 1 };
    let measured = Measured { instructions, stack: depth.unwrap_or(0), stretch };
    report(measured.part::<N>(Part::Episode, TAU, 5 * N * TAU));
    Ok(result?)
}

#[inline(never)]
fn streaming<A: Measurable, const N: usize>(meter: &Meter, report: &mut impl FnMut(Count)) -> Result<(), Refused> {
    let mut learner = Streaming::<A, N>::new(StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT })?;
    for _ in 0..2 {
        fill::<A, N>(&mut learner, 4)?;
        learner.end();
    }
    let mut workload = Workload::new(N + 1);
    let (features, reward) = (workload.features::<A, N>(), workload.number());
    let mut result = Ok(());
    let measured = meter.part(|| {
        result = learner.open_raw(Key::Step, &features);
        learner.close(Some(reward));
    });
    report(measured.part::<N>(Part::StreamStep, 1, 8 * N));
    let mut end = || {
        black_box(learner.end());
    };
    let stack = meter.depth(&mut end);
    // An episode without steps would have no update.
    fill::<A, N>(&mut learner, 1)?;
    let measured = meter.count(|| {
        black_box(learner.end());
    });
    report(Measured { stack, ..measured }.part::<N>(Part::StreamEnd, 1, 0));
    Ok(result?)
}

/// One period of the gain, whose check takes 8n multiply-accumulates more: two differences, two scalings, two norms, the
/// cosine and the average.
#[inline(never)]
fn tracking<A: Measurable, const N: usize>(
    meter: &Meter,
    part: Part,
    gamma: f32,
    macs: usize,
    report: &mut impl FnMut(Count),
) -> Result<(), Refused> {
    let config = TrackingConfig { gamma, ..TrackingConfig::DEFAULT };
    let mut learner = Tracking::<A, N>::new(config)?;
    let period = u32::from(config.every);
    let mut workload = Workload::new(N + 1);
    let (mut instructions, mut stack, mut first) = (0, 0, 0);
    for round in 0..3 {
        (instructions, first) = (0, meter.counter.counted());
        for _ in 0..period {
            let (features, reward) = (workload.features::<A, N>(), workload.number());
            let mut result = Ok(());
            let mut step = || {
                learner.close(Some(reward));
                result = learner.open_raw(Key::Step, &features);
            };
            match round {
                0 => stack = stack.max(meter.depth(&mut step)),
                _ => instructions += meter.count(&mut step).instructions,
            }
            result?;
        }
    }
    let stretch = Stretch { first, length: meter.counter.counted() - first, times: 1 };
    let measured = Measured { instructions, stack, stretch };
    report(measured.part::<N>(part, period as usize, macs * period as usize + 8 * N));
    Ok(())
}
