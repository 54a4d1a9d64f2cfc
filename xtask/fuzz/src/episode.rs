//! The log of an episode: recorded, cut, ended and cleared in any order, against a model of what it says.

use osculate::batch::Rows;
use osculate::{Batch, ConfigError, Episode, Learner, LearnerConfig, Recorded, RowError, Verdict};

use super::Fuzz;
use super::check::{counted, finite, is_discount, shown, unchanged};
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    // A small log is soon full; in a large one, a wide format is full first.
    if fuzz.one_in(32) { record::<A, 1, 250, 200>(fuzz) } else { record::<A, 3, 16, 6>(fuzz) }
}

/// What a log should say.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// The states that have a row.
    pub(super) rows: Vec<u8>,
    pub(super) steps: usize,
    pub(super) dropped: u32,
    pub(super) full: bool,
    pub(super) ended: bool,
}

impl Model {
    /// Forgets an episode that has ended.
    fn begin(&mut self) {
        if self.ended {
            *self = Self::default();
        }
    }

    pub(super) fn record(
        &mut self,
        [most_steps, most_rows]: [usize; 2],
        state: u8,
        flaw: Option<RowError>,
        is_usable: bool,
    ) -> Recorded {
        self.begin();
        let is_known = self.rows.contains(&state);
        if self.full || self.steps == most_steps {
            self.full = true;
        } else if !is_usable {
            self.dropped += 1;
            return Recorded::BadReward;
        } else if is_known {
            self.steps += 1;
            return Recorded::Again;
        } else if let Some(flaw) = flaw {
            self.steps += 1;
            self.dropped += 1;
            return Recorded::BadFeatures(flaw);
        } else if self.rows.len() < most_rows {
            self.steps += 1;
            self.rows.push(state);
            return Recorded::First;
        }
        self.full = true;
        Recorded::Full
    }

    /// Ends the episode. How many rows and dropped rows there are, before any of the rows loses its target.
    pub(super) fn end(&mut self) -> (u32, u32) {
        self.begin();
        self.ended = true;
        (self.rows.len() as u32, self.dropped)
    }
}

/// The name of what became of a step.
pub(super) fn name(recorded: Recorded) -> &'static str {
    match recorded {
        Recorded::First => "first",
        Recorded::Again => "again",
        Recorded::BadFeatures(_) => "bad features",
        Recorded::BadReward => "bad reward",
        _ => "full",
    }
}

fn record<A: Fuzzed, const N: usize, const STEPS: usize, const ROWS: usize>(fuzz: &mut Fuzz) {
    let mut episode = Box::new(Episode::<A, u8, N, STEPS, ROWS>::new());
    let mut model = Model::default();
    let mut learner = Learner::<A, N>::new(LearnerConfig::predictable()).expect("it is allowed");
    let (states, calls) = (1 + fuzz.below(ROWS as u32 + 3), 8 * STEPS.max(4));
    for _ in 0..calls {
        let before = episode.clone();
        match fuzz.below(2 * STEPS as u32 + 8) {
            0 => {
                let (gamma, value) = (fuzz.gamma::<A::Scalar>(), A::any_target(fuzz));
                let cut = episode.cut(gamma, value);
                assert_eq!(cut.is_ok(), is_discount(gamma));
                refused(fuzz, cut, &before, &episode, "cut");
            }
            1 => {
                let gamma = fuzz.gamma::<A::Scalar>();
                let ended = episode.monte_carlo(gamma);
                assert_eq!(ended.is_ok(), is_discount(gamma));
                let ended = ended.map(|batch| took(fuzz, &mut learner, batch, model.end()));
                refused(fuzz, ended, &before, &episode, "monte carlo");
            }
            2 => {
                let (gamma, weights) = (fuzz.gamma::<A::Scalar>(), A::any_weights(fuzz));
                let ended = episode.one_step(gamma, &weights);
                assert_eq!(ended.is_ok(), is_discount(gamma));
                let ended = ended.map(|batch| took(fuzz, &mut learner, batch, model.end()));
                refused(fuzz, ended, &before, &episode, "one step");
            }
            3 => {
                episode.clear();
                model = Model::default();
                fuzz.called("cleared");
                assert_eq!(shown(&episode), shown(&Episode::<A, u8, N, STEPS, ROWS>::new()));
            }
            _ => {
                let Ok(features) = A::any_features::<N>(fuzz) else {
                    fuzz.called("no features");
                    continue;
                };
                let (state, reward) = (fuzz.below(states) as u8, A::any_target(fuzz));
                let (flaw, is_usable) = (A::flaw(&features), A::number(reward).is_finite());
                // An episode that has ended is forgotten first, whatever comes.
                let is_new = model.ended;
                let expected = model.record([STEPS, ROWS.min(A::MAX_ROWS)], state, flaw, is_usable);
                let recorded = episode.record(state, &features, reward);
                fuzz.called(name(recorded));
                assert_eq!(recorded, expected);
                let is_refused = matches!(recorded, Recorded::Full | Recorded::BadReward) && !is_new;
                // To look at a long log takes long.
                if is_refused && (STEPS < 10 || fuzz.one_in(STEPS as u32 / 4)) {
                    unchanged(&before, &episode, &recorded);
                }
            }
        }
        let steps = if model.ended { 0 } else { model.steps };
        assert_eq!((episode.len(), episode.is_empty(), episode.is_full()), (steps, steps == 0, model.full));
        if !fuzz.goes_on() {
            return;
        }
    }
}

/// Counts a call, which has changed nothing if it was refused.
fn refused<L: std::fmt::Debug>(
    fuzz: &mut Fuzz,
    result: Result<(), ConfigError>,
    before: &L,
    after: &L,
    name: &'static str,
) {
    fuzz.called(if result.is_ok() { name } else { "gamma refused" });
    if let Err(error) = result {
        assert_eq!(error, ConfigError::Gamma);
        unchanged(before, after, &error);
    }
}

/// Learns from the rows that an episode has come to.
fn took<A: Fuzzed, const N: usize, const ROWS: usize>(
    fuzz: &mut Fuzz,
    learner: &mut Learner<A, N>,
    batch: &Batch<A, N, ROWS>,
    (rows, dropped): (u32, u32),
) {
    let (left, gone) = (batch.count() as u32, batch.dropped());
    assert!(left <= rows && gone >= dropped, "{left} of {rows}, {gone} instead of {dropped}");
    assert_eq!(left + gone, rows + dropped, "a row is neither there nor counted");
    let (before, k) = (learner.clone(), learner.steps());
    let outcome = learner.update(batch);
    assert_eq!((outcome.tau, outcome.dropped), (left, gone));
    assert_eq!(learner.steps(), counted(fuzz, &outcome, k));
    finite(&[learner.weights(), learner.velocity(), learner.averaged()]);
    if outcome.verdict != Verdict::Stepped {
        unchanged(&before, learner, &outcome);
    }
}
