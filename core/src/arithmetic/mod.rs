//! The number formats to learn in: `f32`, `f64`, or fixed point ([`Q28`] and [`Q24`]).
//!
//! | arithmetic | rows | weights | for |
//! | --- | --- | --- | --- |
//! | `f32` | 24 bits | 24 bits, any size | cores with an FPU, or if memory is plentiful |
//! | [`Q28`] | 15 bits | below 8, in steps of 2⁻²⁸ | cores without an FPU; half the memory per row |
//! | [`Q24`] | 15 bits | below 128, in steps of 2⁻²⁴ | the same, for larger values |
//! | `f64` | 53 bits | 53 bits | the host |
//!
//! Features, rewards and values are `f32` at the interface, whatever the arithmetic.
//!
//! The algorithm never adds or multiplies vector elements itself. It calls a few *vector* operations of a sealed
//! backend, and each backend controls the widths, exponents and rounding inside them. A trait with + − × ÷ on elements
//! would not be enough: in fixed point the squares of g vanish, so a backend must be free to accumulate in wide
//! integers and to return a direction with a *block exponent*, 2^e · mantissa. The floats do the same, which also keeps
//! their norms clear of overflow and underflow.
//!
//! Floats are bit-exact on every core if the FPU rounds to nearest even and keeps subnormals: FPSCR as after reset,
//! with neither FZ nor RMode set. Interrupt handlers get their FPSCR from FPDSCR.

#[doc(hidden)]
pub mod backend;
mod error;
#[cfg(feature = "fixed-point")]
mod fixed;
mod float;
#[doc(hidden)]
pub mod kernels;
mod scalar;
mod space;

#[cfg(feature = "fixed-point")]
pub use self::fixed::{Fixed, Q24, Q28};
use backend::Backend;
pub use error::{Limit, RowError};
pub(crate) use float::exponent_of;
#[doc(hidden)]
pub use space::Shape;
pub use space::Space;

/// A number format to learn in: `f32`, `f64`, [`Q28`] or [`Q24`].
///
/// ```
/// use osculate::{Arithmetic, Q28};
/// assert_eq!((f32::NAME, Q28::NAME, Q28::MOST_ROWS), ("f32", "q28", 65_536));
/// let half = Q28::weight(0.5);
/// assert_eq!((half.to_num::<f32>(), Q28::bits(half)), (0.5, 1 << 27));
/// ```
pub trait Arithmetic: Backend {
    /// Its short name, such as `"q28"`.
    const NAME: &'static str;
    /// How many rows an episode may have.
    const MOST_ROWS: usize = Self::MAX_ROWS;

    /// The weight nearest to a float, saturating; NaN gives 0. For weights that were learned elsewhere.
    fn weight(value: f32) -> Self::Weight;

    /// The bits of a weight, for telemetry and comparisons.
    fn bits(weight: Self::Weight) -> u64;
}
