//! Learning from a log: every row can be read twice.

mod config;

use crate::arithmetic::backend::{Backend, Empty, Features, Overflow, Persist, Scalar};
use crate::arithmetic::{Arithmetic, Limit, RowError, Shape, Space};
use crate::learn::config::{ConfigError, expect_valid};
use crate::learn::curvature::{Curvature, Lengths, PastCurvature};
use crate::learn::iterate::Iterate;
use crate::learn::learner::{Episodic, Learner};
use crate::learn::projection::total_projection;
use crate::learn::state::EpisodicState;
use crate::learn::update::{Update, Verdict};
use crate::rows::{InSpace, Memory};
use crate::sealed::Sealed;
use crate::state::{Reader, StateError, Writer};
pub use config::{StoredConfig, Targets, Theta};

/// Learns from a [`Log`](crate::Log) of the episode, by the paper's rule or with the curvature of past episodes.
///
/// Minimises the distances to the hyperplanes φ·w = V: a row does not count more because it is larger.
///
/// ```
/// use osculate::{Log, Predictor, Stored, StoredConfig};
/// let mut predictor = Predictor::new(Stored::new(StoredConfig::PAPER, Log::<f32, 1, 1, 2>::NEW));
/// for _ in 0..100 {
///     predictor.learn(2.0, &[1.0]).unwrap();
///     predictor.learn(1.0, &[2.0]).unwrap();
///     predictor.end();
/// }
/// assert_eq!(predictor.weights(), &[1.25]); // least squares would give 4/5
/// ```
#[derive(Clone, Debug)]
pub struct Stored<M: InSpace> {
    config: StoredConfig,
    iterate: Iterate<M::Space>,
    past: PastCurvature<<<M::Space as Shape>::Arithmetic as Backend>::Scalar>,
    memory: M,
}

impl<A: Arithmetic, const N: usize, M: InSpace<Space = Space<A, N>> + Memory<A, N>> Stored<M> {
    /// A learner at w = 0 with zero velocity, with a [`Log`](crate::Log) or a `&mut Log`, and a configuration that is a
    /// constant.
    ///
    /// # Panics
    /// If a parameter is out of range; in a constant that is an error of the compiler, which names it.
    ///
    /// ```compile_fail,E0080
    /// use osculate::{Log, Stored, StoredConfig};
    /// const CONFIG: StoredConfig = StoredConfig { skip_below: -1.0, ..StoredConfig::PAPER };
    /// static LEARNER: Stored<Log<f32, 4, 64, 64>> = Stored::new(CONFIG, Log::NEW);
    /// ```
    #[inline(always)]
    #[track_caller]
    pub const fn new(config: StoredConfig, memory: M) -> Self {
        expect_valid(config.check());
        Self { config, iterate: Iterate::new(Empty::EMPTY), past: Empty::EMPTY, memory }
    }

    /// The same with a configuration that is known only at run time.
    ///
    /// # Errors
    /// [`ConfigError`] names the parameter that is out of range.
    ///
    /// ```
    /// use osculate::{Log, Stored, StoredConfig};
    /// let gamma = 2.0; // from a command line
    /// let mut log = Log::<f32, 4, 64, 64>::NEW;
    /// assert!(Stored::try_new(StoredConfig { gamma, ..StoredConfig::PAPER }, &mut log).is_err());
    /// ```
    #[inline(always)]
    pub const fn try_new(config: StoredConfig, memory: M) -> Result<Self, ConfigError> {
        if let Err(error) = config.check() {
            core::mem::forget(memory);
            return Err(error);
        }
        Ok(Self { config, iterate: Iterate::new(Empty::EMPTY), past: Empty::EMPTY, memory })
    }

    /// The rows of the log.
    #[doc(hidden)]
    pub fn rows(&self) -> &[A::Row<N>] {
        self.memory.rows()
    }

    /// Gives the rows their targets.
    #[doc(hidden)]
    pub fn set_targets(&mut self) {
        let (gamma, mut log) = (self.config.gamma.into(), self.memory.view());
        match self.config.targets {
            Targets::MonteCarlo => log.set_returns(gamma),
            Targets::OneStep => log.set_one_step(gamma, &self.iterate.weights),
        }
    }

    /// One TP update from the rows of the log: w⁺ = w − η_k ϑ g + β (w − w⁻).
    ///
    /// Takes 2n multiply-accumulates per row for g. With two or more rows, measuring the curvature takes 2n more for ϑ.
    // Not inlined: it is most of the code, and is called once per episode. While the passes run, the stack holds little more
    // than what they need: the update and its numbers come afterwards.
    #[doc(hidden)]
    #[inline(never)]
    pub fn update(&mut self) -> Update {
        if self.memory.rows().is_empty() {
            return Update::new(self.iterate.next(), 0, self.memory.dropped());
        }
        self.iterate.count();
        let mut total = Empty::EMPTY;
        let lengths = self.total_lengths(&mut total);
        self.finish(&total, lengths)
    }

    #[inline(always)]
    fn learn_from(&mut self, target: f32, features: Features<'_, A, N>) -> Result<(), RowError> {
        let target = A::number(target);
        self.memory.view().push_given(|row| {
            A::encode(row, features)?;
            A::set_target(row, target?)
        })
    }

    /// The two passes over the rows, of which the first leaves G in `total`.
    #[inline(always)]
    fn total_lengths(&self, total: &mut A::Direction<N>) -> Result<Lengths<A::Scalar>, Overflow> {
        let rows = self.memory.rows();
        total_projection::<A, N>(total, rows, &self.iterate.weights)?;
        let measures = match self.config.theta {
            Theta::One => false,
            Theta::SameBatch => true,
            Theta::PastBatches { every } => (self.iterate.updates - 1) % every == 0,
        };
        Lengths::measure::<A, N>(rows, total, measures)
    }

    #[inline(never)]
    fn finish(&mut self, total: &A::Direction<N>, lengths: Result<Lengths<A::Scalar>, Overflow>) -> Update {
        let mut update = Update::new(self.iterate.updates, self.memory.rows().len() as u32, self.memory.dropped());
        let verdict = lengths.and_then(|lengths| self.step(total, lengths, &mut update));
        update.verdict = verdict.unwrap_or(Verdict::Overflow);
        update
    }

    #[inline(always)]
    fn step(
        &mut self,
        total: &A::Direction<N>,
        lengths: Lengths<A::Scalar>,
        update: &mut Update,
    ) -> Result<Verdict, Overflow> {
        let tau = A::Scalar::from_count(update.tau);
        let cap = self.config.theta_cap.map(A::Scalar::from);
        let along_sum = matches!(self.config.theta, Theta::PastBatches { .. });
        // If it was not measured, ϑ does not come from this curvature.
        let curvature = Curvature::new(lengths, A::exponent(total), tau);
        let g_norm = curvature.g_norm / tau;
        update.g_norm = g_norm.to_f32();
        let theta = match self.config.theta {
            Theta::One => A::Scalar::ONE,
            Theta::SameBatch => at_least_one(tau * curvature.ratio),
            // There is no division by c here: the past ratio is finite.
            Theta::PastBatches { .. } => self.past.ratio(update.tau, cap.unwrap_or(A::Scalar::MAX)),
        };
        let theta = match cap {
            // If c is zero and g is not, theta is infinite.
            Some(cap) if theta > cap || !theta.is_finite() => cap,
            _ => theta,
        };
        // ‖c‖ of the means, or ‖g‖ if c was not measured.
        let compared = if lengths.measured { curvature.c_norm / tau / tau } else { g_norm };
        if compared < self.config.skip_below.into() || !theta.is_finite() {
            return Ok(Verdict::Skipped);
        }
        update.theta = theta.to_f32();
        let gain = self.config.schedule.gain::<A::Scalar>(update.k) * theta;
        // ϑ multiplies the mean g = G/τ, or G itself.
        let gain = if along_sum { gain } else { gain / tau };
        let saturated = self.iterate.advance(total, gain, self.config.beta.into())?;
        update.saturated = A::saturated(total).saturating_add(saturated);
        if along_sum && lengths.measured {
            self.past.observe(curvature.g_norm, curvature.c_norm);
        }
        Ok(Verdict::Stepped)
    }
}

/// H ≤ I implies ϑ ≥ 1; only rounding can make it smaller.
fn at_least_one<S: Scalar>(theta: S) -> S {
    if theta < S::ONE { S::ONE } else { theta }
}

impl<M: InSpace> Sealed for Stored<M> {}

impl<A, M, const N: usize> Learner for Stored<M>
where
    A: Arithmetic,
    M: InSpace<Space = Space<A, N>> + Memory<A, N> + core::fmt::Debug,
{
    type Space = Space<A, N>;
    type Report = Update;
    const MAX_BYTES: usize = Iterate::<M::Space>::BYTES + PastCurvature::<A::Scalar>::BYTES + M::MAX_BYTES;

    fn gamma(&self) -> A::Scalar {
        self.config.gamma.into()
    }

    fn weights(&self) -> &[A::Weight; N] {
        &self.iterate.weights
    }

    fn set_weights(&mut self, weights: [A::Weight; N]) {
        self.iterate = Iterate::new(weights);
    }

    fn restart(&mut self) {
        self.iterate = Iterate::new(*self.estimate());
    }

    fn estimate(&self) -> &[A::Weight; N] {
        match self.config.theta {
            Theta::PastBatches { .. } => &self.iterate.averaged,
            Theta::SameBatch | Theta::One => &self.iterate.weights,
        }
    }

    fn observe(&mut self, state: Option<u32>, features: &[f32; N]) -> Result<(), RowError> {
        self.memory.view().open(state, |row| A::encode(row, Features::Floats(features)))
    }

    fn observe_raw(&mut self, state: Option<u32>, features: &A::Raw<N>) -> Result<(), RowError> {
        self.memory.view().open(state, |row| A::encode(row, Features::Raw(features)))
    }

    fn open_value(&self) -> Option<A::Number> {
        self.memory.open_row().map(|row| A::value(row, self.estimate()))
    }

    fn reward(&mut self, reward: Option<f32>) {
        self.memory.view().close(reward.and_then(|reward| A::number(reward).ok()));
    }

    fn learn(&mut self, target: f32, features: &[f32; N]) -> Result<(), RowError> {
        self.learn_from(target, Features::Floats(features))
    }

    fn learn_raw(&mut self, target: f32, features: &A::Raw<N>) -> Result<(), RowError> {
        self.learn_from(target, Features::Raw(features))
    }

    fn full(&self) -> Option<Limit> {
        self.memory.full()
    }

    fn bootstrap(&mut self, value: Option<A::Number>) {
        // A Monte Carlo return consists of received rewards only: nothing is added to it.
        if let (Targets::OneStep, Some(value)) = (self.config.targets, value) {
            self.memory.view().bootstrap(self.config.gamma.into(), value);
        }
    }

    fn report(&self) -> Update {
        Update::new(self.iterate.next(), self.memory.rows().len() as u32, self.memory.dropped())
    }

    fn end(&mut self) -> Update {
        self.memory.view().discard_open();
        self.set_targets();
        let update = self.update();
        self.memory.view().clear();
        update
    }

    fn abandon(&mut self) {
        self.memory.view().clear();
    }

    fn rule(&self) -> u8 {
        match self.config.theta {
            Theta::SameBatch => 1,
            Theta::PastBatches { .. } => 2,
            Theta::One => 3,
        }
    }

    fn write(&self, writer: &mut Writer<'_>) {
        self.iterate.write(writer);
        self.past.write(writer);
        self.memory.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), StateError> {
        let (mut iterate, mut past) = (Iterate::new(Empty::EMPTY), PastCurvature::EMPTY);
        iterate.read(reader);
        past.read(reader);
        if !iterate.is_valid() {
            return Err(StateError::NonFinite);
        }
        // The last operation that can fail, before anything has changed.
        self.memory.view().read(reader)?;
        (self.iterate, self.past) = (iterate, past);
        Ok(())
    }
}

impl<A, M, const N: usize> Episodic for Stored<M>
where
    A: Arithmetic,
    M: InSpace<Space = Space<A, N>> + Memory<A, N> + core::fmt::Debug,
{
    fn state(&self) -> EpisodicState<'_, Space<A, N>> {
        self.iterate.state(&self.past)
    }

    fn close_rows(&mut self) {
        self.memory.view().close_rows();
    }
}
