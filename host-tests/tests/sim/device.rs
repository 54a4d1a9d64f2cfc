//! The device takes the actions of the host, and comes to the same bits.

use osculate::{Arithmetic, Q24, Q28};
use osculate_host_tests::lab::boards::Board;
use osculate_host_tests::lab::firmware;
use osculate_host_tests::lab::qemu::Qemu;
use osculate_host_tests::worlds::grid::{EPISODES, Exact, learn};

/// What the device logs, line by line.
fn expected_log<A: Arithmetic<Scalar = f32, Target: PartialOrd>>(
    name: &str,
    bits: fn(A::Weight) -> u32,
) -> Vec<String> {
    let mut lines = Vec::new();
    let policy = learn::<A>(bits, |trail, outcome, weights| {
        let (k, explored, theta) = (outcome.update.k, outcome.explored, outcome.update.theta.to_bits());
        lines.push(format!("{name} {k} {trail} {explored} {theta:08x} {weights:08x?}"));
    });
    lines.push(format!("{name} policy {}", str::from_utf8(&policy.unwrap()).unwrap()));
    lines
}

#[test]
fn same_actions_and_bits_on_host_and_device_up_to_the_optimal_policy() {
    let mut expected = expected_log::<f32>("f32", f32::to_bits);
    assert_eq!(expected, expected_log::<f32>("f32", f32::to_bits), "the same seed, the same everything");
    expected.extend(expected_log::<Q28>("q28", |weight| weight.to_bits().cast_unsigned()));
    expected.extend(expected_log::<Q24>("q24", |weight| weight.to_bits().cast_unsigned()));
    assert_eq!(expected.len(), 3 * (EPISODES as usize + 1));

    let mut optimal = *b"...GL#T.....";
    let exact = Exact::new();
    for (cell, (action, _)) in exact.states().into_iter().zip(exact.optimal_policy()) {
        optimal[cell] = b"NESW"[action];
    }
    let optimal = str::from_utf8(&optimal).unwrap();
    for name in ["f32", "q28", "q24"] {
        assert!(expected.contains(&format!("{name} policy {optimal}")), "{name}: {:?}", expected.last());
    }

    let board = &Board::all()[0];
    assert_eq!(board.core, "Cortex-M4F");
    let elf = firmware::build(board, "grid", &[]).unwrap();
    let log = Qemu::new(board, elf).run(|_| ()).unwrap().success().unwrap();
    expected.push("done".into());
    for (device, host) in log.iter().zip(&expected) {
        assert_eq!(device.message, *host);
    }
    assert_eq!(log.len(), expected.len());
}
