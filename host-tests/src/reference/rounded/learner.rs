//! The rules that work on stored rows.

use super::super::Row;
use super::iterate::Iterate;
use super::number::{add_kept_multiple, add_multiple, div, inner, kept, mul, norm, round24, sub, widened};
use super::past::Past;
use super::{Fate, Report, Rule, Settings, has_direction};

/// A learner in 24-bit arithmetic.
#[derive(Clone, Debug)]
pub struct Rounded {
    settings: Settings,
    iterate: Iterate,
    past: Past,
}

/// A usable row.
struct Usable {
    phi: Vec<f64>,
    v: f64,
    square: f64,
}

impl Usable {
    fn new((phi, v): &Row) -> Option<Self> {
        if !has_direction(phi) || !v.is_finite() {
            return None;
        }
        let (phi, v) = (widened(phi), f64::from(*v));
        let largest = phi.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        // The power of two at or below the largest feature. The target must also be finite in f32 when divided by it.
        let unit = f64::from_bits(largest.to_bits() >> 52 << 52);
        let square = inner(&phi, &phi);
        kept(v / unit).is_finite().then_some(Self { phi, v, square })
    }
}

/// G = Σ ((φ·w − V)/‖φ‖²) φ over all rows: a sum, not a mean. The scalars take care of the division by τ.
fn total_projection(rows: &[Usable], w: &[f64]) -> Vec<f64> {
    let mut total = vec![0.0; w.len()];
    for Usable { phi, v, square } in rows {
        add_kept_multiple(&mut total, div(sub(inner(phi, w), *v), *square), phi);
    }
    total
}

/// C = Σ ((φ·g)/‖φ‖²) φ over all rows. It is in units of g, so it cannot go out of range.
fn change_along(rows: &[Usable], g: &[f64]) -> Vec<f64> {
    let mut total = vec![0.0; g.len()];
    for Usable { phi, square, .. } in rows {
        add_multiple(&mut total, div(inner(phi, g), *square), phi);
    }
    total
}

impl Rounded {
    /// At w = 0, at rest.
    pub fn new(n: usize, settings: Settings) -> Self {
        Self { settings, iterate: Iterate::new(vec![0.0; n]), past: Past::default() }
    }

    /// The state that updates change.
    pub fn iterate(&self) -> &Iterate {
        &self.iterate
    }

    /// w.
    pub fn weights(&self) -> &[f64] {
        self.iterate.weights()
    }

    /// Restarts from the estimate, with k = 0 and at rest.
    pub fn restart(&mut self) {
        let estimate = match self.settings.rule {
            Rule::Predictable => &self.iterate.averaged,
            Rule::Paper | Rule::Plain => &self.iterate.w,
        };
        self.iterate = Iterate::new(estimate.clone());
    }

    /// One update. Unusable rows are dropped and added to the count `dropped`.
    pub fn update(&mut self, rows: &[Row], dropped: u32) -> Report {
        let usable: Vec<Usable> = rows.iter().filter_map(Usable::new).collect();
        let dropped = dropped + (rows.len() - usable.len()) as u32;
        let tau = usable.len() as u32;
        let mut report = Report { k: self.iterate.k + 1, tau, dropped, g_norm: 0.0, theta: 0.0, fate: Fate::Empty };
        if !usable.is_empty() {
            self.iterate.k += 1;
            report.fate = self.step(&usable, &mut report).unwrap_or(Fate::Refused);
        }
        report
    }

    /// Returns `None` if a number leaves the range.
    fn step(&mut self, rows: &[Usable], report: &mut Report) -> Option<Fate> {
        let Settings { rule, parameters, theta_cap, curvature_every } = self.settings;
        let tau = f64::from(report.tau);
        let total = total_projection(rows, &self.iterate.w);
        if !total.iter().all(|g| g.is_finite()) {
            return None;
        }
        let total_norm = norm(&total);
        report.g_norm = div(kept(total_norm), tau);
        let measures = match rule {
            Rule::Paper => true,
            Rule::Plain => false,
            Rule::Predictable => (report.k - 1).is_multiple_of(curvature_every),
        };
        // A single row reproduces g exactly, and g = 0 has no curvature.
        let change_norm =
            if measures && rows.len() > 1 && total_norm > 0.0 { norm(&change_along(rows, &total)) } else { total_norm };
        let theta = match rule {
            Rule::Paper if rows.len() == 1 || total_norm == 0.0 => 1.0,
            Rule::Paper => mul(tau, div(total_norm, change_norm)).max(1.0),
            Rule::Plain => 1.0,
            Rule::Predictable => self.past.theta(tau, theta_cap),
        };
        let theta = theta.min(theta_cap.map_or(f64::INFINITY, round24));
        // ‖c‖ of the means, or ‖g‖ if c was not measured.
        let compared = if measures { div(div(kept(change_norm), tau), tau) } else { report.g_norm };
        if compared < round24(parameters.skip_below) || theta.is_infinite() {
            return Some(Fate::Skipped);
        }
        report.theta = theta;
        let gain = mul(self.iterate.gain(parameters.gain), theta);
        // ϑ applies to the sum under `Predictable`, and to the mean g otherwise.
        let step = if rule == Rule::Predictable { gain } else { div(gain, tau) };
        self.iterate.advance(step, &total, round24(parameters.beta))?;
        if rule == Rule::Predictable && measures {
            self.past.observe(kept(total_norm), kept(change_norm));
        }
        Some(Fate::Stepped)
    }
}
