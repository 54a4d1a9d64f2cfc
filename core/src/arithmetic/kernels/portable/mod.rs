//! Plain loops, each in a fixed order, so that results are bit-exact on every target and in every faster twin.
//!
//! Sums run in four lanes (element i goes to lane i mod 4) that are combined as (l0 + l1) + (l2 + l3): a pipelined FPU
//! needs four independent chains. No multiply-add is ever fused.

#[cfg(feature = "fixed-point")]
pub mod chosen;
#[cfg(feature = "fixed-point")]
pub mod cosine;
#[cfg(feature = "fixed-point")]
pub mod integers;
mod pass;
#[cfg(feature = "fixed-point")]
pub mod quotient;
mod rows;
pub mod single;
mod trace;
mod update;
#[cfg(feature = "fixed-point")]
pub mod vectors;
pub mod words;

pub use pass::add_projections;
pub use rows::{add_scaled, dot};
pub use trace::{trace_step, trace_step_is_finite};
pub use update::{average_step, largest, multiply, step, step_is_finite};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::scalar::Scalar;

    #[test]
    fn dot_has_the_pinned_order() {
        // In a single chain in index order, the small terms would vanish one by one against 2²⁴.
        let big = 16_777_216.0_f32;
        let ones = [1.0_f32; 8];
        let x = [big, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0];
        assert_eq!(dot(&x, &ones), (big + (1.0 + 1.0)) + 1.0);
        let y = [big, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        assert_eq!(dot(&y, &ones), big, "elements 0 and 4 share a lane");
    }

    #[test]
    fn largest_sees_everything() {
        assert_eq!(largest(&[0.5_f32, -2.0, 1.0]), 2.0);
        assert!(!Scalar::is_finite(largest(&[0.5_f32, f32::NAN, f32::INFINITY])));
        assert!(!Scalar::is_finite(largest(&[f64::NEG_INFINITY, 1.0])));
        assert_eq!(largest(&[0.0_f64, -0.0]).to_bits(), 0);
    }
}
