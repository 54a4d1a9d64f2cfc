//! A predictor of any rule, called in any order and checked against a model.

use osculate::learn::{Learner, Space};
use osculate::{Predictor, RowError, Verdict};

use super::Fuzz;
use super::check::{counted, finite};
use super::layout::{Laid, Layout, bytes, same, same_but};
use super::model::{Episode, Open};
use super::number::{Fuzzed, flaw};
use super::plain::Plain;

/// A predictor, its expected state, and its layout.
pub(super) struct Life<L> {
    pub(super) predictor: Predictor<L>,
    pub(super) episode: Episode,
    layout: Layout,
    fresh: Vec<u8>,
    /// The number of states to visit.
    states: u32,
    /// Whether episodes should be longer than the capacity.
    is_long: bool,
    /// Comparing all bytes of a long log is slow, so this is done once in this many calls.
    look_one_in: u32,
}

impl<L: Laid> Life<L> {
    pub(super) fn new<A: Fuzzed, const N: usize>(fuzz: &mut Fuzz, predictor: Predictor<L>) -> Self
    where
        L: Learner<Space = Space<A, N>>,
    {
        let fresh = bytes(&predictor);
        let predictor = if fuzz.one_in(4) { predictor.with_weights(A::any_weights(fuzz)) } else { predictor };
        let room = L::room();
        let most = room.states.min(room.rows.min(200) as u64 + 3) as u32;
        let (states, size) = (1 + fuzz.below(most.max(1)), Predictor::<L>::BYTES as u32);
        Self {
            predictor,
            episode: Episode::new(room),
            layout: L::layout(),
            fresh,
            states,
            is_long: false,
            look_one_in: 1 + size / 4096,
        }
    }

    /// Makes some calls.
    pub(super) fn live<A: Fuzzed, const N: usize>(&mut self, fuzz: &mut Fuzz, calls: u32)
    where
        L: Learner<Space = Space<A, N>>,
    {
        // Ends episodes after anything from a few calls to more than there is room for.
        let rarely = fuzz.pick(&[2, 8, 8, 40, 400]);
        self.is_long = rarely == 400;
        for _ in 0..calls {
            if fuzz.one_in(rarely) {
                self.end(fuzz);
            } else {
                self.sample(fuzz);
            }
            if !fuzz.goes_on() {
                return;
            }
        }
    }

    /// Makes one call in the middle of an episode.
    fn sample<A: Fuzzed, const N: usize>(&mut self, fuzz: &mut Fuzz)
    where
        L: Learner<Space = Space<A, N>>,
    {
        let phi = fuzz.floats::<N>();
        let wide = phi.map(f64::from);
        let reward = fuzz.reward();
        let is_usable = reward.is_some_and(|reward| A::number(reward).is_ok());
        let looks = fuzz.one_in(self.look_one_in);
        let mut before = looks.then(|| self.predictor.clone());
        let way = fuzz.below(32);
        // A long episode is rarely given up, and most of its steps make rows.
        let way = if way < 5 && self.is_long && fuzz.below(64) > 0 { 31 } else { way };
        match way {
            0 => {
                self.episode.end();
                let expected = self.episode.open(None, flaw(&phi));
                let given = self.predictor.begin(&phi);
                if let Some(before) = &mut before {
                    before.learner_mut().abandon();
                }
                self.answered::<A, N>(fuzz, "begun", given, expected, &wide, before);
            }
            1..4 => {
                self.predictor.last(reward);
                self.episode.close(is_usable);
                fuzz.called(if is_usable { "last" } else { "no reward" });
            }
            4 => {
                self.predictor.close_rows();
                self.episode.close_rows();
                fuzz.called("rows closed");
            }
            5..10 => self.learn(fuzz, &phi, before),
            10 => {
                let estimate = *self.predictor.estimate();
                self.predictor.restart();
                fuzz.called("restarted");
                assert_eq!((self.predictor.weights(), self.predictor.estimate()), (&estimate, &estimate));
                assert_eq!((self.predictor.updates(), self.predictor.step_length()), (0, 0.0));
            }
            11 => {
                let value = self.predictor.value(&phi);
                let plain = Plain::dot::<A, N>(&wide, self.predictor.estimate());
                let is_finite = flaw(&phi) != Some(RowError::NonFiniteFeature);
                match value {
                    Ok(value) => {
                        assert!(value.is_finite() && is_finite && plain.is_near_rounded::<A>(value), "{value}")
                    }
                    Err(error) => {
                        let is_far = plain.is_out_of_range::<A>() || plain.value.abs() > f64::from(f32::MAX) / 4.0;
                        assert!(error == RowError::NonFiniteFeature && (!is_finite || is_far), "{error:?}");
                    }
                }
                fuzz.called(if value.is_ok() { "value" } else { "no value" });
            }
            way => {
                self.episode.close(is_usable);
                if let Some(before) = &mut before {
                    before.last(reward);
                }
                let state = if fuzz.one_in(256) && !self.is_long { fuzz.count() } else { fuzz.below(self.states) };
                match way {
                    12..15 => {
                        let (raw, wide) = A::any_raw::<N>(fuzz);
                        let expected = self.episode.open(None, flaw(&wide));
                        let given = self.predictor.step_raw(reward, &raw);
                        self.answered::<A, N>(fuzz, "raw step", given, expected, &wide, before);
                    }
                    15..24 => {
                        let expected = self.episode.open(Some(state), flaw(&phi));
                        let given = self.predictor.step_at(state, reward, &phi);
                        self.answered::<A, N>(fuzz, "step at", given, expected, &wide, before);
                    }
                    _ => {
                        let expected = self.episode.open(None, flaw(&phi));
                        let given = self.predictor.step(reward, &phi);
                        self.answered::<A, N>(fuzz, "step", given, expected, &wide, before);
                    }
                }
            }
        }
    }

    /// Promises 3, 4, 5 and 7, for a call that opens a step.
    fn answered<A: Fuzzed, const N: usize>(
        &self,
        fuzz: &mut Fuzz,
        name: &'static str,
        given: Result<f32, RowError>,
        expected: Result<(), RowError>,
        phi: &[f64; N],
        before: Option<Predictor<L>>,
    ) where
        L: Learner<Space = Space<A, N>>,
    {
        let weights = self.predictor.estimate();
        match given {
            // The existing row has its own features.
            Ok(_) if self.episode.open == Open::Again => fuzz.called("again"),
            Ok(value) => {
                let plain = Plain::dot::<A, N>(phi, weights).of_row::<A, N>(phi, weights);
                assert!(plain.is_near_rounded::<A>(value), "{value} instead of {:e}: {phi:?}", plain.value);
                fuzz.called(name);
            }
            // The features are not needed for a row, but they give no value.
            Err(RowError::NonFiniteFeature | RowError::ZeroFeatures) if expected.is_ok() => {
                assert!(matches!(self.episode.open, Open::Again | Open::NoRow));
                return fuzz.called("no value");
            }
            Err(RowError::Full(_)) => {
                fuzz.called("full");
                if self.episode.has_no_row_left() {
                    fuzz.saw("no row left");
                }
            }
            Err(_) => fuzz.called("bad features"),
        }
        assert_eq!(given.map(|_| ()), expected);
        if let (Err(error), Some(before)) = (given, before) {
            // Only these may change: the mark for full, the count of drops, and the open step.
            same_but(&self.layout.marks, &bytes(&before), &bytes(&self.predictor), &error);
        }
    }

    /// Adds a row with its target.
    fn learn<A: Fuzzed, const N: usize>(&mut self, fuzz: &mut Fuzz, phi: &[f32; N], before: Option<Predictor<L>>)
    where
        L: Learner<Space = Space<A, N>>,
    {
        let target = fuzz.float();
        let given = self.predictor.learn(target, phi);
        // Whether a target is too large for a row depends on its features and on the format.
        let largest = phi.iter().fold(0.0, |most: f64, x| most.max(f64::from(*x).abs()));
        let is_far = f64::from(target).abs() > 128.0 * largest;
        let far = given.err().filter(|error| *error == RowError::TargetOutOfRange && is_far);
        let not_finite = A::number(target).err();
        assert_eq!(given.map_err(Some), self.episode.learn(flaw(phi).or(not_finite).or(far)).map_err(Some));
        fuzz.called(if given.is_ok() { "given row" } else { "given row refused" });
        if let (Err(error), Some(before)) = (given, before) {
            same_but(&self.layout.marks, &bytes(&before), &bytes(&self.predictor), &error);
        }
    }

    /// Promise 4, and that the ended episode is forgotten.
    fn end<A: Fuzzed, const N: usize>(&mut self, fuzz: &mut Fuzz)
    where
        L: Learner<Space = Space<A, N>>,
    {
        let (before, k) = (bytes(&self.predictor), self.predictor.updates());
        let outcome = if fuzz.one_in(4) {
            fuzz.saw("cut");
            self.predictor.cut(&fuzz.floats())
        } else {
            self.predictor.end()
        };
        let k = counted(fuzz, &outcome, k);
        let (rows, dropped) = self.episode.end();
        assert_eq!(self.predictor.updates(), k);
        // A row whose target is out of range is dropped at the end.
        assert!(outcome.tau <= rows, "{outcome:?} of {rows} rows");
        assert_eq!(outcome.tau + outcome.dropped, rows + dropped, "{outcome:?} of {rows} rows");
        let after = bytes(&self.predictor);
        if outcome.verdict != Verdict::Stepped {
            same(&self.layout.learned, &before, &after, &outcome);
        }
        same(&self.layout.forgotten, &self.fresh, &after, &"an unfinished episode");
        assert_eq!(after.len(), self.fresh.len());
        let learner = self.predictor.learner();
        finite(&[learner.weights(), learner.velocity(), learner.averaged(), learner.estimate()]);
        assert!(self.predictor.step_length() >= 0.0, "{}", self.predictor.step_length());
    }
}
