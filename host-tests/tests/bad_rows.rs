//! Promise: an unusable row is dropped and counted, and the weights are the same as in a run without it, under every rule.

use osculate::{
    Log, Predictor, RowError, Stored, StoredConfig, Streaming, StreamingConfig, Tracking, TrackingConfig, Verdict,
};
use osculate_host_tests::any_rule::AnyRule;
use osculate_host_tests::worlds::{Dice, row};

const N: usize = 5;
const T: usize = 16;
type Row = ([f32; N], f32);

/// Every bit of the vectors of weights.
fn bits(predictor: &Predictor<impl AnyRule<f32, N>>) -> [[u32; N]; 3] {
    predictor.learner().vectors().map(|vector| vector.map(f32::to_bits))
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

/// Gives a row, and returns what was wrong with it at once.
type Give<L> = fn(&mut Predictor<L>, &Row) -> Option<RowError>;

fn as_row<L: AnyRule<f32, N>>(predictor: &mut Predictor<L>, (phi, target): &Row) -> Option<RowError> {
    predictor.learn(*target, phi).err()
}

/// Without a discount, the other rows of an episode depend neither on its features nor on its reward.
fn as_step<L: AnyRule<f32, N>>(predictor: &mut Predictor<L>, (phi, reward): &Row) -> Option<RowError> {
    let taken = predictor.step(None, phi);
    predictor.finish_with(*reward);
    taken.err()
}

/// A bad row at every place of five updates, and then nothing but bad rows.
fn a_bad_row_anywhere_changes_no_bit<L>(bad_rows: &[(Row, RowError)], learner: L, give: Give<L>, are_steps: bool)
where
    L: AnyRule<f32, N> + Clone,
{
    let told = |reason| {
        let is_seen_at_once = matches!(reason, RowError::ZeroFeatures | RowError::NonFiniteFeature);
        (is_seen_at_once || !are_steps).then_some(reason)
    };
    for &(bad, reason) in bad_rows {
        for position in 0..=8 {
            let (mut clean, mut dirty) = (Predictor::new(learner.clone()), Predictor::new(learner.clone()));
            for seed in 0..5 {
                let rows = good_rows(seed);
                for i in 0..=rows.len() {
                    if i == position {
                        assert_eq!(give(&mut dirty, &bad), told(reason), "{bad:?}");
                    }
                    for predictor in [&mut clean, &mut dirty] {
                        assert_eq!(rows.get(i).and_then(|row| give(predictor, row)), None);
                    }
                }
                let [clean_update, dirty_update] = [clean.end(), dirty.end()].map(L::update);
                assert_eq!((clean_update.dropped, dirty_update.dropped), (0, 1), "{bad:?}");
                assert_eq!(clean_update.verdict, Verdict::Stepped);
                assert_eq!(bits(&clean), bits(&dirty), "{bad:?}");
            }
            for (bad, reason) in bad_rows {
                assert_eq!(give(&mut dirty, bad), told(*reason));
            }
            let update = L::update(dirty.end());
            assert_eq!((update.verdict, update.tau, update.dropped), (Verdict::Empty, 0, bad_rows.len() as u32));
            assert_eq!(bits(&clean), bits(&dirty), "{bad:?}");
        }
    }
}

#[test]
fn with_a_log() {
    let config = StoredConfig { gamma: 0.0, ..StoredConfig::PAPER };
    let learner = || Stored::new(config, Log::<f32, N, T, T>::NEW);
    a_bad_row_anywhere_changes_no_bit(&bad_rows(), learner(), as_row, false);
    a_bad_row_anywhere_changes_no_bit(&bad_rows(), learner(), as_step, true);
}

#[test]
fn without_a_log() {
    let streaming = Streaming::<f32, N>::new(StreamingConfig { gamma: 0.0, ..StreamingConfig::DEFAULT });
    // A sum that leaves its range costs a streamed episode, not a row.
    let in_range = &bad_rows()[..9];
    a_bad_row_anywhere_changes_no_bit(in_range, streaming, as_step, true);
    let tracking = || Tracking::<f32, N>::new(TrackingConfig { gamma: 0.0, ..TrackingConfig::DEFAULT });
    a_bad_row_anywhere_changes_no_bit(&bad_rows(), tracking(), as_row, false);
    a_bad_row_anywhere_changes_no_bit(&bad_rows(), tracking(), as_step, true);
}
