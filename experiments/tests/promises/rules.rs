//! Promises: `PREDICTABLE` beats `PAPER` on equal data, and `Streaming` is as good as the exact solution for the same
//! data.

use osculate_experiments::compare;
use osculate_experiments::paper::Summary;
use osculate_host_tests::worlds::Weighting;
use osculate_lab::repository::runs_all;

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
        let errors = compare::independent_rows(seeds(), 10_000, consistent);
        halves(&errors, &format!("independent rows, mean targets agree: {consistent}"));
    }
    for weighting in [Weighting::Stationary, Weighting::FirstVisits] {
        halves(&compare::chain(seeds(), 10_000, weighting), &format!("chain, {weighting:?}"));
    }
}

/// Relative to the limit of learning from first visits, the exact solution has only sampling noise. An average weighted
/// as k³ has 4/√7 = 1.51 times the noise of an unweighted one, which explains the difference to a quarter.
#[test]
fn streaming_is_as_good_as_the_exact_solution() {
    for (weighting, most) in [(Weighting::Stationary, 1.25), (Weighting::FirstVisits, 1.51)] {
        let errors = compare::without_a_log(if runs_all() { 16 } else { 6 }, 5_000, weighting);
        let medians: Vec<f64> = errors.iter().map(|one| one.median).collect();
        println!("{weighting:?} {medians:.4?}");
        for streaming in &medians[1..] {
            assert!(streaming / medians[0] <= most, "{weighting:?}: {streaming} over {}", medians[0]);
        }
    }
}
