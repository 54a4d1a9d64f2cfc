//! The rule that sees each step once and keeps a trace instead of an episode.

use super::iterate::Iterate;
use super::number::{add_kept_multiple, add_multiple, div, inner, kept, mul, norm, round24, widened};
use super::past::Past;
use super::{Fate, Report, Settings, has_direction};

/// A learner in 24-bit arithmetic that stores no rows.
#[derive(Clone, Debug)]
pub struct Streaming {
    settings: Settings,
    gamma: f64,
    iterate: Iterate,
    past: Past,
    /// ĝ, the last nonzero g.
    previous: Option<Vec<f64>>,
    z: Vec<f64>,
    g: Vec<f64>,
    c: Vec<f64>,
    visited: Vec<u32>,
    dropped: u32,
}

impl Streaming {
    /// At w = 0. Of the settings, only the gain, β and the cap are used.
    pub fn new(n: usize, settings: Settings, gamma: f32) -> Self {
        let zero = vec![0.0; n];
        Self {
            settings,
            gamma: gamma.into(),
            iterate: Iterate::new(zero.clone()),
            past: Past::default(),
            previous: None,
            z: zero.clone(),
            g: zero.clone(),
            c: zero,
            visited: Vec::new(),
            dropped: 0,
        }
    }

    /// The state that updates change.
    pub fn iterate(&self) -> &Iterate {
        &self.iterate
    }

    /// Restarts from the average, with k = 0 and at rest.
    pub fn restart(&mut self) {
        self.iterate = Iterate::new(self.iterate.averaged.clone());
    }

    /// A step: z ← γz; on a first visit z += φ/‖φ‖², g += (φ·w)/‖φ‖² φ and c += (φ·ĝ)/‖φ‖² φ; then g −= Rz.
    ///
    /// Without a usable reward the step is left out. Without usable features its reward counts, but it is not a visit.
    pub fn record(&mut self, state: u32, phi: &[f32], reward: f32) {
        if !reward.is_finite() {
            self.dropped += 1;
            return;
        }
        for z in &mut self.z {
            *z = mul(self.gamma, *z);
        }
        if !self.visited.contains(&state) {
            if has_direction(phi) {
                self.visited.push(state);
                self.visit(&widened(phi));
            } else {
                self.dropped += 1;
            }
        }
        add_kept_multiple(&mut self.g, -f64::from(reward), &self.z);
    }

    fn visit(&mut self, phi: &[f64]) {
        let square = inner(phi, phi);
        add_kept_multiple(&mut self.z, div(1.0, square), phi);
        add_kept_multiple(&mut self.g, div(inner(phi, &self.iterate.w), square), phi);
        if let Some(previous) = &self.previous {
            // In units of ĝ, so it cannot go out of range.
            add_multiple(&mut self.c, div(inner(phi, previous), square), phi);
        }
    }

    /// The update at the end of an episode.
    pub fn end(&mut self) -> Report {
        let n = self.z.len();
        let tau = self.visited.len() as u32;
        let (k, dropped) = (self.iterate.k + 1, self.dropped);
        let mut report = Report { k, tau, dropped, g_norm: 0.0, theta: 0.0, fate: Fate::Empty };
        if tau > 0 {
            self.iterate.k += 1;
            report.fate = self.step(&mut report).map_or(Fate::Refused, |()| Fate::Stepped);
        }
        (self.z, self.g, self.c) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        self.visited.clear();
        self.dropped = 0;
        report
    }

    /// Returns `None` if a number leaves the range.
    fn step(&mut self, report: &mut Report) -> Option<()> {
        if !self.g.iter().all(|x| x.is_finite()) {
            return None;
        }
        let tau = f64::from(report.tau);
        let g_norm = norm(&self.g);
        report.g_norm = div(kept(g_norm), tau);
        report.theta = self.past.theta(tau, self.settings.theta_cap);
        let parameters = self.settings.parameters;
        let step = mul(self.iterate.gain(parameters.gain), report.theta);
        self.iterate.advance(step, &self.g, round24(parameters.beta))?;
        if let Some(previous) = &self.previous {
            self.past.observe(kept(norm(previous)), kept(norm(&self.c)));
        }
        self.previous = (g_norm > 0.0).then(|| self.g.clone());
        Some(())
    }
}
