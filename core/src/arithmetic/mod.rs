//! The contract between the algorithm and its arithmetic.
//!
//! The algorithm never adds or multiplies vector elements itself. It asks an [`Arithmetic`] for a handful of *vector*
//! operations, and each backend owns its widths, exponents and rounding inside them. A trait with + − × ÷ on elements
//! would not do: in fixed point the squares of g vanish, so a backend must be free to accumulate in wide integers and
//! to hand back a direction with a *block exponent*, 2^e · mantissa. The floats honour the same contract, which also
//! keeps their norms clear of overflow and underflow.
//!
//! What is left for plain + − × ÷ √ is a few numbers per update (norms, ϑ, η, β): the [`Scalar`]s.

mod fixed_point;
mod float;
mod integer;
#[doc(hidden)]
pub mod kernels;
mod pairs;

use core::borrow::Borrow;
use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Sub};

pub use fixed_point::{
    Features, Fixed, FixedDirection, FixedQuotient, FixedRow, FixedSum, FixedTrace, Q24, Q24Wide, Q28, Q28Wide,
    RowInteger,
};
pub use float::{Direction, Real, Row, Trace};

/// A number that occurs a few times per update: a norm, a step size, a gain.
///
/// Every operation rounds once, to nearest with ties to even, so that all targets agree on every bit.
///
/// ```
/// use osculate::Scalar;
/// assert_eq!(f32::from_ratio(1, 2), 0.5);
/// assert_eq!(f32::from_ratio(9, 4).sqrt(), 1.5);
/// assert_eq!(f32::ONE.scaled(-3), 0.125);
/// ```
pub trait Scalar:
    Copy
    + Debug
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Into<f64>
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The largest finite number.
    const MAX: Self;
    /// `numerator / denominator`; both are converted first, which is exact below 2²⁴.
    fn from_ratio(numerator: u32, denominator: u32) -> Self;
    /// √self.
    #[must_use]
    fn sqrt(self) -> Self;
    /// self · 2^`exponent`.
    #[must_use]
    fn scaled(self, exponent: i32) -> Self;
    /// Whether this is a number at all: neither NaN nor infinite.
    fn is_finite(self) -> bool;
    /// A whole number, such as τ or k.
    fn from_count(count: u32) -> Self {
        Self::from_ratio(count, 1)
    }
}

/// Why a row (φ, V) cannot be learned from.
///
/// ```
/// use osculate::{Arithmetic, RowError};
/// assert_eq!(f32::admit(&[0.0, 0.0]).unwrap_err(), RowError::ZeroFeatures);
/// assert_eq!(f32::admit(&[f32::NAN, 0.0]).unwrap_err(), RowError::NonFiniteFeature);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum RowError {
    /// All features are zero: the row is no hyperplane.
    ZeroFeatures,
    /// A feature is NaN or infinite.
    NonFiniteFeature,
    /// The target is NaN or infinite.
    NonFiniteTarget,
    /// The target, divided by the row's largest feature, is larger than the format can hold.
    TargetOutOfRange,
    /// The batch holds as many rows as it has room for.
    BatchFull,
}

impl core::fmt::Display for RowError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::ZeroFeatures => "all features are zero",
            Self::NonFiniteFeature => "a feature is NaN or infinite",
            Self::NonFiniteTarget => "the target is NaN or infinite",
            Self::TargetOutOfRange => "the target is out of range once the row is scaled to its largest feature",
            Self::BatchFull => "the batch is full",
        })
    }
}

impl core::error::Error for RowError {}

/// A result left the range of the format. The operation that reports it has changed nothing.
///
/// ```
/// use osculate::arithmetic::{Arithmetic, Overflow};
/// assert_eq!(f32::close([f32::INFINITY]).unwrap_err(), Overflow);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Overflow;

impl core::fmt::Display for Overflow {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a result is out of the format's range")
    }
}

impl core::error::Error for Overflow {}

/// The vector operations that the algorithm is made of. Implemented for `f32`, `f64` and [`Fixed`].
///
/// One update is, in these terms: [`admit`](Self::admit) and [`aim`](Self::aim) each row; [`residual`](Self::residual) and
/// [`accumulate`](Self::accumulate) per row, then [`close`](Self::close): that is g. [`along`](Self::along) and
/// `accumulate` per row, then `close`: that is c. [`norm`](Self::norm) of both gives ϑ, and [`step`](Self::step) moves.
///
/// ```
/// use osculate::Arithmetic;
/// // One row, 2·w = 6, seen from w = 0: the step along −g lands on the solution.
/// let mut row = f32::admit(&[2.0]).unwrap();
/// f32::aim(&mut row, 6.0).unwrap();
/// let mut sum = f32::residual_sum();
/// f32::accumulate(&mut sum, f32::residual(&row, &[0.0]), &row);
/// let g = f32::close(sum).unwrap();
/// let (mut w, mut velocity) = ([0.0], [0.0]);
/// f32::step(&mut w, &mut velocity, &g, 1.0, 0.0).unwrap();
/// assert_eq!(w, [3.0]);
/// ```
pub trait Arithmetic: Copy + Debug + 'static {
    /// φ as the application hands it over.
    type Features<const N: usize>: Clone + Debug;
    /// A target V as the application hands it over.
    type Target: Copy + Debug + 'static;
    /// An element of the weights and of the velocity.
    type Weight: Copy + Debug + Default + PartialEq + Into<f64> + 'static;
    /// Norms, step sizes, gains.
    type Scalar: Scalar;
    /// (φ·w − V)/‖φ‖², the multiple of φ that leads to the row's hyperplane.
    type Quotient: Copy + Debug;
    /// A row (φ, V), multiplied by a power of two such that the largest feature is near 1, with its ‖φ‖².
    type Row<const N: usize>: Clone + Debug;
    /// A sum of multiples of rows, wide enough for a whole batch.
    type Sum<const N: usize>: Clone + Debug;
    /// The discounted sum of φ/‖φ‖² of the states visited so far: it carries a reward back to all of them at once.
    type Trace<const N: usize>: Clone + Debug + Default;
    /// A closed sum: a vector of mantissas that share one exponent.
    type Direction<const N: usize>: Clone + Debug;

    /// How many rows a [`Sum`](Self::Sum) is wide enough for.
    const MAX_ROWS: usize;

    /// φ from floats, each rounded at most once, for features that are computed in `f32`.
    ///
    /// # Errors
    /// [`RowError::NonFiniteFeature`] where the format cannot hold what is not finite.
    fn features<const N: usize>(values: &[f32; N]) -> Result<Self::Features<N>, RowError>;
    /// A target from a float, rounded at most once.
    ///
    /// # Errors
    /// [`RowError`] where the format cannot hold it.
    fn target(value: f32) -> Result<Self::Target, RowError>;
    /// Scales features by a power of two (exactly) and takes their norm: a row with the target 0.
    ///
    /// # Errors
    /// [`RowError`] where they are all zero or not finite.
    fn admit<const N: usize>(features: &Self::Features<N>) -> Result<Self::Row<N>, RowError>;
    /// Gives a row its target, scaled like the features.
    ///
    /// # Errors
    /// [`RowError`] where the target is not finite or out of range; the row keeps its old one.
    fn aim<const N: usize>(row: &mut Self::Row<N>, target: Self::Target) -> Result<(), RowError>;
    /// φ·w, the value of a state.
    fn value<const N: usize>(features: &Self::Features<N>, weights: &[Self::Weight; N]) -> Self::Target;
    /// φ·w of an admitted row, in the units that its features came in.
    fn row_value<const N: usize>(row: &Self::Row<N>, weights: &[Self::Weight; N]) -> Self::Target;
    /// reward + gamma · next: one step of a return.
    fn backup(reward: Self::Target, gamma: Self::Scalar, next: Self::Target) -> Self::Target;
    /// Whether a reward is a number.
    fn is_usable(reward: Self::Target) -> bool;
    /// (φ·w − V)/‖φ‖².
    fn residual<const N: usize>(row: &Self::Row<N>, weights: &[Self::Weight; N]) -> Self::Quotient;
    /// (φ·d)/‖φ‖² for the mantissas d of a direction.
    fn along<const N: usize>(row: &Self::Row<N>, direction: &Self::Direction<N>) -> Self::Quotient;
    /// The sum of no rows, ready to accumulate [`residual`](Self::residual)s.
    fn residual_sum<const N: usize>() -> Self::Sum<N>;
    /// The sum of no rows, ready to accumulate quotients [`along`](Self::along) a direction, in that one's units.
    fn change_sum<const N: usize>() -> Self::Sum<N>;
    /// sum += quotient · φ.
    fn accumulate<const N: usize>(sum: &mut Self::Sum<N>, quotient: Self::Quotient, row: &Self::Row<N>);
    /// sum += [`residual`](Self::residual) · φ for every row: a whole pass. Backends may take several rows at a time, to the
    /// same bits.
    fn accumulate_residuals<const N: usize, R: Borrow<Self::Row<N>>>(
        sum: &mut Self::Sum<N>,
        rows: impl Iterator<Item = R>,
        weights: &[Self::Weight; N],
    ) {
        for row in rows {
            Self::accumulate(sum, Self::residual(row.borrow(), weights), row.borrow());
        }
    }
    /// sum += [`along`](Self::along) · φ for every row: a whole pass, likewise.
    fn accumulate_along<const N: usize, R: Borrow<Self::Row<N>>>(
        sum: &mut Self::Sum<N>,
        rows: impl Iterator<Item = R>,
        direction: &Self::Direction<N>,
    ) {
        for row in rows {
            Self::accumulate(sum, Self::along(row.borrow(), direction), row.borrow());
        }
    }
    /// Splits a sum into mantissas, of which the largest is near 1 (or all are zero), and their common exponent.
    fn close<const N: usize>(sum: Self::Sum<N>) -> Result<Self::Direction<N>, Overflow>;
    /// The exponent that the mantissas share: the vector is 2^exponent · mantissas.
    fn exponent<const N: usize>(direction: &Self::Direction<N>) -> i32;
    /// How many quotients in a direction were cut to the format's range.
    fn saturated<const N: usize>(direction: &Self::Direction<N>) -> u32;
    /// The Euclidean norm of the mantissas.
    fn norm<const N: usize>(direction: &Self::Direction<N>) -> Self::Scalar;
    /// velocity ← beta · velocity − gain · direction, then weights ← weights + velocity.
    ///
    /// A weight that would leave the format's range stays at its limit and is counted, if the format has limits to stay
    /// at; in a float nothing moves then.
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

    /// trace ← gamma · trace.
    fn decay<const N: usize>(trace: &mut Self::Trace<N>, gamma: Self::Scalar);
    /// trace ← trace + φ/‖φ‖², in the units that the features came in.
    fn enter<const N: usize>(trace: &mut Self::Trace<N>, row: &Self::Row<N>);
    /// How many entries of a trace were cut to its range.
    fn trace_saturated<const N: usize>(trace: &Self::Trace<N>) -> u32;
    /// sum ← sum − reward · trace.
    fn credit<const N: usize>(sum: &mut Self::Sum<N>, reward: Self::Target, trace: &Self::Trace<N>);
}
