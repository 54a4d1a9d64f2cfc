//! The library under test, as the comparison sees it. Only this file knows the library's types.

use fixed::types::I32F32;
use osculate::arithmetic::backend::{Empty, Features, Scalar};
use osculate::{
    Arithmetic, Log, Q24, Q28, RowError, Schedule, Stored, StoredConfig, Streaming, StreamingConfig, Targets, Theta,
    Update, Verdict,
};
use osculate::{Episodic, Space};
use osculate_host_tests::reference::Gain;
use osculate_host_tests::reference::fixed::{
    Episode, Fate, Format, Phi, Report, Row, Rule, Settings, State, Targets as Aim,
};

/// The capacity for rows: the maximum of the format with the lowest one.
pub(crate) const ROOM: usize = 128;
/// The capacity for steps.
const STEPS: usize = 256;

/// A learner that takes `I`, of any format and size.
pub(crate) trait Subject<I> {
    /// One update.
    fn learn(&mut self, input: &I) -> Report;
    fn restart(&mut self);
    /// The observable state.
    fn state(&self) -> State;
}

/// A fixed-point format under test.
pub(crate) trait Checked: Arithmetic<Scalar = f32, Number = I32F32> {
    const FORMAT: Format;
    fn raw<const N: usize>(mantissas: &[i32]) -> Self::Raw<N>;
    fn weight_of(bits: i32) -> Self::Weight;
}

macro_rules! checked {
    ($($format:ident: $feature:ident, $weight:ident, $feature_bits:literal, $fraction_bits:literal, $max_rows:expr;)*) => {$(
        impl Checked for $format {
            const FORMAT: Format =
                Format { feature_bits: $feature_bits, fraction_bits: $fraction_bits, max_rows: $max_rows };
            fn raw<const N: usize>(mantissas: &[i32]) -> Self::Raw<N> {
                std::array::from_fn(|i| fixed::types::$feature::from_bits(mantissas[i].try_into().unwrap()))
            }
            fn weight_of(bits: i32) -> Self::Weight {
                fixed::types::$weight::from_bits(bits)
            }
        }
    )*};
}
checked! {
    Q28: I1F15, I4F28, 15, 28, 1 << 16;
    Q24: I1F15, I8F24, 15, 24, 1 << 16;
}

fn config(settings: &Settings) -> StoredConfig {
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

fn report(outcome: Update) -> Report {
    Report {
        k: outcome.k,
        tau: outcome.tau,
        dropped: outcome.dropped,
        saturated: outcome.saturated,
        g_norm: outcome.g_norm.to_bits(),
        theta: outcome.theta.to_bits(),
        fate: match outcome.verdict {
            Verdict::Stepped => Fate::Stepped,
            Verdict::Skipped => Fate::Skipped,
            Verdict::Empty => Fate::Empty,
            _ => Fate::Overflow,
        },
    }
}

fn integers<A: Checked, const N: usize>(vector: &[A::Weight; N]) -> Vec<i32> {
    vector.iter().map(|&x| A::bits(x) as u32 as i32).collect()
}

fn state<A: Checked, const N: usize>(learner: &impl Episodic<Space = Space<A, N>>) -> State {
    let known = learner.state();
    State {
        k: known.updates,
        w: integers::<A, N>(known.weights),
        velocity: integers::<A, N>(known.velocity),
        averaged: integers::<A, N>(known.averaged),
        step_length: A::length(known.velocity).to_f32().to_bits(),
    }
}

fn array<const N: usize>(phi: &[f32]) -> &[f32; N] {
    phi.try_into().unwrap()
}

/// Begins a step. The references determine whether it should have been accepted.
fn open<A: Checked, const N: usize>(learner: &mut impl Episodic<Space = Space<A, N>>, state: Option<u32>, phi: &Phi) {
    _ = match phi {
        Phi::Floats(phi) => learner.observe(state, array(phi)),
        Phi::Integers(mantissas) => learner.observe_raw(state, &A::raw(mantissas)),
    };
}

/// Whether a number is a valid target. The library counts invalid ones, and the references never see them.
fn is_number(x: f32) -> bool {
    (-2_f32.powi(31)..2_f32.powi(31)).contains(&x)
}

struct Rows<L>(L);

impl<A: Checked, L: Episodic<Space = Space<A, N>>, const N: usize> Subject<Vec<Row>> for Rows<L> {
    fn learn(&mut self, rows: &Vec<Row>) -> Report {
        for (phi, target) in rows {
            match phi {
                Phi::Floats(phi) => {
                    let taken = self.0.learn(*target, array(phi));
                    assert!(is_number(*target) || taken.is_err(), "{target} is no target");
                }
                // Only steps can have features in the format's own numbers. Without a discount, the reward is the
                // target.
                Phi::Integers(_) => {
                    open(&mut self.0, None, phi);
                    self.0.reward(Some(*target));
                }
            }
        }
        let mut report = report(self.0.end());
        report.dropped -= rows.iter().filter(|(_, target)| !is_number(*target)).count() as u32;
        report
    }
    fn restart(&mut self) {
        self.0.restart();
    }
    fn state(&self) -> State {
        state(&self.0)
    }
}

struct Steps<L>(L);

impl<A: Checked, L: Episodic<Space = Space<A, N>>, const N: usize> Subject<Episode> for Steps<L> {
    fn learn(&mut self, episode: &Episode) -> Report {
        for step in &episode.steps {
            open(&mut self.0, Some(step.key), &step.phi);
            self.0.reward(Some(step.reward));
        }
        if let Some(value) = episode.cut {
            self.0.bootstrap(Some(I32F32::from_bits(value)));
        }
        report(self.0.end())
    }
    fn restart(&mut self) {
        self.0.restart();
    }
    fn state(&self) -> State {
        state(&self.0)
    }
}

/// Makes a learner from its settings.
pub(crate) type New<I> = fn(&Settings) -> Box<dyn Subject<I>>;

/// A learner for rows with their targets.
pub(crate) fn stored<A: Checked, const N: usize>(settings: &Settings) -> Box<dyn Subject<Vec<Row>>> {
    let config = StoredConfig { gamma: 0.0, ..config(settings) };
    Box::new(Rows(Stored::new(config, Log::<A, N, STEPS, ROOM>::NEW)))
}

/// A learner for episodes, with a log.
pub(crate) fn logged<A: Checked, const N: usize>(settings: &Settings) -> Box<dyn Subject<Episode>> {
    Box::new(Steps(Stored::new(config(settings), Log::<A, N, STEPS, ROOM>::NEW)))
}

/// A learner for episodes of up to 256 states, without a log.
pub(crate) fn streamed<A: Checked, const N: usize>(settings: &Settings) -> Box<dyn Subject<Episode>> {
    streamed_through::<A, N, 8>(settings)
}

/// The same with more states than there may be rows.
pub(crate) fn streamed_far<A: Checked, const N: usize>(settings: &Settings) -> Box<dyn Subject<Episode>> {
    streamed_through::<A, N, { (1 << 16) / 32 + 1 }>(settings)
}

fn streamed_through<A: Checked, const N: usize, const WORDS: usize>(settings: &Settings) -> Box<dyn Subject<Episode>> {
    let StoredConfig { gamma, schedule, beta, theta_cap, .. } = config(settings);
    let config = StreamingConfig { gamma, schedule, beta, theta_cap };
    Box::new(Steps(Streaming::<A, N, WORDS>::by_state(config)))
}

/// φ·w, which must be the same from features and from their row.
pub(crate) fn value<A: Checked, const N: usize>(phi: &Phi, weights: &[i32]) -> Option<i64> {
    let weights = std::array::from_fn(|i| A::weight_of(weights[i]));
    let mut row = A::Row::<N>::EMPTY;
    let encoded = match phi {
        Phi::Floats(phi) => A::encode(&mut row, Features::Floats(array(phi))),
        Phi::Integers(mantissas) => A::encode(&mut row, Features::Raw(&A::raw(mantissas))),
    };
    let of_row = match encoded {
        Ok(()) => Some(A::value(&row, &weights)),
        // All-zero features make no row, but have a value.
        Err(RowError::ZeroFeatures) => Some(I32F32::ZERO),
        Err(_) => None,
    };
    if let Phi::Floats(phi) = phi {
        assert_eq!(A::value_of(array(phi), &weights).ok(), of_row, "{phi:?}");
    }
    of_row.map(I32F32::to_bits)
}

/// reward + γ·next.
pub(crate) fn backup<A: Checked>(reward: i64, gamma: f32, next: i64) -> i64 {
    A::backup(I32F32::from_bits(reward), gamma, I32F32::from_bits(next)).to_bits()
}
