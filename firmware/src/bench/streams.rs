//! Measures the learners without a log: streaming and tracking.

use core::hint::black_box;

use osculate::Learner;
use osculate::{RowError, Streaming, StreamingConfig, Tracking, TrackingConfig};
use osculate_programs::count::{Count, Part, Stretch};

use super::parts::{GAMMA, Measured, Meter, Refused, fill};
use super::workload::{Measurable, Workload};

#[inline(never)]
pub(super) fn streaming<A: Measurable, const N: usize>(
    meter: &Meter,
    report: &mut impl FnMut(Count),
) -> Result<(), Refused> {
    let mut learner = Streaming::<A, N>::try_new(StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT })?;
    for _ in 0..2 {
        fill::<A, N>(&mut learner, 4)?;
        learner.end();
    }
    let mut workload = Workload::new(N + 1);
    let (features, reward) = (workload.features::<A, N>(), workload.number());
    let mut result = Ok(());
    let measured = meter.part(|| {
        result = learner.observe_raw(None, &features);
        learner.reward(Some(reward));
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

/// The samples of a tracking learner: rows with targets, and with and without a trace.
pub(super) fn tracking_rows<A: Measurable, const N: usize>(
    meter: &Meter,
    report: &mut impl FnMut(Count),
) -> Result<(), Refused> {
    // The norm, the residual, the step; the prediction; with a trace also the next value, z·φ, the trace and the step
    // along it.
    let row = |learner: &mut Tracking<A, N>, reward, features: &A::Raw<N>| learner.learn_raw(reward, features);
    let step = |learner: &mut Tracking<A, N>, reward, features: &A::Raw<N>| {
        learner.reward(Some(reward));
        learner.observe_raw(None, features)?;
        black_box(learner.open_value());
        Ok(())
    };
    tracking::<A, N>(meter, (Part::TrackRow, 0.0, 3 * N), row, report)?;
    tracking::<A, N>(meter, (Part::TrackPredict, 0.0, 4 * N), step, report)?;
    tracking::<A, N>(meter, (Part::TrackStep, GAMMA, 9 * N), step, report)
}

/// The periods before the one that is counted: 208 rows, after which the statistics of the errors take their time for good.
const WARM: u32 = 13;

/// One period of the gain, whose check takes 8n multiply-accumulates more: two differences, two scalings, two norms, the
/// cosine and the average.
#[inline(never)]
fn tracking<A: Measurable, const N: usize>(
    meter: &Meter,
    (part, gamma, macs): (Part, f32, usize),
    learn: impl Fn(&mut Tracking<A, N>, f32, &A::Raw<N>) -> Result<(), RowError>,
    report: &mut impl FnMut(Count),
) -> Result<(), Refused> {
    let config = TrackingConfig { gamma, ..TrackingConfig::DEFAULT };
    let mut learner = Tracking::<A, N>::try_new(config)?;
    let period = u32::from(config.every);
    let mut workload = Workload::new(N + 1);
    let (mut instructions, mut stack, mut first) = (0, 0, 0);
    for round in 0..=WARM {
        (instructions, first) = (0, meter.counter.counted());
        for _ in 0..period {
            let (features, reward) = (workload.features::<A, N>(), workload.number());
            let mut result = Ok(());
            let mut step = || result = learn(&mut learner, reward, &features);
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
