//! Rivals where they must equal something simpler: a comparison with a broken rival would be worth nothing.

use osculate_host_tests::reference::closed_form::{least_squares, relative_error};
use osculate_host_tests::worlds::row;
use osculate_lab::dice::Dice;

use super::*;
use crate::contender::product;
use crate::worlds::NoisyStates;

/// The errors of two learners on the same episodes, which must not differ by more than this.
fn assert_equal(mut one: impl Contender, mut other: impl Contender, problem: &Problem, within: f64) {
    let data = problem.data(5);
    let [one, other] = [data.errors(&mut one), data.errors(&mut other)];
    for (a, b) in one.iter().zip(&other) {
        assert!((a - b).abs() < within && a.is_finite(), "{one:?} {other:?}");
    }
}

#[test]
fn swift_td_without_its_meta_step_and_trace_is_td() {
    let Problem { n, gamma, .. } = Problem::MDP;
    let swift = SwiftTd::new(n, Parameters { gamma, lambda: 0.0, step: 0.001, meta: 0.0, bound: 0.5 });
    assert_equal(swift, Td::new(n, gamma, 0.001, 0.0), &Problem::MDP, 1e-9);
}

#[test]
fn autostep_without_its_meta_step_is_a_gradient_step() {
    let n = Problem::MDP.n;
    let plain = MonteCarlo(Sgd { w: vec![0.0; n], step: 0.001 });
    assert_equal(MonteCarlo(Autostep::new(n, 0.0, 0.001)), plain, &Problem::MDP, 1e-9);
}

#[test]
fn normalised_adaptive_gradients_do_not_mind_the_units_of_columns() {
    let nag = || MonteCarlo(Nag::new(Problem::MDP.n, 0.3));
    let errors = |problem: Problem| problem.data(5).errors(&mut nag());
    let (plain, scaled) = (errors(Problem::MDP), errors(Problem::MDP.columns()));
    for (a, b) in plain.iter().zip(&scaled) {
        // Features are rounded to f32 after they were scaled.
        assert!((a - b).abs() < 1e-4, "{plain:?} {scaled:?}");
    }
}

#[test]
fn with_all_of_the_trace_least_squares_of_differences_is_that_of_returns() {
    // Every state of an episode of Boyan's chain is visited once, so that λ = 1 sums up the same equations.
    let Problem { n, gamma, .. } = Problem::BOYAN;
    assert_equal(Lstd::new(n, gamma, 1e6, 1.0), MonteCarlo(Rls::new(n, 1e6, 1.0)), &Problem::BOYAN, 1e-4);
}

#[test]
fn without_forgetting_rls_solves_the_least_squares_problem() {
    let rows = NoisyStates::contradictory(1, 25, 5, 0.5).draw(&mut Dice::new(2), 25);
    let mut rls = Rls::new(5, 100.0, 1.0);
    for _ in 0..1_000 {
        rows.iter().for_each(|(phi, v)| rls.learn(phi, *v));
    }
    assert!(relative_error(rls.weights(), &least_squares(&rows)) < 1e-4);
}

#[test]
fn forgetting_lasts() {
    let (mut dice, mut rls) = (Dice::new(3), Rls::new(4, 100.0, 0.98));
    for _ in 0..20_000 {
        let phi = row(&mut dice, 4);
        rls.learn(&phi, 2.0 * phi[1]);
    }
    assert!((rls.weights()[1] - 2.0).abs() < 1e-6);
}

#[test]
fn a_gain_of_one_projects_onto_the_row() {
    let mut nlms = Nlms::new(3, 1.0, false);
    let phi = [1.0, -2.0, 0.5];
    nlms.learn(&phi, 4.0);
    assert!((product(&phi, nlms.weights()) - 4.0).abs() < 1e-15);
}
