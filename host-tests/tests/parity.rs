//! Promise: the device gives the host's bits, and both give those of the rounded f64 reference.

use osculate::{Batch, Learner};
use osculate_host_tests::reference::rounded::{Fate, Rounded, Settings};
use osculate_host_tests::reference::{Gain, Parameters, Row};
use osculate_host_tests::worlds::parity_problem::{FEATURES, Problem, ROWS, SEED, UPDATES};
use osculate_lab::boards::Board;
use osculate_lab::{device_learning, firmware};

#[test]
fn every_bit_on_the_device_equals_host_and_reference() {
    let board = &Board::all()[0];
    let elf = firmware::build(board, "parity", &[]).unwrap();
    let mut device = Vec::new();
    device_learning::run(board, &elf, |update| device.push(update)).unwrap();
    assert_eq!(device.len(), UPDATES as usize);

    let mut problem = Problem::new(SEED);
    let mut learner = Learner::<f32, FEATURES>::default();
    let parameters = Parameters { gain: Gain::Harmonic, beta: 0.5, skip_below: 1e-6 };
    let mut reference = Rounded::new(FEATURES, Settings::paper(parameters));
    for update in &device {
        let mut rows: Vec<Row> = Vec::new();
        let mut batch = Batch::<f32, FEATURES, ROWS>::new();
        problem.next_batch(|phi, v| {
            batch.push(phi, v).unwrap();
            rows.push((phi.to_vec(), v));
        });
        let host = learner.update(&batch);
        let report = reference.update(&rows, 0);
        assert_eq!(report.fate, Fate::Stepped, "nothing is skipped here");
        let theta = report.theta as f32;
        let k = host.k;
        assert_eq!((update.k, update.tau, update.dropped), (k, host.tau, host.dropped));
        assert_eq!([update.theta.to_bits(), theta.to_bits()], [host.theta.to_bits(); 2], "theta at k = {k}");
        assert_eq!(update.g_norm.to_bits(), host.g_norm.to_bits(), "norm of g at k = {k}");
        let bits = learner.weights().map(f32::to_bits);
        assert_eq!(update.weights.iter().map(|w| w.to_bits()).collect::<Vec<_>>(), bits, "device, k = {k}");
        assert_eq!(
            reference.weights().iter().map(|&w| (w as f32).to_bits()).collect::<Vec<_>>(),
            bits,
            "reference, k = {k}"
        );
    }
    println!("{}: {} updates, every bit of w and theta equal", board.name, device.len());
}
