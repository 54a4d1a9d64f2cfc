//! Measures the learners without a log: streaming and tracking.

use core::hint::black_box;

use osculate::Learner;
use osculate::{Predictor, RowError, Streaming, StreamingConfig, Tracking, TrackingConfig};
use osculate_programs::count::{Part, Stretch};

use crate::parts::{GAMMA, Measured, Meter, Refused, fill};
use crate::workload::{Measurable, Workload};

#[inline(never)]
pub(crate) fn streaming<A: Measurable, const N: usize>(meter: &Meter) -> Result<(), Refused> {
    let mut learner = Streaming::<A, N>::try_new(StreamingConfig { gamma: GAMMA, ..StreamingConfig::DEFAULT })?;
    for _ in 0..2 {
        fill::<A, N>(&mut learner, 4)?;
        learner.end();
    }
    let mut workload = Workload::new(N + 1);
    let (floats, reward) = (workload.features(), workload.number());
    let features = A::raw(floats);
    let mut result = Ok(());
    let measured = meter.part(|| {
        result = learner.observe_raw(None, &features);
        learner.reward(Some(reward));
    });
    measured.report::<N>(Part::StreamStepRaw);
    let mut end = || {
        black_box(learner.end());
    };
    let stack = meter.depth(&mut end);
    // An episode without steps would have no update.
    fill::<A, N>(&mut learner, 1)?;
    let measured = meter.count(|| {
        black_box(learner.end());
    });
    Measured { stack, ..measured }.report::<N>(Part::StreamEnd);
    result?;

    let mut predictor = Predictor::new(learner);
    predictor.begin(&floats)?;
    let mut result = Ok(0.0);
    let measured = meter.part(|| result = predictor.step(reward, &floats));
    measured.report::<N>(Part::StreamStep);
    black_box(result?);
    Ok(())
}

/// The samples of a tracking learner: rows with targets, and with and without a trace; first as users call it, then with
/// features in the arithmetic's own numbers.
pub(crate) fn tracking<A: Measurable, const N: usize>(meter: &Meter) -> Result<(), Refused> {
    let step = |it: &mut Predictor<Tracking<A, N>>, signal: f32, floats: &[f32; N], _: &A::Raw<N>| {
        it.step(signal, floats).map(|value| _ = black_box(value))
    };
    let step_raw = |it: &mut Predictor<Tracking<A, N>>, signal: f32, _: &[f32; N], raw: &A::Raw<N>| {
        it.step_raw(signal, raw).map(|value| _ = black_box(value))
    };
    samples::<A, N>(meter, (Part::TrackRow, 0.0), |it, target, floats, _| it.learn(target, floats))?;
    samples::<A, N>(meter, (Part::TrackPredict, 0.0), step)?;
    samples::<A, N>(meter, (Part::TrackStep, GAMMA), step)?;
    samples::<A, N>(meter, (Part::TrackRowRaw, 0.0), |it, target, _, raw| it.learn_raw(target, raw))?;
    samples::<A, N>(meter, (Part::TrackPredictRaw, 0.0), step_raw)?;
    samples::<A, N>(meter, (Part::TrackStepRaw, GAMMA), step_raw)
}

/// The periods before the one that is counted: 208 rows, after which the statistics of the errors take their time for good.
const WARM: u32 = 13;

/// One period of the gain, at whose end it is checked.
#[inline(never)]
fn samples<A: Measurable, const N: usize>(
    meter: &Meter,
    (part, gamma): (Part, f32),
    learn: impl Fn(&mut Predictor<Tracking<A, N>>, f32, &[f32; N], &A::Raw<N>) -> Result<(), RowError>,
) -> Result<(), Refused> {
    let config = TrackingConfig { gamma, ..TrackingConfig::DEFAULT };
    let mut predictor = Predictor::new(Tracking::<A, N>::try_new(config)?);
    let mut workload = Workload::new(N + 1);
    let (mut instructions, mut stack, mut first) = (0, 0, 0);
    for round in 0..=WARM {
        (instructions, first) = (0, meter.counter.counted());
        for _ in 0..config.every {
            let (floats, reward) = (workload.features(), workload.number());
            let features = A::raw(floats);
            let mut result = Ok(());
            let mut step = || result = learn(&mut predictor, reward, &floats, &features);
            match round {
                0 => stack = stack.max(meter.depth(&mut step)),
                _ => instructions += meter.count(&mut step).instructions,
            }
            result?;
        }
    }
    let stretch = Stretch { first, length: meter.counter.counted() - first, times: 1 };
    Measured { instructions, stack, stretch }.report::<N>(part);
    Ok(())
}
