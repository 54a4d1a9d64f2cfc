//! The contract between the algorithm and its arithmetic.
//!
//! The algorithm never adds or multiplies vector elements itself. It asks an [`Arithmetic`] for a handful of *vector*
//! operations, and each backend owns its widths, exponents and rounding inside them. A trait with + − × ÷ on elements
//! would not do: in fixed point the squares of g vanish, so a backend must be free to accumulate in wide integers and
//! to hand back a direction with a *block exponent*, 2^e · mantissa. The floats honour the same contract, which also
//! keeps their norms clear of overflow and underflow.
//!
//! What is left for plain + − × ÷ √ is a few numbers per update (norms, ϑ, η, β): the [`Scalar`]s.
//!
//! That floats have the same bits on every core is promised for an FPU that rounds to nearest and keeps subnormals: for
//! FPSCR as it is after reset, neither FZ nor RMode set. Interrupt handlers get theirs from FPDSCR.

mod contract;
mod error;
mod fixed_point;
mod float;
mod integer;
#[doc(hidden)]
pub mod kernels;
mod pairs;
mod real;
mod scalar;

pub use contract::Arithmetic;
pub use error::{Overflow, RowError};
pub use fixed_point::{
    Features, Fixed, FixedDirection, FixedQuotient, FixedRow, FixedSum, FixedTrace, Q24, Q24Wide, Q28, Q28Wide,
    RowInteger,
};
pub use float::{Direction, Row, Trace};
pub use real::Real;
pub use scalar::Scalar;
