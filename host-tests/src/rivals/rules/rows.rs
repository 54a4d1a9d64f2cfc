//! Rules for rows (φ, V), fed with the returns of first visits: stochastic gradients and their improvements.

use crate::drift::Contestant;

use super::super::product;

/// Monte Carlo with a constant step: w ← w + α (V − φ·w) φ.
pub(super) struct Sgd {
    pub(super) w: Vec<f64>,
    pub(super) step: f64,
}

impl Contestant for Sgd {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, &self.w)
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let scaled = self.step * (f64::from(target) - self.value(phi));
        self.w.iter_mut().zip(phi).for_each(|(w, &x)| *w += scaled * f64::from(x));
    }
}

/// Kaczmarz with a decreasing share: NLMS with μ = min(1, μ₁ k^−¾) at row k.
pub(super) struct Kaczmarz {
    pub(super) w: Vec<f64>,
    pub(super) gain: f64,
    pub(super) k: f64,
}

impl Contestant for Kaczmarz {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, &self.w)
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        self.k += 1.0;
        let gain = (self.gain / (self.k.sqrt() * self.k.sqrt().sqrt())).min(1.0);
        let square: f64 = phi.iter().map(|&x| f64::from(x).powi(2)).sum();
        let scaled = gain * (f64::from(target) - self.value(phi)) / square;
        self.w.iter_mut().zip(phi).for_each(|(w, &x)| *w += scaled * f64::from(x));
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

impl Contestant for Adam {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, &self.w)
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let (slow, slower) = Self::RATES;
        self.powers = (self.powers.0 * slow, self.powers.1 * slower);
        let error = self.value(phi) - f64::from(target);
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

impl Contestant for Autostep {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, &self.w)
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let error = f64::from(target) - self.value(phi);
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

impl Contestant for Nag {
    fn value(&self, phi: &[f32]) -> f64 {
        product(phi, &self.w)
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
        let error = self.value(phi) - f64::from(target);
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

/// A rule on rows of length 1: (φ, V)/‖φ‖. It makes least squares indifferent to the units of an equation.
pub(super) struct Normalised<C>(pub(super) C);

impl<C: Contestant> Contestant for Normalised<C> {
    fn value(&self, phi: &[f32]) -> f64 {
        self.0.value(phi)
    }

    fn learn(&mut self, phi: &[f32], target: f32) {
        let norm = phi.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
        let row: Vec<f32> = phi.iter().map(|&x| (f64::from(x) / norm) as f32).collect();
        self.0.learn(&row, (f64::from(target) / norm) as f32);
    }
}
