//! A log of states beside a log of features: they say the same, and teach the same bits.

use osculate::batch::Rows;
use osculate::recomputed::StateLog;
use osculate::{ConfigError, Episode, Learner, Recorded, RowError};

use super::Fuzz;
use super::check::{counted, faults, is_discount, made, said, shown, unchanged};
use super::episode::{Model, name};
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    if fuzz.one_in(32) { record::<A, 1, 250, 200>(fuzz) } else { record::<A, 3, 16, 6>(fuzz) }
}

fn record<A: Fuzzed, const N: usize, const STEPS: usize, const ROWS: usize>(fuzz: &mut Fuzz) {
    let config = fuzz.config::<A::Scalar>();
    let Some(mut learner) = made(fuzz, Learner::<A, N>::new(config), &faults(&config)) else { return };
    let states = 1 + fuzz.below(2 * ROWS.min(100) as u32);
    let table: Vec<_> = (0..states).map(|_| A::any_features::<N>(fuzz)).collect();
    let features = |state: &u8| table[usize::from(*state)].clone();
    // A log of features takes no row for a state that has none to use; a log of states learns of it in the end.
    let is_good = table.iter().all(|features| features.as_ref().is_ok_and(|features| A::flaw(features).is_none()));
    let mut other = is_good.then(|| (Box::new(Episode::<A, u8, N, STEPS, ROWS>::new()), learner.clone()));
    let mut log = Box::new(StateLog::<A, u8, STEPS, ROWS>::new());
    let mut model = Model::default();
    for _ in 0..8 * STEPS.max(4) {
        let before = log.clone();
        match fuzz.below(2 * STEPS as u32 + 8) {
            0 | 1 => {
                let gamma = fuzz.gamma::<A::Scalar>();
                let rows = match log.monte_carlo(gamma, features) {
                    Ok(rows) => rows,
                    Err(error) => {
                        assert!(error == ConfigError::Gamma && !is_discount(gamma));
                        unchanged(&before, &log, &error);
                        fuzz.called("gamma refused");
                        continue;
                    }
                };
                fuzz.called("monte carlo");
                let (expected, dropped) = model.end();
                let (left, gone) = (rows.count() as u32, rows.dropped());
                assert!(left <= expected && gone >= dropped + (expected - left), "a row is neither there nor counted");
                let k = learner.steps();
                let outcome = learner.update(&rows);
                assert_eq!((outcome.tau, outcome.dropped), (left, gone));
                assert_eq!(learner.steps(), counted(fuzz, &outcome, k));
                if let Some((episode, twin)) = &mut other {
                    let twice = twin.update(episode.monte_carlo(gamma).expect("it was a discount before"));
                    assert_eq!((said(&outcome), outcome.dropped), (said(&twice), twice.dropped));
                    assert_eq!(shown(&learner), shown(twin));
                    fuzz.saw("same as an episode");
                }
            }
            2 => {
                log.clear();
                model = Model::default();
                if let Some((episode, _)) = &mut other {
                    episode.clear();
                }
                fuzz.called("cleared");
            }
            _ => {
                let (state, reward) = (fuzz.below(states) as u8, A::any_target(fuzz));
                let is_new = model.ended;
                let limits = [STEPS, ROWS.min(A::MAX_ROWS)];
                let expected = model.record(limits, state, None::<RowError>, A::number(reward).is_finite());
                let recorded = log.record(state, reward);
                fuzz.called(name(recorded));
                assert_eq!(recorded, expected);
                if let Some((episode, _)) = &mut other {
                    let features = features(&state).expect("they are all good");
                    assert_eq!(recorded, episode.record(state, &features, reward));
                }
                let is_refused = matches!(recorded, Recorded::Full | Recorded::BadReward) && !is_new;
                // To look at a long log takes long.
                if is_refused && (STEPS < 10 || fuzz.one_in(STEPS as u32 / 4)) {
                    unchanged(&before, &log, &recorded);
                }
            }
        }
        assert_eq!(log.is_full(), model.full);
        if !fuzz.goes_on() {
            return;
        }
    }
}
