//! Independent implementations of the algorithm. None of them calls the crate that it checks.
//!
//! | module | what it is | how it is compared |
//! | --- | --- | --- |
//! | [`rules`] | every rule of learning, written once, over an [`Arithmetic`](rules::Arithmetic) | bit for bit, in each of these: |
//! | [`floats`] | f64, rounded to 24 bits after every single operation; or f64 itself | with f32, and tracking with f64 |
//! | [`fixed`] over `i128` | one exact division per rounding | with fixed point |
//! | [`fixed`] over [`Pair`](fixed::Pair) | f64, made exact by error-free transformations | with fixed point |
//! | [`linear_model`], [`least_squares`] | models learned on the device, rounded to f32 after every operation | bit for bit with f32 |
//! | [`plain`] | f64 as the textbook writes it, rounded nowhere | within a stated bound |
//! | [`previous_direction`] | f64, the streaming rule over stored rows | within 10⁻¹² of streaming in f64 |
//! | [`closed_form`] | the minimiser w* by a dense solver | within a stated error |
//!
//! [`call`] has what a learner is told and what it says.

pub mod call;
pub mod closed_form;
pub mod fixed;
pub mod floats;
pub mod least_squares;
pub mod linear_model;
pub mod plain;
pub mod previous_direction;
pub mod rules;

/// Features φ and target V of one state.
pub type Row = (Vec<f32>, f32);

/// The gain η_k that a reference uses.
#[derive(Clone, Copy, Debug)]
pub enum Gain {
    /// 1/k.
    Harmonic,
    /// k^−¾.
    ThreeQuarters,
    /// Constant.
    Constant(f64),
}
