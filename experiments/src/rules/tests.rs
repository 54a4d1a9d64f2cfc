//! Rivals where they must equal something simpler: a comparison with a broken rival would be worth nothing.

use osculate_host_tests::reference::closed_form::{least_squares, relative_error};
use osculate_host_tests::worlds::Dice;
use osculate_host_tests::worlds::row;

use super::*;
use crate::contender::product;
use crate::equations::{FEATURES, NoisyStates};

/// The errors of two learners on the same episodes, which must not differ by more than this.
fn assert_equal(mut one: Contender, mut other: Contender, problem: &Problem, within: f64) {
    let data = problem.data(5);
    let [one, other] = [data.errors(&mut one), data.errors(&mut other)];
    for (a, b) in one.iter().zip(&other) {
        assert!((a - b).abs() < within && a.is_finite(), "{one:?} {other:?}");
    }
}

#[test]
fn swift_td_without_its_meta_step_and_trace_is_td() {
    let Problem { n, gamma, .. } = Problem::MDP;
    let swift = swift_td(n, Parameters { gamma, lambda: 0.0, step: 0.001, meta: 0.0, bound: 0.5 });
    assert_equal(swift, td(n, gamma, 0.001, 0.0), &Problem::MDP, 1e-9);
}

#[test]
fn autostep_without_its_meta_step_is_a_gradient_step() {
    let n = Problem::MDP.n;
    let [auto, plain] = [Contender::rows(n, autostep(n, 0.0, 0.001)), Contender::rows(n, sgd(0.001))];
    assert_equal(auto, plain, &Problem::MDP, 1e-9);
}

#[test]
fn normalised_adaptive_gradients_do_not_mind_the_units_of_columns() {
    let n = Problem::MDP.n;
    let errors = |problem: Problem| problem.data(5).errors(&mut Contender::rows(n, nag(n, 0.3)));
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
    assert_equal(lstd(n, gamma, 1e6, 1.0), Contender::rows(n, rls(n, 1e6, 1.0)), &Problem::BOYAN, 1e-4);
}

#[test]
fn without_forgetting_rls_solves_the_least_squares_problem() {
    let rows = NoisyStates::contradictory(1).draw(&mut Dice::new(2), 25);
    let (mut w, mut rls) = ([0.0; FEATURES], rls(FEATURES, 100.0, 1.0));
    for _ in 0..1_000 {
        rows.iter().for_each(|(phi, v)| rls(&mut w, phi, *v));
    }
    assert!(relative_error(&w, &least_squares(&rows)) < 1e-4);
}

#[test]
fn forgetting_lasts() {
    let (mut dice, mut w, mut rls) = (Dice::new(3), [0.0; 4], rls(4, 100.0, 0.98));
    for _ in 0..20_000 {
        let phi = row(&mut dice, 4);
        rls(&mut w, &phi, 2.0 * phi[1]);
    }
    assert!((w[1] - 2.0).abs() < 1e-6);
}

#[test]
fn a_gain_of_one_projects_onto_the_row() {
    let (mut w, phi) = ([0.0; 3], [1.0, -2.0, 0.5]);
    nlms(1.0, false)(&mut w, &phi, 4.0);
    assert!((product(&phi, &w) - 4.0).abs() < 1e-15);
}
