//! The library under test, and its references in each arithmetic.

use fixed::types::I32F32;
use osculate::arithmetic::backend::{Empty, Features, Persist};
use osculate::rows::InSpace;
use osculate::{
    Arithmetic, Episodic, Learner, Predictor, Q24, Q28, RowError, Schedule, Space, Stored, StoredConfig, Streaming,
    Targets, Theta, Tracking, Update, Verdict,
};
use osculate_host_tests::any_rule::AnyRule;
use osculate_host_tests::reference::Gain;
use osculate_host_tests::reference::call::{
    Answer, Event, Fate, Format, Phi, Report, Rule, Settings, State, Subject, Targets as Aim,
};
use osculate_host_tests::reference::fixed::{Fixed, Pair};
use osculate_host_tests::reference::floats::Precision;

use crate::rules::{Plan, reference};

/// Makes a learner at w = 0.
pub(crate) type New = fn(Plan) -> Box<dyn Subject>;

/// An arithmetic under test.
pub(crate) trait Checked: Arithmetic {
    /// The widths of a fixed-point format.
    const FORMAT: Option<Format>;
    /// Features in the arithmetic's own numbers; only fixed point has them here.
    fn raw<const N: usize>(_: &[i32]) -> Self::Raw<N> {
        unimplemented!("only fixed point has integers")
    }
    /// The magnitude of a weight with these bits; fixed point has a limit of its own.
    fn size(_: u64) -> f64 {
        0.0
    }
    /// All references for this arithmetic.
    fn references(n: usize, plan: Plan) -> Vec<Box<dyn Subject>>;
}

macro_rules! floats {
    ($($float:ident: $precision:ident;)*) => {$(
        impl Checked for $float {
            const FORMAT: Option<Format> = None;
            fn size(bits: u64) -> f64 {
                $float::from_bits(bits as _).abs().into()
            }
            fn references(n: usize, plan: Plan) -> Vec<Box<dyn Subject>> {
                vec![reference(n, Precision::$precision, plan)]
            }
        }
    )*};
}
floats! {
    f32: Single;
    f64: Double;
}

macro_rules! fixed_point {
    ($($format:ident: $fraction_bits:literal;)*) => {$(
        impl Checked for $format {
            const FORMAT: Option<Format> =
                Some(Format { feature_bits: 15, fraction_bits: $fraction_bits, max_rows: 1 << 16 });
            fn raw<const N: usize>(mantissas: &[i32]) -> Self::Raw<N> {
                std::array::from_fn(|i| fixed::types::I1F15::from_bits(mantissas[i].try_into().unwrap()))
            }
            fn references(n: usize, plan: Plan) -> Vec<Box<dyn Subject>> {
                let format = Self::FORMAT.unwrap();
                vec![reference(n, Fixed::<i128>::new(format), plan), reference(n, Fixed::<Pair>::new(format), plan)]
            }
        }
    )*};
}
fixed_point! {
    Q28: 28;
    Q24: 24;
}

/// What a rule knows.
pub(crate) trait Known: Learner + Sized {
    fn known(predictor: &Predictor<Self>) -> State;
}

pub(crate) fn bits<A: Arithmetic, const N: usize>(vector: &[A::Weight; N]) -> Vec<u64> {
    vector.iter().map(|&x| A::bits(x) & u64::MAX >> (64 - 8 * A::Weight::BYTES)).collect()
}

fn episodic<A: Arithmetic, const N: usize>(predictor: &Predictor<impl Episodic<Space = Space<A, N>>>) -> State {
    let known = predictor.learner().state();
    let [total, change] = known.past_lengths;
    State {
        vectors: [known.weights, known.averaged, known.velocity].map(bits::<A, N>),
        trace: Vec::new(),
        expected: None,
        counts: vec![known.updates, known.past_episodes],
        scalars: [total, change, predictor.step_length().into()].map(f64::to_bits).to_vec(),
    }
}

impl<A: Checked, M: InSpace, const N: usize> Known for Stored<M>
where
    Self: Episodic<Space = Space<A, N>>,
{
    fn known(predictor: &Predictor<Self>) -> State {
        episodic(predictor)
    }
}

impl<A: Checked, const N: usize, const WORDS: usize> Known for Streaming<A, N, WORDS> {
    fn known(predictor: &Predictor<Self>) -> State {
        episodic(predictor)
    }
}

impl<A: Checked, const N: usize> Known for Tracking<A, N> {
    /// Read from the bytes of the saved state, as `docs/checkpoint-format.md` describes them.
    fn known(predictor: &Predictor<Self>) -> State {
        let mut saved = vec![0; Predictor::<Self>::BYTES];
        let length = predictor.save(&mut saved).unwrap();
        let mut bytes = Bytes(&saved[14..length - 4]);
        let (weight, number, scalar) = (A::Weight::BYTES, A::Number::BYTES, A::Scalar::BYTES);
        let vectors = [0; 3].map(|_| bytes.numbers(N, weight));
        let mut trace = bytes.numbers(N, weight);
        trace.extend(A::FORMAT.map(|_| bytes.number(2)));
        let (is_some, expected) = (bytes.number(1), bytes.number(number));
        let [depth, since] = [0; 2].map(|_| bytes.number(2) as u32);
        let errors = [0; 4].map(|_| bytes.float(scalar));
        let (count, row) = (bytes.number(1) as u32, bytes.number(2) as u32);
        let [spread, low, high] = [scalar, 4, 4].map(|size| bytes.float(size));
        let rows = bytes.number(4) as u32;
        assert!(is_some <= 1 && (is_some == 1 || expected == 0));
        let shown = predictor.learner().state();
        assert_eq!(vectors, [shown.weights, shown.slow, shown.mark].map(bits::<A, N>), "what is saved is what is used");
        let counts = [shown.gain_depth, shown.rows_since_check, shown.errors as u16, shown.probe_row].map(u32::from);
        assert_eq!((counts, shown.rows), ([depth, since, count, row], rows), "what is saved is what is shown");
        State {
            vectors,
            trace,
            expected: (is_some == 1).then_some(expected),
            counts: vec![depth, since, count, row, rows],
            scalars: errors.into_iter().chain([spread, low, high]).map(f64::to_bits).collect(),
        }
    }
}

/// Little-endian numbers.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn number(&mut self, bytes: usize) -> u64 {
        let (taken, rest) = self.0.split_at(bytes);
        self.0 = rest;
        taken.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }

    fn numbers(&mut self, count: usize, bytes: usize) -> Vec<u64> {
        (0..count).map(|_| self.number(bytes)).collect()
    }

    fn float(&mut self, bytes: usize) -> f64 {
        let bits = self.number(bytes);
        if bytes == 4 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) }
    }
}

pub(crate) struct Library<L>(pub(crate) Predictor<L>);

fn floats<const N: usize>(phi: &Phi) -> &[f32; N] {
    match phi {
        Phi::Floats(phi) => phi.as_slice().try_into().unwrap(),
        Phi::Integers(_) => panic!("only steps and rows have features in the arithmetic's own numbers"),
    }
}

fn report(update: &Update) -> Report {
    let Update { k, tau, dropped, saturated, g_norm, theta, verdict, .. } = *update;
    let fate = match verdict {
        Verdict::Stepped => Fate::Stepped,
        Verdict::Skipped => Fate::Skipped,
        Verdict::Empty => Fate::Empty,
        Verdict::Overflow => Fate::Refused,
        _ => panic!("a verdict that no reference knows: {update:?}"),
    };
    Report { k, tau, dropped, saturated, g_norm: g_norm.to_bits(), theta: theta.to_bits(), fate }
}

impl<A: Checked, L: AnyRule<A, N> + Known, const N: usize> Subject for Library<L>
where
    L: Learner<Space = Space<A, N>>,
{
    fn take(&mut self, event: &Event) -> Answer {
        let predictor = &mut self.0;
        let predicted = |value: Result<f32, RowError>| Answer::Prediction(value.ok().map(f32::to_bits));
        match event {
            Event::Begin(phi) => predicted(predictor.begin(floats(phi))),
            Event::Step(signal, None, Phi::Integers(m)) => predicted(predictor.step_raw(*signal, &A::raw(m))),
            Event::Step(signal, None, phi) => predicted(predictor.step(*signal, floats(phi))),
            Event::Step(signal, Some(state), phi) => predicted(L::step_at(predictor, *state, *signal, floats(phi))),
            Event::Last(signal) => {
                predictor.finish_with(*signal);
                Answer::Nothing
            }
            Event::End => Answer::Outcome(report(&L::update(predictor.end()))),
            Event::Cut(phi) => Answer::Outcome(report(&L::update(predictor.truncate(floats(phi))))),
            Event::Learn(target, Phi::Integers(m)) => Answer::Learned(predictor.learn_raw(*target, &A::raw(m)).is_ok()),
            Event::Learn(target, phi) => Answer::Learned(predictor.learn(*target, floats(phi)).is_ok()),
            Event::Ask(phi) => {
                let of_w = A::value_of(floats(phi), predictor.weights()).ok().map(A::to_f32);
                let values = [of_w, predictor.value(floats(phi)).ok()];
                Answer::Values(values.map(|value| value.filter(|x| x.is_finite()).map(f32::to_bits)))
            }
            Event::Restart => {
                predictor.restart();
                Answer::Nothing
            }
        }
    }

    fn state(&self) -> State {
        L::known(&self.0)
    }
}

pub(crate) fn config(settings: &Settings) -> StoredConfig {
    StoredConfig {
        gamma: settings.gamma,
        targets: match settings.targets {
            Aim::MonteCarlo => Targets::MonteCarlo,
            Aim::OneStep => Targets::OneStep,
        },
        theta: match settings.rule {
            Rule::Paper => Theta::SameBatch,
            Rule::Plain => Theta::One,
            Rule::Predictable => Theta::PastBatches { every: settings.curvature_every.try_into().unwrap() },
        },
        schedule: match settings.gain {
            Gain::Harmonic => Schedule::Harmonic,
            Gain::ThreeQuarters => Schedule::ThreeQuarters,
            Gain::Constant(gain) => Schedule::Constant(gain as f32),
        },
        beta: settings.beta,
        skip_below: settings.skip_below,
        theta_cap: settings.theta_cap,
    }
}

/// φ·w, which must be the same from features and from their row.
pub(crate) fn value<A: Checked<Number = I32F32>, const N: usize>(phi: &Phi, weights: &[A::Weight; N]) -> Option<i64> {
    let mut row = A::Row::<N>::EMPTY;
    let encoded = match phi {
        Phi::Floats(_) => A::encode(&mut row, Features::Floats(floats(phi))),
        Phi::Integers(mantissas) => A::encode(&mut row, Features::Raw(&A::raw(mantissas))),
    };
    let of_row = match encoded {
        Ok(()) => Some(A::value(&row, weights)),
        // All-zero features make no row, but have a value.
        Err(RowError::ZeroFeatures) => Some(I32F32::ZERO),
        Err(_) => None,
    };
    if let Phi::Floats(_) = phi {
        assert_eq!(A::value_of(floats(phi), weights).ok(), of_row, "{phi:?}");
    }
    of_row.map(I32F32::to_bits)
}
