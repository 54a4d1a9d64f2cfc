//! Measures a learner with a log: its passes, its updates far from the solution and near it, an episode, and a single row.

use core::hint::black_box;

use osculate::Learner;
use osculate::arithmetic::backend::Empty;
use osculate::{Log, Stored, StoredConfig, Verdict};
use osculate_firmware::report;
use osculate_programs::count::{Count, Part, Stretch};
use osculate_programs::report::Report;

use crate::TAU;
use crate::parts::{GAMMA, Measured, Meter, Refused, fill, push};
use crate::workload::{Measurable, Workload};

#[inline(never)]
pub(crate) fn passes_and_updates<A: Measurable, const N: usize>(meter: &Meter) -> Result<(), Refused> {
    let mut log = Log::<A, N, TAU, TAU>::NEW;
    // Without a discount, the rewards are the targets.
    let mut learner = Stored::try_new(StoredConfig { gamma: 0.0, ..StoredConfig::PAPER }, &mut log)?;
    fill::<A, N>(&mut learner, TAU)?;
    set_targets::<A, N>(&mut learner);
    learner.update();

    let held = A::hold(A::raw(Workload::new(N).features::<N>()));
    let norm = meter.part(|| A::take_norm(black_box(&held)));
    let cached = meter.part(|| residuals::<A, N>(learner.rows(), learner.weights()));
    // ‖φ‖² of one row is representative.
    report(&Report::Count(Count {
        instructions: norm.instructions * TAU as u32 + cached.instructions,
        stretches: [Stretch { times: TAU as u32, ..norm.stretch }, cached.stretch],
        ..cached.part::<N>(Part::Pass1)
    }));
    cached.report::<N>(Part::Pass1Cached);

    let mut sum = Empty::EMPTY;
    A::accumulate_residuals(&mut sum, learner.rows(), learner.weights());
    if let Ok(direction) = A::normalise_residuals(&sum) {
        let measured = meter.part(|| projections::<A, N>(learner.rows(), &direction));
        measured.report::<N>(Part::Pass2);
    }
    for (part, tau) in [(Part::Update, TAU), (Part::UpdateOdd, TAU - 1)] {
        learner.abandon();
        fill::<A, N>(&mut learner, tau)?;
        set_targets::<A, N>(&mut learner);
        let measured = meter.part(|| update::<A, N>(&mut learner));
        measured.report::<N>(part);
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

/// Not inlined, since it is not measured and takes flash.
#[inline(never)]
fn set_targets<A: Measurable, const N: usize>(learner: &mut Stored<&mut Log<A, N, TAU, TAU>>) {
    learner.set_targets();
}

#[inline(never)]
fn update<A: Measurable, const N: usize>(learner: &mut Stored<&mut Log<A, N, TAU, TAU>>) {
    black_box(learner.update());
}

/// The first pass and an update close to the solution: the usual state of a deployed learner.
///
/// The targets are φ·w* of a fixed w*, exact but for the rounding to an f32, and the weights start at most 2⁻²⁰ from
/// w* each, so that the residuals are a few 2⁻²⁰. In the update far from the solution, the targets do not depend on the
/// features, and the residuals are of the order of 1. Everything else is the same.
#[inline(never)]
pub(crate) fn near<A: Measurable, const N: usize>(meter: &Meter) -> Result<(), Refused> {
    /// 2⁻²⁰.
    const SMALL: f32 = 1.0 / 1_048_576.0;
    let mut log = Log::<A, N, TAU, TAU>::NEW;
    // The paper's threshold would skip these updates, and that is cheaper.
    let config = StoredConfig { gamma: 0.0, skip_below: 0.0, ..StoredConfig::PAPER };
    let mut learner = Stored::try_new(config, &mut log)?;
    let mut workload = Workload::new(N);
    // Of 15 bits, as the features below, so that both arithmetics know all of them exactly.
    let solution: [f32; N] = core::array::from_fn(|_| workload.coarse_number() / 8.0);
    push::<A, N>(&mut learner, TAU, &mut || {
        let features: [f32; N] = core::array::from_fn(|_| workload.coarse_number());
        let products = features.iter().zip(&solution).map(|(x, w)| f64::from(*x) * f64::from(*w));
        let target = products.sum::<f64>() as f32;
        (A::raw(features), target)
    })?;
    set_targets::<A, N>(&mut learner);
    learner.set_weights(solution.map(|w| A::weight(w + workload.number() * SMALL)));
    let measured = meter.part(|| residuals::<A, N>(learner.rows(), learner.weights()));
    measured.report::<N>(Part::Pass1Near);
    // The third update is counted, as far from the solution: the first one has no momentum.
    let first = learner.update();
    let measured = meter.part(|| update::<A, N>(&mut learner));
    // There was little to learn from the start, and there still is something.
    let last = learner.update();
    let have_stepped = [first, last].iter().all(|outcome| outcome.verdict == Verdict::Stepped);
    if !(have_stepped && first.g_norm < 8.0 * SMALL && last.g_norm > 0.0) {
        return Err(Refused);
    }
    measured.report::<N>(Part::UpdateNear);
    Ok(())
}

/// One row with its target, from ‖φ‖² to the step.
#[inline(never)]
pub(crate) fn plain_row<A: Measurable, const N: usize>(meter: &Meter) -> Result<(), Refused> {
    // One row in a log for many: another type would double the code of the binary.
    let mut log = Log::<A, N, TAU, TAU>::NEW;
    let mut learner = Stored::try_new(StoredConfig { gamma: 0.0, ..StoredConfig::PAPER }, &mut log)?;
    let mut workload = Workload::new(N);
    let (features, target) = (A::raw(workload.features()), workload.number());
    let mut result = Ok(());
    let measured = meter.part(|| {
        result = learner.observe_raw(None, &features);
        learner.reward(Some(target));
        black_box(learner.end());
    });
    // The norm, the residual, the step.
    measured.report::<N>(Part::PlainRow);
    Ok(result?)
}

#[inline(never)]
pub(crate) fn episode<A: Measurable, const N: usize>(meter: &Meter) -> Result<(), Refused> {
    let mut log = Log::<A, N, TAU, TAU>::NEW;
    let mut learner = Stored::try_new(StoredConfig { gamma: GAMMA, ..StoredConfig::PAPER }, &mut log)?;
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
            let (features, reward) = (A::raw(workload.features()), workload.number());
            let mut step = || {
                result = result.and(learner.observe_raw(Some(state), &features));
                learner.reward(Some(reward));
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
    measured.report::<N>(Part::Episode);
    Ok(result?)
}
