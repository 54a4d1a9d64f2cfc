//! Stored episodes: first visits, their targets, and the update from a batch of rows.

use super::super::call::{Fate, Report, Rule, Targets};
use super::episodes::Memory;
use super::iterate::Iterate;
use super::{Arithmetic, SumOf, power};

/// A row, and whose it is.
#[derive(Clone, Debug)]
struct Entry<R> {
    row: R,
    state: Option<u32>,
    /// The step of its first visit, unless it came with its target.
    first: Option<usize>,
}

/// The rows of an episode, in the order of their first visits, and the row and the reward of each step.
#[derive(Clone, Debug)]
pub struct Stored<A: Arithmetic> {
    rows: Vec<Entry<A::Row>>,
    steps: Vec<(Option<usize>, A::Number)>,
}

impl<A: Arithmetic> Default for Stored<A> {
    fn default() -> Self {
        Self { rows: Vec::new(), steps: Vec::new() }
    }
}

impl<A: Arithmetic> Stored<A> {
    /// 12. The target of every step. There is none if it needs a row that the next step does not have.
    fn targets(&self, iterate: &Iterate<A>, cut: Option<A::Number>) -> Vec<Option<A::Number>> {
        let Iterate { arithmetic, settings, w, .. } = iterate;
        let mut targets = vec![None; self.steps.len()];
        for (t, &(_, reward)) in self.steps.iter().enumerate().rev() {
            let following = match (settings.targets, self.steps.get(t + 1)) {
                (Targets::MonteCarlo, None) => None,
                (Targets::MonteCarlo, Some(_)) => targets[t + 1],
                (Targets::OneStep, None) => cut,
                (Targets::OneStep, Some((None, _))) => continue,
                (Targets::OneStep, Some(&(Some(next), _))) => Some(arithmetic.value(&self.rows[next].row, w)),
            };
            let backup = |following| arithmetic.backup(reward, settings.gamma, following);
            targets[t] = Some(following.map_or(reward, backup));
        }
        targets
    }

    /// The rows with their targets.
    fn aimed(&mut self, iterate: &Iterate<A>, cut: Option<A::Number>) -> Vec<A::Row> {
        let targets = self.targets(iterate, cut);
        let aimed = self.rows.drain(..).map(|Entry { row, first, .. }| match first {
            Some(first) => iterate.arithmetic.aimed(row, targets[first]?),
            None => Some(row),
        });
        aimed.flatten().collect()
    }
}

/// 4 to 10. An update that has rows. Returns `None` if it is refused.
fn update<A: Arithmetic>(iterate: &mut Iterate<A>, rows: &[A::Row], report: &mut Report) -> Option<Fate> {
    let (arithmetic, settings) = (iterate.arithmetic.clone(), iterate.settings);
    let round = |x| arithmetic.round(x);
    let tau = f64::from(report.tau);
    let (mut sum, mut saturated) = (vec![A::Number::default(); iterate.w.len()], 0);
    for row in rows {
        let (q, is_cut) = arithmetic.residual(row, &iterate.w);
        arithmetic.add(&mut sum, row, q, SumOf::Residuals);
        saturated += u32::from(is_cut);
    }
    let g = arithmetic.normalised(&sum, SumOf::Residuals)?;
    let length = g.length(&arithmetic, 0);
    let mean = round(length / tau);
    report.g_norm = (mean as f32).to_bits();

    // 8.
    let is_measured = match settings.rule {
        Rule::Paper => true,
        Rule::Plain => false,
        Rule::Predictable => (report.k - 1).is_multiple_of(settings.curvature_every),
    };
    let (ratio, change) = if is_measured && rows.len() > 1 && g.norm > 0.0 {
        let mut sum = vec![A::Number::default(); iterate.w.len()];
        for row in rows {
            arithmetic.add(&mut sum, row, arithmetic.along(row, &g), SumOf::Changes);
        }
        let c = arithmetic.normalised(&sum, SumOf::Changes)?;
        (round(g.norm / (c.norm * power(c.exponent))), c.length(&arithmetic, g.exponent))
    } else {
        (round(1.0 / tau), length)
    };
    let theta = match settings.rule {
        Rule::Paper => round(tau * ratio).max(1.0),
        Rule::Plain => 1.0,
        Rule::Predictable => iterate.past.theta(&arithmetic, tau, settings.theta_cap),
    };
    let theta = theta.min(settings.theta_cap.map_or(f64::INFINITY, f64::from));
    let compared = if is_measured { round(round(change / tau) / tau) } else { mean };
    if compared < f64::from(settings.skip_below) || theta.is_infinite() {
        return Some(Fate::Skipped);
    }
    report.theta = (theta as f32).to_bits();
    let gain = iterate.gain(theta);
    let is_predictable = settings.rule == Rule::Predictable;
    // ϑ applies to the sum under `Predictable`, and to the mean otherwise.
    saturated += iterate.step(&g, if is_predictable { gain } else { round(gain / tau) })?;
    if is_predictable && is_measured {
        iterate.past.observe(&arithmetic, [length, change]);
    }
    report.saturated = saturated;
    Some(Fate::Stepped)
}

impl<A: Arithmetic> Memory<A> for Stored<A> {
    fn knows(&self, state: u32) -> bool {
        self.row_of(state).is_some()
    }

    fn row_of(&self, state: u32) -> Option<&A::Row> {
        self.rows.iter().find(|entry| entry.state == Some(state)).map(|entry| &entry.row)
    }

    fn has_room(&self, iterate: &Iterate<A>, is_first: bool) -> bool {
        let [steps, rows] = iterate.settings.room;
        self.steps.len() < steps && !(is_first && self.rows.len() == rows)
    }

    fn record(&mut self, _: &Iterate<A>, state: Option<u32>, row: Option<A::Row>, reward: A::Number) {
        let known = match row {
            Some(row) => {
                self.rows.push(Entry { row, state, first: Some(self.steps.len()) });
                Some(self.rows.len() - 1)
            }
            None => self.rows.iter().position(|entry| state.is_some() && entry.state == state),
        };
        self.steps.push((known, reward));
    }

    fn give(&mut self, _: &Iterate<A>, row: A::Row) {
        self.rows.push(Entry { row, state: None, first: None });
    }

    fn update(&mut self, iterate: &mut Iterate<A>, cut: Option<A::Number>, dropped: u32) -> Report {
        let all = self.rows.len();
        let rows = self.aimed(iterate, cut);
        let mut report = iterate.report(rows.len(), dropped + (all - rows.len()) as u32);
        if !rows.is_empty() {
            iterate.k += 1;
            report.fate = update(iterate, &rows, &mut report).unwrap_or(Fate::Refused);
        }
        report
    }

    fn estimate<'i>(&self, iterate: &'i Iterate<A>) -> &'i [A::Number] {
        match iterate.settings.rule {
            Rule::Predictable => &iterate.averaged,
            Rule::Paper | Rule::Plain => &iterate.w,
        }
    }

    fn forget(&mut self) {
        *self = Self::default();
    }
}
