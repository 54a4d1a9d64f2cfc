//! Rules and arithmetics on equal data: the distance of each from w* after the same number of episodes.

use osculate::{Q24, Q28, StoredConfig};
use osculate_host_tests::reference::Row;
use osculate_host_tests::reference::closed_form::scale_invariant;
use osculate_host_tests::worlds::{Chain, Weighting};
use osculate_lab::text_table::Table;

use crate::contender::Contender;
use crate::curves::{Run, Summary, by_seed};
use crate::equations::{FEATURES, FEW, NoisyStates, STATES, dice, on_chain, on_states};
use crate::rules::ours::{SPARSE, stored, streaming};

/// `paper`, `predictable`, and `predictable` that measures the curvature in every 8th episode.
fn rules() -> [Contender; 3] {
    let rules = [
        ("paper, f32", StoredConfig::PAPER),
        ("predictable, f32", StoredConfig::PREDICTABLE),
        ("the same, c every 8th", SPARSE),
    ];
    rules.map(|(name, rule)| stored::<f32, FEATURES, STATES>(rule).named(name))
}

/// The exact solution for the rows of this many episodes, once there are so many.
fn exact(count: u32) -> Contender {
    let (mut rows, mut episodes) = (Vec::<Row>::new(), 0);
    Contender::steps(FEATURES, move |learned, step, next| {
        if step.first {
            rows.push((step.phi.to_vec(), step.target));
        }
        episodes += u32::from(next.is_none());
        if next.is_none() && episodes == count {
            learned.w.copy_from_slice(scale_invariant(&rows).as_slice());
        }
    })
}

/// The relative errors at the end, over all seeds.
fn summaries(seeds: u64, run: impl Fn(u64) -> Vec<Run> + Sync) -> Vec<Summary> {
    by_seed("the comparison", 0..seeds, run).iter().map(|run| run.ends("relative error")).collect()
}

/// `PAPER` against `PREDICTABLE`: 5 independent rows per episode, target noise ±½, mean targets that are consistent or
/// not.
fn independent_rows(seeds: u64, count: u32, consistent: bool) -> Vec<Summary> {
    let world = if consistent { NoisyStates::consistent } else { NoisyStates::contradictory };
    summaries(seeds, |seed| on_states(&world(seed), &mut dice(seed), Some(FEW), &mut rules(), &[count]))
}

/// `PAPER` against `PREDICTABLE` on random chains.
fn chain(seeds: u64, count: u32, weighting: Weighting) -> Vec<Summary> {
    summaries(seeds, |seed| on_chain(seed, weighting, &mut rules(), &[count]))
}

/// `Streaming` in four arithmetics against the exact solution for the same rows.
fn without_a_log(seeds: u64, count: u32, weighting: Weighting) -> Vec<Summary> {
    const GAMMA: f64 = Chain::GAMMA as f64;
    summaries(seeds, |seed| {
        let mut learners = [
            exact(count).named("exact batch solution"),
            streaming::<f64, FEATURES>(GAMMA).named("streaming, f64"),
            streaming::<f32, FEATURES>(GAMMA).named("streaming, f32"),
            streaming::<Q28, FEATURES>(GAMMA).named("streaming, q28"),
            streaming::<Q24, FEATURES>(GAMMA).named("streaming, q24"),
        ];
        on_chain(seed, weighting, &mut learners, &[count])
    })
}

/// Prints one table per comparison. The arithmetic is f32 unless stated otherwise.
pub(crate) fn run(seeds: u64, count: u32) {
    let print = |title: String, errors: Vec<Summary>| {
        let mut table = Table::new("lrrr", ["learner", "median", "least", "most"]);
        for one in errors {
            let numbers = [one.median, one.least, one.most].map(|error| format!("{error:.4}"));
            table.row([one.rule].into_iter().chain(numbers));
        }
        println!("{title}\n\n{}", table.text());
    };
    println!("Relative error |w - w*|/|w*|, 25 states, 10 features, seeds 0 to {}.\n", seeds.saturating_sub(1));
    for (consistent, name) in [(true, "agree with one w"), (false, "contradict each other")] {
        print(
            format!("5 independent rows per episode, target noise ±0.5, {count} episodes; mean targets {name}"),
            independent_rows(seeds, count, consistent),
        );
    }
    for (weighting, name) in NAMES {
        let rewards = "random chain, rewards in [0, 2), stop probability 0.1, gamma 0.9";
        print(format!("{rewards}, {count} episodes; w* {name}"), chain(seeds, count, weighting));
    }
    for (weighting, name) in NAMES {
        let title = format!("the same chains, 5000 episodes, without a log; w* {name}");
        print(title, without_a_log(seeds, 5_000, weighting));
    }
}

const NAMES: [(Weighting, &str); 2] = [
    (Weighting::Stationary, "weighs states by the stationary distribution, as the paper's does"),
    (Weighting::FirstVisits, "weighs states by how many episodes visit them"),
];

#[cfg(test)]
mod tests {
    use osculate_lab::repository::runs_all;

    use super::*;

    /// Worlds of each kind.
    fn seeds() -> u64 {
        if runs_all() { 20 } else { 8 }
    }

    /// Half the error of `PAPER`, and hardly more if the curvature is measured less often.
    fn halves(errors: &[Summary], world: &str) {
        let [paper, predictable, sparse] = [0, 1, 2].map(|i| errors[i].median);
        println!("{world}: {paper:.4} {predictable:.4} {sparse:.4}");
        assert!(predictable * 2.0 <= paper && sparse <= predictable * 1.1, "{world}");
    }

    #[test]
    fn predictable_halves_the_error() {
        for consistent in [true, false] {
            let errors = independent_rows(seeds(), 10_000, consistent);
            halves(&errors, &format!("independent rows, mean targets agree: {consistent}"));
        }
        for weighting in [Weighting::Stationary, Weighting::FirstVisits] {
            halves(&chain(seeds(), 10_000, weighting), &format!("chain, {weighting:?}"));
        }
    }

    /// Relative to the limit of learning from first visits, the exact solution has only sampling noise. An average weighted
    /// as k³ has 4/√7 = 1.51 times the noise of an unweighted one, which explains the difference to a quarter.
    #[test]
    fn streaming_is_as_good_as_the_exact_solution() {
        for (weighting, most) in [(Weighting::Stationary, 1.25), (Weighting::FirstVisits, 1.51)] {
            let errors = without_a_log(if runs_all() { 16 } else { 6 }, 5_000, weighting);
            let medians: Vec<f64> = errors.iter().map(|one| one.median).collect();
            println!("{weighting:?} {medians:.4?}");
            for streaming in &medians[1..] {
                assert!(streaming / medians[0] <= most, "{weighting:?}: {streaming} over {}", medians[0]);
            }
        }
    }
}
