//! The rules of the library, with their defaults, in f64 and q28.

use std::mem::size_of;
use std::num::NonZeroU32;

use osculate::features::OnlineScaler;
use osculate::{
    Arithmetic, Log, Predictor, Q24, Q28, Stored, StoredConfig, Streaming, StreamingConfig, Theta, Tracking,
    TrackingConfig, words,
};

use super::super::{Cost, Episode, Lengths, Problem, product};
use super::{Contender, Rule};

/// Rows that a log has room for: more than an episode of any problem has.
const ROWS: usize = 512;
/// The default λ of `tracking`.
const LAMBDA: f32 = TrackingConfig::DEFAULT.lambda;
/// `predictable` measures the curvature in every 8th episode.
const EVERY: u32 = 8;

fn row<const N: usize>(phi: &[f32]) -> &[f32; N] {
    phi.try_into().expect("as many features as weights")
}

/// `paper` and `predictable`.
struct Rows<A: Arithmetic, const N: usize>(Box<Predictor<Stored<Log<A, N, 1, ROWS>>>>);

impl<A: Arithmetic, const N: usize> Rows<A, N> {
    fn boxed(config: StoredConfig) -> Box<dyn Rule>
    where
        A: 'static,
    {
        Box::new(Self(Box::new(Predictor::new(Stored::new(config, Log::new()).expect("a valid config")))))
    }
}

impl<A: Arithmetic, const N: usize> Rule for Rows<A, N> {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, self.0.estimate())
    }

    fn learn(&mut self, episode: &Episode) {
        for step in episode.steps.iter().filter(|step| step.first) {
            self.0.learn(step.target, row(&step.phi)).expect("a usable row and room for it");
        }
        self.0.end();
    }
}

/// `streaming`, by rewards or by rows.
struct Stream<A: Arithmetic, const N: usize> {
    predictor: Predictor<Streaming<A, N, { words(1000) }>>,
    is_rows: bool,
}

impl<A: Arithmetic, const N: usize> Rule for Stream<A, N> {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, self.predictor.estimate())
    }

    fn learn(&mut self, episode: &Episode) {
        let mut reward = None;
        for step in &episode.steps {
            if self.is_rows {
                // A trace in fixed point may overflow in extreme units: the row is dropped, and the error shows.
                _ = self.predictor.learn(step.target, row(&step.phi));
            } else {
                _ = self.predictor.step_at(step.state, reward, row(&step.phi));
                reward = Some(step.reward);
            }
        }
        if !self.is_rows {
            self.predictor.last(reward);
        }
        self.predictor.end();
    }
}

/// `tracking`, by rewards or by rows, with or without the online scaler.
struct Track<A: Arithmetic, const N: usize> {
    predictor: Predictor<Tracking<A, N>>,
    scaler: Option<OnlineScaler<N>>,
    is_rows: bool,
}

impl<A: Arithmetic, const N: usize> Track<A, N> {
    fn scaled(&mut self, phi: &[f32]) -> [f32; N] {
        match &mut self.scaler {
            None => *row(phi),
            Some(scaler) => scaler.scale(row(phi), &mut self.predictor).expect("finite features"),
        }
    }
}

impl<A: Arithmetic, const N: usize> Rule for Track<A, N> {
    fn value(&self, phi: &[f32]) -> f64 {
        match &self.scaler {
            None => product(phi, self.predictor.estimate()),
            Some(scaler) => product(phi, &scaler.factors().unscaled_weights(self.predictor.estimate())),
        }
    }

    fn learn(&mut self, episode: &Episode) {
        let mut reward = None;
        for (t, step) in episode.steps.iter().enumerate() {
            let phi = self.scaled(&step.phi);
            // Every row is usable; only in fixed point with columns in any units may one be out of range.
            _ = match reward {
                _ if self.is_rows => self.predictor.learn(step.target, &phi),
                _ if t == 0 => self.predictor.begin(&phi).map(drop),
                reward => self.predictor.step(reward, &phi).map(drop),
            };
            reward = Some(step.reward);
        }
        if !self.is_rows {
            self.predictor.last(reward);
        }
        self.predictor.end();
    }
}

/// All of them for a problem.
pub(super) fn all(problem: Problem) -> Vec<Contender> {
    match problem.n {
        4 => of::<4>(problem),
        10 => of::<10>(problem),
        11 => of::<11>(problem),
        24 => of::<24>(problem),
        _ => unreachable!("no problem has this many features"),
    }
}

fn of<const N: usize>(problem: Problem) -> Vec<Contender> {
    let [f64, q28] = [in_arithmetic::<f64, f32, N>(problem, "f64"), in_arithmetic::<Q28, Q28, N>(problem, "q28")];
    let mut all: Vec<Contender> = f64.into_iter().zip(q28).flat_map(|(f64, q28)| [f64, q28]).collect();
    if problem.has_columns_in_units() {
        // Scaled features are at most 1, so weights grow by what features shrink: 8 may not be enough.
        all.extend(in_arithmetic::<Q24, Q24, N>(problem, "q24").pop());
    }
    all
}

/// In the arithmetic A; the words are those of B, since f64 stands for what f32 would do without rounding.
fn in_arithmetic<A: Arithmetic + 'static, B: Arithmetic, const N: usize>(
    problem: Problem,
    arithmetic: &str,
) -> Vec<Contender> {
    let (n, gamma, is_rows) = (N as f64, problem.gamma as f32, problem.is_rows());
    let paper = StoredConfig { gamma, ..StoredConfig::PAPER };
    let theta = Theta::Past { every: NonZeroU32::new(EVERY).expect("not 0") };
    let predictable = StoredConfig { gamma, theta, ..StoredConfig::PREDICTABLE };
    let log = |longest: usize| {
        let [least, more] = [size_of::<Stored<Log<B, N, 64, 64>>>(), size_of::<Stored<Log<B, N, 80, 80>>>()];
        (least as f64 + (longest as f64 - 64.0) * (more - least) as f64 / 16.0) / 4.0
    };
    // ‖φ‖², φ·w and g; φ·g and c, always or every 8th time. Per episode the norms of both, the step with its momentum,
    // and the average.
    let paper_cost = move |at: Lengths| Cost::new(5.0 * n + 5.0 * n / at.rows, log(at.longest));
    let share = 1.0 / f64::from(EVERY);
    let predictable_cost =
        move |at: Lengths| Cost::new((3.0 + 2.0 * share) * n + (4.0 + share) * n / at.rows, log(at.longest));
    let streaming_cost = move |at: Lengths| {
        // On a first visit ‖φ‖², φ·w, φ·ĝ, z, g, c, and at every visit γz and g − Rz; rows need no z.
        let per_row = if is_rows { 5.0 * n } else { 8.0 * n + 2.0 * n * (at.steps - at.rows) / at.rows };
        let bytes = if is_rows { size_of::<Streaming<B, N>>() } else { size_of::<Streaming<B, N, { words(1000) }>>() };
        Cost::new(per_row + 5.0 * n / at.rows, bytes as f64 / 4.0)
    };
    // ‖φ‖², φ·w, w; with a trace also φ′·w, z·φ, z twice, and w again; every 16 rows 8n for the gain.
    let tracking_macs = if is_rows { 3.5 } else { 8.5 } * n;
    let tracking_words = size_of::<Tracking<B, N>>() as f64 / 4.0;
    let contender = |name: &str, formula, make: Box<dyn Fn() -> Box<dyn Rule> + Send + Sync>, cost| Contender {
        name: format!("{name} {arithmetic}"),
        ours: true,
        parameters: &[],
        grid: vec![Vec::new()],
        make: Box::new(move |_| make()),
        cost,
        formula,
    };
    let track = move |has_scaler: bool, lambda: f32| -> Box<dyn Rule> {
        let config = TrackingConfig { gamma, lambda, ..TrackingConfig::DEFAULT };
        let predictor = Predictor::new(Tracking::<A, N>::new(config).expect("a valid config"));
        Box::new(Track { predictor, scaler: has_scaler.then(OnlineScaler::new), is_rows })
    };
    let stream = move || -> Box<dyn Rule> {
        let config = StreamingConfig { gamma, ..StreamingConfig::DEFAULT };
        Box::new(Stream::<A, N> {
            predictor: Predictor::new(Streaming::by_state(config).expect("a valid config")),
            is_rows,
        })
    };
    let mut all = vec![
        contender("paper", "5n + 5n/r", Box::new(move || Rows::<A, N>::boxed(paper)), Box::new(paper_cost) as _),
        contender(
            "predictable",
            "3.25n + 4.125n/r",
            Box::new(move || Rows::<A, N>::boxed(predictable)),
            Box::new(predictable_cost),
        ),
        contender("streaming", "8n + 2n(s - r)/r + 5n/r", Box::new(stream), Box::new(streaming_cost)),
        contender(
            "tracking",
            "8.5n; 3.5n for rows",
            Box::new(move || track(false, LAMBDA)),
            Box::new(move |_| Cost::new(tracking_macs, tracking_words)),
        ),
    ];
    if !is_rows {
        // Without a trace ‖φ‖², φ·w, φ′·w and w.
        let macs = 4.5 * n;
        all.push(contender(
            "tracking(0)",
            "4.5n",
            Box::new(move || track(false, 0.0)),
            Box::new(move |_| Cost::new(macs, tracking_words)),
        ));
    }
    if problem.has_columns_in_units() {
        all.push(contender(
            "scaled tracking",
            "9.5n; 4.5n for rows",
            Box::new(move || track(true, LAMBDA)),
            // A product with a power of two per column; a byte per column.
            Box::new(move |_| Cost::new(tracking_macs + n, tracking_words + n / 4.0)),
        ));
    }
    all
}
