//! Rules for rows (φ, V): stochastic gradients and their improvements, in f64. Each moves the weights that it is given.

use crate::contender::product;

fn square(phi: &[f32]) -> f64 {
    phi.iter().map(|&x| f64::from(x).powi(2)).sum()
}

/// V − φ·w.
fn error(w: &[f64], phi: &[f32], target: f32) -> f64 {
    f64::from(target) - product(phi, w)
}

/// w ← w + share·φ.
fn add(w: &mut [f64], share: f64, phi: &[f32]) {
    w.iter_mut().zip(phi).for_each(|(w, &x)| *w += share * f64::from(x));
}

/// The features with their indices.
fn exact(phi: &[f32]) -> impl Iterator<Item = (usize, f64)> + '_ {
    phi.iter().map(|&x| f64::from(x)).enumerate()
}

/// Monte Carlo with a constant step: w ← w + α (V − φ·w) φ.
pub(super) fn sgd(step: f64) -> impl FnMut(&mut [f64], &[f32], f32) {
    move |w, phi, target| add(w, step * error(w, phi, target), phi)
}

/// The gains μ of [`nlms`] to choose from, down to the least gain of `tracking`: a grid that ends earlier flatters it.
pub(super) const GAINS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// Normalised least mean squares: w ← w + μ (V − φ·w)/‖φ‖² φ. With `decreasing`, μ = min(1, μ₁ k^−¾) at row k.
pub(super) fn nlms(gain: f64, decreasing: bool) -> impl FnMut(&mut [f64], &[f32], f32) {
    let mut k = 0.0_f64;
    move |w, phi, target| {
        k += 1.0;
        let gain = if decreasing { (gain / (k.sqrt() * k.sqrt().sqrt())).min(1.0) } else { gain };
        add(w, gain * error(w, phi, target) / square(phi), phi);
    }
}

/// Adam (Kingma and Ba, 2015) on the squared error, with its usual decay rates.
pub(super) fn adam(n: usize, step: f64) -> impl FnMut(&mut [f64], &[f32], f32) {
    let (slow, slower) = (0.9, 0.999);
    let (mut first, mut second) = (vec![0.0; n], vec![0.0_f64; n]);
    // The decay rates to the power of the number of rows.
    let mut powers = (1.0, 1.0_f64);
    move |w, phi, target| {
        powers = (powers.0 * slow, powers.1 * slower);
        let error = -error(w, phi, target);
        let (correction, root) = (step / (1.0 - powers.0), (1.0 - powers.1).sqrt());
        for (i, x) in exact(phi) {
            let gradient = error * x;
            first[i] += (1.0 - slow) * (gradient - first[i]);
            second[i] += (1.0 - slower) * (gradient * gradient - second[i]);
            w[i] -= correction * first[i] / (second[i].sqrt() / root + 1e-8);
        }
    }
}

/// Autostep (Mahmood, Sutton, Degris and Pilarski, 2012): a step per weight, each adapted by how its recent changes agree
/// with the present gradient, in units of their own size; together they never overshoot.
pub(super) fn autostep(n: usize, meta: f64, step: f64) -> impl FnMut(&mut [f64], &[f32], f32) {
    /// The time constant of the running sizes, as its authors have it.
    const TIME: f64 = 1e4;
    // The trace of recent changes, and the running size of |gradient · change|.
    let (mut steps, mut changes, mut sizes) = (vec![step; n], vec![0.0; n], vec![0.0_f64; n]);
    move |w, phi, target| {
        let error = error(w, phi, target);
        let mut reach = 0.0_f64;
        for (i, x) in exact(phi) {
            let (agreement, square): (f64, f64) = (error * x * changes[i], x * x);
            let size = agreement.abs();
            let decayed = sizes[i] + steps[i] * square / TIME * (size - sizes[i]);
            sizes[i] = size.max(decayed);
            if sizes[i] > 0.0 {
                steps[i] *= libm::exp(meta * agreement / sizes[i]);
            }
            reach += steps[i] * square;
        }
        let shrink = 1.0 / reach.max(1.0);
        for (i, x) in exact(phi) {
            steps[i] *= shrink;
            let change = steps[i] * error * x;
            w[i] += change;
            changes[i] += change - steps[i] * x * x * changes[i];
        }
    }
}

/// Normalised adaptive gradients (Ross, Mineiro and Langford, 2013), as in Vowpal Wabbit: steps by the root of the summed
/// squares of gradients, columns in units of their largest value so far.
pub(super) fn nag(n: usize, step: f64) -> impl FnMut(&mut [f64], &[f32], f32) {
    let (mut largest, mut squares) = (vec![0.0; n], vec![0.0_f64; n]);
    // The second is Σ Σ (xᵢ/sᵢ)².
    let (mut rows, mut norm) = (0.0, 0.0);
    move |w, phi, target| {
        for (i, x) in exact(phi).map(|(i, x)| (i, x.abs())) {
            if x > largest[i] {
                w[i] *= largest[i] / x;
                largest[i] = x;
            }
            if x > 0.0 {
                norm += (x / largest[i]).powi(2);
            }
        }
        rows += 1.0;
        let error = -error(w, phi, target);
        let step = step * f64::sqrt(rows / norm);
        for (i, x) in exact(phi) {
            let gradient = error * x;
            squares[i] += gradient * gradient;
            if gradient != 0.0 {
                w[i] -= step * gradient / (largest[i] * squares[i].sqrt());
            }
        }
    }
}

/// `prior` on the diagonal of a matrix.
pub(super) fn diagonal(n: usize, prior: f64) -> Vec<f64> {
    (0..n * n).map(|i| if i % (n + 1) == 0 { prior } else { 0.0 }).collect()
}

/// Recursive least squares with exponential forgetting: n × n numbers, the inverse of the weighted Σ φφᵀ row by row. The
/// larger the prior, the less confidence in w = 0.
pub(super) fn rls(n: usize, prior: f64, forgetting: f64) -> impl FnMut(&mut [f64], &[f32], f32) {
    let mut inverse = diagonal(n, prior);
    move |w, phi, target| {
        let error = error(w, phi, target);
        let direction: Vec<f64> = inverse.chunks_exact(n).map(|row| product(phi, row)).collect();
        let scale = 1.0 / (forgetting + product(phi, &direction));
        for (row, a) in inverse.chunks_exact_mut(n).zip(&direction) {
            for (p, b) in row.iter_mut().zip(&direction) {
                // a·b first: an asymmetry of one rounding would grow with every division.
                *p = (*p - scale * (a * b)) / forgetting;
            }
        }
        w.iter_mut().zip(&direction).for_each(|(w, a)| *w += scale * error * a);
    }
}

/// A rule on rows of length 1: (φ, V)/‖φ‖. It makes least squares indifferent to the units of an equation.
pub(super) fn unit_rows(mut rule: impl FnMut(&mut [f64], &[f32], f32)) -> impl FnMut(&mut [f64], &[f32], f32) {
    move |w, phi, target| {
        let norm = square(phi).sqrt();
        let row: Vec<f32> = phi.iter().map(|&x| (f64::from(x) / norm) as f32).collect();
        rule(w, &row, (f64::from(target) / norm) as f32);
    }
}
