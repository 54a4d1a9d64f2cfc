//! Promise: a device takes the same actions as this machine on its way to the optimal policy, and learns the same bits.

use osculate_apps::with_arithmetic;
use osculate_board_tests::reports;
use osculate_host_tests::worlds::grid::Exact;
use osculate_lab::boards::Board;
use osculate_programs::arithmetics;
use osculate_programs::grid::{ACTIONS, MAP, learn};
use osculate_programs::report::Report;

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
