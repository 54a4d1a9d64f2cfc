//! Learning at every sample.

use osculate::arithmetic::backend::Persist;
use osculate::learn::Learner;
use osculate::{Outcome, Predictor, RowError, Tracking, TrackingConfig, Verdict};

use super::Fuzz;
use super::check::{finite, made, tracking_faults};
use super::layout::{Laid, Layout, bytes, same, same_but};
use super::number::{Fuzzed, flaw};
use super::plain::Plain;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(32) {
        0 => learn::<A, 128>(fuzz),
        1..12 => learn::<A, 1>(fuzz),
        _ => learn::<A, 3>(fuzz),
    }
}

fn learn<A: Fuzzed, const N: usize>(fuzz: &mut Fuzz) {
    let config = fuzz.tracking_config();
    let Some(learner) = made(fuzz, Tracking::<A, N>::new(config), &tracking_faults(&config)) else { return };
    let calls = if fuzz.one_in(8) { 2_000 } else { 200 };
    let mut life = Life::new(fuzz, config, Predictor::new(learner));
    for _ in 0..calls {
        life.call(fuzz);
        if !fuzz.goes_on() {
            return;
        }
    }
}

/// The sample that is not learned from yet.
#[derive(Clone, Copy, PartialEq)]
enum Pending {
    None,
    Signal,
    Next,
}

/// A predictor, and what its counts should be.
struct Life<A: Fuzzed, const N: usize> {
    predictor: Predictor<Tracking<A, N>>,
    fresh: Predictor<Tracking<A, N>>,
    layout: Layout,
    bootstraps: bool,
    pending: Pending,
    is_closed: bool,
    /// Samples and rows that have been learned from or dropped since the last end.
    settled: u32,
    /// A linear world, in which errors become small enough for a probe.
    truth: [f32; N],
}

impl<A: Fuzzed, const N: usize> Life<A, N> {
    fn new(fuzz: &mut Fuzz, config: TrackingConfig, fresh: Predictor<Tracking<A, N>>) -> Self {
        let predictor = if fuzz.one_in(4) { fresh.clone().with_weights(A::any_weights(fuzz)) } else { fresh.clone() };
        Self {
            predictor,
            fresh,
            layout: <Tracking<A, N> as Laid>::layout(),
            bootstraps: config.gamma > 0.0,
            pending: Pending::None,
            is_closed: false,
            settled: 0,
            truth: fuzz.floats(),
        }
    }

    /// A target that can be learned, or an arbitrary one.
    fn target(&self, fuzz: &mut Fuzz, phi: &[f32; N]) -> f32 {
        let known: f32 = phi.iter().zip(&self.truth).map(|(x, w)| x * w).sum();
        if fuzz.one_in(4) { fuzz.float() } else { known + 0.1 * fuzz.float() }
    }

    fn call(&mut self, fuzz: &mut Fuzz) {
        let phi = fuzz.floats::<N>();
        let reward = if fuzz.one_in(32) { None } else { Some(self.target(fuzz, &phi)) };
        let is_usable = reward.is_some_and(|reward| A::number(reward).is_ok());
        match fuzz.below(64) {
            0 | 1 => self.end(fuzz, &phi),
            2 => {
                self.forget();
                let given = self.predictor.begin(&phi);
                self.opened(fuzz, "begun", given, &phi.map(f64::from));
            }
            3 => {
                self.predictor.last(reward);
                self.closed(is_usable);
                fuzz.called(if is_usable { "last" } else { "no reward" });
            }
            4 if fuzz.one_in(4) => {
                self.predictor.close_rows();
                self.is_closed = true;
                fuzz.called("rows closed");
            }
            5 if fuzz.one_in(4) => {
                let weights = *self.predictor.weights();
                self.predictor.restart();
                fuzz.called("restarted");
                assert_eq!((self.predictor.weights(), self.predictor.updates()), (&weights, 0));
            }
            6 => self.saved(fuzz),
            7 => self.truth = fuzz.floats(),
            8..16 => {
                self.closed(is_usable);
                let (raw, wide) = A::any_raw::<N>(fuzz);
                let given = self.predictor.step_raw(reward, &raw);
                self.opened(fuzz, "raw step", given, &wide);
            }
            16..40 => self.row(fuzz, &phi),
            _ => self.step(fuzz, &phi, reward, is_usable),
        }
        let learner = self.predictor.learner();
        finite(&[learner.weights(), learner.velocity(), learner.averaged()]);
        assert!(self.predictor.step_length() >= 0.0, "{}", self.predictor.step_length());
    }

    /// A row with its target. Promise 3.
    fn row(&mut self, fuzz: &mut Fuzz, phi: &[f32; N]) {
        let target = self.target(fuzz, phi);
        let before = fuzz.one_in(8).then(|| bytes(&self.predictor));
        let given = self.predictor.learn(target, phi);
        self.settled += 1;
        fuzz.called(if given.is_ok() { "given row" } else { "given row refused" });
        let fault = flaw(phi).or(A::number(target).err());
        assert!(fault.is_none_or(|fault| given == Err(fault)), "{given:?} instead of {fault:?}");
        if let (Err(error), Some(before)) = (given, before) {
            same_but(&self.layout.marks, &before, &bytes(&self.predictor), &error);
        }
    }

    fn step(&mut self, fuzz: &mut Fuzz, phi: &[f32; N], reward: Option<f32>, is_usable: bool) {
        let before = fuzz.one_in(8).then(|| {
            let mut before = self.predictor.clone();
            before.last(reward);
            bytes(&before)
        });
        self.closed(is_usable);
        let given = self.predictor.step(reward, phi);
        self.opened(fuzz, "step", given, &phi.map(f64::from));
        // Nothing can be learned from what leads to such a sample.
        if let (Err(RowError::NonFiniteFeature), Some(before)) = (given, before)
            && flaw(phi) == Some(RowError::NonFiniteFeature)
        {
            same(&self.layout.learned, &before, &bytes(&self.predictor), &"an unusable sample");
        }
    }

    /// The signal of the sample that waits for one.
    fn closed(&mut self, is_usable: bool) {
        if self.pending == Pending::Signal {
            let goes_on = is_usable && self.bootstraps;
            self.settled += u32::from(!goes_on);
            self.pending = if goes_on { Pending::Next } else { Pending::None };
        }
    }

    /// Promises 4 and 7: the answer to a sample.
    fn opened(&mut self, fuzz: &mut Fuzz, name: &'static str, given: Result<f32, RowError>, phi: &[f64; N]) {
        self.settled += u32::from(self.pending != Pending::None);
        self.pending = Pending::None;
        let fault = flaw(phi);
        match (given, fault) {
            (Ok(value), None) => {
                let weights = self.predictor.weights();
                let plain = Plain::dot::<A, N>(phi, weights).of_row::<A, N>(phi, weights);
                assert!(plain.is_near_rounded::<A>(value), "{value} instead of {:e}: {phi:?}", plain.value);
                fuzz.called(name);
            }
            // Where no row is wanted, a value may be too large for an f32.
            (Err(RowError::NonFiniteFeature), None) if self.is_closed => fuzz.called("no value"),
            (Err(error), Some(fault)) => {
                assert_eq!(error, fault);
                self.settled += 1;
                fuzz.called("bad features");
                return;
            }
            _ => panic!("{given:?} to features with {fault:?}"),
        }
        if !self.is_closed {
            self.pending = Pending::Signal;
        }
    }

    fn forget(&mut self) {
        self.pending = Pending::None;
        self.is_closed = false;
    }

    /// Promise 4, and that an ended episode is forgotten.
    fn end(&mut self, fuzz: &mut Fuzz, phi: &[f32; N]) {
        let before = bytes(&self.predictor);
        let outcome = if fuzz.one_in(3) {
            fuzz.saw("cut");
            self.predictor.cut(phi)
        } else {
            self.predictor.end()
        };
        self.settled += u32::from(self.pending != Pending::None);
        let Outcome { k, tau, dropped, verdict, g_norm, theta, .. } = outcome;
        assert_eq!(tau + dropped, self.settled, "{outcome:?}");
        assert_eq!((k, tau == 0), (self.predictor.updates(), verdict == Verdict::Empty), "{outcome:?}");
        assert!(g_norm >= 0.0 && (0.0..=1.0).contains(&theta), "{outcome:?}");
        fuzz.called(if tau > 0 { "stepped" } else { "empty" });
        if outcome.saturated > 0 {
            fuzz.saw("saturated");
        }
        let after = bytes(&self.predictor);
        if tau == 0 {
            same(&self.layout.learned, &before, &after, &outcome);
        }
        same(&self.layout.forgotten, &bytes(&self.fresh), &after, &"an unfinished episode");
        self.settled = 0;
        self.forget();
    }

    /// Promise 10: it continues in another predictor.
    fn saved(&mut self, fuzz: &mut Fuzz) {
        let state = bytes(&self.predictor);
        let mut other = self.fresh.clone();
        assert_eq!(other.restore(&state), Ok(()));
        assert_eq!(bytes(&other), state);
        self.predictor = other;
        // While a probe is under way, its errors are in the state.
        let probe = &state[self.layout.learned[1].clone()];
        let row = probe.len() - <A::Scalar as Persist>::BYTES - 2;
        if probe[row..row + 2] != [0, 0] {
            fuzz.saw("probed");
        }
        fuzz.called("saved");
    }
}
