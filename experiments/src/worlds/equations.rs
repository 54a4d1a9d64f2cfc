//! Linear systems: equations that every arithmetic holds alike, and states with noisy targets.

use nalgebra::DVector;
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::scale_invariant;
use osculate_host_tests::worlds::Dice;
use osculate_host_tests::worlds::{self, LinearSystem};

/// The sizes of the noisy problems, and how far their targets are off at most.
pub(crate) const STATES: usize = 25;
pub(crate) const FEATURES: usize = 10;
const NOISE: f32 = 0.5;

/// Rounded to a multiple of 2^−bits below 1. The rows of `q28` and `q24` have 15 bits.
fn rounded(x: f32, bits: i32) -> f32 {
    let (scale, most) = (2_f32.powi(bits), 1.0 - 2_f32.powi(-bits));
    ((x * scale).round_ties_even() / scale).clamp(-most, most)
}

fn row(dice: &mut Dice, n: usize, bits: i32) -> Vec<f32> {
    (0..n).map(|_| rounded(dice.uniform(), bits)).collect()
}

/// m equations of n features uniform in [−1, 1], rounded to 15 bits. One vector of weights uniform in [−1, 1] solves them
/// all, but for one rounding per target to f32.
pub(crate) fn consistent(seed: u64, m: usize, n: usize) -> Vec<Row> {
    let mut dice = Dice::new(seed);
    let truth = row(&mut dice, n, 15);
    let equation = |_| {
        let phi = row(&mut dice, n, 15);
        let v: f64 = phi.iter().zip(&truth).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
        (phi, v as f32)
    };
    (0..m).map(equation).collect()
}

/// m equations that contradict each other; features and targets are uniform in [−1, 1], rounded to 11 bits, so that
/// [`rescaled`] ones are exact.
pub(crate) fn contradictory(seed: u64, m: usize, n: usize) -> Vec<Row> {
    let mut dice = Dice::new(seed);
    (0..m).map(|_| (row(&mut dice, n, 11), rounded(dice.uniform(), 11))).collect()
}

/// Every equation of [`contradictory`] times its own factor 10^u with u uniform in ±`decades`. The factors have 12
/// significant bits: an f32 holds the products exactly, and the solution of the equations is mathematically the same.
pub(crate) fn rescaled(rows: &[Row], seed: u64, decades: f64) -> Vec<Row> {
    by_factors(rows, seed, |u| {
        let factor = libm::pow(10.0, u * decades);
        let unit = libm::exp2(libm::floor(libm::log2(factor)) - 11.0);
        libm::rint(factor / unit) * unit
    })
}

/// As [`rescaled`], but each factor is a power of two.
pub(crate) fn rescaled_by_powers_of_two(rows: &[Row], seed: u64, decades: f64) -> Vec<Row> {
    by_factors(rows, seed, |u| libm::exp2(libm::rint(u * decades * core::f64::consts::LOG2_10)))
}

fn by_factors(rows: &[Row], seed: u64, factor: impl Fn(f64) -> f64) -> Vec<Row> {
    let mut dice = Dice::new(seed);
    let mut scaled = |(phi, v): &Row| {
        let factor = factor(f64::from(dice.uniform()));
        let times = |x: &f32| {
            let product = f64::from(*x) * factor;
            assert!(f64::from(product as f32) == product, "{x} times {factor} is not exact");
            product as f32
        };
        (phi.iter().map(times).collect(), times(v))
    };
    rows.iter().map(&mut scaled).collect()
}

/// States with features and mean targets, and with noise on every target that is drawn.
pub(crate) struct NoisyStates(Vec<Row>);

impl NoisyStates {
    /// One vector of weights fits all mean targets.
    pub(crate) fn consistent(seed: u64) -> Self {
        Self(LinearSystem::consistent(seed, STATES, FEATURES).rows)
    }

    /// Mean targets are uniform in [−1, 1), and no vector of weights fits them all.
    pub(crate) fn contradictory(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        Self((0..STATES).map(|_| (worlds::row(&mut dice, FEATURES), dice.uniform())).collect())
    }

    /// τ distinct states, each with a noisy target.
    pub(crate) fn draw(&self, dice: &mut Dice, tau: usize) -> Vec<Row> {
        let mut order: Vec<&Row> = self.0.iter().collect();
        let draw = |i: usize| {
            let chosen = i + dice.below((STATES - i) as u32) as usize;
            order.swap(i, chosen);
            let (phi, v) = order[i];
            (phi.clone(), v + dice.uniform() * NOISE)
        };
        (0..tau).map(draw).collect()
    }

    /// w* for the mean targets, all states weighted equally.
    pub(crate) fn solution(&self) -> DVector<f64> {
        scale_invariant(&self.0)
    }
}
