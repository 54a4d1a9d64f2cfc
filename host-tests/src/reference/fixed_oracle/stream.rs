//! Streaming: a trace instead of a log.

use super::super::fixed::{Episode, Report};
use super::row::{Encoded, raw};
use super::rule::{add, close};
use super::{Oracle, cut, cut32, len, shifted, shrunk};

/// Fraction bits of a trace.
const TRACE: i64 = 22;

impl Oracle {
    /// 13. One episode, step by step, and its update.
    pub fn stream(&mut self, episode: &Episode) -> Report {
        let zero = vec![0_i128; self.w.len()];
        let (mut z, mut g, mut c) = (zero.clone(), zero.clone(), zero);
        let (mut seen, mut dropped, mut saturated) = (Vec::new(), 0, 0);
        for step in &episode.steps {
            let Some(reward) = raw(step.reward) else {
                dropped += 1;
                continue;
            };
            let is_new = !seen.contains(&step.key);
            let row = self.format.integers(&step.phi).filter(|_| is_new).and_then(|phi| self.format.encode(phi));
            if row.is_some() && seen.len() == self.format.max_rows {
                break;
            }
            if self.settings.gamma != 1.0 {
                z.iter_mut().for_each(|z| *z = shrunk(*z, self.settings.gamma));
            }
            match row {
                Some(row) => {
                    seen.push(step.key);
                    saturated += self.add_to_trace(&mut z, &row);
                    saturated += add(&mut g, &row, self.residual(&row));
                    if let Some(previous) = &self.previous {
                        add(&mut c, &row, self.project(&row, &previous.d));
                    }
                }
                None => dropped += u32::from(is_new),
            }
            saturated += self.credit(&mut g, &z, reward);
        }
        let mut report = self.report(seen.len(), dropped);
        if seen.is_empty() {
            return report;
        }
        report.saturated = saturated;
        self.learn_streamed(close(&g, self.g_unit()), &close(&c, self.c_unit()), report)
    }

    /// z += φ/‖φ‖². Returns how many elements saturated.
    fn add_to_trace(&self, z: &mut [i128], row: &Encoded) -> u32 {
        let mut saturated = 0;
        for (z, &m) in z.iter_mut().zip(&row.m) {
            let (entry, is_entry_cut) = row.share(m, self.p() - row.e + TRACE);
            let (sum, is_sum_cut) = cut32(*z + entry);
            saturated += u32::from(is_entry_cut || is_sum_cut);
            *z = sum;
        }
        saturated
    }

    /// g −= R·z. Returns how many elements saturated.
    fn credit(&self, g: &mut [i128], z: &[i128], reward: i128) -> u32 {
        let drop = (len(reward) - 31).max(0);
        let reward = shifted(reward, -drop);
        let mut saturated = 0;
        for (g, &z) in g.iter_mut().zip(z) {
            let exact = shifted(reward * z, drop - 32 - TRACE - self.g_unit());
            let (credit, _) = cut(exact, i64::MIN.into(), i64::MAX.into());
            let (sum, is_saturated) = cut(*g - credit, -(1 << 62), 1 << 62);
            saturated += u32::from(is_saturated || len(exact) > 63);
            *g = sum;
        }
        saturated
    }
}
