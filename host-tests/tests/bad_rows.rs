//! Promise: an unusable row is dropped and counted, and the weights are the same as in a run without it.

use osculate::Episodic;
use osculate::{Limit, Log, Predictor, RowError, Stored, StoredConfig, Verdict};
use osculate_host_tests::worlds::{Dice, row};

const N: usize = 5;
const T: usize = 16;
type Row = ([f32; N], f32);
type Subject<const N: usize, const T: usize> = Predictor<Stored<Log<f32, N, T, T>>>;

fn subject<const N: usize, const T: usize>() -> Subject<N, T> {
    Predictor::new(Stored::new(StoredConfig::PAPER, Log::NEW))
}

/// Every bit of w and w − w⁻.
fn bits(subject: &Subject<N, T>) -> [[u32; N]; 2] {
    [*subject.weights(), *subject.learner().state().velocity].map(|vector| vector.map(f32::to_bits))
}

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
    for ((bad_phi, bad_target), reason) in bad_rows() {
        for position in 0..=8 {
            let (mut clean, mut dirty) = (subject::<N, T>(), subject::<N, T>());
            for seed in 0..5 {
                let rows = good_rows(seed);
                for i in 0..=rows.len() {
                    if i == position {
                        assert_eq!(dirty.learn(bad_target, &bad_phi), Err(reason));
                    }
                    if let Some((phi, v)) = rows.get(i) {
                        clean.learn(*v, phi).unwrap();
                        dirty.learn(*v, phi).unwrap();
                    }
                }
                let (clean_outcome, dirty_outcome) = (clean.end(), dirty.end());
                assert_eq!((clean_outcome.dropped, dirty_outcome.dropped), (0, 1));
                assert_eq!(clean_outcome.verdict, Verdict::Stepped);
                assert_eq!(bits(&clean), bits(&dirty), "{bad_phi:?} {bad_target}");
            }
        }
    }
}

/// The same for steps of an episode with unusable features or reward. Without a discount, the other rows do not depend
/// on either.
#[test]
fn a_bad_step_anywhere_changes_no_bit() {
    let config = StoredConfig { gamma: 0.0, ..StoredConfig::PAPER };
    for ((bad_phi, bad_reward), reason) in bad_rows() {
        for position in 0..=8 {
            let mut clean = Predictor::new(Stored::new(config, Log::<f32, N, T, T>::NEW));
            let mut dirty = clean.clone();
            for seed in 0..5 {
                let rows = good_rows(seed);
                let mut reward = None;
                for i in 0..=rows.len() {
                    if i == position {
                        let taken = dirty.step(reward, &bad_phi);
                        let is_seen_at_once = matches!(reason, RowError::ZeroFeatures | RowError::NonFiniteFeature);
                        assert_eq!(taken.err(), is_seen_at_once.then_some(reason));
                        dirty.finish_with(bad_reward);
                    }
                    if let Some((phi, v)) = rows.get(i) {
                        let expected = clean.step(reward, phi);
                        assert_eq!(dirty.step(reward, phi), expected);
                        reward = Some(*v);
                    }
                }
                clean.finish_with(reward);
                dirty.finish_with(reward);
                let (clean_outcome, dirty_outcome) = (clean.end(), dirty.end());
                assert_eq!((clean_outcome.dropped, dirty_outcome.dropped), (0, 1));
                assert_eq!(clean_outcome.verdict, Verdict::Stepped);
                assert_eq!(bits(&clean), bits(&dirty), "{bad_phi:?} {bad_reward}");
            }
        }
    }
}

#[test]
fn nothing_but_bad_rows_leaves_the_learner_as_it_was() {
    let mut subject = subject::<N, T>();
    for (phi, v) in good_rows(1) {
        subject.learn(v, &phi).unwrap();
    }
    subject.end();
    let before = subject.clone();
    for ((phi, v), reason) in bad_rows() {
        assert_eq!(subject.learn(v, &phi), Err(reason));
    }
    let outcome = subject.end();
    assert_eq!((outcome.verdict, outcome.tau, outcome.dropped), (Verdict::Empty, 0, bad_rows().len() as u32));
    assert_eq!(bits(&subject), bits(&before));
    assert_eq!(subject.updates(), before.updates());
}

#[test]
fn a_step_out_of_range_is_refused_whole() {
    let mut subject = subject::<2, T>();
    // Targets near the largest f32 that pull the same weight the same way: their sum is infinite.
    subject.learn(3e38, &[1.0, 0.0]).unwrap();
    subject.learn(3e38, &[1.0, 1e-3]).unwrap();
    let outcome = subject.end();
    assert_eq!((outcome.verdict, subject.updates()), (Verdict::Overflow, 1), "it counts as an episode");
    assert_eq!(*subject.weights(), [0.0, 0.0]);
}

#[test]
fn a_full_log_says_so() {
    let mut subject = subject::<1, 2>();
    let full = Err(RowError::Full(Limit::Rows));
    assert_eq!([1.0, 2.0, 3.0].map(|v| subject.learn(v, &[1.0])), [Ok(()), Ok(()), full]);
    let outcome = subject.end();
    assert_eq!((outcome.tau, outcome.dropped), (2, 0), "for want of room nothing is dropped: it was never taken");
}
