//! The device's own decision problem, and its exact solution.

pub use osculate_programs::grid::*;

/// The discount for [`Grid`].
const EXACT_GAMMA: f64 = 0.9375;

/// The same problem written a second time, in f64 and without any osculate code: tables of probabilities and rewards.
#[derive(Clone, Debug)]
pub struct Exact {
    /// Probability of each next cell, by cell and action. Terminal cells lead nowhere.
    chance: Vec<[Vec<f64>; 4]>,
    /// Mean reward, by cell and action.
    reward: Vec<[f64; 4]>,
}

impl Exact {
    /// Builds the problem from a drawn map.
    pub fn new() -> Self {
        let map = ["...G", "L#T.", "...."].map(|row| row.chars().collect::<Vec<_>>());
        let at = |x: i32, y: i32| Some(*map.get(usize::try_from(y).ok()?)?.get(usize::try_from(x).ok()?)?);
        let mut exact = Self { chance: Vec::new(), reward: Vec::new() };
        for (x, y) in (0..3).flat_map(|y| (0..4).map(move |x| (x, y))) {
            let mut chance: [Vec<f64>; 4] = std::array::from_fn(|_| vec![0.0; 12]);
            let mut reward = [0.0; 4];
            // Clockwise from north. A slip is a quarter turn.
            let ways = [(0, -1), (1, 0), (0, 1), (-1, 0)];
            for (action, turn, p) in (0..4).flat_map(|a| [(a, 0, 0.875), (a, 1, 0.0625), (a, 3, 0.0625)]) {
                let (dx, dy) = ways[(action + turn) % 4];
                let (to, (x, y)) = match at(x + dx, y + dy) {
                    None | Some('#') => ('.', (x, y)),
                    Some(place) => (place, (x + dx, y + dy)),
                };
                match to {
                    'G' => reward[action] += p,
                    'T' => reward[action] -= p,
                    'L' => reward[action] += 0.125 * p,
                    _ => {
                        reward[action] -= 0.0625 * p;
                        chance[action][(y * 4 + x) as usize] += p;
                    }
                }
            }
            exact.chance.push(chance);
            exact.reward.push(reward);
        }
        exact
    }

    /// The non-terminal cells, in which there is a decision to make.
    pub fn states(&self) -> [usize; 8] {
        [0, 1, 2, 7, 8, 9, 10, 11]
    }

    /// The probability of each next cell. If they sum to less than 1, the remainder is the probability that the episode
    /// ends.
    pub fn chance(&self, cell: usize, action: usize) -> &[f64] {
        &self.chance[cell][action]
    }

    /// The mean reward of an action.
    pub fn reward(&self, cell: usize, action: usize) -> f64 {
        self.reward[cell][action]
    }

    /// Σ p·(reward + γ V(next)).
    pub fn worth(&self, values: &[f64], cell: usize, action: usize) -> f64 {
        let next: f64 = self.chance[cell][action].iter().zip(values).map(|(p, v)| p * v).sum();
        self.reward[cell][action] + EXACT_GAMMA * next
    }

    /// V of the policy that takes `action(cell)`, by repeated sweeps until converged.
    pub fn values(&self, action: impl Fn(&[f64], usize) -> usize) -> Vec<f64> {
        let mut values = vec![0.0; 12];
        // γ^2000 is below 10⁻⁵⁶.
        for _ in 0..2000 {
            for cell in self.states() {
                values[cell] = self.worth(&values, cell, action(&values, cell));
            }
        }
        values
    }

    /// V*, by value iteration.
    pub fn optimal_values(&self) -> Vec<f64> {
        self.values(|values, cell| self.best(values, cell))
    }

    /// The greedy action for these values, looking one step ahead.
    pub fn best(&self, values: &[f64], cell: usize) -> usize {
        (0..4)
            .max_by(|a, b| self.worth(values, cell, *a).total_cmp(&self.worth(values, cell, *b)))
            .expect("four actions")
    }

    /// The optimal action in every cell of [`states`](Self::states), and its margin over the second best.
    pub fn optimal_policy(&self) -> Vec<(usize, f64)> {
        let values = self.optimal_values();
        let margin = |cell: usize| {
            let best = self.best(&values, cell);
            let others = (0..4).filter(|action| *action != best);
            let second = others.map(|action| self.worth(&values, cell, action)).fold(f64::MIN, f64::max);
            (best, self.worth(&values, cell, best) - second)
        };
        self.states().into_iter().map(margin).collect()
    }
}

impl Default for Exact {
    fn default() -> Self {
        Self::new()
    }
}
