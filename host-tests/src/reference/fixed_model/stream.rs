//! Streaming: a trace instead of a log.

use super::super::fixed::{Episode, Report};
use super::Model;
use super::exact::{Pair, clipped, power, shrunk, two_product};
use super::row::{Encoded, encode, integers, raw};
use super::rule::add;

const LIMIT: i64 = 1 << 62;

/// A trace is in units of 2⁻²².
fn trace_unit() -> f64 {
    power(-22)
}

impl Model {
    /// One episode, step by step, and its update.
    pub fn stream(&mut self, episode: &Episode) -> Report {
        let n = self.w.len();
        let (mut trace, mut total, mut change) = (vec![0.0; n], vec![Pair::default(); n], vec![Pair::default(); n]);
        let (mut seen, mut dropped, mut saturated) = (std::collections::HashSet::new(), 0, 0);
        for step in &episode.steps {
            let Some(reward) = raw(step.reward) else {
                dropped += 1;
                continue;
            };
            let mut row = None;
            if !seen.contains(&step.key) {
                row = integers(&step.phi, self.p).and_then(|phi| encode(phi, self.p));
                dropped += u32::from(row.is_none());
            }
            if row.is_some() && seen.len() >= self.max_rows {
                break;
            }
            if self.settings.gamma < 1.0 {
                trace.iter_mut().for_each(|z| *z = shrunk(*z, self.settings.gamma.into()));
            }
            if let Some(row) = row {
                seen.insert(step.key);
                saturated += add_to_trace(&mut trace, &row, self.p);
                saturated += add(&mut total, &row, self.residual(&row));
                if let Some(previous) = &self.previous {
                    add(&mut change, &row, self.project(&row, &previous.d));
                }
            }
            saturated += credit(&mut total, &trace, reward, self.p + self.f - 2);
        }
        let report = self.report(seen.len(), dropped);
        if seen.is_empty() { report } else { self.learn_streamed([&total, &change], saturated, report) }
    }
}

/// Adds φ/‖φ‖². Returns how many elements saturated.
fn add_to_trace(trace: &mut [f64], row: &Encoded, p: i64) -> u32 {
    let mut cut = 0;
    for (z, &m) in trace.iter_mut().zip(&row.m) {
        let (entry, is_entry_cut) = row.over_square(m / trace_unit(), p - row.exponent);
        let (next, is_next_cut) = clipped(*z + entry);
        *z = next;
        cut += u32::from(is_entry_cut || is_next_cut);
    }
    cut
}

/// Subtracts R·z from a sum with the given fraction bits. Returns how many elements saturated.
fn credit(sum: &mut [Pair], trace: &[f64], reward: Pair, fraction: i64) -> u32 {
    let drop = (reward.bits() - 31).max(0);
    // In units of 1, and exact.
    let reward = reward.rounded(-drop).value() * power(drop - 32) * trace_unit();
    let mut cut = 0;
    for (sum, &z) in sum.iter_mut().zip(trace) {
        let (hi, lo) = two_product(reward, z);
        let exact = Pair { hi, lo }.rounded(fraction);
        let (next, saturated) = sum.minus(exact.cut64()).cut((-LIMIT).into(), LIMIT.into());
        *sum = next;
        cut += u32::from(saturated || exact.bits() > 63);
    }
    cut
}
