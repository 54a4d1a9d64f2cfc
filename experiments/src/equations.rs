//! Equations and states with noisy targets, and how far learners are from the weights that solve them.

use nalgebra::DVector;
use osculate::{Q24, Q28, StoredConfig};
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::{relative_error, scale_invariant};
use osculate_host_tests::worlds::Dice;
use osculate_host_tests::worlds::{self, Chain, LinearSystem, Weighting};

use crate::contender::{Contender, Step};
use crate::curves::Run;
use crate::rules::ARITHMETICS;
use crate::rules::ours::stored;
use crate::worlds::visits;

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

/// The same learner in every arithmetic, with the rule in its name unless that is empty.
pub(crate) fn in_all<const N: usize, const ROWS: usize>(rule: &str, config: StoredConfig) -> [Contender; 4] {
    let new = [stored::<f64, N, ROWS>, stored::<f32, N, ROWS>, stored::<Q28, N, ROWS>, stored::<Q24, N, ROWS>];
    let rule = if rule.is_empty() { String::new() } else { format!("{rule}, ") };
    std::array::from_fn(|i| new[i](config).named(format!("{rule}{}", ARITHMETICS[i])))
}

fn steps(rows: &[Row]) -> Vec<Step> {
    rows.iter().map(|(phi, target)| Step::row(phi.as_slice(), *target)).collect()
}

/// The relative errors of learners after each of these numbers of episodes.
fn errors(
    learners: &mut [Contender],
    solution: &DVector<f64>,
    counts: &[u32],
    mut episode: impl FnMut() -> Vec<Step>,
) -> Vec<Run> {
    let mut errors: Vec<Run> = learners.iter().map(|learner| (learner.name.clone(), Vec::new())).collect();
    for k in 1..=counts[counts.len() - 1] {
        let episode = episode();
        for (learner, (_, errors)) in learners.iter_mut().zip(&mut errors) {
            learner.learn_all(&episode);
            if counts.binary_search(&k).is_ok() {
                errors.push(relative_error(&learner.learned.w, solution));
            }
        }
    }
    errors
}

/// After each of `last` updates from the same rows.
pub(crate) fn descent(learners: &mut [Contender], rows: &[Row], last: u32) -> Vec<Run> {
    let episode = steps(rows);
    errors(learners, &scale_invariant(rows), &Vec::from_iter(1..=last), || episode.clone())
}

/// The weights after `last` updates from the same rows.
pub(crate) fn limit(learner: &mut Contender, rows: &[Row], last: u32) -> DVector<f64> {
    let episode = steps(rows);
    (0..last).for_each(|_| learner.learn_all(&episode));
    DVector::from_column_slice(&learner.learned.w)
}

/// How many independent rows an episode has where it is always as many.
pub(crate) const FEW: usize = 5;

/// On independent rows with noisy targets, τ of them in an episode or, without one, uniform in 1..=25.
pub(crate) fn on_states(
    world: &NoisyStates,
    dice: &mut Dice,
    tau: Option<usize>,
    learners: &mut [Contender],
    counts: &[u32],
) -> Vec<Run> {
    errors(learners, &world.solution(), counts, || {
        let tau = tau.unwrap_or_else(|| 1 + dice.below(STATES as u32) as usize);
        steps(&world.draw(dice, tau))
    })
}

/// What the episodes of a world with this seed are drawn by.
pub(crate) fn dice(seed: u64) -> Dice {
    Dice::new(seed + 1_000)
}

/// On a random chain of 25 states with rewards in [0, 2).
pub(crate) fn on_chain(seed: u64, weighting: Weighting, learners: &mut [Contender], counts: &[u32]) -> Vec<Run> {
    let (world, mut dice) = (Chain::new(seed, STATES, FEATURES), dice(seed));
    errors(learners, &world.solution(weighting), counts, || visits(&world, &mut dice))
}
