//! The rules of the library as contenders.

use std::mem::size_of;
use std::num::NonZeroU32;

use osculate::features::OnlineScaler;
use osculate::{
    Arithmetic, Log, Predictor, Stored, StoredConfig, Streaming, StreamingConfig, Theta, Tracking, TrackingConfig,
    words,
};

use crate::contender::Contender;
use crate::tuning::{Entry, Lengths};
use crate::worlds::Problem;

/// `predictable` measures the curvature in every 8th episode: not to be better, but to be cheaper.
pub(crate) const SPARSE: StoredConfig = StoredConfig {
    theta: Theta::PastBatches { every: NonZeroU32::new(8).expect("not 0") },
    ..StoredConfig::PREDICTABLE
};

/// Rows that a log has room for: more than an episode of any problem has.
const ROWS: usize = 512;
/// States that a streaming learner knows: as many as the largest problem has.
const STATES: usize = 1000;

fn row<const N: usize>(phi: &[f32]) -> &[f32; N] {
    phi.try_into().expect("as many features as weights")
}

fn read<W: Copy + Into<f64>>(w: &mut [f64], weights: &[W]) {
    w.iter_mut().zip(weights).for_each(|(w, &weight)| *w = weight.into());
}

/// A rule that stores the rows of an episode, such as `paper` and `predictable`.
pub(crate) fn stored<A: Arithmetic + 'static, const N: usize, const ROWS: usize>(config: StoredConfig) -> Contender {
    let stored = Stored::new(config, Log::<A, N, 1, ROWS>::NEW);
    let mut predictor = Box::new(Predictor::new(stored));
    Contender::steps(N, move |learned, step, next| {
        if step.first {
            predictor.learn(step.target, row(&step.phi)).expect("a usable row and room for it");
        }
        if next.is_none() {
            predictor.end();
            read(&mut learned.w, predictor.estimate());
        }
    })
}

/// `streaming`, by rewards, or by rows if γ = 0.
pub(crate) fn streaming<A: Arithmetic + 'static, const N: usize>(gamma: f64) -> Contender {
    let config = StreamingConfig::new(gamma as f32);
    let rule = Streaming::<A, N, { words(STATES) }>::by_state(config);
    let mut predictor = Predictor::new(rule);
    Contender::steps(N, move |learned, step, next| {
        let phi = row(&step.phi);
        // A trace in fixed point may overflow in extreme units: the row is dropped, and the error shows.
        if gamma == 0.0 {
            _ = predictor.learn(step.target, phi);
        } else {
            if !learned.is_on_its_way {
                _ = predictor.step_at(step.state, None, phi);
            }
            match next {
                Some(next) => _ = predictor.step_at(next.state, Some(step.reward), row(&next.phi)),
                None => predictor.finish_with(Some(step.reward)),
            }
        }
        if next.is_none() {
            predictor.end();
            read(&mut learned.w, predictor.estimate());
        }
    })
}

/// `tracking` with its defaults, by rewards, or by rows if γ = 0.
pub(crate) fn tracking<A: Arithmetic + 'static, const N: usize>(gamma: f64) -> Contender {
    tracking_with::<A, N>(TrackingConfig::new(gamma as f32), false)
}

/// `tracking` with or without the online scaler.
pub(crate) fn tracking_with<A: Arithmetic + 'static, const N: usize>(
    config: TrackingConfig,
    has_scaler: bool,
) -> Contender {
    let mut predictor = Predictor::new(Tracking::<A, N>::new(config));
    let mut scaler = has_scaler.then(OnlineScaler::<N>::new);
    Contender::steps(N, move |learned, step, next| {
        let mut scaled = |phi: &[f32], predictor: &mut Predictor<Tracking<A, N>>| match &mut scaler {
            None => *row(phi),
            Some(scaler) => scaler.scale(row(phi), predictor).expect("finite features"),
        };
        // Every row is usable; only in fixed point with columns in any units may one be out of range.
        if config.gamma == 0.0 {
            let phi = scaled(&step.phi, &mut predictor);
            _ = predictor.learn(step.target, &phi);
        } else {
            if !learned.is_on_its_way {
                let phi = scaled(&step.phi, &mut predictor);
                _ = predictor.begin(&phi);
            }
            if let Some(next) = next {
                let phi = scaled(&next.phi, &mut predictor);
                _ = predictor.step(step.reward, &phi);
            } else {
                predictor.finish_with(step.reward);
            }
        }
        if next.is_none() {
            learned.saturated += predictor.end().saturated;
        }
        match &scaler {
            None => read(&mut learned.w, predictor.estimate()),
            Some(scaler) => read(&mut learned.w, &scaler.factors().unscaled_weights(predictor.estimate())),
        }
    })
}

/// All of them for a problem, in an arithmetic A. The words are those of B, since f64 stands for what f32 would do without
/// rounding.
pub(super) fn entries<A: Arithmetic + 'static, B: Arithmetic, const N: usize>(
    problem: &Problem,
    arithmetic: &str,
    at: Lengths,
) -> Vec<Entry> {
    let (n, gamma, is_rows) = (N as f64, problem.gamma, problem.is_rows());
    let own = |name: &str, formula: &str, macs: f64, words: f64, make: Box<dyn Fn() -> Contender + Send + Sync>| {
        let entry = Entry::fixed(format!("{name} {arithmetic}"), make);
        Entry { ours: true, formula: formula.into(), macs, words, ..entry }
    };
    let log = {
        let [least, more] = [size_of::<Stored<Log<B, N, 64, 64>>>(), size_of::<Stored<Log<B, N, 80, 80>>>()];
        (least as f64 + (at.longest as f64 - 64.0) * (more - least) as f64 / 16.0) / 4.0
    };
    let batch = |config: StoredConfig| {
        Box::new(move || stored::<A, N, ROWS>(StoredConfig { gamma: gamma as f32, ..config })) as _
    };
    let track = |lambda: f32, has_scaler: bool| {
        let config = TrackingConfig { gamma: gamma as f32, lambda, ..TrackingConfig::DEFAULT };
        Box::new(move || tracking_with::<A, N>(config, has_scaler)) as _
    };
    // ‖φ‖², φ·w, w; with a trace also φ′·w, z·φ, z twice, and w again; every 16 rows 8n for the gain.
    let macs = if is_rows { 3.5 } else { 8.5 } * n;
    let memory = size_of::<Tracking<B, N>>() as f64 / 4.0;
    const LAMBDA: f32 = TrackingConfig::DEFAULT.lambda;
    // On a first visit ‖φ‖², φ·w, φ·ĝ, z, g, c, and at every visit γz and g − Rz; rows need no z.
    let streaming_row = if is_rows { 5.0 * n } else { 8.0 * n + 2.0 * n * (at.steps - at.rows) / at.rows };
    let streaming_macs = streaming_row + 5.0 * n / at.rows;
    let streaming_bytes =
        if is_rows { size_of::<Streaming<B, N>>() } else { size_of::<Streaming<B, N, { words(STATES) }>>() };
    let streams = Box::new(move || streaming::<A, N>(gamma));
    let mut all = vec![
        // ‖φ‖², φ·w and g; φ·g and c. Per episode the norms of both, the step with its momentum, and the average.
        own("paper", "5n + 5n/r", 5.0 * n + 5.0 * n / at.rows, log, batch(StoredConfig::PAPER)),
        own("predictable", "3.25n + 4.125n/r", 3.25 * n + 4.125 * n / at.rows, log, batch(SPARSE)),
        own("streaming", "8n + 2n(s - r)/r + 5n/r", streaming_macs, streaming_bytes as f64 / 4.0, streams),
        own("tracking", "8.5n; 3.5n for rows", macs, memory, track(LAMBDA, false)),
    ];
    if !is_rows {
        // Without a trace ‖φ‖², φ·w, φ′·w and w.
        all.push(own("tracking(0)", "4.5n", 4.5 * n, memory, track(0.0, false)));
    }
    if problem.has_columns_in_units() {
        // A product with a power of two per column; a byte per column.
        let memory = memory + n / 4.0;
        all.push(own("scaled tracking", "9.5n; 4.5n for rows", macs + n, memory, track(LAMBDA, true)));
    }
    all
}
