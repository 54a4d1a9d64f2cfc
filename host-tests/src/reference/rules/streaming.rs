//! Streaming: a trace instead of a log.

use std::collections::HashSet;

use super::super::call::{Fate, Report};
use super::episodes::Memory;
use super::iterate::Iterate;
use super::{Arithmetic, Direction, SumOf};

/// 13. The sums of an episode, and the direction of the one before.
#[derive(Clone, Debug)]
pub struct Streaming<A: Arithmetic> {
    previous: Option<Direction<A::Number>>,
    /// z, G and C; empty before the first step.
    z: Vec<A::Number>,
    total: Vec<A::Number>,
    change: Vec<A::Number>,
    seen: HashSet<u32>,
    tau: u32,
    saturated: u32,
}

impl<A: Arithmetic> Default for Streaming<A> {
    fn default() -> Self {
        let (total, change) = (Vec::new(), Vec::new());
        Self { previous: None, z: Vec::new(), total, change, seen: HashSet::new(), tau: 0, saturated: 0 }
    }
}

impl<A: Arithmetic> Streaming<A> {
    fn begin(&mut self, n: usize) {
        if self.z.is_empty() {
            self.z = vec![A::Number::default(); n];
            self.total = vec![A::Number::default(); n];
            self.change = vec![A::Number::default(); n];
        }
    }

    /// 14. Returns `None` if the step is refused.
    fn step(&mut self, iterate: &mut Iterate<A>, report: &mut Report) -> Option<()> {
        let arithmetic = iterate.arithmetic.clone();
        let tau = f64::from(report.tau);
        let g = arithmetic.normalised(&self.total, SumOf::Residuals)?;
        let c = arithmetic.normalised(&self.change, SumOf::Changes)?;
        report.g_norm = (arithmetic.round(g.length(&arithmetic, 0) / tau) as f32).to_bits();
        let theta = iterate.past.theta(&arithmetic, tau, iterate.settings.theta_cap);
        report.theta = (theta as f32).to_bits();
        let gain = iterate.gain(theta);
        report.saturated = self.saturated + iterate.step(&g, gain)?;
        if let Some(previous) = &self.previous {
            let lengths = [previous.length(&arithmetic, 0), c.length(&arithmetic, previous.exponent)];
            iterate.past.observe(&arithmetic, lengths);
        }
        self.previous = Some(g).filter(|g| g.norm > 0.0);
        Some(())
    }

    /// A row: its part of G, by its own target or by none, and of C.
    fn sum(&mut self, iterate: &Iterate<A>, row: &A::Row) {
        let Iterate { arithmetic, w, .. } = iterate;
        let (q, is_cut) = arithmetic.residual(row, w);
        arithmetic.add(&mut self.total, row, q, SumOf::Residuals);
        if let Some(previous) = &self.previous {
            arithmetic.add(&mut self.change, row, arithmetic.along(row, previous), SumOf::Changes);
        }
        self.saturated += u32::from(is_cut);
        self.tau += 1;
    }
}

impl<A: Arithmetic> Memory<A> for Streaming<A> {
    fn knows(&self, state: u32) -> bool {
        self.seen.contains(&state)
    }

    fn row_of(&self, _: u32) -> Option<&A::Row> {
        None
    }

    fn has_room(&self, iterate: &Iterate<A>, is_first: bool) -> bool {
        !is_first || (self.tau as usize) < iterate.arithmetic.most_rows()
    }

    fn record(&mut self, iterate: &Iterate<A>, state: Option<u32>, row: Option<A::Row>, reward: A::Number) {
        let Iterate { arithmetic, settings, w, .. } = iterate;
        self.begin(w.len());
        if settings.gamma < 1.0 {
            arithmetic.decay(&mut self.z, settings.gamma);
        }
        if let Some(row) = row {
            self.seen.extend(state);
            self.saturated += arithmetic.enter(&mut self.z, &row);
            self.sum(iterate, &row);
        }
        self.saturated += arithmetic.credit(&mut self.total, &self.z, reward);
    }

    fn give(&mut self, iterate: &Iterate<A>, row: A::Row) {
        self.begin(iterate.w.len());
        self.sum(iterate, &row);
    }

    fn update(&mut self, iterate: &mut Iterate<A>, _: Option<A::Number>, dropped: u32) -> Report {
        let mut report = iterate.report(self.tau as usize, dropped);
        if self.tau > 0 {
            iterate.k += 1;
            report.fate = self.step(iterate, &mut report).map_or(Fate::Refused, |()| Fate::Stepped);
        }
        report
    }

    fn estimate<'i>(&self, iterate: &'i Iterate<A>) -> &'i [A::Number] {
        &iterate.averaged
    }

    fn forget(&mut self) {
        *self = Self { previous: self.previous.take(), ..Self::default() };
    }
}
