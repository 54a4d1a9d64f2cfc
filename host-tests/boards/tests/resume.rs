//! Promise: a learner that is saved after every step, restored into a new value and continued ends with the same bits
//! as one that was never interrupted. The saved bytes are the same on every core.

use osculate_apps::choice::Arith;
use osculate_apps::with_arithmetic;
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_programs::report::Report;
use osculate_programs::resume::run;

/// The digest of all saved states. Panics unless every rule gives the same bits with and without interruptions.
fn here(arith: Arith) -> u64 {
    with_arithmetic!(arith, A => run::<A>()).unwrap_or_else(|failure| panic!("{}: {failure:?}", arith.name()))
}

#[test]
fn on_this_machine() {
    let mut digests = Arith::ALL.map(here);
    digests.sort_unstable();
    assert!(digests.windows(2).all(|two| two[0] != two[1]), "every arithmetic has bytes of its own");
}

#[test]
fn on_a_core_with_an_fpu_on_one_without_and_on_the_smallest() {
    let expected = Arith::ALL.map(|arith| Report::Resumed(arith, here(arith)));
    for board in ["mps2-an386", "mps2-an385", "microbit"] {
        let board = Board::named(board).unwrap();
        let elf = firmware::build(board, "resume", &[]).unwrap();
        let log = Emulation::new(board, elf).run(|_| ()).unwrap().success().unwrap();
        let told: Vec<Report> = log.iter().filter_map(|line| line.reported().unwrap()).collect();
        assert_eq!(told, expected, "{}", board.name);
    }
}
