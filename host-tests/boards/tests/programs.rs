//! Promise: programs that learn report the same bits from a board as from this machine.
//! - Tracking, over thousands of steps with a discount and as many without (10 000 with `OSCULATE_ALL=1`), through drift,
//!   jumps and missing readings; and it continues from every saved state as if never interrupted.
//! - Every rule that is saved after every step, restored into a new value and continued; the saved bytes are the same.
//! - SIM, on its way to the optimal policy: the same actions, too.

use std::collections::BTreeSet;

use osculate_apps::choice::Arith;
use osculate_apps::with_arithmetic;
use osculate_board_tests::reports;
use osculate_host_tests::worlds::grid::Exact;
use osculate_lab::boards::Board;
use osculate_lab::repository::runs_all;
use osculate_programs::grid::{ACTIONS, MAP, learn};
use osculate_programs::report::Report;
use osculate_programs::resume::run;
use osculate_programs::{arithmetics, drift, resume};

fn drifted(steps: u32) -> Vec<Report> {
    let mut told = Vec::new();
    for arith in arithmetics() {
        let digests = with_arithmetic!(arith, A => [drift::run::<A>(steps), resume::tracking::<A>()]);
        let [drifted, resumed] = digests.map(|digest| digest.unwrap_or_else(|failure| panic!("{arith:?}: {failure}")));
        told.extend([Report::Drifted(arith, drifted), Report::Resumed(arith, resumed)]);
    }
    told
}

#[test]
fn every_board_drifts_with_the_bits_of_this_machine() {
    let steps = if runs_all() { 10_000 } else { drift::STEPS };
    let expected = drifted(steps);
    let digests: BTreeSet<_> = expected.iter().map(|message| format!("{message:?}")).collect();
    assert_eq!(digests.len(), 2 * arithmetics().count(), "every arithmetic has bits of its own");
    let boards: Vec<_> = Board::cores().filter(|board| board.is_tried()).collect();
    assert_eq!(boards.len(), if runs_all() { 6 } else { 5 });
    for board in boards {
        assert_eq!(reports(board, "drift", Some(steps)), expected, "{}", board.name);
    }
}

#[test]
fn learners_resume_on_this_machine_with_an_fpu_without_one_and_on_the_smallest() {
    // The digest of all saved states. A failure unless every rule gives the same bits with and without interruptions.
    let here = |arith: Arith| {
        with_arithmetic!(arith, A => run::<A>()).unwrap_or_else(|failure| panic!("{}: {failure:?}", arith.name()))
    };
    let digests = Arith::ALL.map(|arith| (arith, here(arith)));
    let different: BTreeSet<u64> = digests.into_iter().map(|(_, digest)| digest).collect();
    assert_eq!(different.len(), digests.len(), "every arithmetic has bytes of its own");
    let expected = digests.map(|(arith, digest)| Report::Resumed(arith, digest));
    for board in ["mps2-an386", "mps2-an385", "microbit"] {
        let board = Board::named(board).unwrap();
        assert_eq!(reports(board, "resume", None), expected, "{}", board.name);
    }
}

#[test]
fn same_actions_and_bits_on_host_and_device_up_to_the_optimal_policy() {
    let mut optimal = MAP;
    let exact = Exact::new();
    for (cell, (action, _)) in exact.states().into_iter().zip(exact.optimal_policy()) {
        optimal[cell] = ACTIONS[action];
    }
    let learned = arithmetics().map(|arith| {
        let (policy, digest) = with_arithmetic!(arith, A => learn::<A>()).unwrap();
        assert_eq!(policy, optimal, "{}", arith.name());
        Report::Policy(arith, policy, digest)
    });
    let expected: Vec<_> = learned.collect();
    assert_ne!(expected[0], expected[1]);

    let board = &Board::all()[0];
    assert_eq!(board.core, "Cortex-M4F");
    assert_eq!(reports(board, "grid", None), expected);
}
