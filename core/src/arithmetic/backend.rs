//! The operations that the algorithm needs. Public because public bounds name it; hidden because nothing here is
//! stable.
//!
//! In these terms, one update is: [`encode`](Backend::encode) and [`set_target`](Backend::set_target) for each row;
//! [`total_residual`](Backend::total_residual) for g; [`accumulate_projections`](Backend::accumulate_projections) along g, then
//! [`projections_norm`](Backend::projections_norm) for ‖c‖, which with the [`norm`](Backend::norm) of g gives ϑ; and
//! [`step`](Backend::step) moves the weights. One row of a rule that learns at every sample is one operation:
//! [`stream_step`](Backend::stream_step), [`nlms_step`](Backend::nlms_step) or [`traced_step`](Backend::traced_step).

use core::fmt::Debug;

use super::RowError;
pub use super::error::Overflow;
#[cfg(feature = "fixed-point")]
pub use super::fixed::{FixedDirection, FixedEligibility, FixedRow, FixedSum, FixedTrace};
pub use super::float::{Direction, Eligibility, Row};
pub use super::scalar::Scalar;
pub use crate::state::Persist;
use crate::state::persist;

/// An initial value known at compile time.
pub trait Empty {
    /// 0, or empty.
    const EMPTY: Self;
}

impl Empty for bool {
    const EMPTY: Self = false;
}

impl<T: Empty, const N: usize> Empty for [T; N] {
    const EMPTY: Self = [const { T::EMPTY }; N];
}

/// A value that can be stored, initialised and saved.
pub trait Data: Clone + Debug + PartialEq + Empty + Persist + 'static {}
impl<T: Clone + Debug + PartialEq + Empty + Persist + 'static> Data for T {}

/// What a step of a streaming learner adds.
#[derive(Debug)]
pub struct StreamStep<'l, A: Backend, const N: usize> {
    /// The row, with its target; none if the step is no first visit.
    pub row: Option<&'l A::Row<N>>,
    /// The reward of leaving the state, and γ; none for a row with a known target, which no reward is carried back to.
    pub reward: Option<(A::Number, A::Scalar)>,
    /// w.
    pub weights: &'l [A::Weight; N],
    /// The direction along which the curvature is measured, once there is one.
    pub direction: Option<&'l A::Direction<N>>,
}

/// The sums of a streaming learner.
#[derive(Clone, Debug)]
pub struct StreamSums<A: Backend, const N: usize> {
    /// z.
    pub trace: A::Trace<N>,
    /// Of the residuals, less what the rewards were.
    pub total: A::Sum<N>,
    /// Of the projections of the direction.
    pub projected: A::Sum<N>,
}

impl<A: Backend, const N: usize> Empty for StreamSums<A, N> {
    const EMPTY: Self = Self { trace: Empty::EMPTY, total: Empty::EMPTY, projected: Empty::EMPTY };
}

impl<A: Backend, const N: usize> Persist for StreamSums<A, N> {
    persist!(fields trace: A::Trace<N>, total: A::Sum<N>, projected: A::Sum<N>);
}

/// The inputs of a step of true-online TD(λ) besides the row, which has its target.
#[derive(Clone, Copy, Debug)]
pub struct TracedStep<A: Backend> {
    /// R + γv′, the target that the row was given.
    pub target: A::Number,
    /// v_old, the value that the previous step expected here; `None` at the start of a chain.
    pub expected: Option<A::Number>,
    /// γλ.
    pub decay: A::Scalar,
    /// μ.
    pub gain: A::Scalar,
}

/// Features that become a row.
#[derive(Debug)]
pub enum Features<'f, A: Backend, const N: usize> {
    /// Floats, whatever the arithmetic.
    Floats(&'f [f32; N]),
    /// The format's native numbers.
    Raw(&'f A::Raw<N>),
}

/// The vector operations of the algorithm. Implemented for `f32`, `f64` and fixed point; sealed.
pub trait Backend: crate::sealed::Sealed + Copy + Debug + PartialEq + 'static {
    /// A reward, a target, a value φ·w.
    type Number: Copy + PartialOrd + Data;
    /// An element of the weights and of the velocity.
    type Weight: Copy + Into<f64> + Data;
    /// Norms, step sizes, gains.
    type Scalar: Scalar + Data;
    /// φ in the format's native numbers.
    type Raw<const N: usize>;
    /// A row (φ, V), multiplied by a power of two such that the largest feature is near 1, with its ‖φ‖².
    type Row<const N: usize>: Data;
    /// A sum of multiples of rows, wide enough for [`MAX_ROWS`](Self::MAX_ROWS).
    type Sum<const N: usize>: Data;
    /// The discounted sum of φ/‖φ‖² over the states visited so far: it carries a reward back to all of them at once.
    type Trace<const N: usize>: Data;
    /// A normalised sum: a vector of mantissas that share one exponent.
    type Direction<const N: usize>: Data;
    /// The dutch trace z of true-online TD(λ).
    type Eligibility<const N: usize>: Data;

    /// The maximum number of rows in a [`Sum`](Self::Sum).
    const MAX_ROWS: usize;
    /// The arithmetic's number in a saved state.
    const ID: u8;

    /// A reward, target or value from a float, rounded at most once. Non-finite floats are refused.
    fn number(value: f32) -> Result<Self::Number, RowError>;
    /// Back to a float, rounded once.
    fn to_f32(number: Self::Number) -> f32;
    /// a − b. Saturates in fixed point.
    fn minus(a: Self::Number, b: Self::Number) -> Self::Number;
    /// reward + gamma · next: one step of a return, for a gamma in [0, 1].
    fn backup(reward: Self::Number, gamma: Self::Scalar, next: Self::Number) -> Self::Number;

    /// Turns features into a row with target 0, scaled by a power of two (exactly) and with its norm. Each feature is
    /// rounded at most once. On failure the row is unchanged.
    fn encode<const N: usize>(row: &mut Self::Row<N>, features: Features<'_, Self, N>) -> Result<(), RowError>;
    /// Gives a row its target, scaled like the features. On failure the row keeps the old target.
    fn set_target<const N: usize>(row: &mut Self::Row<N>, target: Self::Number) -> Result<(), RowError>;
    /// φ·w of a row, in the original units of its features.
    fn value<const N: usize>(row: &Self::Row<N>, weights: &[Self::Weight; N]) -> Self::Number;
    /// φ·w of features, without a row: the same number, bit-exact in fixed point.
    fn value_of<const N: usize>(features: &[f32; N], weights: &[Self::Weight; N]) -> Result<Self::Number, RowError>;

    /// sum += ((φ·w − V)/‖φ‖²) φ for every row.
    fn accumulate_residuals<const N: usize>(sum: &mut Self::Sum<N>, rows: &[Self::Row<N>], weights: &[Self::Weight; N]);
    /// sum += ((φ·d)/‖φ‖²) φ for every row, with the mantissas d of a direction.
    fn accumulate_projections<const N: usize>(
        sum: &mut Self::Sum<N>,
        rows: &[Self::Row<N>],
        direction: &Self::Direction<N>,
    );
    /// Splits a sum of residuals into mantissas, with the largest near 1 (or all zero), and their common exponent.
    fn normalise_residuals<const N: usize>(sum: &Self::Sum<N>) -> Result<Self::Direction<N>, Overflow>;
    /// Both at once, to an empty direction, which is unusable on failure: pass 1.
    fn total_residual<const N: usize>(
        direction: &mut Self::Direction<N>,
        rows: &[Self::Row<N>],
        weights: &[Self::Weight; N],
    ) -> Result<(), Overflow>;
    /// The [`norm`](Self::norm) and the exponent of a sum of projections, which has different units in fixed point. The sum
    /// may be overwritten.
    fn projections_norm<const N: usize>(sum: &mut Self::Sum<N>) -> Result<(Self::Scalar, i32), Overflow>;
    /// The common exponent: the vector is 2^exponent · mantissas.
    fn exponent<const N: usize>(direction: &Self::Direction<N>) -> i32;
    /// The Euclidean norm of the mantissas.
    fn norm<const N: usize>(direction: &Self::Direction<N>) -> Self::Scalar;
    /// How many quotients in a direction were saturated.
    fn saturated<const N: usize>(direction: &Self::Direction<N>) -> u32;

    /// velocity ← beta · velocity − gain · direction, then weights ← weights + velocity.
    ///
    /// A weight that would leave a fixed-point format's range saturates and is counted. With floats, nothing moves
    /// instead.
    fn step<const N: usize>(
        weights: &mut [Self::Weight; N],
        velocity: &mut [Self::Weight; N],
        direction: &Self::Direction<N>,
        gain: Self::Scalar,
        beta: Self::Scalar,
    ) -> Result<u32, Overflow>;
    /// mean ← mean + gain · (weights − mean), for a gain in [0, 1].
    fn average<const N: usize>(mean: &mut [Self::Weight; N], weights: &[Self::Weight; N], gain: Self::Scalar);
    /// The Euclidean norm of a vector of weights.
    fn length<const N: usize>(vector: &[Self::Weight; N]) -> Self::Scalar;
    /// cos ∠(b − a, c − b); 0 if one of them is zero or not finite.
    fn cosine<const N: usize>(points: [&[Self::Weight; N]; 3]) -> Self::Scalar;
    /// weight · 2^by; saturates, and tells whether it did.
    fn scale_weight(weight: Self::Weight, by: u8) -> (Self::Weight, bool);

    /// One step of NLMS: weights ← weights − gain · ((φ·w − V)/‖φ‖²) φ.
    ///
    /// Returns the error |φ·w − V|/‖φ‖ before the step, the distance between the weights and the row's hyperplane, and how
    /// many weights saturated. With floats, nothing moves if a weight would leave its range.
    fn nlms_step<const N: usize>(
        weights: &mut [Self::Weight; N],
        row: &Self::Row<N>,
        gain: Self::Scalar,
    ) -> Result<(Self::Scalar, u32), Overflow>;
    /// One step of true-online TD(λ): with α = μ/‖φ‖² and v₀ = φ·w,
    /// z ← γλz + α(1 − γλ z·φ)φ, then w ← w + (target − v_old)z − α(v₀ − v_old)φ. Without a v_old it is v₀.
    ///
    /// Returns what [`nlms_step`](Self::nlms_step) does. With floats, the weights do not move if one would leave its range;
    /// the trace is unusable then.
    fn traced_step<const N: usize>(
        weights: &mut [Self::Weight; N],
        trace: &mut Self::Eligibility<N>,
        row: &Self::Row<N>,
        step: &TracedStep<Self>,
    ) -> Result<(Self::Scalar, u32), Overflow>;
    /// One step of a streaming learner. A reward first decays the trace: z ← γz. A row adds its residual to the total and its
    /// projection along the direction to the other sum, as one row of a pass does, and, with a reward, φ/‖φ‖² to the
    /// trace, in the original units of its features. Then the total is reduced by reward · z.
    fn stream_step<const N: usize>(sums: &mut StreamSums<Self, N>, step: &StreamStep<'_, Self, N>);
    /// How many entries of a trace were saturated.
    fn trace_saturated<const N: usize>(trace: &Self::Trace<N>) -> u32;
}
