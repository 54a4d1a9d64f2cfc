//! Promise: a learner that is saved after every step, restored into a new value and continued ends with the same bits
//! as one that was never interrupted. The saved bytes are the same on every core.

use std::collections::BTreeSet;

use osculate_apps::choice::Arith;
use osculate_apps::with_arithmetic;
use osculate_board_tests::reports;
use osculate_lab::boards::Board;
use osculate_programs::report::Report;
use osculate_programs::resume::run;

#[test]
fn on_this_machine_on_a_core_with_an_fpu_on_one_without_and_on_the_smallest() {
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
