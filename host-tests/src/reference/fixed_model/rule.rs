//! One update: sums over rows, norms, ϑ, and the step.

use super::super::Gain;
use super::super::fixed::{Fate, Report, Rule};
use super::Model;
use super::exact::{Pair, clipped, dot, power, root, shrunk, single, times, two_product};
use super::row::Encoded;

/// A closed sum: mantissas, their norm ‖d‖ with 2²³ counting as 1, and the exponent of the power of two that scales it.
#[derive(Clone, Debug)]
pub(super) struct Closed {
    pub(super) d: Vec<f64>,
    pub(super) norm: f64,
    pub(super) exponent: i64,
}

impl Closed {
    /// Closes a sum in units of 2^unit.
    pub(super) fn of(sum: &[Pair], unit: i64) -> Self {
        let longest = sum.iter().map(|sum| sum.bits()).max().unwrap_or(0);
        let s = if longest == 0 { 0 } else { longest - 24 };
        let d: Vec<f64> = sum.iter().map(|sum| sum.rounded(-s).value()).collect();
        let square = dot(&d, &d);
        let z = (64 - square.bits()) / 2 * 2;
        let whole = Pair { hi: square.hi * power(z), lo: square.lo * power(z) };
        let norm = single(root(whole)) * power(-z / 2 - 23);
        Self { d, norm, exponent: unit + s + 23 }
    }

    pub(super) fn length(&self) -> f64 {
        single(self.norm * power(self.exponent))
    }
}

/// The lengths of G and C, averaged over past updates.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    lengths: [f64; 2],
    count: u32,
}

impl Past {
    fn ratio(&self, tau: f64, cap: Option<f32>) -> f64 {
        let [total, change] = self.lengths;
        let cap = f64::from(cap.unwrap_or(f32::MAX));
        if total * change == 0.0 {
            single(1.0 / tau)
        } else {
            // If it is out of range, it is infinite, and the cap applies.
            single(total / change).min(cap)
        }
    }

    fn observe(&mut self, now: [f64; 2]) {
        self.count += 1;
        let share = single(1.0 / f64::from(self.count.min(50)));
        for (mean, now) in self.lengths.iter_mut().zip(now) {
            *mean = single(*mean + single(share * single(now - *mean)));
        }
    }
}

/// Adds q·φ. Returns whether q saturated.
pub(super) fn add(sum: &mut [Pair], row: &Encoded, (q, saturated): (f64, bool)) -> u32 {
    sum.iter_mut().zip(&row.m).for_each(|(sum, &m)| *sum = sum.add(two_product(q, m)));
    u32::from(saturated)
}

impl Model {
    /// (φ·w − V)/‖φ‖², with F − 2 fraction bits.
    pub(super) fn residual(&self, row: &Encoded) -> (f64, bool) {
        row.project(dot(&row.m, &self.w).minus(row.t), self.p - 2)
    }

    /// (φ·d)/‖φ‖².
    pub(super) fn project(&self, row: &Encoded, d: &[f64]) -> (f64, bool) {
        row.project(dot(&row.m, d), self.p + 1)
    }

    /// G from a sum of residuals.
    pub(super) fn close_total(&self, sum: &[Pair]) -> Closed {
        Closed::of(sum, 2 - self.f - self.p)
    }

    /// C from a sum along mantissas, with 2²³ counting as 1.
    pub(super) fn close_change(&self, sum: &[Pair]) -> Closed {
        Closed::of(sum, -24 - self.p)
    }

    fn gain(&self) -> f64 {
        let k = single(self.k.into());
        match self.settings.gain {
            Gain::Harmonic => single(1.0 / k),
            Gain::ThreeQuarters => {
                let half = single(k.sqrt());
                single(1.0 / single(half * single(half.sqrt())))
            }
            Gain::Constant(gain) => single(gain),
        }
    }

    /// One update from encoded rows.
    pub(super) fn learn(&mut self, rows: &[Encoded], dropped: u32) -> Report {
        let mut report = self.report(rows.len(), dropped);
        if rows.is_empty() {
            return report;
        }
        self.k += 1;
        let settings = self.settings;
        let (tau, mut sum) = (rows.len() as f64, vec![Pair::default(); self.w.len()]);
        let saturated: u32 = rows.iter().map(|row| add(&mut sum, row, self.residual(row))).sum();
        let g = self.close_total(&sum);
        let length = g.length();
        report.g_norm = to_bits(single(length / tau));
        let asks = settings.rule == Rule::Paper
            || settings.rule == Rule::Predictable && (report.k - 1).is_multiple_of(settings.curvature_every);
        let bends = asks && rows.len() > 1 && g.norm > 0.0;
        // ‖G‖/‖C‖ of the mantissas if measured, and ‖C‖.
        let (ratio, change) = if bends {
            let mut sum = vec![Pair::default(); self.w.len()];
            for row in rows {
                add(&mut sum, row, self.project(row, &g.d));
            }
            let c = self.close_change(&sum).length();
            (Some(single(g.norm / c)), single(c * power(g.exponent)))
        } else {
            (None, length)
        };
        let mut theta = match settings.rule {
            Rule::Predictable => self.past.ratio(tau, settings.theta_cap),
            // ϑ ≥ 1, because H ≤ I.
            _ => ratio.map_or(1.0, |ratio| single(tau * ratio).max(1.0)),
        };
        if let Some(cap) = settings.theta_cap {
            theta = theta.min(cap.into());
        }
        let mean = single(change / tau);
        // If c was not measured, the length of the mean g is compared.
        let compared = if asks { single(mean / tau) } else { mean };
        if compared < f64::from(settings.skip_below) || theta == f64::INFINITY {
            report.fate = Fate::Skipped;
            return report;
        }
        let step = single(self.gain() * theta);
        let step = if settings.rule == Rule::Predictable { step } else { single(step / tau) };
        self.finish(&mut report, &g, theta, step);
        if report.fate == Fate::Stepped {
            report.saturated += saturated;
            if settings.rule == Rule::Predictable && asks {
                self.past.observe([length, change]);
            }
        }
        report
    }

    /// One update from the sums of a streamed episode, in which `saturated` numbers saturated.
    pub(super) fn learn_streamed(&mut self, sums: [&[Pair]; 2], saturated: u32, mut report: Report) -> Report {
        self.k += 1;
        let (g, c) = (self.close_total(sums[0]), self.close_change(sums[1]));
        let tau = f64::from(report.tau);
        report.g_norm = to_bits(single(g.length() / tau));
        let theta = self.past.ratio(tau, self.settings.theta_cap);
        let step = single(self.gain() * theta);
        self.finish(&mut report, &g, theta, step);
        if report.fate == Fate::Stepped {
            report.saturated += saturated;
            if let Some(previous) = &self.previous {
                self.past.observe([previous.length(), single(c.length() * power(previous.exponent))]);
            }
            self.previous = if g.norm == 0.0 { None } else { Some(g) };
        }
        report
    }

    fn finish(&mut self, report: &mut Report, g: &Closed, theta: f64, step: f64) {
        report.theta = to_bits(theta);
        report.fate = Fate::Overflow;
        if step < f64::INFINITY {
            report.fate = Fate::Stepped;
            report.saturated = self.advance(&g.d, step * power(g.exponent - 23 + self.f));
        }
    }

    /// Computes w⁺ = w + βv − step·d and w̄. Returns how many weights saturated.
    fn advance(&mut self, d: &[f64], step: f64) -> u32 {
        let share = single(4.0 / single(f64::from(self.k) + 3.0));
        let mut cut = 0;
        for (i, &d) in d.iter().enumerate() {
            let (w, mean) = (self.w[i], self.averaged[i]);
            // 24 bits times 25: exact.
            let (change, is_change_cut) = clipped((step * d).round_ties_even());
            let (next, is_weight_cut) = clipped(w + shrunk(self.velocity[i], self.settings.beta.into()) - change);
            self.w[i] = next;
            (self.velocity[i], _) = clipped(next - w);
            self.averaged[i] = mean + times(next - mean, share);
            cut += u32::from(is_change_cut || is_weight_cut);
        }
        cut
    }
}

fn to_bits(x: f64) -> u32 {
    (x as f32).to_bits()
}
