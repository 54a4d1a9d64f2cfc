//! Stored episodes: first visits and their targets.

use super::super::fixed::{Episode, Report, Targets};
use super::Model;
use super::exact::Pair;
use super::row::{backed_up, encode, integers, raw};

impl Model {
    /// One update from the first visits of an episode.
    pub fn learn_episode(&mut self, episode: &Episode) -> Report {
        // Rows by state, with the time of the first visit; then the row and the reward of every step.
        let (mut rows, mut steps, mut dropped) = (Vec::new(), Vec::new(), 0);
        for step in &episode.steps {
            let Some(reward) = raw(step.reward) else {
                dropped += 1;
                continue;
            };
            let known = rows.iter().position(|&(key, _, _)| key == step.key);
            let row = known.or_else(|| {
                let row = encode(integers(&step.phi, self.p)?, self.p)?;
                rows.push((step.key, steps.len(), row));
                Some(rows.len() - 1)
            });
            if rows.len() > self.max_rows {
                rows.pop();
                break;
            }
            dropped += u32::from(row.is_none());
            steps.push((row, reward));
        }
        let gamma = self.settings.gamma;
        let values: Vec<Option<Pair>> = match self.settings.targets {
            Targets::MonteCarlo => {
                let mut following = None;
                let mut returns: Vec<_> = (steps.iter().rev())
                    .map(|&(_, reward)| {
                        following = Some(following.map_or(reward, |value| backed_up(reward, gamma, value)));
                        following
                    })
                    .collect();
                returns.reverse();
                returns
            }
            Targets::OneStep => {
                // The value of the state that each step leads to, if known.
                let worth = |row: Option<usize>| row.map(|row| rows[row].2.value(&self.w, self.p + self.f));
                let nexts =
                    steps.iter().skip(1).map(|&(row, _)| Some(worth(row))).chain([episode.cut.map(|v| Some(v.into()))]);
                let add = |(&(_, reward), next): (&(_, Pair), Option<Option<Pair>>)| match next {
                    None => Some(reward),
                    Some(next) => next.map(|next| backed_up(reward, gamma, next)),
                };
                steps.iter().zip(nexts).map(add).collect()
            }
        };
        let with_target = rows.into_iter().map(|(_, first, row)| row.with_target(values[first]?, self.p + self.f));
        let with_target: Vec<_> = with_target.collect();
        dropped += with_target.iter().filter(|row| row.is_none()).count() as u32;
        self.learn(&with_target.into_iter().flatten().collect::<Vec<_>>(), dropped)
    }
}
