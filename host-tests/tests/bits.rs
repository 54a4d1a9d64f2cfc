//! Promise: f32 gives exactly the bits that an f64 reference, rounded after every operation, gives.

use osculate::{Batch, Learner, LearnerConfig, Schedule, Verdict};
use osculate_host_tests::reference::rounded::Rounded;
use osculate_host_tests::reference::{Gain, Parameters, Row};
use osculate_host_tests::worlds::{Dice, row};

const MAX_ROWS: usize = 64;
const UPDATES: u32 = 100_000;
const UPDATES_PER_LEARNER: u32 = 25;

/// Rows in units from 2^−20 to 2^20, with targets that no weights fit exactly.
fn random_batch(dice: &mut Dice, n: usize) -> Vec<Row> {
    let tau = 1 + dice.below(MAX_ROWS as u32);
    let spread = [0, 6, 20][dice.below(3) as usize];
    (0..tau)
        .map(|_| {
            let unit = 2_f32.powi(dice.below(2 * spread + 1) as i32 - spread as i32);
            let phi = row(dice, n).iter().map(|x| x * unit).collect();
            (phi, dice.uniform() * unit * 4.0)
        })
        .collect()
}

/// Runs one learner and its reference side by side; returns how many updates were compared.
fn compare<const N: usize>(seed: u64) -> u32 {
    let mut dice = Dice::new(seed);
    let (schedule, gain) = match dice.below(3) {
        0 => (Schedule::Harmonic, Gain::Harmonic),
        1 => (Schedule::ThreeQuarters, Gain::ThreeQuarters),
        _ => (Schedule::Constant(0.3), Gain::Constant(0.3)),
    };
    let beta = [0.0, 0.5, 0.9][dice.below(3) as usize];
    let config = LearnerConfig { schedule, beta, ..LearnerConfig::default() };
    let mut learner = Learner::<f32, N>::new(config).unwrap();
    let mut reference = Rounded::new(N, Parameters { gain, beta: beta.into(), skip_below: 1e-6 });
    for k in 1..=UPDATES_PER_LEARNER {
        let rows = random_batch(&mut dice, N);
        let mut batch = Batch::<f32, N, MAX_ROWS>::new();
        for (phi, v) in &rows {
            batch.push(phi.as_slice().try_into().unwrap(), *v).unwrap();
        }
        let outcome = learner.update(&batch);
        let theta = reference.update(&rows);
        assert_eq!(outcome.verdict == Verdict::Stepped, theta.is_some(), "seed {seed}, k {k}");
        assert_eq!(f64::from(outcome.theta), theta.unwrap_or(0.0), "theta: seed {seed}, n {N}, k {k}");
        for (i, (ours, theirs)) in learner.weights().iter().zip(&reference.w).enumerate() {
            assert_eq!(ours.to_bits(), (*theirs as f32).to_bits(), "w[{i}]: seed {seed}, n {N}, k {k}");
            assert_eq!(f64::from(*ours), *theirs, "the reference is an f32 number");
        }
    }
    UPDATES_PER_LEARNER
}

macro_rules! by_size {
    ($($n:literal)*) => { [$(compare::<$n>),*] };
}

#[test]
fn whole_updates_equal_the_rounded_reference() {
    let sizes = by_size!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
    let mut compared = 0;
    let mut seed = 0;
    while compared < UPDATES {
        compared += sizes[seed as usize % sizes.len()](seed);
        seed += 1;
    }
    println!("{compared} whole f32 updates, n in 1..=32, tau in 1..={MAX_ROWS}: every bit of w and theta equal");
}
