//! A predictor with any rule, called in any order and checked against the expected course.

use std::fmt::Debug;
use std::marker::PhantomData;

use osculate::{Log, Predictor, RowError, StateError, Stored, Verdict};
use osculate_host_tests::any_rule::{Layout, Part};

use super::episode::{Course, Open};
use super::input::Fuzz;
use super::life::{Life, live};
use super::number::{Fuzzed, flaw};
use super::plain::Plain;
use super::rules::{Rule, unchanged};

pub(super) fn predict<A: Fuzzed, L: Rule<A, N>, const N: usize>(fuzz: &mut Fuzz) {
    if let Some(learner) = L::any(fuzz) {
        let life = Predicting::<A, L, N>::new(fuzz, learner);
        live(fuzz, life);
    }
}

/// Promise 10, for logs of other sizes.
pub(super) fn other_sizes<A: Fuzzed>(fuzz: &mut Fuzz) {
    let (config, _) = fuzz.stored_config();
    let Ok(learner) = Stored::try_new(config, Log::<A, 3, 16, 6>::NEW) else { return };
    let mut life = Predicting::<A, _, 3>::new(fuzz, learner);
    while fuzz.goes_on() {
        (0..fuzz.below(30)).for_each(|_| life.call(fuzz));
        let state = life.bytes();
        let small = Stored::new(config, Log::<A, 3, 9, 4>::NEW);
        let mut small = Predicting::<A, _, 3>::new(fuzz, small);
        let (before, fits) = (small.bytes(), life.course.as_ref().is_some_and(|course| course.fits(9, 4)));
        assert_eq!(small.restore(&state), if fits { Ok(()) } else { Err(StateError::OtherSize) });
        assert_eq!(small.bytes(), if fits { state.clone() } else { before });
        fuzz.called(if fits { "into another size" } else { "no room in another size" });
        let large = Stored::new(config, Log::<A, 3, 40, 20>::NEW);
        let mut large = Predicting::<A, _, 3>::new(fuzz, large);
        assert_eq!((large.restore(&state), large.bytes()), (Ok(()), state));
        let mut twin = life.clone();
        assert_eq!(large.predictor.end(), twin.predictor.end());
        assert_eq!(large.bytes(), twin.bytes());
        fuzz.called("into another size");
    }
}

/// A predictor, and what it should answer.
#[derive(Clone)]
struct Predicting<A: Fuzzed, L: Rule<A, N>, const N: usize> {
    predictor: Predictor<L>,
    /// None for a forged state.
    course: Option<Course>,
    layout: Layout,
    fresh: Vec<u8>,
    states: u32,
    truth: [f32; N],
    /// From an end after every few calls to an end after more calls than fit.
    ends_one_in: u32,
    /// How often all bytes are compared: this is slow for a long log.
    look_one_in: u32,
    gain: f32,
    arithmetic: PhantomData<A>,
}

impl<A: Fuzzed, L: Rule<A, N>, const N: usize> Life for Predicting<A, L, N> {
    const BYTES: usize = Predictor::<L>::BYTES;

    fn call(&mut self, fuzz: &mut Fuzz) {
        let before = fuzz.one_in(self.look_one_in).then(|| self.predictor.clone());
        let phi = fuzz.floats::<N>();
        // Most targets can be learned, so that errors become small.
        let known: f32 = phi.iter().zip(&self.truth).map(|(x, w)| x * w).sum();
        let target = if fuzz.one_in(4) { fuzz.float() } else { known + 0.1 * fuzz.float() };
        let reward = if fuzz.one_in(32) { None } else { Some(target) };
        match fuzz.below(64) {
            _ if fuzz.one_in(self.ends_one_in) => self.end(fuzz, &phi, before),
            0..4 => self.finish(fuzz, reward),
            4 => {
                L::close_rows(&mut self.predictor);
                self.course.iter_mut().for_each(Course::close_rows);
                fuzz.called("rows closed");
            }
            5 => self.restart(fuzz),
            6 => self.value(fuzz, &phi),
            7..19 => self.learn(fuzz, target, &phi, before),
            _ => self.step(fuzz, reward, &phi, before),
        }
        self.predictor.learner().finite();
    }

    fn save(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        self.predictor.save(bytes)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        self.predictor.restore(bytes)
    }

    fn expect_as(&mut self, other: Option<&Self>) {
        self.course = other.and_then(|other| other.course.clone());
    }
}

impl<A: Fuzzed, L: Rule<A, N>, const N: usize> Predicting<A, L, N> {
    fn new(fuzz: &mut Fuzz, learner: L) -> Self {
        let mut life = Self {
            course: Some(learner.course()),
            predictor: Predictor::new(learner),
            layout: L::layout(),
            fresh: Vec::new(),
            states: 1 + fuzz.below(200),
            truth: fuzz.floats(),
            ends_one_in: fuzz.pick(&[2, 8, 8, 40, 400]),
            look_one_in: 1 + Self::BYTES as u32 / 1024,
            gain: 0.0,
            arithmetic: PhantomData,
        };
        life.fresh = life.bytes();
        if fuzz.one_in(4) {
            life.predictor = life.predictor.with_weights(A::any_weights(fuzz));
        }
        life
    }

    /// Promise 3: nothing but these parts has changed.
    fn unchanged(&self, free: &[Part], before: Predictor<L>, by: &dyn Debug) {
        let before = Self { predictor: before, ..self.clone() };
        unchanged(&self.layout, free, [&before.bytes(), &self.bytes()], by);
    }

    /// Promises 3, 4, 5 and 7, for calls that begin a step.
    fn step(&mut self, fuzz: &mut Fuzz, reward: Option<f32>, phi: &[f32; N], mut before: Option<Predictor<L>>) {
        let (predictor, mut state, mut wide) = (&mut self.predictor, None, phi.map(f64::from));
        let (name, given) = match fuzz.below(46) {
            0 => ("begun", predictor.begin(phi)),
            1..7 => {
                let (raw, values) = A::any_raw(fuzz);
                wide = values;
                ("raw step", predictor.step_raw(reward, &raw))
            }
            7..27 => {
                let number = if fuzz.one_in(256) { fuzz.count() } else { fuzz.below(self.states) };
                state = Some(number);
                ("step at", L::step_at(predictor, number, reward, phi))
            }
            _ => ("step", predictor.step(reward, phi)),
        };
        fuzz.hear(&given);
        fuzz.answered(name, &given);
        let Some(course) = &mut self.course else { return };
        if name == "begun" {
            course.begin();
            before.iter_mut().for_each(Predictor::abandon);
        } else {
            course.close(is_usable::<A>(reward));
            before.iter_mut().for_each(|before| before.finish_with(reward));
        }
        let expected = course.open(state, flaw(&wide));
        match given {
            // An existing row has its own features.
            Ok(_) if course.waits() == Open::Again => fuzz.saw("again"),
            Ok(value) => {
                let weights = self.predictor.estimate();
                let plain = Plain::dot::<A, N>(&wide, weights).of_row::<A, N>(&wide, weights);
                assert!(plain.is_near_rounded::<A>(value), "{value} instead of {:e}: {wide:?}", plain.value);
            }
            // The features are not needed in this case, but they have no value.
            Err(RowError::NonFiniteFeature | RowError::ZeroFeatures) if expected.is_ok() => {
                return assert!(matches!(course.waits(), Open::Again | Open::NoRow));
            }
            Err(_) => {}
        }
        assert_eq!(given.map(|_| ()), expected);
        match (given, before) {
            (Err(error), Some(before)) if L::HAS_EPISODES => self.unchanged(&[Part::Mark], before, &error),
            // Nothing can be learned from what leads to such a sample. To one of zeros, V = 0 is known.
            (Err(error @ RowError::NonFiniteFeature), Some(before)) => {
                self.unchanged(&[Part::Mark, Part::Episode, Part::Other], before, &error);
            }
            _ => {}
        }
    }

    fn finish(&mut self, fuzz: &mut Fuzz, reward: Option<f32>) {
        self.predictor.finish_with(reward);
        self.course.iter_mut().for_each(|course| course.close(is_usable::<A>(reward)));
        fuzz.called(if is_usable::<A>(reward) { "last" } else { "no reward" });
    }

    fn restart(&mut self, fuzz: &mut Fuzz) {
        let estimate = *self.predictor.estimate();
        self.predictor.restart();
        assert_eq!((self.predictor.weights(), self.predictor.estimate()), (&estimate, &estimate));
        assert_eq!(self.predictor.learner().updates(), 0);
        fuzz.called("restarted");
    }

    /// Promises 3 and 4, for a row with its target.
    fn learn(&mut self, fuzz: &mut Fuzz, target: f32, phi: &[f32; N], before: Option<Predictor<L>>) {
        let given = self.predictor.learn(target, phi);
        fuzz.hear(&given);
        fuzz.answered("given row", &given);
        let Some(course) = &mut self.course else { return };
        // Which targets are too large depends on the features of the row and on the format; with `tracking` on w, too.
        let largest = phi.iter().fold(0.0, |most: f64, x| most.max(f64::from(*x).abs()));
        let is_far = !L::HAS_EPISODES || f64::from(target).abs() > 128.0 * largest;
        let far = given.err().filter(|error| *error == RowError::TargetOutOfRange && is_far);
        assert_eq!(given, course.learn(flaw(phi).or(A::number(target).err()).or(far)));
        if let (Err(error), Some(before)) = (given, before) {
            self.unchanged(&[Part::Mark], before, &error);
        }
    }

    /// Promise 7.
    fn value(&self, fuzz: &mut Fuzz, phi: &[f32; N]) {
        let given = self.predictor.value(phi);
        fuzz.hear(&given);
        let plain = Plain::dot::<A, N>(&phi.map(f64::from), self.predictor.estimate());
        let is_finite = flaw(phi) != Some(RowError::NonFiniteFeature);
        match given {
            Ok(value) => assert!(value.is_finite() && is_finite && plain.is_near_rounded::<A>(value), "{value}"),
            Err(error) => {
                let is_far = plain.is_out_of_range::<A>() || plain.value.abs() > f64::from(f32::MAX) / 4.0;
                assert!(error == RowError::NonFiniteFeature && (!is_finite || is_far), "{error:?}");
            }
        }
        fuzz.answered("value", &given);
    }

    /// Promise 4, and that an ended episode is forgotten.
    fn end(&mut self, fuzz: &mut Fuzz, phi: &[f32; N], before: Option<Predictor<L>>) {
        let k = self.predictor.learner().updates();
        let is_cut = fuzz.one_in(4);
        let outcome = L::update(if is_cut { self.predictor.truncate(phi) } else { self.predictor.end() });
        fuzz.hear(&outcome);
        let Some(course) = &mut self.course else { return fuzz.called("end of a forgery") };
        assert_eq!(self.predictor.learner().updates(), course.ended(fuzz, &outcome, k));
        if !L::HAS_EPISODES {
            assert!((0.0..=1.0).contains(&outcome.theta), "{outcome:?}");
            if ![0.0, outcome.theta].contains(&self.gain) {
                fuzz.saw("another gain");
            }
            self.gain = outcome.theta;
        }
        let is_kept = outcome.tau == 0 || L::HAS_EPISODES && outcome.verdict != Verdict::Stepped;
        if let (true, Some(before)) = (is_kept, before) {
            self.unchanged(&[Part::Mark, Part::Episode, Part::Other], before, &outcome);
        }
        let after = self.bytes();
        assert_eq!(after.len(), self.fresh.len());
        unchanged(&self.layout, &[Part::Learned, Part::Other], [&self.fresh, &after], &"an unfinished episode");
    }
}

fn is_usable<A: Fuzzed>(reward: Option<f32>) -> bool {
    reward.is_some_and(|reward| A::number(reward).is_ok())
}
