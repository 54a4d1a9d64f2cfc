//! The momentum methods that the paper compares, around a direction that somebody else computes.

/// All methods with their names and the usual step sizes of those that need one; somebody has to choose it. The others take
/// η_k = 1/k or, Adadelta, none at all.
pub(super) const METHODS: [(&str, Option<f64>, Method); 8] = [
    ("none", None, |_, d, k, _| d / k),
    ("heavy ball", None, heavy_ball),
    (NESTEROV, None, heavy_ball),
    ("Adagrad", Some(0.01), adagrad),
    ("Adadelta", None, adadelta),
    ("RMSprop", Some(0.001), rms_prop),
    ("Adam", Some(0.001), adam),
    ("Nadam", Some(0.001), nadam),
];

/// It looks where the velocity leads before it asks for the direction.
const NESTEROV: &str = "Nesterov";
/// β of heavy ball and Nesterov, as in the paper.
const MOMENTUM: f64 = 0.5;
/// How much RMSprop and Adadelta remember of past squares.
const MEMORY: f64 = 0.9;
/// β₁ and β₂ of Adam and Nadam.
const ADAM: (f64, f64) = (0.9, 0.999);
/// Against division by zero; 10⁻⁶ in Adadelta, whose first steps it determines.
const TINY: f64 = 1e-8;
const TINY_DELTA: f64 = 1e-6;

/// What a method remembers about a weight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Past {
    /// The velocity, or the mean direction.
    first: f64,
    /// The sum or the mean of squares.
    second: f64,
    /// The mean of squared steps.
    steps: f64,
}

/// A step size. Where it decays, RMSprop, Adam and Nadam divide it by √k; Adagrad does that by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) size: f64,
    pub(super) decays: bool,
}

impl Step {
    fn at(self, k: f64) -> f64 {
        if self.decays { self.size / k.sqrt() } else { self.size }
    }
}

/// What is subtracted from a weight, given the direction and the number of the step.
type Method = fn(&mut Past, f64, f64, Step) -> f64;

fn heavy_ball(past: &mut Past, d: f64, k: f64, _: Step) -> f64 {
    past.first = MOMENTUM * past.first + d / k;
    past.first
}

fn adagrad(past: &mut Past, d: f64, _: f64, step: Step) -> f64 {
    past.second += d * d;
    step.size * d / (past.second.sqrt() + TINY)
}

fn adadelta(past: &mut Past, d: f64, _: f64, _: Step) -> f64 {
    past.second = MEMORY * past.second + (1.0 - MEMORY) * d * d;
    let step = ((past.steps + TINY_DELTA) / (past.second + TINY_DELTA)).sqrt() * d;
    past.steps = MEMORY * past.steps + (1.0 - MEMORY) * step * step;
    step
}

fn rms_prop(past: &mut Past, d: f64, k: f64, step: Step) -> f64 {
    past.second = MEMORY * past.second + (1.0 - MEMORY) * d * d;
    step.at(k) * d / (past.second.sqrt() + TINY)
}

fn adam(past: &mut Past, d: f64, k: f64, step: Step) -> f64 {
    adaptive(past, d, k, step, |mean, rest| mean / rest)
}

fn nadam(past: &mut Past, d: f64, k: f64, step: Step) -> f64 {
    let (one, _) = ADAM;
    let ahead = 1.0 - libm::pow(one, k + 1.0);
    adaptive(past, d, k, step, |mean, rest| one * mean / ahead + (1.0 - one) * d / rest)
}

/// Adam or Nadam, by how the mean direction is corrected for its beginning with 0.
fn adaptive(past: &mut Past, d: f64, k: f64, step: Step, corrected: impl Fn(f64, f64) -> f64) -> f64 {
    let (one, two) = ADAM;
    past.first = one * past.first + (1.0 - one) * d;
    past.second = two * past.second + (1.0 - two) * d * d;
    let mean = corrected(past.first, 1.0 - libm::pow(one, k));
    step.at(k) * mean / ((past.second / (1.0 - libm::pow(two, k))).sqrt() + TINY)
}

/// Moves weights by a method.
#[derive(Clone, Debug)]
pub(super) struct Optimiser<const N: usize> {
    looks: bool,
    method: Method,
    /// For the methods that have one.
    step: Step,
    k: u32,
    past: [Past; N],
}

impl<const N: usize> Optimiser<N> {
    /// One of the [`METHODS`].
    pub(super) fn new(method: usize, step: Step) -> Self {
        let (name, _, method) = METHODS[method];
        Self { looks: name == NESTEROV, method, step, k: 0, past: [Past::default(); N] }
    }

    /// One step; `direction` leads uphill from the weights that it is given.
    pub(super) fn advance(&mut self, w: &mut [f64; N], direction: impl Fn([f64; N]) -> [f64; N]) {
        self.k += 1;
        let from = std::array::from_fn(|i| if self.looks { w[i] - MOMENTUM * self.past[i].first } else { w[i] });
        for ((w, past), d) in w.iter_mut().zip(&mut self.past).zip(direction(from)) {
            *w -= (self.method)(past, d, self.k.into(), self.step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each method finds the bottom of a bowl that is four times as steep in one direction.
    #[test]
    fn every_method_goes_downhill() {
        for (i, (name, ..)) in METHODS.iter().enumerate() {
            let (mut w, mut optimiser) = ([0.0; 2], Optimiser::new(i, Step { size: 0.5, decays: true }));
            for _ in 0..5_000 {
                optimiser.advance(&mut w, |w| [w[0] - 1.0, 0.25 * (w[1] + 1.0)]);
            }
            let far = (w[0] - 1.0).hypot(w[1] + 1.0);
            assert!(far < 0.2, "{name}: {far}");
        }
    }

    #[test]
    fn the_first_step_of_adam_is_its_step_size_whatever_the_slope() {
        let (mut w, mut optimiser) = ([0.0; 2], Optimiser::new(6, Step { size: 0.25, decays: true }));
        optimiser.advance(&mut w, |_| [1e-3, -1e3]);
        assert!((w[0] + 0.25).abs() < 1e-4 && (w[1] - 0.25).abs() < 1e-4);
    }
}
