//! The gain and the alarm, in f64 rounded after every operation. The numbers in the comments are the steps of
//! `docs/numerics.md`.

use super::Settings;

/// The scalars of an arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// f32.
    Single,
    /// f64.
    Double,
}

impl Precision {
    /// The nearest scalar. Of f32 operands this is the correctly rounded f32, because 53 ≥ 2·24 + 2.
    pub(in super::super) fn round(self, x: f64) -> f64 {
        match self {
            Self::Single => single(x),
            Self::Double => x,
        }
    }

    /// The largest scalar.
    pub(in super::super) fn largest(self) -> f64 {
        match self {
            Self::Single => f32::MAX.into(),
            Self::Double => f64::MAX,
        }
    }
}

/// The depth of the gain below the largest, and the rows since the last check.
#[derive(Clone, Debug)]
pub(in super::super) struct Ladder {
    pub(in super::super) depth: u16,
    pub(in super::super) rows: u16,
    limit: u16,
    largest: f64,
    precision: Precision,
}

fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

/// 15. T.
fn rung(i: u16) -> f64 {
    single(2_f64.powf(-f64::from(i) / 8.0))
}

impl Ladder {
    pub(in super::super) fn new(settings: &Settings, precision: Precision) -> Self {
        let (largest, least) = (f64::from(settings.gain), f64::from(settings.least_gain));
        let gain = |r: u16| single(largest * (rung(r % 8) * 2_f64.powi(-i32::from(r / 8))));
        let last = (0..=128).rev().find(|&r| r == 0 || gain(r) >= least).unwrap_or(0);
        Self { depth: 0, rows: 0, limit: 32 * last, largest, precision }
    }

    /// 15. μ.
    pub(in super::super) fn gain(&self) -> f64 {
        let r = (self.depth + 16) / 32;
        self.precision.round(self.largest * (rung(r % 8) * 2_f64.powi(-i32::from(r / 8))))
    }

    /// 21. Moves by a cosine.
    pub(in super::super) fn turn(&mut self, cosine: f64) {
        let most = single(36.93);
        let x = single(single(cosine) * most).clamp(-most, most);
        let change = single(x + if x < 0.0 { -0.5 } else { 0.5 }).trunc();
        self.depth = (f64::from(self.depth) - change).clamp(0.0, self.limit.into()) as u16;
    }

    /// 21. The share of the way that w̄ moves.
    pub(in super::super) fn share(&self, every: u16, n: usize) -> f64 {
        let ratio = self.precision.round(f64::from(every) / (2 * n) as f64);
        self.precision.round(self.gain() * ratio).min(0.5)
    }
}

/// What follows from an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Finding {
    Usual,
    Suspicion,
    Change,
    FalseAlarm,
}

/// The statistics of the errors.
#[derive(Clone, Debug)]
pub(in super::super) struct Alarm {
    /// s̄.
    pub(in super::super) mean: f64,
    /// C.
    pub(in super::super) excess: f64,
    /// E_v and E_w.
    pub(in super::super) probe: f64,
    pub(in super::super) weights: f64,
    /// j.
    pub(in super::super) count: u16,
    /// The probe's row.
    pub(in super::super) row: u16,
    precision: Precision,
}

impl Alarm {
    pub(in super::super) fn new(precision: Precision) -> Self {
        Self { mean: 0.0, excess: 0.0, probe: 0.0, weights: 0.0, count: 0, row: 0, precision }
    }

    /// 19 and 20. The error of w, and that of the probe, if there is one.
    pub(in super::super) fn observe(&mut self, error: f64, probe: Option<f64>, n: usize, rows: u32) -> Finding {
        let precision = self.precision;
        let round = |x| precision.round(x);
        self.count = (self.count + 1).min(200);
        let j = f64::from(self.count);
        if self.count <= 16 {
            self.mean = round(self.mean + round(round(error - self.mean) / j));
        } else {
            let bounded = error.min(round(4.0 * self.mean));
            self.mean = round(self.mean + round(round(1.0 / j) * round(bounded - self.mean)));
            if self.mean > 0.0 {
                let excess = round(self.excess + round(round(bounded / self.mean) - 1.75));
                self.excess = if excess > 0.0 { excess } else { 0.0 };
            }
        }
        let Some(probe) = probe else {
            if self.excess > 8.0 && rows as usize > 2 * n {
                (self.probe, self.weights, self.row) = (0.0, 0.0, 1);
                return Finding::Suspicion;
            }
            return Finding::Usual;
        };
        let length = (2 * n).max(16) as u16;
        if self.row > length / 4 {
            let most = round(16.0 * self.mean);
            let largest = precision.largest();
            self.probe = round(self.probe + probe.min(most)).min(largest);
            self.weights = round(self.weights + error.min(most)).min(largest);
        }
        let finding = if self.row >= length / 2 && self.probe < round(self.weights * 0.75) {
            Finding::Change
        } else if self.row >= length {
            self.mean = round(self.weights / f64::from(length - length / 4));
            Finding::FalseAlarm
        } else {
            self.row += 1;
            return Finding::Usual;
        };
        (self.excess, self.count, self.row) = (0.0, 16, 0);
        finding
    }
}
