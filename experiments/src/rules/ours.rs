//! The rules of the library as contenders.

use std::mem::size_of;
use std::num::NonZeroU32;

use osculate::features::OnlineScaler;
use osculate::{
    Arithmetic, Log, Predictor, Stored, StoredConfig, Streaming, StreamingConfig, Theta, Tracking, TrackingConfig,
    words,
};

use crate::contender::{Contender, Step};
use crate::tuning::{Entry, Lengths};
use crate::worlds::Problem;

/// `predictable` measures the curvature in every 8th episode: not to be better, but to be cheaper.
pub const SPARSE: StoredConfig = StoredConfig {
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

fn read<W: Copy + Into<f64>>(w: &mut Vec<f64>, weights: &[W]) {
    w.clear();
    w.extend(weights.iter().map(|&weight| weight.into()));
}

struct Batch<A: Arithmetic, const N: usize, const ROWS: usize> {
    predictor: Box<Predictor<Stored<Log<A, N, 1, ROWS>>>>,
    w: Vec<f64>,
}

/// A rule that stores the rows of an episode, such as `paper` and `predictable`.
pub fn stored<A: Arithmetic + 'static, const N: usize, const ROWS: usize>(config: StoredConfig) -> Box<dyn Contender> {
    let stored = Stored::new(config, Log::<A, N, 1, ROWS>::NEW);
    Box::new(Batch { predictor: Box::new(Predictor::new(stored)), w: vec![0.0; N] })
}

impl<A: Arithmetic, const N: usize, const ROWS: usize> Contender for Batch<A, N, ROWS> {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, step: &Step, next: Option<&Step>) {
        if step.first {
            self.predictor.learn(step.target, row(&step.phi)).expect("a usable row and room for it");
        }
        if next.is_none() {
            self.predictor.end();
            read(&mut self.w, self.predictor.estimate());
        }
    }
}

struct Stream<A: Arithmetic, const N: usize> {
    predictor: Predictor<Streaming<A, N, { words(STATES) }>>,
    is_rows: bool,
    is_on_its_way: bool,
    w: Vec<f64>,
}

/// `streaming`, by rewards, or by rows if γ = 0.
pub fn streaming<A: Arithmetic + 'static, const N: usize>(gamma: f64) -> Box<dyn Contender> {
    let config = StreamingConfig { gamma: gamma as f32, ..StreamingConfig::DEFAULT };
    let predictor = Predictor::new(Streaming::<A, N, { words(STATES) }>::by_state(config));
    Box::new(Stream { predictor, is_rows: gamma == 0.0, is_on_its_way: false, w: vec![0.0; N] })
}

impl<A: Arithmetic, const N: usize> Contender for Stream<A, N> {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, step: &Step, next: Option<&Step>) {
        let (predictor, phi) = (&mut self.predictor, row(&step.phi));
        // A trace in fixed point may overflow in extreme units: the row is dropped, and the error shows.
        if self.is_rows {
            _ = predictor.learn(step.target, phi);
        } else {
            if !self.is_on_its_way {
                _ = predictor.step_at(step.state, None, phi);
            }
            match next {
                Some(next) => _ = predictor.step_at(next.state, Some(step.reward), row(&next.phi)),
                None => predictor.finish_with(Some(step.reward)),
            }
            self.is_on_its_way = next.is_some();
        }
        if next.is_none() {
            predictor.end();
            read(&mut self.w, predictor.estimate());
        }
    }
}

struct Track<A: Arithmetic, const N: usize> {
    predictor: Predictor<Tracking<A, N>>,
    scaler: Option<OnlineScaler<N>>,
    is_rows: bool,
    is_on_its_way: bool,
    saturated: u32,
    w: Vec<f64>,
}

/// `tracking` with its defaults, by rewards, or by rows if γ = 0.
pub fn tracking<A: Arithmetic + 'static, const N: usize>(gamma: f64) -> Box<dyn Contender> {
    tracking_with::<A, N>(TrackingConfig { gamma: gamma as f32, ..TrackingConfig::DEFAULT }, false)
}

/// `tracking` with or without the online scaler.
pub fn tracking_with<A: Arithmetic + 'static, const N: usize>(
    config: TrackingConfig,
    has_scaler: bool,
) -> Box<dyn Contender> {
    let predictor = Predictor::new(Tracking::<A, N>::new(config));
    let scaler = has_scaler.then(OnlineScaler::new);
    let (is_rows, w) = (config.gamma == 0.0, vec![0.0; N]);
    Box::new(Track { predictor, scaler, is_rows, is_on_its_way: false, saturated: 0, w })
}

impl<A: Arithmetic, const N: usize> Track<A, N> {
    fn scaled(&mut self, phi: &[f32]) -> [f32; N] {
        match &mut self.scaler {
            None => *row(phi),
            Some(scaler) => scaler.scale(row(phi), &mut self.predictor).expect("finite features"),
        }
    }
}

impl<A: Arithmetic, const N: usize> Contender for Track<A, N> {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, step: &Step, next: Option<&Step>) {
        // Every row is usable; only in fixed point with columns in any units may one be out of range.
        if self.is_rows {
            let phi = self.scaled(&step.phi);
            _ = self.predictor.learn(step.target, &phi);
        } else {
            if !self.is_on_its_way {
                let phi = self.scaled(&step.phi);
                _ = self.predictor.begin(&phi);
            }
            if let Some(next) = next {
                let phi = self.scaled(&next.phi);
                _ = self.predictor.step(step.reward, &phi);
            } else {
                self.predictor.finish_with(step.reward);
            }
            self.is_on_its_way = next.is_some();
        }
        if next.is_none() {
            self.saturated += self.predictor.end().saturated;
        }
        match &self.scaler {
            None => read(&mut self.w, self.predictor.estimate()),
            Some(scaler) => read(&mut self.w, &scaler.factors().unscaled_weights(self.predictor.estimate())),
        }
    }

    fn saturated(&self) -> u32 {
        self.saturated
    }
}

/// All of them for a problem, in an arithmetic A. The words are those of B, since f64 stands for what f32 would do without
/// rounding.
pub(super) fn entries<A: Arithmetic + 'static, B: Arithmetic, const N: usize>(
    problem: &Problem,
    arithmetic: &str,
    at: Lengths,
) -> Vec<Entry> {
    let (n, gamma, is_rows) = (N as f64, problem.gamma, problem.is_rows());
    let log = || {
        let [least, more] = [size_of::<Stored<Log<B, N, 64, 64>>>(), size_of::<Stored<Log<B, N, 80, 80>>>()];
        (least as f64 + (at.longest as f64 - 64.0) * (more - least) as f64 / 16.0) / 4.0
    };
    let batch = |config: StoredConfig| {
        Box::new(move || stored::<A, N, ROWS>(StoredConfig { gamma: gamma as f32, ..config })) as _
    };
    let track = move |lambda: f32, has_scaler: bool| {
        let config = TrackingConfig { gamma: gamma as f32, lambda, ..TrackingConfig::DEFAULT };
        Box::new(move || tracking_with::<A, N>(config, has_scaler)) as _
    };
    // ‖φ‖², φ·w, w; with a trace also φ′·w, z·φ, z twice, and w again; every 16 rows 8n for the gain.
    let macs = if is_rows { 3.5 } else { 8.5 } * n;
    let memory = size_of::<Tracking<B, N>>() as f64 / 4.0;
    const LAMBDA: f32 = TrackingConfig::DEFAULT.lambda;
    let own = |name: &str, formula, macs, words, make: Box<dyn Fn() -> Box<dyn Contender> + Send + Sync>| {
        let (name, cost) = (format!("{name} {arithmetic}"), (formula, macs, words));
        Entry { ours: true, ..Entry::new(name, &[], vec![Vec::new()], cost, Box::new(move |_| make())) }
    };
    // On a first visit ‖φ‖², φ·w, φ·ĝ, z, g, c, and at every visit γz and g − Rz; rows need no z.
    let streaming_row = if is_rows { 5.0 * n } else { 8.0 * n + 2.0 * n * (at.steps - at.rows) / at.rows };
    let streaming_bytes =
        if is_rows { size_of::<Streaming<B, N>>() } else { size_of::<Streaming<B, N, { words(STATES) }>>() };
    let mut all = vec![
        // ‖φ‖², φ·w and g; φ·g and c. Per episode the norms of both, the step with its momentum, and the average.
        own("paper", "5n + 5n/r", 5.0 * n + 5.0 * n / at.rows, log(), batch(StoredConfig::PAPER)),
        own("predictable", "3.25n + 4.125n/r", 3.25 * n + 4.125 * n / at.rows, log(), batch(SPARSE)),
        own(
            "streaming",
            "8n + 2n(s - r)/r + 5n/r",
            streaming_row + 5.0 * n / at.rows,
            streaming_bytes as f64 / 4.0,
            Box::new(move || streaming::<A, N>(gamma)),
        ),
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
