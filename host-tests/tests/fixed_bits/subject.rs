//! The library under test, as the comparison sees it: all that knows the library's types is here.

use osculate::arithmetic::Features;
use osculate::episodic::{Episodic, Logged, Streamed, Targets as LogTargets};
use osculate::{
    Arithmetic, Batch, Learner, LearnerConfig, Outcome, Q24, Q24Wide, Q28, Q28Wide, Rule as LearnerRule, Schedule,
    Verdict,
};
use osculate_host_tests::reference::Gain;
use osculate_host_tests::reference::fixed::{
    Episode, Fate, Format, Number, Phi, Report, Row, Rule, Settings, State, Targets,
};

/// The room in a batch and in a log, and what the format with the least room for rows has.
pub(crate) const ROOM: usize = 128;
/// The room for steps.
const STEPS: usize = 256;

/// A learner that is fed with `I`, whatever its format and size.
pub(crate) trait Subject<I> {
    /// One update.
    fn learn(&mut self, input: &I) -> Report;
    fn restart(&mut self);
    /// What can be seen. A velocity that cannot is empty: its length has to do.
    fn state(&self) -> State;
}

/// A fixed-point format under test.
pub(crate) trait Checked: Arithmetic<Scalar = f32> {
    const FORMAT: Format;
    fn integers<const N: usize>(mantissas: &[i32], exponent: i32) -> Self::Features<N>;
    fn from_raw(raw: i64) -> Self::Target;
    fn to_raw(target: Self::Target) -> i64;
    fn weight(bits: i32) -> Self::Weight;
    fn bits(weight: Self::Weight) -> i32;
}

macro_rules! checked {
    ($($format:ident: $integer:ident, $feature_bits:literal, $fraction_bits:literal, $max_rows:expr;)*) => {$(
        impl Checked for $format {
            const FORMAT: Format =
                Format { feature_bits: $feature_bits, fraction_bits: $fraction_bits, max_rows: $max_rows };
            fn integers<const N: usize>(mantissas: &[i32], exponent: i32) -> Self::Features<N> {
                Features::new(std::array::from_fn(|i| $integer::try_from(mantissas[i]).unwrap()), exponent)
            }
            fn from_raw(raw: i64) -> Self::Target {
                <Self as Arithmetic>::Target::from_bits(raw)
            }
            fn to_raw(target: Self::Target) -> i64 {
                target.to_bits()
            }
            fn weight(bits: i32) -> Self::Weight {
                <Self as Arithmetic>::Weight::from_bits(bits)
            }
            fn bits(weight: Self::Weight) -> i32 {
                weight.to_bits()
            }
        }
    )*};
}
checked! {
    Q28: i16, 15, 28, 1 << 16;
    Q24: i16, 15, 24, 1 << 16;
    Q28Wide: i32, 24, 28, 1 << 7;
    Q24Wide: i32, 24, 24, 1 << 7;
}

fn features<A: Checked, const N: usize>(phi: &Phi) -> Option<A::Features<N>> {
    match phi {
        Phi::Floats(phi) => A::features(phi.as_slice().try_into().unwrap()).ok(),
        Phi::Integers { mantissas, exponent } => Some(A::integers(mantissas, *exponent)),
    }
}

fn number<A: Checked>(number: Number) -> Option<A::Target> {
    match number {
        Number::Float(x) => A::target(x).ok(),
        Number::Raw(raw) => Some(A::from_raw(raw)),
    }
}

fn config(settings: &Settings) -> LearnerConfig<f32> {
    LearnerConfig {
        rule: match settings.rule {
            Rule::Paper => LearnerRule::Paper,
            Rule::Plain => LearnerRule::Plain,
            Rule::Predictable => LearnerRule::Predictable,
        },
        schedule: match settings.gain {
            Gain::Harmonic => Schedule::Harmonic,
            Gain::ThreeQuarters => Schedule::ThreeQuarters,
            Gain::Constant(gain) => Schedule::Constant(gain as f32),
        },
        beta: settings.beta,
        skip_below: settings.skip_below,
        theta_cap: settings.theta_cap,
        curvature_every: settings.curvature_every.try_into().unwrap(),
    }
}

fn report(outcome: Outcome<f32>) -> Report {
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
    vector.iter().map(|&x| A::bits(x)).collect()
}

fn stored_state<A: Checked, const N: usize>(learner: &Learner<A, N>) -> State {
    State {
        k: learner.steps(),
        w: integers::<A, N>(learner.weights()),
        velocity: integers::<A, N>(learner.velocity()),
        averaged: integers::<A, N>(learner.averaged()),
        step_length: learner.step_length().to_bits(),
    }
}

fn record<A: Checked, const N: usize>(learner: &mut impl Episodic<A, u32, N>, episode: &Episode) -> Report {
    for step in &episode.steps {
        let features = features::<A, N>(&step.phi).expect("features of a step are finite");
        // The references say what should have become of it.
        let _ = learner.record(step.key, &features, number::<A>(step.reward));
    }
    if let Some(value) = episode.cut {
        learner.cut(A::from_raw(value));
    }
    report(learner.end_episode())
}

impl<A: Checked, const N: usize> Subject<Vec<Row>> for Learner<A, N> {
    fn learn(&mut self, rows: &Vec<Row>) -> Report {
        let mut batch = Batch::<A, N, ROOM>::new();
        for (phi, target) in rows {
            if let (Some(features), Some(target)) = (features::<A, N>(phi), number::<A>(*target)) {
                // The references say whether it should have been taken.
                let _ = batch.push(&features, target);
            }
        }
        report(self.update(&batch))
    }
    fn restart(&mut self) {
        self.restart();
    }
    fn state(&self) -> State {
        stored_state(self)
    }
}

impl<A: Checked, const N: usize> Subject<Episode> for Logged<A, u32, N, STEPS, ROOM> {
    fn learn(&mut self, episode: &Episode) -> Report {
        record(self, episode)
    }
    fn restart(&mut self) {
        Episodic::restart(self);
    }
    fn state(&self) -> State {
        stored_state(self.learner())
    }
}

impl<A: Checked, const N: usize, const WORDS: usize> Subject<Episode> for Streamed<A, u32, N, WORDS> {
    fn learn(&mut self, episode: &Episode) -> Report {
        record(self, episode)
    }
    fn restart(&mut self) {
        Episodic::restart(self);
    }
    fn state(&self) -> State {
        let learner = self.learner();
        State {
            k: learner.steps(),
            w: integers::<A, N>(learner.weights()),
            velocity: Vec::new(),
            averaged: integers::<A, N>(learner.averaged()),
            step_length: learner.step_length().to_bits(),
        }
    }
}

/// Makes a learner from its settings.
pub(crate) type New<I> = fn(&Settings) -> Box<dyn Subject<I>>;

/// One that takes batches.
pub(crate) fn stored<A: Checked, const N: usize>(settings: &Settings) -> Box<dyn Subject<Vec<Row>>> {
    Box::new(Learner::<A, N>::new(config(settings)).unwrap())
}

/// One that takes episodes, with a log.
pub(crate) fn logged<A: Checked, const N: usize>(settings: &Settings) -> Box<dyn Subject<Episode>> {
    let learner = Learner::<A, N>::new(config(settings)).unwrap();
    let targets = match settings.targets {
        Targets::MonteCarlo => LogTargets::MonteCarlo,
        Targets::OneStep => LogTargets::OneStep,
    };
    Box::new(Logged::<A, u32, N, STEPS, ROOM>::new(learner, settings.gamma, targets).unwrap())
}

/// One that takes episodes of up to 256 states, without a log.
pub(crate) fn streamed<A: Checked, const N: usize>(settings: &Settings) -> Box<dyn Subject<Episode>> {
    streamed_through::<A, N, 8>(settings)
}

/// The same with room for more states than there may be rows.
pub(crate) fn streamed_far<A: Checked, const N: usize>(settings: &Settings) -> Box<dyn Subject<Episode>> {
    streamed_through::<A, N, { (1 << 16) / 32 + 1 }>(settings)
}

fn streamed_through<A: Checked, const N: usize, const WORDS: usize>(settings: &Settings) -> Box<dyn Subject<Episode>> {
    Box::new(Streamed::<A, u32, N, WORDS>::new(config(settings), settings.gamma, |&key| key).unwrap())
}

/// φ·w.
pub(crate) fn value<A: Checked, const N: usize>(phi: &Phi, weights: &[i32]) -> Option<i64> {
    let weights = std::array::from_fn(|i| A::weight(weights[i]));
    features::<A, N>(phi).map(|features| A::to_raw(A::value(&features, &weights)))
}

/// reward + γ·next.
pub(crate) fn backup<A: Checked>(reward: i64, gamma: f32, next: i64) -> i64 {
    A::to_raw(A::backup(A::from_raw(reward), gamma, A::from_raw(next)))
}
