//! The momentum methods that the paper compares, around a direction that somebody else computes.

/// A method, with its usual constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    None,
    HeavyBall,
    Nesterov,
    Adagrad,
    Adadelta,
    RmsProp,
    Adam,
    Nadam,
}

impl Method {
    pub(super) const ALL: [Self; 8] = [
        Self::None,
        Self::HeavyBall,
        Self::Nesterov,
        Self::Adagrad,
        Self::Adadelta,
        Self::RmsProp,
        Self::Adam,
        Self::Nadam,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::HeavyBall => "heavy ball",
            Self::Nesterov => "Nesterov",
            Self::Adagrad => "Adagrad",
            Self::Adadelta => "Adadelta",
            Self::RmsProp => "RMSprop",
            Self::Adam => "Adam",
            Self::Nadam => "Nadam",
        }
    }

    /// The usual step size of a method that needs one; somebody has to choose it. The others take η_k = 1/k or,
    /// Adadelta, none at all.
    pub(super) fn usual_step(self) -> Option<Step> {
        let size = match self {
            Self::Adagrad => 0.01,
            Self::RmsProp | Self::Adam | Self::Nadam => 0.001,
            Self::None | Self::HeavyBall | Self::Nesterov | Self::Adadelta => return None,
        };
        Some(Step { size, decays: false })
    }
}

/// β of heavy ball and Nesterov, as in the paper.
const MOMENTUM: f64 = 0.5;
/// How much RMSprop and Adadelta remember of past squares.
const MEMORY: f64 = 0.9;
/// β₁ and β₂ of Adam and Nadam.
const ADAM: (f64, f64) = (0.9, 0.999);
/// Against division by zero; 10⁻⁶ in Adadelta, whose first steps it determines.
const TINY: f64 = 1e-8;
const TINY_DELTA: f64 = 1e-6;

/// A step size. Where it decays, RMSprop, Adam and Nadam divide it by √k; Adagrad does that by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) size: f64,
    pub(super) decays: bool,
}

/// Weights that a method moves.
#[derive(Clone, Debug)]
pub(super) struct Optimiser<const N: usize> {
    method: Method,
    /// For the methods that have one.
    step: Step,
    pub(super) w: [f64; N],
    k: u32,
    /// The velocity, or the mean direction.
    first: [f64; N],
    /// The sum or the mean of squares.
    second: [f64; N],
    /// The mean of squared steps.
    steps: [f64; N],
}

impl<const N: usize> Optimiser<N> {
    pub(super) fn new(method: Method, step: Step) -> Self {
        let zero = [0.0; N];
        Self { method, step, w: zero, k: 0, first: zero, second: zero, steps: zero }
    }

    /// One step; `direction` leads uphill from the weights that it is given.
    pub(super) fn advance(&mut self, direction: impl Fn([f64; N]) -> [f64; N]) {
        self.k += 1;
        let k = f64::from(self.k);
        // Nesterov looks where the velocity leads before it asks for the direction.
        let looks = self.method == Method::Nesterov;
        let from = std::array::from_fn(|i| if looks { self.w[i] - MOMENTUM * self.first[i] } else { self.w[i] });
        let d = direction(from);
        for (i, d) in d.into_iter().enumerate() {
            self.w[i] -= self.step_of(i, d, k);
        }
    }

    /// What is subtracted from the i-th weight.
    fn step_of(&mut self, i: usize, d: f64, k: f64) -> f64 {
        let (first, second) = (&mut self.first[i], &mut self.second[i]);
        let (one, two) = ADAM;
        let decaying = if self.step.decays { self.step.size / k.sqrt() } else { self.step.size };
        match self.method {
            Method::None => d / k,
            Method::HeavyBall | Method::Nesterov => {
                *first = MOMENTUM * *first + d / k;
                *first
            }
            Method::Adagrad => {
                *second += d * d;
                self.step.size * d / (second.sqrt() + TINY)
            }
            Method::Adadelta => {
                *second = MEMORY * *second + (1.0 - MEMORY) * d * d;
                let step = ((self.steps[i] + TINY_DELTA) / (*second + TINY_DELTA)).sqrt() * d;
                self.steps[i] = MEMORY * self.steps[i] + (1.0 - MEMORY) * step * step;
                step
            }
            Method::RmsProp => {
                *second = MEMORY * *second + (1.0 - MEMORY) * d * d;
                decaying * d / (second.sqrt() + TINY)
            }
            Method::Adam | Method::Nadam => {
                *first = one * *first + (1.0 - one) * d;
                *second = two * *second + (1.0 - two) * d * d;
                let rest = 1.0 - libm::pow(one, k);
                let mean = match self.method {
                    Method::Nadam => one * *first / (1.0 - libm::pow(one, k + 1.0)) + (1.0 - one) * d / rest,
                    _ => *first / rest,
                };
                decaying * mean / ((*second / (1.0 - libm::pow(two, k))).sqrt() + TINY)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each method finds the bottom of a bowl that is four times as steep in one direction.
    #[test]
    fn every_method_goes_downhill() {
        for method in Method::ALL {
            let mut optimiser = Optimiser::<2>::new(method, Step { size: 0.5, decays: true });
            let slope = |w: [f64; 2]| [w[0] - 1.0, 0.25 * (w[1] + 1.0)];
            for _ in 0..5_000 {
                optimiser.advance(slope);
            }
            let far = (optimiser.w[0] - 1.0).hypot(optimiser.w[1] + 1.0);
            assert!(far < 0.2, "{}: {far}", method.name());
        }
    }

    #[test]
    fn the_first_step_of_adam_is_its_step_size_whatever_the_slope() {
        let mut optimiser = Optimiser::<2>::new(Method::Adam, Step { size: 0.25, decays: true });
        optimiser.advance(|_| [1e-3, -1e3]);
        assert!((optimiser.w[0] + 0.25).abs() < 1e-4 && (optimiser.w[1] - 0.25).abs() < 1e-4);
    }
}
