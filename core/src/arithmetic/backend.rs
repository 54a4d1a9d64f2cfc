//! The operations that the algorithm needs. Public because public bounds name it; hidden because nothing here is
//! stable.
//!
//! In these terms, one update is: [`encode`](Backend::encode) and [`set_target`](Backend::set_target) for each row;
//! [`accumulate_residuals`](Backend::accumulate_residuals), then [`normalise_residuals`](Backend::normalise_residuals)
//! for g; [`accumulate_projections`](Backend::accumulate_projections) along g, then
//! [`normalise_projections`](Backend::normalise_projections) for c. The [`norm`](Backend::norm) of both gives ϑ, and
//! [`step`](Backend::step) moves the weights.

use core::fmt::Debug;

use super::RowError;
pub use super::eligibility::Eligibility;
pub use super::error::Overflow;
#[cfg(feature = "fixed-point")]
pub use super::fixed_point::{FixedDirection, FixedEligibility, FixedRow, FixedSum, FixedTrace};
pub use super::float::Direction;
pub use super::row::Row;
pub use super::scalar::Scalar;
pub use crate::state::Persist;

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

/// The inputs of a streaming learner's first visit besides the row.
#[derive(Debug)]
pub struct StreamRow<'l, A: Backend, const N: usize> {
    /// w.
    pub weights: &'l [A::Weight; N],
    /// The direction along which the curvature is measured, once there is one.
    pub direction: Option<&'l A::Direction<N>>,
    /// γ.
    pub gamma: A::Scalar,
    /// The reward of leaving the state.
    pub reward: A::Number,
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

impl<A: Backend, const N: usize> Features<'_, A, N> {
    /// [`Backend::encode`] or [`Backend::encode_raw`].
    #[inline(always)]
    pub(crate) fn encode(&self, row: &mut A::Row<N>) -> Result<(), RowError> {
        match self {
            Self::Floats(features) => A::encode(row, features),
            Self::Raw(features) => A::encode_raw(row, features),
        }
    }
}

/// The value of a row by any weights.
pub type Value<'r, A, const N: usize> = &'r mut dyn FnMut(&[<A as Backend>::Weight; N]) -> <A as Backend>::Number;

/// The vector operations of the algorithm. Implemented for `f32`, `f64` and fixed point; sealed.
pub trait Backend: crate::sealed::Sealed + Copy + Debug + PartialEq + 'static {
    /// A reward, a target, a value φ·w.
    type Number: Copy + PartialOrd + Data;
    /// An element of the weights and of the velocity.
    type Weight: Copy + Into<f64> + Data;
    /// Norms, step sizes, gains.
    type Scalar: Scalar + Data;
    /// (φ·w − V)/‖φ‖², the multiple of φ that leads to the row's hyperplane.
    type Quotient: Copy + Debug;
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

    /// Turns features into a row with target 0, scaled by a power of two (exactly) and with its norm. Each feature is
    /// rounded at most once. On failure the row is unchanged.
    fn encode<const N: usize>(row: &mut Self::Row<N>, features: &[f32; N]) -> Result<(), RowError>;
    /// The same, with features in the format's native numbers.
    fn encode_raw<const N: usize>(row: &mut Self::Row<N>, features: &Self::Raw<N>) -> Result<(), RowError>;
    /// Turns features of either kind into a row, after a call of `before` with the old row and a function that gives the
    /// new row's value by any weights.
    fn replace<const N: usize>(
        row: &mut Self::Row<N>,
        features: Features<'_, Self, N>,
        before: impl FnOnce(&mut Self::Row<N>, Value<'_, Self, N>),
    ) -> Result<(), RowError> {
        let mut next = Empty::EMPTY;
        features.encode(&mut next)?;
        before(row, &mut |weights| Self::value(&next, weights));
        *row = next;
        Ok(())
    }
    /// A reward, target or value from a float, rounded at most once. Non-finite floats are refused.
    fn number(value: f32) -> Result<Self::Number, RowError>;
    /// Back to a float, rounded once.
    fn to_f32(number: Self::Number) -> f32;
    /// Gives a row its target, scaled like the features. On failure the row keeps the old target.
    fn set_target<const N: usize>(row: &mut Self::Row<N>, target: Self::Number) -> Result<(), RowError>;
    /// φ·w of a row, in the original units of its features.
    fn value<const N: usize>(row: &Self::Row<N>, weights: &[Self::Weight; N]) -> Self::Number;
    /// φ·w of features, without a row: the same number, bit-exact in fixed point.
    fn value_of<const N: usize>(features: &[f32; N], weights: &[Self::Weight; N]) -> Result<Self::Number, RowError>;
    /// reward + gamma · next: one step of a return, for a gamma in [0, 1].
    fn backup(reward: Self::Number, gamma: Self::Scalar, next: Self::Number) -> Self::Number;
    /// Neither NaN nor infinite.
    fn is_finite(number: Self::Number) -> bool;
    /// (φ·w − V)/‖φ‖².
    fn residual<const N: usize>(row: &Self::Row<N>, weights: &[Self::Weight; N]) -> Self::Quotient;
    /// (φ·d)/‖φ‖² for the mantissas d of a direction.
    fn project<const N: usize>(row: &Self::Row<N>, direction: &Self::Direction<N>) -> Self::Quotient;
    /// sum += quotient · φ.
    fn accumulate<const N: usize>(sum: &mut Self::Sum<N>, quotient: Self::Quotient, row: &Self::Row<N>);
    /// sum += [`residual`](Self::residual) · φ for every row, two rows at a time.
    fn accumulate_residuals<const N: usize>(sum: &mut Self::Sum<N>, rows: &[Self::Row<N>], weights: &[Self::Weight; N]);
    /// sum += [`project`](Self::project) · φ for every row, likewise.
    fn accumulate_projections<const N: usize>(
        sum: &mut Self::Sum<N>,
        rows: &[Self::Row<N>],
        direction: &Self::Direction<N>,
    );
    /// Splits a sum of residuals into mantissas, with the largest near 1 (or all zero), and their common exponent.
    fn normalise_residuals<const N: usize>(sum: &Self::Sum<N>) -> Result<Self::Direction<N>, Overflow>;
    /// The same for a sum of projections, which has different units in fixed point.
    fn normalise_projections<const N: usize>(sum: &Self::Sum<N>) -> Result<Self::Direction<N>, Overflow>;
    /// Turns an empty direction into the sum of residuals of the rows: [`accumulate_residuals`](Self::accumulate_residuals),
    /// then [`normalise_residuals`](Self::normalise_residuals), without a second vector if possible. On failure the
    /// direction is unusable.
    fn total_residual<const N: usize>(
        direction: &mut Self::Direction<N>,
        rows: &[Self::Row<N>],
        weights: &[Self::Weight; N],
    ) -> Result<(), Overflow> {
        let mut sum = Empty::EMPTY;
        Self::accumulate_residuals(&mut sum, rows, weights);
        *direction = Self::normalise_residuals(&sum)?;
        Ok(())
    }
    /// The [`norm`](Self::norm) and the exponent of [`normalise_projections`](Self::normalise_projections), without a
    /// second vector if possible: the sum may be overwritten.
    fn projections_norm<const N: usize>(sum: &mut Self::Sum<N>) -> Result<(Self::Scalar, i32), Overflow> {
        let direction = Self::normalise_projections(sum)?;
        Ok((Self::norm(&direction), Self::exponent(&direction)))
    }
    /// The common exponent: the vector is 2^exponent · mantissas.
    fn exponent<const N: usize>(direction: &Self::Direction<N>) -> i32;
    /// How many quotients in a direction were saturated.
    fn saturated<const N: usize>(direction: &Self::Direction<N>) -> u32;
    /// The Euclidean norm of the mantissas.
    fn norm<const N: usize>(direction: &Self::Direction<N>) -> Self::Scalar;
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
    /// weight · 2^by; saturates, and tells whether it did.
    fn scale_weight(weight: Self::Weight, by: u8) -> (Self::Weight, bool);
    /// Whether a weight that was read back is usable.
    fn is_weight(weight: Self::Weight) -> bool;

    /// a − b. Saturates in fixed point.
    fn minus(a: Self::Number, b: Self::Number) -> Self::Number;
    /// |quotient| · ‖φ‖, the distance between the weights and the row's hyperplane.
    fn distance<const N: usize>(row: &Self::Row<N>, quotient: Self::Quotient) -> Self::Scalar;
    /// weights ← weights − gain · quotient · φ: part of the way to the row's hyperplane.
    ///
    /// A weight that would leave a fixed-point format's range saturates and is counted. With floats, nothing moves
    /// instead.
    fn pull<const N: usize>(
        weights: &mut [Self::Weight; N],
        row: &Self::Row<N>,
        quotient: Self::Quotient,
        gain: Self::Scalar,
    ) -> Result<u32, Overflow>;
    /// One step of true-online TD(λ): with α = μ/‖φ‖² and v₀ = φ·w,
    /// z ← γλz + α(1 − γλ z·φ)φ, then w ← w + (target − v_old)z − α(v₀ − v_old)φ. Without a v_old it is v₀.
    ///
    /// Returns the row's residual before the step and how many weights saturated. With floats, the weights do not move
    /// if one would leave its range; the trace is unusable then.
    fn pull_traced<const N: usize>(
        weights: &mut [Self::Weight; N],
        trace: &mut Self::Eligibility<N>,
        row: &Self::Row<N>,
        step: &TracedStep<Self>,
    ) -> Result<(Self::Quotient, u32), Overflow>;
    /// Whether a trace that was read back is usable.
    fn is_eligibility<const N: usize>(trace: &Self::Eligibility<N>) -> bool;
    /// to ← from.
    fn copy<const N: usize>(to: &mut [Self::Weight; N], from: &[Self::Weight; N]) {
        to.copy_from_slice(from);
    }
    /// ‖b − a‖, the way from a to b; infinite if a difference is.
    fn way<const N: usize>(a: &[Self::Weight; N], b: &[Self::Weight; N]) -> f32;
    /// The cosine of the turn between the ways from a to b and from b to c; 0 if one of them has no length, or none that is
    /// finite.
    fn turn<const N: usize>(points: [&[Self::Weight; N]; 3]) -> Self::Scalar;

    /// trace ← gamma · trace.
    fn trace_decay<const N: usize>(trace: &mut Self::Trace<N>, gamma: Self::Scalar);
    /// trace ← trace + φ/‖φ‖², in the original units of the features.
    fn trace_add<const N: usize>(trace: &mut Self::Trace<N>, row: &Self::Row<N>);
    /// How many entries of a trace were saturated.
    fn trace_saturated<const N: usize>(trace: &Self::Trace<N>) -> u32;
    /// sum ← sum − reward · trace.
    fn trace_reward<const N: usize>(sum: &mut Self::Sum<N>, reward: Self::Number, trace: &Self::Trace<N>);
    /// Saturates a sum so that a later reward fits. [`trace_reward`](Self::trace_reward) already does that.
    fn leave_room<const N: usize>(_: &mut Self::Sum<N>) {}
    /// A complete first visit of a streaming learner: [`trace_decay`](Self::trace_decay),
    /// [`trace_add`](Self::trace_add), [`accumulate`](Self::accumulate) of [`residual`](Self::residual) to the total
    /// and of [`project`](Self::project), if there is a direction, to the curvature's sum, and
    /// [`trace_reward`](Self::trace_reward) to the total. Backends may fuse these steps, with bit-exact results.
    fn stream_row<const N: usize>(
        trace: &mut Self::Trace<N>,
        total: &mut Self::Sum<N>,
        projected: &mut Self::Sum<N>,
        row: &Self::Row<N>,
        known: &StreamRow<'_, Self, N>,
    ) {
        Self::trace_decay(trace, known.gamma);
        Self::trace_add(trace, row);
        Self::accumulate(total, Self::residual(row, known.weights), row);
        if let Some(direction) = known.direction {
            Self::accumulate(projected, Self::project(row, direction), row);
        }
        Self::trace_reward(total, known.reward, trace);
    }
}
