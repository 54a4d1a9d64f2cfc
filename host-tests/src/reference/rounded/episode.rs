//! Converts the steps of an episode to first-visit rows.

use super::super::Row;
use super::number::{add, kept, mul};
use super::{has_direction, value};

/// The steps of an episode, up to the available room.
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
    /// An empty episode.
    pub fn new(room_for_steps: usize, room_for_rows: usize) -> Self {
        Self { room_for_steps, room_for_rows, steps: Vec::new(), rows: 0, dropped: 0, full: false }
    }

    /// Records a step: the state that was left, its features, and the reward for leaving it.
    ///
    /// A step that does not fit ends the episode before it. This is known when the step begins, regardless of its
    /// reward. A step without a usable reward is left out, and a step without usable features makes no row. Neither
    /// counts as a visit.
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

    /// Cuts the episode in a state worth `value`, the state that followed the last step.
    pub fn cut(&mut self, gamma: f32, value: f64) {
        if let Some(last) = self.steps.last_mut() {
            last.reward = kept(add(last.reward, kept(mul(gamma.into(), value))));
        }
    }

    /// The first time up to t at which the state of step t had usable features.
    fn first_visit(&self, t: usize) -> Option<usize> {
        (0..=t).find(|&s| self.steps[s].state == self.steps[t].state && has_direction(&self.steps[s].phi))
    }

    fn first_visits(&self) -> impl Iterator<Item = usize> {
        (0..self.steps.len()).filter(|&t| self.first_visit(t) == Some(t))
    }

    /// Ends the episode. Returns its rows with the returns Aₜ = Rₜ₊₁ + γ Aₜ₊₁, and the number of dropped steps. If a
    /// return is not finite in f32, its row is unusable.
    pub fn monte_carlo(&mut self, gamma: f32) -> (Vec<Row>, u32) {
        let mut returns = vec![0.0; self.steps.len()];
        let mut following = None;
        for (t, step) in self.steps.iter().enumerate().rev() {
            returns[t] = following.map_or(step.reward, |a| kept(add(step.reward, kept(mul(gamma.into(), a)))));
            following = Some(returns[t]);
        }
        self.end(|t| returns[t])
    }

    /// Ends the episode. Returns its rows with the targets Rₜ₊₁ + γ φₜ₊₁·w; the last target is the reward alone. If the
    /// next state has no row yet, there is no target and the row is unusable.
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
