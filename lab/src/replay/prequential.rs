//! How well a replay learned: each row's value, predicted *before* the row was learned from, against the return in the
//! recording.
//!
//! Host and board return the weights after every update, bit-exact, and what a rule that learns at every step expected
//! there. Everything else is computed here, in `f64`, from the recording.

use std::collections::HashSet;

use osculate::{Log, Predictor, Stored, StoredConfig};
use osculate_apps::with_arithmetic;

use super::trace::Step;
use super::{Job, Learned, Rule, Targets};

/// Prediction errors over the last three quarters of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prequential {
    /// The number of rows in these three quarters. Dropped rows do not count.
    pub rows: usize,
    /// The mean of (φ·w − return)²; NaN without rows.
    pub mse: f64,
    /// The variance of the returns; NaN without rows.
    pub variance: f64,
    /// The mean of the returns.
    pub mean: f64,
    /// Rows before these three quarters.
    pub earlier: usize,
}

impl Prequential {
    /// 1 − mse/variance; `None` if the returns differ by no more than rounding.
    pub fn explained(&self) -> Option<f64> {
        let rounding = (1e-12 * self.mean).powi(2);
        (self.variance > rounding).then(|| 1.0 - self.mse / self.variance)
    }
}

/// Collects predictions while a job runs.
#[derive(Clone, Debug)]
pub struct Predictions<'t> {
    job: Job<'t>,
    /// The weights to predict with.
    estimate: Vec<f64>,
    episode: usize,
    /// Prediction and return of each row.
    rows: Vec<(f64, f64)>,
}

impl<'t> Predictions<'t> {
    /// Before the first update, at w = 0.
    pub fn new(job: Job<'t>) -> Self {
        Self { job, estimate: vec![0.0; job.trace.features()], episode: 0, rows: Vec::new() }
    }

    /// The next episode has been learned from; it is scored with the weights from before it, or with what was expected
    /// at each step.
    pub fn update(&mut self, learned: &Learned) {
        if self.job.config.rule.is_episodic() {
            self.learned_at_the_end(learned);
        } else {
            let values = self.job.values(self.episode).zip(&learned.expected);
            // A value is NaN where the step was refused.
            let usable = values.filter_map(|(value, expected)| value.map(|value| (f64::from(*expected), value)));
            self.rows.extend(usable.filter(|(expected, _)| expected.is_finite()));
        }
        self.episode += 1;
    }

    fn learned_at_the_end(&mut self, Learned { report, estimate, .. }: &Learned) {
        let rows = self.job.rows(self.episode);
        // They differ only if a return is so close to the limits of the format that the learner's rounding decides
        // whether its row is dropped. Which row that was is not reported, so none of the episode's rows count.
        if rows.len() == report.summary().rows as usize {
            let predicted =
                |features: &[f32]| features.iter().zip(&self.estimate).map(|(x, w)| f64::from(*x) * w).sum();
            self.rows.extend(rows.into_iter().map(|(features, value)| (predicted(features), value)));
        }
        self.estimate = estimate.iter().map(|bits| self.job.arith.weight(*bits)).collect();
    }

    /// The result so far.
    pub fn measure(&self) -> Prequential {
        let earlier = self.rows.len() / 4;
        let rows = &self.rows[earlier..];
        let count = rows.len() as f64;
        let mse = rows.iter().map(|(predicted, value)| (predicted - value).powi(2)).sum::<f64>() / count;
        // Welford's algorithm: equal returns have a variance of exactly 0.
        let (mut mean, mut squares) = (0.0, 0.0);
        for ((_, value), number) in rows.iter().zip(1_u32..) {
            let difference = value - mean;
            mean += difference / f64::from(number);
            squares += difference * (value - mean);
        }
        Prequential { rows: rows.len(), mse, variance: squares / count, mean, earlier }
    }
}

impl<'t> Job<'t> {
    /// The steps of an episode with the return from each on; `None` where there is no usable reward: such a step is
    /// ignored entirely.
    fn returns(&self, episode: usize) -> Vec<(Step<'t>, Option<f64>)> {
        let mut future = 0.0;
        let steps = self.trace.episode(episode).rev().map(|step| {
            let usable = self.takes_reward(step.reward);
            if usable {
                future = f64::from(step.reward) + f64::from(self.config.gamma) * future;
            }
            (step, usable.then_some(future))
        });
        let mut steps: Vec<_> = steps.collect();
        steps.reverse();
        steps
    }

    /// The return from each step of an episode on; `None` where the step has no usable reward, or zeros for features.
    fn values(&self, episode: usize) -> impl Iterator<Item = Option<f64>> {
        let steps = self.returns(episode).into_iter();
        steps.map(|(step, value)| value.filter(|_| self.takes_row(step.features, 0.0)))
    }

    /// The rows that the learner makes of an episode: the features at the first visit, and the return from there on.
    fn rows(&self, episode: usize) -> Vec<(&'t [f32], f64)> {
        let steps = self.returns(episode).into_iter().filter_map(|(step, value)| Some((step, value?)));
        let steps: Vec<(Step<'t>, f64)> = steps.collect();
        let mut visited = HashSet::new();
        let visits: Vec<(bool, bool)> = steps
            .iter()
            .map(|(step, _)| {
                let first = self.takes_row(step.features, 0.0) && visited.insert(step.state);
                (first, visited.contains(&step.state))
            })
            .collect();
        let has_target = |index: usize| match (self.config.rule, self.config.targets) {
            (Rule::Streaming, _) => true,
            (_, Targets::MonteCarlo) => self.takes_row(steps[index].0.features, steps[index].1),
            // The value of the next state, if there is one.
            (_, Targets::OneStep) => visits.get(index + 1).is_none_or(|(_, has_row)| *has_row),
        };
        let rows = (0..steps.len()).filter(|index| visits[*index].0 && has_target(*index));
        rows.map(|index| (steps[index].0.features, steps[index].1)).collect()
    }

    /// Whether the arithmetic accepts a reward: whether it would beside features that are as large as any target.
    fn takes_reward(&self, reward: f32) -> bool {
        self.takes_row(&[2_f32.powi(31)], reward.into())
    }

    /// Whether the arithmetic accepts a row with these features and this target. Only the largest magnitude matters. A
    /// learner is asked.
    fn takes_row(&self, features: &[f32], target: f64) -> bool {
        let largest =
            features.iter().fold(0.0, |most, x| if x.is_finite() { x.abs().max(most) } else { f32::INFINITY });
        with_arithmetic!(self.arith, A => {
            let mut judge = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<A, 1, 1, 1>::NEW));
            judge.learn(target as f32, &[largest]).is_ok()
        })
    }
}
