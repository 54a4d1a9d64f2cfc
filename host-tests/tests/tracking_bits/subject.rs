//! The library under test. Only this file knows its types.

use osculate::arithmetic::backend::Persist;
use osculate::{Arithmetic, Predictor, Q24, Q28, Tracking, TrackingConfig, TrackingReport};
use osculate_host_tests::reference::fixed::{Format, Phi};
use osculate_host_tests::reference::tracking::{Answer, Event, Report, Settings, State};

/// A learner of any arithmetic and size.
pub(crate) trait Subject {
    fn take(&mut self, event: &Event) -> Answer;
    fn state(&self) -> State;
}

/// Makes a learner.
pub(crate) type New = fn(&Settings) -> Box<dyn Subject>;

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
}

impl Checked for f32 {
    const FORMAT: Option<Format> = None;
    fn size(bits: u64) -> f64 {
        f32::from_bits(bits as u32).abs().into()
    }
}
impl Checked for f64 {
    const FORMAT: Option<Format> = None;
    fn size(bits: u64) -> f64 {
        f64::from_bits(bits).abs()
    }
}

macro_rules! fixed_point {
    ($($format:ident: $feature:ident, $feature_bits:literal, $fraction_bits:literal;)*) => {$(
        impl Checked for $format {
            const FORMAT: Option<Format> =
                Some(Format { feature_bits: $feature_bits, fraction_bits: $fraction_bits, max_rows: usize::MAX });
            fn raw<const N: usize>(mantissas: &[i32]) -> Self::Raw<N> {
                std::array::from_fn(|i| fixed::types::$feature::from_bits(mantissas[i].try_into().unwrap()))
            }
        }
    )*};
}
fixed_point! {
    Q28: I1F15, 15, 28;
    Q24: I1F15, 15, 24;
}

/// A tracking predictor at w = 0.
pub(crate) fn library<A: Checked, const N: usize>(settings: &Settings) -> Box<dyn Subject> {
    let Settings { gamma, lambda, gain, least_gain, every } = *settings;
    let config = TrackingConfig { gamma, lambda, gain, least_gain, every, greedy: false };
    Box::new(Library(Predictor::new(Tracking::<A, N>::new(config))))
}

struct Library<A: Arithmetic, const N: usize>(Predictor<Tracking<A, N>>);

fn floats<const N: usize>(phi: &Phi) -> [f32; N] {
    match phi {
        Phi::Floats(phi) => phi.as_slice().try_into().unwrap(),
        Phi::Integers(_) => panic!("only steps have features in the arithmetic's own numbers"),
    }
}

impl<A: Checked, const N: usize> Subject for Library<A, N> {
    fn take(&mut self, event: &Event) -> Answer {
        let predictor = &mut self.0;
        let report = |report: TrackingReport| {
            let (mean_error, gain) = (report.error.to_bits(), report.gain.to_bits());
            let TrackingReport { all_rows: k, rows: tau, dropped, saturated, .. } = report;
            Answer::Outcome(Report { k, tau, dropped, saturated, mean_error, gain })
        };
        match event {
            Event::Begin(phi) => Answer::Prediction(predictor.begin(&floats(phi)).ok().map(f32::to_bits)),
            Event::Step(signal, phi) => {
                let prediction = match phi {
                    Phi::Floats(_) => predictor.step(*signal, &floats(phi)),
                    Phi::Integers(mantissas) => predictor.step_raw(*signal, &A::raw(mantissas)),
                };
                Answer::Prediction(prediction.ok().map(f32::to_bits))
            }
            Event::Last(signal) => {
                predictor.finish_with(*signal);
                Answer::Nothing
            }
            Event::End => report(predictor.end()),
            Event::Cut(phi) => report(predictor.truncate(&floats(phi))),
            Event::Learn(target, phi) => Answer::Learned(predictor.learn(*target, &floats(phi)).is_ok()),
            Event::Restart => {
                predictor.restart();
                Answer::Nothing
            }
        }
    }

    /// Read from the bytes of the saved state, as `docs/checkpoint-format.md` describes them.
    fn state(&self) -> State {
        let mut saved = vec![0; Predictor::<Tracking<A, N>>::BYTES];
        let length = self.0.save(&mut saved).unwrap();
        let mut bytes = Bytes(&saved[14..length - 4]);
        let (weight, number, scalar) = (A::Weight::BYTES, A::Number::BYTES, A::Scalar::BYTES);
        let [w, slow, mark] = [0; 3].map(|_| bytes.numbers(N, weight));
        let mut trace = bytes.numbers(N, weight);
        if A::FORMAT.is_some() {
            trace.push(bytes.number(2));
        }
        let (is_some, expected) = (bytes.number(1), bytes.number(number));
        let [depth, rows_since] = [0; 2].map(|_| bytes.number(2) as u16);
        let [mean, excess, probe, weights] = [0; 4].map(|_| bytes.number(scalar));
        let (count, row) = (bytes.number(1) as u16, bytes.number(2) as u16);
        let spread = bytes.number(scalar);
        let bounds = [0; 2].map(|_| bytes.number(4) as u32);
        let rows = bytes.number(4) as u32;
        assert!(is_some <= 1 && (is_some == 1 || expected == 0));
        let known = self.0.learner().state();
        let bits =
            |vector: &[A::Weight; N]| vector.iter().map(|&x| A::bits(x) & u64::MAX >> (64 - 8 * weight)).collect();
        let vectors: [Vec<u64>; 3] = [known.weights, known.slow, known.mark].map(bits);
        assert_eq!([&w, &slow, &mark], vectors.each_ref(), "what is saved is what is used");
        let counts = [known.gain_depth, known.rows_since_check, known.errors as u16, known.probe_row];
        assert_eq!((counts, known.rows), ([depth, rows_since, count, row], rows), "what is saved is what is shown");
        State {
            w,
            slow,
            mark,
            trace,
            expected: (is_some == 1).then_some(expected),
            counts: [depth, rows_since, count, row],
            scalars: [mean, excess, probe, weights, spread],
            bounds,
            rows,
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
}
