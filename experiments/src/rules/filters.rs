//! Rules for rows (φ, V): stochastic gradients and their improvements, in f64.

use crate::contender::{Filter, product};

fn square(phi: &[f32]) -> f64 {
    phi.iter().map(|&x| f64::from(x).powi(2)).sum()
}

/// w ← w + share·φ.
fn add(w: &mut [f64], share: f64, phi: &[f32]) {
    w.iter_mut().zip(phi).for_each(|(w, &x)| *w += share * f64::from(x));
}

/// Monte Carlo with a constant step: w ← w + α (V − φ·w) φ.
pub(super) struct Sgd {
    pub(super) w: Vec<f64>,
    pub(super) step: f64,
}

impl Filter for Sgd {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let error = f64::from(target) - product(phi, &self.w);
        add(&mut self.w, self.step * error, phi);
    }
}

/// Normalised least mean squares: w ← w + μ (V − φ·w)/‖φ‖² φ. With `decreasing`, μ = min(1, μ₁ k^−¾) at row k.
pub(super) struct Nlms {
    pub(super) w: Vec<f64>,
    pub(super) gain: f64,
    pub(super) decreasing: bool,
    pub(super) k: f64,
}

impl Nlms {
    /// The gains μ to choose from, down to the least gain of `tracking`: a grid that ends earlier flatters it.
    pub(super) const GAINS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

    pub(super) fn new(n: usize, gain: f64, decreasing: bool) -> Self {
        Self { w: vec![0.0; n], gain, decreasing, k: 0.0 }
    }
}

impl Filter for Nlms {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        self.k += 1.0;
        let decreased = || (self.gain / (self.k.sqrt() * self.k.sqrt().sqrt())).min(1.0);
        let gain = if self.decreasing { decreased() } else { self.gain };
        let share = gain * (f64::from(target) - product(phi, &self.w)) / square(phi);
        add(&mut self.w, share, phi);
    }
}

/// Adam (Kingma and Ba, 2015) on the squared error, with its usual decay rates.
pub(super) struct Adam {
    w: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    step: f64,
    /// The decay rates to the power of the number of rows.
    powers: (f64, f64),
}

impl Adam {
    const RATES: (f64, f64) = (0.9, 0.999);

    pub(super) fn new(n: usize, step: f64) -> Self {
        Self { w: vec![0.0; n], first: vec![0.0; n], second: vec![0.0; n], step, powers: (1.0, 1.0) }
    }
}

impl Filter for Adam {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let (slow, slower) = Self::RATES;
        self.powers = (self.powers.0 * slow, self.powers.1 * slower);
        let error = product(phi, &self.w) - f64::from(target);
        let (correction, root) = (self.step / (1.0 - self.powers.0), (1.0 - self.powers.1).sqrt());
        for (i, &x) in phi.iter().enumerate() {
            let gradient = error * f64::from(x);
            self.first[i] += (1.0 - slow) * (gradient - self.first[i]);
            self.second[i] += (1.0 - slower) * (gradient * gradient - self.second[i]);
            self.w[i] -= correction * self.first[i] / (self.second[i].sqrt() / root + 1e-8);
        }
    }
}

/// Autostep (Mahmood, Sutton, Degris and Pilarski, 2012): a step per weight, each adapted by how its recent changes agree
/// with the present gradient, in units of their own size; together they never overshoot.
pub(super) struct Autostep {
    w: Vec<f64>,
    steps: Vec<f64>,
    /// The trace of recent changes.
    changes: Vec<f64>,
    /// The running size of |gradient · change|.
    sizes: Vec<f64>,
    meta: f64,
}

impl Autostep {
    /// The time constant of the running sizes, as its authors have it.
    const TIME: f64 = 1e4;

    pub(super) fn new(n: usize, meta: f64, step: f64) -> Self {
        Self { w: vec![0.0; n], steps: vec![step; n], changes: vec![0.0; n], sizes: vec![0.0; n], meta }
    }
}

impl Filter for Autostep {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let error = f64::from(target) - product(phi, &self.w);
        let mut reach = 0.0;
        for (i, x) in phi.iter().map(|&x| f64::from(x)).enumerate() {
            let (agreement, square) = (error * x * self.changes[i], x * x);
            let size = agreement.abs();
            let decayed = self.sizes[i] + self.steps[i] * square / Self::TIME * (size - self.sizes[i]);
            self.sizes[i] = size.max(decayed);
            if self.sizes[i] > 0.0 {
                self.steps[i] *= libm::exp(self.meta * agreement / self.sizes[i]);
            }
            reach += self.steps[i] * square;
        }
        let shrink = 1.0 / reach.max(1.0);
        for (i, x) in phi.iter().map(|&x| f64::from(x)).enumerate() {
            self.steps[i] *= shrink;
            let change = self.steps[i] * error * x;
            self.w[i] += change;
            self.changes[i] += change - self.steps[i] * x * x * self.changes[i];
        }
    }
}

/// Normalised adaptive gradients (Ross, Mineiro and Langford, 2013), as in Vowpal Wabbit: steps by the root of the summed
/// squares of gradients, columns in units of their largest value so far.
pub(super) struct Nag {
    w: Vec<f64>,
    largest: Vec<f64>,
    squares: Vec<f64>,
    step: f64,
    rows: f64,
    /// Σ Σ (xᵢ/sᵢ)².
    norm: f64,
}

impl Nag {
    pub(super) fn new(n: usize, step: f64) -> Self {
        Self { w: vec![0.0; n], largest: vec![0.0; n], squares: vec![0.0; n], step, rows: 0.0, norm: 0.0 }
    }
}

impl Filter for Nag {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        for (i, x) in phi.iter().map(|&x| f64::from(x).abs()).enumerate() {
            if x > self.largest[i] {
                self.w[i] *= self.largest[i] / x;
                self.largest[i] = x;
            }
            if x > 0.0 {
                self.norm += (x / self.largest[i]).powi(2);
            }
        }
        self.rows += 1.0;
        let error = product(phi, &self.w) - f64::from(target);
        let step = self.step * (self.rows / self.norm).sqrt();
        for (i, x) in phi.iter().map(|&x| f64::from(x)).enumerate() {
            let gradient = error * x;
            self.squares[i] += gradient * gradient;
            if gradient != 0.0 {
                self.w[i] -= step * gradient / (self.largest[i] * self.squares[i].sqrt());
            }
        }
    }
}

/// Recursive least squares with exponential forgetting: n × n numbers.
pub(super) struct Rls {
    w: Vec<f64>,
    /// The inverse of the weighted Σ φφᵀ, row by row.
    inverse: Vec<f64>,
    forgetting: f64,
}

/// `prior` on the diagonal of a matrix.
pub(super) fn diagonal(n: usize, prior: f64) -> Vec<f64> {
    (0..n * n).map(|i| if i % (n + 1) == 0 { prior } else { 0.0 }).collect()
}

impl Rls {
    /// w = 0; the larger the prior, the less confidence in that.
    pub(super) fn new(n: usize, prior: f64, forgetting: f64) -> Self {
        Self { w: vec![0.0; n], inverse: diagonal(n, prior), forgetting }
    }
}

impl Filter for Rls {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let error = f64::from(target) - product(phi, &self.w);
        let direction: Vec<f64> = self.inverse.chunks_exact(phi.len()).map(|row| product(phi, row)).collect();
        let scale = 1.0 / (self.forgetting + product(phi, &direction));
        for (row, a) in self.inverse.chunks_exact_mut(phi.len()).zip(&direction) {
            for (p, b) in row.iter_mut().zip(&direction) {
                // a·b first: an asymmetry of one rounding would grow with every division.
                *p = (*p - scale * (a * b)) / self.forgetting;
            }
        }
        self.w.iter_mut().zip(&direction).for_each(|(w, a)| *w += scale * error * a);
    }
}

/// A rule on rows of length 1: (φ, V)/‖φ‖. It makes least squares indifferent to the units of an equation.
pub(super) struct UnitRows<F>(pub(super) F);

impl<F: Filter> Filter for UnitRows<F> {
    fn weights(&self) -> &[f64] {
        self.0.weights()
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let norm = square(phi).sqrt();
        let row: Vec<f32> = phi.iter().map(|&x| (f64::from(x) / norm) as f32).collect();
        self.0.learn(&row, (f64::from(target) / norm) as f32);
    }
}
