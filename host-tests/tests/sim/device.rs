//! The device takes the same actions as the host and computes the same bits.

use osculate::{Arithmetic, Q24, Q28};
use osculate_apps::choice::Arith;
use osculate_host_tests::worlds::grid::Exact;
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_programs::grid::{EPISODES, learn};
use osculate_programs::report::Report;

/// The expected messages of the device, in order.
fn expected<A: Arithmetic>(arith: Arith) -> Vec<Report> {
    let mut messages = Vec::new();
    let policy = learn::<A>(|trail, outcome, weights| {
        let (k, explored, theta) = (outcome.report.k, outcome.explored, outcome.report.theta);
        messages.push(Report::Trail(trail.try_into().unwrap()));
        messages.push(Report::Walk { arith, k, explored, theta, weights });
    });
    messages.push(Report::Policy(arith, policy.unwrap()));
    messages
}

#[test]
fn same_actions_and_bits_on_host_and_device_up_to_the_optimal_policy() {
    let mut all = expected::<f32>(Arith::F32);
    assert_eq!(all, expected::<f32>(Arith::F32), "the same seed, the same everything");
    all.extend(expected::<Q28>(Arith::Q28));
    all.extend(expected::<Q24>(Arith::Q24));
    assert_eq!(all.len(), 3 * (2 * EPISODES as usize + 1));

    let mut optimal = *b"...GL#T.....";
    let exact = Exact::new();
    for (cell, (action, _)) in exact.states().into_iter().zip(exact.optimal_policy()) {
        optimal[cell] = b"NESW"[action];
    }
    for arith in [Arith::F32, Arith::Q28, Arith::Q24] {
        assert!(all.contains(&Report::Policy(arith, optimal)), "{}: {:?}", arith.name(), all.last());
    }

    let board = &Board::all()[0];
    assert_eq!(board.core, "Cortex-M4F");
    let elf = firmware::build(board, "grid", &[]).unwrap();
    let log = Emulation::new(board, elf).run(|_| ()).unwrap().success().unwrap();
    assert_eq!(log.len(), all.len() + 1, "all of it, and that it is done");
    for (device, host) in log.iter().zip(&all) {
        assert_eq!(device.reported().unwrap().as_ref(), Some(host));
    }
}
