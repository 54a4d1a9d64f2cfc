//! Where values are learned, and the truth about them.

mod data;
mod drifting;
pub(crate) mod equations;
mod markov;
pub(crate) mod physics;
mod problem;
mod ring;

use osculate_host_tests::worlds::Chain;
use osculate_host_tests::worlds::Dice;

pub(crate) use drifting::{CASES, Case, ROWS, Rows};
pub(crate) use problem::Problem;

use crate::contender::Step;

/// An episode of a chain.
pub(crate) fn visits(world: &Chain, dice: &mut Dice) -> Vec<Step> {
    let visits = world.episode(dice).into_iter();
    let step = |(state, reward)| Step { state: state as u32, ..Step::row(world.features(state), reward) };
    with_returns(visits.map(step).collect(), Chain::GAMMA.into())
}

/// Fills in what follows from the states and rewards of an episode.
fn with_returns(mut steps: Vec<Step>, gamma: f64) -> Vec<Step> {
    let mut following = 0.0;
    for t in (0..steps.len()).rev() {
        following = f64::from(steps[t].reward) + gamma * following;
        steps[t].target = following as f32;
        steps[t].first = steps[..t].iter().all(|step| step.state != steps[t].state);
    }
    steps
}

/// From the standard normal distribution, by the polar method. The logarithm is not the system's, so that every machine
/// draws the same numbers.
pub(super) fn gaussian(dice: &mut Dice) -> f64 {
    loop {
        let (x, y) = (f64::from(dice.uniform()), f64::from(dice.uniform()));
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

/// n of them, independent of each other.
pub(super) fn normal(dice: &mut Dice, n: usize) -> Vec<f64> {
    (0..n).map(|_| gaussian(dice)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_the_standard_normal_distribution() {
        let mut dice = Dice::new(1);
        let numbers = normal(&mut dice, 100_000);
        let moment = |power| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / numbers.len() as f64;
        let expected = [(1, 0.0, 0.01), (2, 1.0, 0.015), (3, 0.0, 0.04), (4, 3.0, 0.1)];
        for (power, expected, within) in expected {
            assert!((moment(power) - expected).abs() < within, "{power}: {}", moment(power));
        }
    }
}
