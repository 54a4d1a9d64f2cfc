//! A predictor with any rule, called in any order and checked against the expected course.

use osculate::{Log, Predictor, RowError, Stored, Streaming, Tracking, Update, Verdict};

use super::check::{counted, finite};
use super::episode::{Course, Open};
use super::input::Fuzz;
use super::layout::{Layout, Part, same, same_but};
use super::number::{Fuzzed, flaw};
use super::plain::Plain;
use super::rules::Rule;

pub(super) fn tracking<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(32) {
        0 => live::<A, Tracking<A, 128>, 128>(fuzz),
        1..12 => live::<A, Tracking<A, 1>, 1>(fuzz),
        _ => live::<A, Tracking<A, 3>, 3>(fuzz),
    }
}

pub(super) fn streaming<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(32) {
        0 => live::<A, Streaming<A, 128, 1>, 128>(fuzz),
        1..8 => live::<A, Streaming<A, 1, 0>, 1>(fuzz),
        8..16 => live::<A, Streaming<A, 1, 7>, 1>(fuzz),
        _ => live::<A, Streaming<A, 3, 1>, 3>(fuzz),
    }
}

/// From a log that is soon full to one with many rows.
pub(super) fn stored<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(64) {
        0 => live::<A, Stored<Log<A, 128, 8, 140>>, 128>(fuzz),
        1 => live::<A, Stored<Log<A, 1, 250, 200>>, 1>(fuzz),
        2..4 => live::<A, Stored<Log<A, 3, 0, 6>>, 3>(fuzz),
        4..6 => live::<A, Stored<Log<A, 2, 9, 0>>, 2>(fuzz),
        _ => live::<A, Stored<Log<A, 3, 16, 6>>, 3>(fuzz),
    }
}

fn live<A: Fuzzed, L: Rule<A, N>, const N: usize>(fuzz: &mut Fuzz) {
    let Some(learner) = L::any(fuzz) else { return };
    let mut life = Life::<A, L, N>::new(fuzz, Predictor::new(learner));
    while fuzz.goes_on() {
        life.call(fuzz);
    }
}

/// A call of a predictor.
pub(super) enum Call<A: Fuzzed, const N: usize> {
    Begin([f32; N]),
    Step(Option<f32>, [f32; N]),
    StepAt(u32, Option<f32>, [f32; N]),
    StepRaw(Option<f32>, A::Raw<N>, [f64; N]),
    Learn(f32, [f32; N]),
    Last(Option<f32>),
    CloseRows,
    Restart,
    Value([f32; N]),
    Cut([f32; N]),
    End,
}

/// What a call returns.
#[derive(Debug)]
pub(super) enum Answer {
    Value(Result<f32, RowError>),
    Row(Result<(), RowError>),
    Update(Update),
    Nothing,
}

impl<A: Fuzzed, const N: usize> Call<A, N> {
    /// Any call but an end, in one of these states.
    pub(super) fn any(fuzz: &mut Fuzz, states: u32, truth: &[f32; N]) -> Self {
        let phi = fuzz.floats::<N>();
        // Most targets can be learned, so that errors become small.
        let known: f32 = phi.iter().zip(truth).map(|(x, w)| x * w).sum();
        let target = if fuzz.one_in(4) { fuzz.float() } else { known + 0.1 * fuzz.float() };
        let reward = if fuzz.one_in(32) { None } else { Some(target) };
        match fuzz.below(64) {
            0 => Self::Begin(phi),
            1..5 => Self::Last(reward),
            5 => Self::CloseRows,
            6..18 => Self::Learn(target, phi),
            18 => Self::Restart,
            19 => Self::Value(phi),
            20..26 => {
                let (raw, wide) = A::any_raw(fuzz);
                Self::StepRaw(reward, raw, wide)
            }
            26..46 => {
                let state = if fuzz.one_in(256) { fuzz.count() } else { fuzz.below(states) };
                Self::StepAt(state, reward, phi)
            }
            _ => Self::Step(reward, phi),
        }
    }

    pub(super) fn make<L: Rule<A, N>>(&self, predictor: &mut Predictor<L>) -> Answer {
        match self {
            Self::Begin(phi) => Answer::Value(predictor.begin(phi)),
            Self::Step(reward, phi) => Answer::Value(predictor.step(*reward, phi)),
            Self::StepAt(state, reward, phi) => Answer::Value(L::step_at(predictor, *state, *reward, phi)),
            Self::StepRaw(reward, raw, _) => Answer::Value(predictor.step_raw(*reward, raw)),
            Self::Value(phi) => Answer::Value(predictor.value(phi)),
            Self::Learn(target, phi) => Answer::Row(predictor.learn(*target, phi)),
            Self::Cut(phi) => Answer::Update(L::update(predictor.truncate(phi))),
            Self::End => Answer::Update(L::update(predictor.end())),
            Self::Last(_) | Self::CloseRows | Self::Restart => {
                match self {
                    Self::Last(reward) => predictor.finish_with(*reward),
                    Self::CloseRows => L::close_rows(predictor),
                    _ => predictor.restart(),
                }
                Answer::Nothing
            }
        }
    }
}

/// The full state of a predictor.
pub(super) fn bytes<A: Fuzzed, L: Rule<A, N>, const N: usize>(predictor: &Predictor<L>) -> Vec<u8> {
    let mut bytes = vec![0; Predictor::<L>::BYTES];
    let length = predictor.save(&mut bytes).expect("there is room for it");
    bytes.truncate(length);
    bytes
}

/// A predictor, and what it should answer.
pub(super) struct Life<A: Fuzzed, L: Rule<A, N>, const N: usize> {
    pub(super) predictor: Predictor<L>,
    pub(super) course: L::Course,
    layout: Layout,
    fresh: Vec<u8>,
    states: u32,
    truth: [f32; N],
    /// From an end after every few calls to an end after more calls than fit.
    ends_one_in: u32,
    /// How often all bytes are compared: this is slow for a long log.
    look_one_in: u32,
    theta: f32,
}

impl<A: Fuzzed, L: Rule<A, N>, const N: usize> Life<A, L, N> {
    pub(super) fn new(fuzz: &mut Fuzz, predictor: Predictor<L>) -> Self {
        let fresh = bytes(&predictor);
        let course = predictor.learner().course();
        let predictor = if fuzz.one_in(4) { predictor.with_weights(A::any_weights(fuzz)) } else { predictor };
        Self {
            predictor,
            course,
            layout: L::layout(),
            fresh,
            states: 1 + fuzz.below(200),
            truth: fuzz.floats(),
            ends_one_in: fuzz.pick(&[2, 8, 8, 40, 400]),
            look_one_in: 1 + Predictor::<L>::BYTES as u32 / 1024,
            theta: 0.0,
        }
    }

    /// A call and its checks.
    pub(super) fn call(&mut self, fuzz: &mut Fuzz) {
        let call = if fuzz.one_in(self.ends_one_in) {
            if fuzz.one_in(4) { Call::Cut(fuzz.floats()) } else { Call::End }
        } else {
            Call::any(fuzz, self.states, &self.truth)
        };
        let mut before = fuzz.one_in(self.look_one_in).then(|| self.predictor.clone());
        let (k, estimate) = (self.predictor.learner().updates(), *self.predictor.estimate());
        let answer = call.make(&mut self.predictor);
        let is_usable = |reward: &Option<f32>| reward.is_some_and(|reward| A::number(reward).is_ok());
        if let Call::Step(reward, _) | Call::StepAt(_, reward, _) | Call::StepRaw(reward, ..) = &call {
            self.course.close(is_usable(reward));
            before.iter_mut().for_each(|before| before.finish_with(*reward));
        }
        match (&call, answer) {
            (Call::Begin(phi), Answer::Value(given)) => {
                self.course.begin();
                before.iter_mut().for_each(|before| before.abandon());
                self.stepped(fuzz, "begun", given, None, &phi.map(f64::from), before);
            }
            (Call::Step(_, phi), Answer::Value(given)) => {
                self.stepped(fuzz, "step", given, None, &phi.map(f64::from), before);
            }
            (Call::StepAt(state, _, phi), Answer::Value(given)) => {
                self.stepped(fuzz, "step at", given, Some(*state), &phi.map(f64::from), before);
            }
            (Call::StepRaw(_, _, wide), Answer::Value(given)) => {
                self.stepped(fuzz, "raw step", given, None, wide, before);
            }
            (Call::Learn(target, phi), Answer::Row(given)) => self.learned(fuzz, *target, phi, given, before),
            (Call::Value(phi), Answer::Value(given)) => self.valued(fuzz, phi, given),
            (_, Answer::Update(outcome)) => self.ended(fuzz, &outcome, k, before),
            (Call::Last(reward), _) => {
                self.course.close(is_usable(reward));
                fuzz.called(if is_usable(reward) { "last" } else { "no reward" });
            }
            (Call::CloseRows, _) => {
                self.course.close_rows();
                fuzz.called("rows closed");
            }
            _ => {
                assert_eq!((self.predictor.weights(), self.predictor.estimate()), (&estimate, &estimate));
                assert_eq!(self.predictor.learner().updates(), 0);
                fuzz.called("restarted");
            }
        }
        let learner = self.predictor.learner();
        let [a, b] = learner.vectors();
        finite(&[learner.weights(), a, b, learner.estimate()]);
    }

    /// Promises 3, 4, 5 and 7, for calls that begin a step.
    fn stepped(
        &mut self,
        fuzz: &mut Fuzz,
        name: &'static str,
        given: Result<f32, RowError>,
        state: Option<u32>,
        phi: &[f64; N],
        before: Option<Predictor<L>>,
    ) {
        let expected = self.course.open(state, flaw(phi));
        match given {
            // An existing row has its own features.
            Ok(_) if self.course.waits() == Open::Again => fuzz.called("again"),
            Ok(value) => {
                let weights = self.predictor.estimate();
                let plain = Plain::dot::<A, N>(phi, weights).of_row::<A, N>(phi, weights);
                assert!(plain.is_near_rounded::<A>(value), "{value} instead of {:e}: {phi:?}", plain.value);
                fuzz.called(name);
            }
            // The features are not needed in this case, but they have no value.
            Err(RowError::NonFiniteFeature | RowError::ZeroFeatures) if expected.is_ok() => {
                assert!(matches!(self.course.waits(), Open::Again | Open::NoRow));
                return fuzz.called("no value");
            }
            Err(RowError::Full(_)) => {
                fuzz.called("full");
                if self.course.has_no_row_left() {
                    fuzz.saw("no row left");
                }
            }
            Err(_) => fuzz.called("bad features"),
        }
        assert_eq!(given.map(|_| ()), expected);
        let (Err(error), Some(before)) = (given, before) else { return };
        let [before, after] = [&before, &self.predictor].map(bytes);
        if L::Course::HAS_EPISODES {
            same_but(&self.layout, Part::Mark, &before, &after, &error);
        } else if error == RowError::NonFiniteFeature {
            // Nothing can be learned from what leads to such a sample. To one of zeros, V = 0 is known.
            same(&self.layout, &[Part::Learned], &before, &after, &error);
        }
    }

    /// A row with its target.
    fn learned(
        &mut self,
        fuzz: &mut Fuzz,
        target: f32,
        phi: &[f32; N],
        given: Result<(), RowError>,
        before: Option<Predictor<L>>,
    ) {
        // Which targets are too large depends on the features of the row and on the format; with `tracking` on w, too.
        let largest = phi.iter().fold(0.0, |most: f64, x| most.max(f64::from(*x).abs()));
        let is_far = !L::Course::HAS_EPISODES || f64::from(target).abs() > 128.0 * largest;
        let far = given.err().filter(|error| *error == RowError::TargetOutOfRange && is_far);
        assert_eq!(given, self.course.learn(flaw(phi).or(A::number(target).err()).or(far)));
        fuzz.called(if given.is_ok() { "given row" } else { "given row refused" });
        if let (Err(error), Some(before)) = (given, before) {
            same_but(&self.layout, Part::Mark, &bytes(&before), &bytes(&self.predictor), &error);
        }
    }

    /// Promise 7.
    fn valued(&self, fuzz: &mut Fuzz, phi: &[f32; N], given: Result<f32, RowError>) {
        let plain = Plain::dot::<A, N>(&phi.map(f64::from), self.predictor.estimate());
        let is_finite = flaw(phi) != Some(RowError::NonFiniteFeature);
        match given {
            Ok(value) => assert!(value.is_finite() && is_finite && plain.is_near_rounded::<A>(value), "{value}"),
            Err(error) => {
                let is_far = plain.is_out_of_range::<A>() || plain.value.abs() > f64::from(f32::MAX) / 4.0;
                assert!(error == RowError::NonFiniteFeature && (!is_finite || is_far), "{error:?}");
            }
        }
        fuzz.called(if given.is_ok() { "value" } else { "no value" });
    }

    /// Promise 4, and that an ended episode is forgotten.
    fn ended(&mut self, fuzz: &mut Fuzz, outcome: &Update, k: u32, before: Option<Predictor<L>>) {
        let (rows, dropped) = self.course.end();
        assert_eq!(self.predictor.learner().updates(), counted::<L::Course>(fuzz, outcome, k));
        if !L::Course::HAS_EPISODES {
            assert!((0.0..=1.0).contains(&outcome.theta), "{outcome:?}");
            if ![0.0, outcome.theta].contains(&self.theta) {
                fuzz.saw("another gain");
            }
            self.theta = outcome.theta;
        }
        assert!(outcome.tau <= rows, "{outcome:?} of {rows} rows");
        assert_eq!(outcome.tau + outcome.dropped, rows + dropped, "{outcome:?} of {rows} rows");
        let after = bytes(&self.predictor);
        let is_kept = outcome.tau == 0 || L::Course::HAS_EPISODES && outcome.verdict != Verdict::Stepped;
        if let (true, Some(before)) = (is_kept, before) {
            same(&self.layout, &[Part::Learned], &bytes(&before), &after, &outcome);
        }
        same(&self.layout, &[Part::Episode, Part::Mark], &self.fresh, &after, &"an unfinished episode");
        assert_eq!(after.len(), self.fresh.len());
    }
}
