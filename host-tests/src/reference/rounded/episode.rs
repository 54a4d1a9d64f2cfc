//! From the steps of an episode to the rows of its first visits.

use super::super::Row;
use super::number::{add, kept, mul};
use super::{has_direction, value};

/// The steps of an episode, as long as there is room for them.
#[derive(Clone, Debug)]
pub struct Episode {
    room_for_steps: usize,
    room_for_rows: usize,
    steps: Vec<Step>,
    rows: usize,
    dropped: u32,
    full: bool,
}

#[derive(Clone, Debug)]
struct Step {
    state: u32,
    phi: Vec<f32>,
    reward: f64,
}

impl Episode {
    /// Nothing recorded yet.
    pub fn new(room_for_steps: usize, room_for_rows: usize) -> Self {
        Self { room_for_steps, room_for_rows, steps: Vec::new(), rows: 0, dropped: 0, full: false }
    }

    /// A step: the state that was left, its features, and the reward for leaving it.
    ///
    /// A step for which there is no room ends the episode before it: that is known when the step begins, whatever its reward
    /// will be. One without a usable reward is left out; one without usable features makes no row, and neither of them is a
    /// visit.
    pub fn record(&mut self, state: u32, phi: &[f32], reward: f32) {
        let is_new = !self.steps.iter().any(|step| step.state == state && has_direction(&step.phi));
        self.full |= self.steps.len() == self.room_for_steps || (is_new && self.rows == self.room_for_rows);
        if self.full {
            return;
        }
        if !reward.is_finite() {
            self.dropped += 1;
            return;
        }
        self.steps.push(Step { state, phi: phi.to_vec(), reward: reward.into() });
        let is_row = is_new && has_direction(phi);
        self.rows += usize::from(is_row);
        self.dropped += u32::from(is_new && !is_row);
    }

    /// The episode was cut in a state worth `value`, which the last step would have led to.
    pub fn cut(&mut self, gamma: f32, value: f64) {
        if let Some(last) = self.steps.last_mut() {
            last.reward = kept(add(last.reward, kept(mul(gamma.into(), value))));
        }
    }

    /// When the state of step t was first seen as something to learn from, if at t or before.
    fn first_visit(&self, t: usize) -> Option<usize> {
        (0..=t).find(|&s| self.steps[s].state == self.steps[t].state && has_direction(&self.steps[s].phi))
    }

    fn first_visits(&self) -> impl Iterator<Item = usize> {
        (0..self.steps.len()).filter(|&t| self.first_visit(t) == Some(t))
    }

    /// Ends the episode: its rows with the returns Aₜ = Rₜ₊₁ + γ Aₜ₊₁, and how many steps were dropped so far. A return that
    /// is no f32 makes a row that cannot be used.
    pub fn monte_carlo(&mut self, gamma: f32) -> (Vec<Row>, u32) {
        let mut returns = vec![0.0; self.steps.len()];
        let mut following = None;
        for (t, step) in self.steps.iter().enumerate().rev() {
            returns[t] = following.map_or(step.reward, |a| kept(add(step.reward, kept(mul(gamma.into(), a)))));
            following = Some(returns[t]);
        }
        self.end(|t| returns[t])
    }

    /// Ends the episode: its rows with the targets Rₜ₊₁ + γ φₜ₊₁·w, the last one's without what follows. Where a step
    /// follows that has never been a row, there is no target, and the row cannot be used.
    pub fn one_step(&mut self, gamma: f32, w: &[f64]) -> (Vec<Row>, u32) {
        let targets: Vec<f64> = (0..self.steps.len())
            .map(|t| {
                let reward = self.steps[t].reward;
                if t + 1 == self.steps.len() {
                    return reward;
                }
                let next = self.first_visit(t + 1).map(|s| kept(value(&self.steps[s].phi, w)));
                next.map_or(f64::NAN, |next| kept(add(reward, kept(mul(gamma.into(), next)))))
            })
            .collect();
        self.end(|t| targets[t])
    }

    fn end(&mut self, target: impl Fn(usize) -> f64) -> (Vec<Row>, u32) {
        let rows = self.first_visits().map(|t| (self.steps[t].phi.clone(), target(t) as f32)).collect();
        let ended = std::mem::replace(self, Self::new(self.room_for_steps, self.room_for_rows));
        (rows, ended.dropped)
    }
}
