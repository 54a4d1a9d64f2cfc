//! The fixed-point rules in f64 arithmetic: no integer is wider than the 53 bits of a float.
//!
//! A wider product or sum is an unevaluated pair of floats, kept exact by the error-free transformations of Dekker,
//! Veltkamp and Knuth. Quotients and roots are corrected by their remainders. The formulas are those of "Fixed point,
//! exactly" in `docs/numerics.md`. Scalars are rounded to 24 bits after every operation.

mod episode;
mod exact;
mod row;
mod rule;
mod stream;
mod track;

use super::fixed::{Fate, Format, Report, Row, Settings, State};
use exact::Pair;
pub use row::{backup, value};
use row::{encode, integers, raw};
use rule::{Closed, Past};
pub use track::TrackingModel;

/// A fixed-point learner in f64.
#[derive(Clone, Debug)]
pub struct Model {
    w: Vec<f64>,
    velocity: Vec<f64>,
    averaged: Vec<f64>,
    k: u32,
    past: Past,
    /// The direction of the last streamed episode.
    previous: Option<Closed>,
    p: i64,
    f: i64,
    max_rows: usize,
    settings: Settings,
}

impl Model {
    /// At w = 0, at rest.
    pub fn new(n: usize, format: Format, settings: Settings) -> Self {
        Self {
            w: vec![0.0; n],
            velocity: vec![0.0; n],
            averaged: vec![0.0; n],
            k: 0,
            past: Past::default(),
            previous: None,
            p: format.feature_bits.into(),
            f: format.fraction_bits.into(),
            max_rows: format.max_rows,
            settings,
        }
    }

    /// One update from a batch. Rows that cannot be converted are the caller's to drop, and are not counted here.
    pub fn update(&mut self, rows: &[Row]) -> Report {
        let given = rows.iter().filter_map(|(phi, target)| Some((integers(phi, self.p)?, raw(*target)?)));
        let taken: Vec<_> =
            given.map(|(phi, target)| encode(phi, self.p)?.with_target(target, self.p + self.f)).collect();
        let dropped = taken.iter().filter(|row| row.is_none()).count() as u32;
        self.learn(&taken.into_iter().flatten().collect::<Vec<_>>(), dropped)
    }

    /// Restarts learning, from w or from w̄.
    pub fn restart(&mut self, from_average: bool) {
        let start = if from_average { &self.averaged } else { &self.w }.clone();
        self.velocity = vec![0.0; start.len()];
        (self.w, self.averaged, self.k) = (start.clone(), start, 0);
    }

    /// The observable state.
    pub fn state(&self) -> State {
        let integers = |x: &[f64]| x.iter().map(|&x| x as i32).collect();
        let way: Vec<Pair> = self.velocity.iter().map(|&hi| Pair { hi, lo: 0.0 }).collect();
        State {
            k: self.k,
            w: integers(&self.w),
            velocity: integers(&self.velocity),
            averaged: integers(&self.averaged),
            step_length: (Closed::of(&way, -self.f).length() as f32).to_bits(),
        }
    }

    fn report(&self, rows: usize, dropped: u32) -> Report {
        let (k, tau) = (self.k + 1, rows as u32);
        Report { k, tau, dropped, saturated: 0, g_norm: 0, theta: 0, fate: Fate::Empty }
    }
}
