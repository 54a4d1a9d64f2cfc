//! One update: sums over rows, norms, ϑ, and the step.

use super::super::Gain;
use super::super::fixed::{Fate, Report, Rule};
use super::row::Encoded;
use super::{Oracle, cut32, dot, integer_and_exponent, len, shifted, shrunk, times};

/// A closed sum: d·2^(e − 23) with mantissas d.
#[derive(Clone, Debug)]
pub(super) struct Closed {
    pub(super) d: Vec<i128>,
    pub(super) e: i64,
}

/// Running averages of ‖G‖ and ‖C‖.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    total: f32,
    change: f32,
    count: u32,
}

/// 2^e, for an exponent in f32's range.
fn power(e: i64) -> f32 {
    2_f32.powi(e as i32)
}

/// 5. Closes a sum in units of 2^unit.
pub(super) fn close(sum: &[i128], unit: i64) -> Closed {
    let largest = sum.iter().map(|x| x.abs()).max().unwrap_or(0);
    let s = if largest == 0 { 0 } else { len(largest) - 24 };
    Closed { d: sum.iter().map(|&x| shifted(x, -s)).collect(), e: unit + s + 23 }
}

impl Closed {
    /// 7. ‖d‖, with a mantissa of 2²³ counting as 1.
    pub(super) fn norm(&self) -> f32 {
        let x = dot(&self.d, &self.d);
        let z = (64 - len(x)) / 2 * 2;
        let root = ((x as u128) << z).isqrt();
        root as f32 * power(-z / 2) * power(-23)
    }

    /// ‖d‖·2^e.
    pub(super) fn length(&self) -> f32 {
        self.norm() * power(self.e)
    }
}

impl Past {
    /// 9. ϑ.
    pub(super) fn ratio(&self, tau: f32, cap: Option<f32>) -> f32 {
        let cap = cap.unwrap_or(f32::MAX);
        match self {
            Self { total, change, .. } if *total == 0.0 || *change == 0.0 => 1.0 / tau,
            Self { total, change, .. } => (total / change).min(cap),
        }
    }

    /// 9. Updates the averages after the step.
    pub(super) fn observe(&mut self, total: f32, change: f32) {
        self.count += 1;
        let f = (1.0 / self.count as f32).max(1.0 / 50.0);
        self.total += f * (total - self.total);
        self.change += f * (change - self.change);
    }
}

impl Oracle {
    pub(super) fn p(&self) -> i64 {
        self.format.feature_bits.into()
    }

    pub(super) fn f(&self) -> i64 {
        self.format.fraction_bits.into()
    }

    /// 4. The unit of G.
    pub(super) fn g_unit(&self) -> i64 {
        2 - self.p() - self.f()
    }

    /// 4. The residual's quotient.
    pub(super) fn residual(&self, row: &Encoded) -> (i128, bool) {
        row.quotient(dot(&row.m, &self.w) - row.t, self.p() - 2)
    }

    /// 6. The unit of C, in units of d.
    pub(super) fn c_unit(&self) -> i64 {
        -self.p() - 1 - 23
    }

    /// 6. The quotient along d.
    pub(super) fn project(&self, row: &Encoded, d: &[i128]) -> (i128, bool) {
        row.quotient(dot(&row.m, d), self.p() + 1)
    }

    /// η_k.
    fn gain(&self) -> f32 {
        let k = self.k as f32;
        match self.settings.gain {
            Gain::Harmonic => 1.0 / k,
            Gain::ThreeQuarters => 1.0 / (k.sqrt() * k.sqrt().sqrt()),
            Gain::Constant(gain) => gain as f32,
        }
    }

    /// 4 to 10. One update from encoded rows.
    pub(super) fn learn(&mut self, rows: &[Encoded], dropped: u32) -> Report {
        let mut report = self.report(rows.len(), dropped);
        if rows.is_empty() {
            return report;
        }
        self.k += 1;
        let (n, tau) = (self.w.len(), rows.len() as f32);
        let (mut sum, mut saturated) = (vec![0; n], 0);
        for row in rows {
            saturated += add(&mut sum, row, self.residual(row));
        }
        let g = close(&sum, self.g_unit());
        report.g_norm = (g.length() / tau).to_bits();
        // 8.
        let is_measured = match self.settings.rule {
            Rule::Paper => true,
            Rule::Plain => false,
            Rule::Predictable => (self.k - 1).is_multiple_of(self.settings.curvature_every),
        };
        let (ratio, change) = if !is_measured || rows.len() < 2 || g.norm() == 0.0 {
            (1.0 / tau, g.length())
        } else {
            let mut sum = vec![0; n];
            for row in rows {
                add(&mut sum, row, self.project(row, &g.d));
            }
            let c = close(&sum, self.c_unit()).length();
            (g.norm() / c, c * power(g.e))
        };
        let cap = self.settings.theta_cap;
        let theta = match self.settings.rule {
            Rule::Paper => (tau * ratio).max(1.0),
            Rule::Plain => 1.0,
            Rule::Predictable => self.past.ratio(tau, cap),
        };
        let theta = theta.min(cap.unwrap_or(f32::INFINITY));
        let compared = if is_measured { change / tau / tau } else { g.length() / tau };
        if compared < self.settings.skip_below || theta.is_infinite() {
            return Report { fate: Fate::Skipped, ..report };
        }
        report.theta = theta.to_bits();
        let step = self.gain() * theta;
        let is_predictable = self.settings.rule == Rule::Predictable;
        let Some(cut) = self.advance(&g, if is_predictable { step } else { step / tau }) else {
            return Report { fate: Fate::Overflow, ..report };
        };
        if is_predictable && is_measured {
            self.past.observe(g.length(), change);
        }
        Report { fate: Fate::Stepped, saturated: saturated + cut, ..report }
    }

    /// 14. One update from a streamed episode: from G, and from C along the previous direction.
    pub(super) fn learn_streamed(&mut self, g: Closed, c: &Closed, mut report: Report) -> Report {
        self.k += 1;
        let tau = report.tau as f32;
        report.g_norm = (g.length() / tau).to_bits();
        let theta = self.past.ratio(tau, self.settings.theta_cap);
        report.theta = theta.to_bits();
        let Some(cut) = self.advance(&g, self.gain() * theta) else {
            return Report { fate: Fate::Overflow, saturated: 0, ..report };
        };
        if let Some(previous) = &self.previous {
            let change = c.length() * power(previous.e);
            self.past.observe(previous.length(), change);
        }
        self.previous = Some(g).filter(|g| g.norm() > 0.0);
        Report { fate: Fate::Stepped, saturated: report.saturated + cut, ..report }
    }

    /// 10. Returns how many weights saturated, either in the weight or in its change; each counts once. Returns `None`
    ///     if the step is not finite.
    fn advance(&mut self, g: &Closed, step: f32) -> Option<u32> {
        if !step.is_finite() {
            return None;
        }
        let (a, alpha) = integer_and_exponent(step);
        let share = 4.0 / (self.k + 3) as f32;
        let mut cut = 0;
        for (i, d) in g.d.iter().enumerate() {
            let (w, v) = (self.w[i], self.velocity[i]);
            let (change, is_change_cut) = cut32(shifted(a * d, alpha + g.e - 23 + self.f()));
            let (next, is_weight_cut) = cut32(w + shrunk(v, self.settings.beta) - change);
            cut += u32::from(is_change_cut || is_weight_cut);
            self.w[i] = next;
            // The distance from one end of the range to the other does not fit in a velocity.
            (self.velocity[i], _) = cut32(next - w);
            self.averaged[i] += times(next - self.averaged[i], share);
        }
        Some(cut)
    }
}

/// sum += q·m. Returns 1 if q saturated.
pub(super) fn add(sum: &mut [i128], row: &Encoded, (q, saturated): (i128, bool)) -> u32 {
    sum.iter_mut().zip(&row.m).for_each(|(sum, m)| *sum += q * m);
    saturated.into()
}
