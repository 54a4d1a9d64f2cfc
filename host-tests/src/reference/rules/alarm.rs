//! The gain of tracking, and the statistics of its errors.

use super::super::call::TrackingSettings;
use super::Arithmetic;

/// The depth of the gain below the largest, and the rows since the last check.
#[derive(Clone, Debug, Default)]
pub(super) struct Ladder {
    pub(super) depth: u16,
    pub(super) rows: u16,
}

fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

/// 15. The gain on rung r, before its last rounding.
fn rung(settings: &TrackingSettings, r: u16) -> f64 {
    let eighth = single(2_f64.powf(-f64::from(r % 8) / 8.0));
    f64::from(settings.gain) * (eighth * 2_f64.powi(-i32::from(r / 8)))
}

/// 15. The largest D.
fn deepest(settings: &TrackingSettings) -> u16 {
    32 * (1..=128).rev().find(|&r| single(rung(settings, r)) >= f64::from(settings.least_gain)).unwrap_or(0)
}

impl Ladder {
    /// 15. μ.
    pub(super) fn gain<A: Arithmetic>(&self, arithmetic: &A, settings: &TrackingSettings) -> f64 {
        arithmetic.round(rung(settings, (self.depth + 16) / 32))
    }

    /// 21. Moves by a cosine.
    pub(super) fn turn(&mut self, cosine: f64, settings: &TrackingSettings) {
        let most = single(36.93);
        let x = single(single(cosine) * most).clamp(-most, most);
        let change = single(x + if x < 0.0 { -0.5 } else { 0.5 }).trunc();
        self.depth = (f64::from(self.depth) - change).clamp(0.0, deepest(settings).into()) as u16;
    }
}

/// What follows from an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// The row was refused.
    Refused,
    /// It was learned from.
    Usual,
    /// A probe begins.
    Suspicion,
    /// The probe replaces w.
    Change,
    /// The probe ends without that.
    FalseAlarm,
}

/// The statistics of the errors.
#[derive(Clone, Debug, Default)]
pub(super) struct Alarm {
    /// s̄.
    pub(super) mean: f64,
    /// C.
    pub(super) excess: f64,
    /// E_v and E_w.
    pub(super) probe: f64,
    pub(super) weights: f64,
    /// s².
    pub(super) spread: f64,
    /// j.
    pub(super) count: u16,
    /// The probe's row.
    pub(super) row: u16,
}

impl Alarm {
    /// 19. The spread of the errors.
    pub(super) fn spread<A: Arithmetic>(&mut self, arithmetic: &A, error: f64, rows: u32) {
        let round = |x| arithmetic.round(x);
        let square = round(error * error);
        if square.is_finite() {
            let share = round(1.0 / f64::from(rows.min(100)));
            self.spread = round(self.spread + round(share * round(square - self.spread)));
        }
    }

    /// 19 and 20. The error of w, and that of the probe, if there is one.
    pub(super) fn observe<A: Arithmetic>(
        &mut self,
        arithmetic: &A,
        error: f64,
        probe: Option<f64>,
        (n, rows): (usize, u32),
    ) -> Finding {
        let round = |x| arithmetic.round(x);
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
            self.probe = round(self.probe + probe.min(most)).min(arithmetic.largest());
            self.weights = round(self.weights + error.min(most)).min(arithmetic.largest());
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
