//! Learners on data whose best weights are known, and how far they are from them.

use nalgebra::DVector;
use osculate::{Q24, Q28, StoredConfig};
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::{relative_error, scale_invariant};
use osculate_host_tests::worlds::Dice;
use osculate_host_tests::worlds::{Chain, Weighting};

use crate::contender::{Contender, Step};
use crate::curves::Run;
use crate::rules::ARITHMETICS;
use crate::rules::ours::stored;
use crate::worlds::equations::{FEATURES, NoisyStates, STATES};
use crate::worlds::visits;

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

/// How many independent rows an episode has.
pub(crate) type Tau = fn(&mut Dice) -> usize;

/// Always as many.
pub(crate) const FEW: usize = 5;
pub(crate) const ALWAYS_FEW: Tau = |_| FEW;
/// Uniform in 1..=25.
pub(crate) const ANY: Tau = |dice| 1 + dice.below(STATES as u32) as usize;

/// On independent rows with noisy targets.
pub(crate) fn on_states(
    world: &NoisyStates,
    dice: &mut Dice,
    tau: Tau,
    learners: &mut [Contender],
    counts: &[u32],
) -> Vec<Run> {
    errors(learners, &world.solution(), counts, || {
        let tau = tau(dice);
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
