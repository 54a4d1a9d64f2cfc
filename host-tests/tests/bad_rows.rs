//! Promise: a row that cannot be used is dropped and counted, and the weights are those of the run without it.

use osculate::batch::Rows;
use osculate::{Batch, Learner, RowError, Verdict};
use osculate_host_tests::worlds::{Dice, row};

const N: usize = 5;
const T: usize = 16;
type Row = ([f32; N], f32);

fn good_rows(seed: u64) -> Vec<Row> {
    let mut dice = Dice::new(seed);
    (0..8).map(|_| (row(&mut dice, N).try_into().unwrap(), dice.uniform())).collect()
}

fn bad_rows() -> Vec<(Row, RowError)> {
    let ones = [1.0; N];
    let with = |i: usize, x: f32| {
        let mut phi = ones;
        phi[i] = x;
        phi
    };
    vec![
        (([0.0; N], 1.0), RowError::ZeroFeatures),
        (([-0.0; N], 1.0), RowError::ZeroFeatures),
        ((with(0, f32::NAN), 1.0), RowError::NonFiniteFeature),
        ((with(4, f32::NAN), 1.0), RowError::NonFiniteFeature),
        ((with(2, f32::INFINITY), 1.0), RowError::NonFiniteFeature),
        ((with(3, f32::NEG_INFINITY), f32::NAN), RowError::NonFiniteFeature),
        ((ones, f32::NAN), RowError::NonFiniteTarget),
        ((ones, f32::INFINITY), RowError::NonFiniteTarget),
        ((ones, f32::NEG_INFINITY), RowError::NonFiniteTarget),
        (([1e-30; N], 1e30), RowError::TargetOutOfRange),
    ]
}

#[test]
fn a_bad_row_anywhere_changes_no_bit() {
    for (bad, reason) in bad_rows() {
        for position in 0..=8 {
            let mut clean = Learner::<f32, N>::default();
            let mut dirty = clean.clone();
            for seed in 0..5 {
                let rows = good_rows(seed);
                let mut without = Batch::<f32, N, T>::new();
                let mut with = Batch::<f32, N, T>::new();
                for (i, (phi, v)) in rows.iter().enumerate() {
                    if i == position {
                        assert_eq!(with.push(&bad.0, bad.1), Err(reason));
                    }
                    without.push(phi, *v).unwrap();
                    with.push(phi, *v).unwrap();
                }
                if position == rows.len() {
                    assert_eq!(with.push(&bad.0, bad.1), Err(reason));
                }
                let (clean_outcome, dirty_outcome) = (clean.update(&without), dirty.update(&with));
                assert_eq!((clean_outcome.dropped, dirty_outcome.dropped), (0, 1));
                assert_eq!(clean_outcome.verdict, Verdict::Stepped);
                assert_eq!(clean.weights().map(f32::to_bits), dirty.weights().map(f32::to_bits), "{bad:?}");
                assert_eq!(clean.velocity().map(f32::to_bits), dirty.velocity().map(f32::to_bits), "{bad:?}");
            }
        }
    }
}

#[test]
fn a_batch_of_bad_rows_leaves_the_learner_as_it_was() {
    let mut learner = Learner::<f32, N>::default();
    let mut batch = Batch::<f32, N, T>::new();
    for (phi, v) in good_rows(1) {
        batch.push(&phi, v).unwrap();
    }
    learner.update(&batch);
    let before = learner.clone();
    batch.clear();
    for ((phi, v), reason) in bad_rows() {
        assert_eq!(batch.push(&phi, v), Err(reason));
    }
    let outcome = learner.update(&batch);
    assert_eq!((outcome.verdict, outcome.tau, outcome.dropped), (Verdict::Empty, 0, bad_rows().len() as u32));
    assert_eq!(learner.weights().map(f32::to_bits), before.weights().map(f32::to_bits));
    assert_eq!(learner.velocity().map(f32::to_bits), before.velocity().map(f32::to_bits));
    assert_eq!(learner.steps(), before.steps());
}

#[test]
fn a_step_out_of_range_is_refused_whole() {
    let mut learner = Learner::<f32, 2>::default();
    let mut batch = Batch::<f32, 2, T>::new();
    // Targets near the largest f32 that pull the same weight the same way: their sum is infinite.
    batch.push(&[1.0, 0.0], 3e38).unwrap();
    batch.push(&[1.0, 1e-3], 3e38).unwrap();
    let outcome = learner.update(&batch);
    assert_eq!((outcome.verdict, learner.steps()), (Verdict::Overflow, 1), "it counts as an episode");
    assert_eq!(*learner.weights(), [0.0, 0.0]);
}

#[test]
fn a_full_batch_says_so() {
    let mut batch = Batch::<f32, 1, 2>::new();
    assert_eq!([1.0, 2.0, 3.0].map(|v| batch.push(&[1.0], v)), [Ok(()), Ok(()), Err(RowError::BatchFull)]);
    assert_eq!((batch.count(), batch.dropped()), (2, 1));
}
