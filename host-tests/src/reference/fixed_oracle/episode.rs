//! Stored episodes: first visits and their targets.

use super::super::fixed::{Episode, Report, Targets};
use super::Oracle;
use super::row::{Encoded, back_up, raw};

impl Oracle {
    /// One update from the first visits of an episode.
    pub fn learn_episode(&mut self, episode: &Episode) -> Report {
        let targets = self.settings.targets;
        // Steps with a reward: the state, the reward, and on a first visit the row.
        let mut log: Vec<(u32, i128, Option<Encoded>)> = Vec::new();
        let mut dropped = 0;
        for step in &episode.steps {
            let Some(reward) = raw(step.reward) else {
                dropped += 1;
                continue;
            };
            let is_new = !log.iter().any(|(key, _, row)| *key == step.key && row.is_some());
            let row = self.format.integers(&step.phi).filter(|_| is_new).and_then(|phi| self.format.encode(phi));
            let count = log.iter().filter(|(_, _, row)| row.is_some()).count();
            if row.is_some() && count == self.format.max_rows {
                break;
            }
            dropped += u32::from(is_new && row.is_none());
            log.push((step.key, reward, row));
        }
        if let (Targets::OneStep, Some(value), Some(last)) = (targets, episode.cut, log.last_mut()) {
            last.1 = back_up(last.1, self.settings.gamma, value.into());
        }
        let mut rows = Vec::new();
        for (t, (_, _, row)) in log.iter().enumerate() {
            let Some(row) = row else { continue };
            let target = match targets {
                Targets::MonteCarlo => Some(self.discounted(&log[t..])),
                Targets::OneStep => self.one_step(&log, t),
            };
            match target.and_then(|target| self.format.with_target(row.clone(), target)) {
                Some(row) => rows.push(row),
                None => dropped += 1,
            }
        }
        self.learn(&rows, dropped)
    }

    /// 12. The return from the first of these steps on.
    fn discounted(&self, steps: &[(u32, i128, Option<Encoded>)]) -> i128 {
        let rewards = steps.iter().map(|&(_, reward, _)| reward);
        rewards.rev().reduce(|following, reward| back_up(reward, self.settings.gamma, following)).unwrap_or(0)
    }

    /// 12. The target of step t. `None` if the next state has no row by then.
    fn one_step(&self, log: &[(u32, i128, Option<Encoded>)], t: usize) -> Option<i128> {
        let Some((next, _, _)) = log.get(t + 1) else { return Some(log[t].1) };
        let row = log[..=t + 1].iter().find_map(|(key, _, row)| row.as_ref().filter(|_| key == next))?;
        Some(back_up(log[t].1, self.settings.gamma, self.format.product(&row.m, row.e, &self.w)))
    }
}
