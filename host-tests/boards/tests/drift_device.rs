//! Promise: tracking has the same bits on every board as on this machine, over thousands of steps with a discount and as many
//! without (10 000 with `OSCULATE_ALL=1`), through drift, jumps and missing readings; and it continues from every saved state as if never interrupted.

use std::collections::BTreeSet;

use osculate_apps::with_arithmetic;
use osculate_board_tests::reports;
use osculate_lab::boards::Board;
use osculate_lab::repository::runs_all;
use osculate_programs::report::Report;
use osculate_programs::{arithmetics, drift, resume};

fn here(steps: u32) -> Vec<Report> {
    let mut told = Vec::new();
    for arith in arithmetics() {
        let digests = with_arithmetic!(arith, A => [drift::run::<A>(steps), resume::tracking::<A>()]);
        let [drifted, resumed] = digests.map(|digest| digest.unwrap_or_else(|failure| panic!("{arith:?}: {failure}")));
        told.extend([Report::Drifted(arith, drifted), Report::Resumed(arith, resumed)]);
    }
    told
}

#[test]
fn every_board_has_the_bits_of_this_machine() {
    let steps = if runs_all() { 10_000 } else { drift::STEPS };
    let expected = here(steps);
    let digests: BTreeSet<_> = expected.iter().map(|message| format!("{message:?}")).collect();
    assert_eq!(digests.len(), 2 * arithmetics().count(), "every arithmetic has bits of its own");
    let boards: Vec<_> = Board::cores().filter(|board| board.is_tried()).collect();
    assert_eq!(boards.len(), if runs_all() { 6 } else { 5 });
    for board in boards {
        assert_eq!(reports(board, "drift", Some(steps)), expected, "{}", board.name);
    }
}
