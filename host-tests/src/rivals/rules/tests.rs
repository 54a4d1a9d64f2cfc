//! Rivals where they must equal something simpler: a comparison with a broken rival would be worth nothing.

use super::*;

/// The errors of two learners on the random MDP.
fn errors(mut one: Box<dyn Rule>, mut other: Box<dyn Rule>, problem: Problem) -> [[f64; 3]; 2] {
    let data = problem.data(5);
    [data.errors(&mut *one), data.errors(&mut *other)]
}

fn assert_equal([one, other]: [[f64; 3]; 2]) {
    for (a, b) in one.iter().zip(other) {
        assert!((a - b).abs() < 1e-9 && a.is_finite(), "{one:?} {other:?}");
    }
}

#[test]
fn swift_td_without_its_meta_step_and_trace_is_td() {
    let Problem { n, gamma, .. } = Problem::MDP;
    let parameters = Parameters { gamma, lambda: 0.0, step: 0.001, meta: 0.0, bound: 0.5 };
    let swift = Box::new(SwiftTd::new(n, parameters));
    assert_equal(errors(swift, Box::new(Td::new(n, gamma, 0.001, 0.0)), Problem::MDP));
}

#[test]
fn autostep_without_its_meta_step_is_a_gradient_step() {
    let n = Problem::MDP.n;
    let plain = MonteCarlo(Sgd { w: vec![0.0; n], step: 0.001 });
    assert_equal(errors(Box::new(MonteCarlo(Autostep::new(n, 0.0, 0.001))), Box::new(plain), Problem::MDP));
}

#[test]
fn normalised_adaptive_gradients_do_not_mind_the_units_of_columns() {
    let n = Problem::MDP.n;
    let nag = || Box::new(MonteCarlo(Nag::new(n, 0.3)));
    let [plain, _] = errors(nag(), nag(), Problem::MDP);
    let [scaled, _] = errors(nag(), nag(), Problem::MDP.columns());
    for (a, b) in plain.iter().zip(scaled) {
        // Features are rounded to f32 after they were scaled.
        assert!((a - b).abs() < 1e-4, "{plain:?} {scaled:?}");
    }
}

#[test]
fn with_all_of_the_trace_least_squares_of_differences_is_that_of_returns() {
    // Every state of an episode of Boyan's chain is visited once, so that λ = 1 sums up the same equations.
    let Problem { n, gamma, .. } = Problem::BOYAN;
    let lstd = Box::new(Lstd::new(n, gamma, 1e6, 1.0));
    let [lstd, rls] = errors(lstd, Box::new(MonteCarlo(Rls::with_prior(n, 1e6, 1.0))), Problem::BOYAN);
    for (a, b) in lstd.iter().zip(rls) {
        assert!((a - b).abs() < 1e-4, "{lstd:?} {rls:?}");
    }
}
