//! Independent implementations of the algorithm. None of them calls the crate that it checks.
//!
//! | module | what it is | how it is compared |
//! | --- | --- | --- |
//! | [`rounded`] | every rule in f64, rounded to 24 bits after every single operation | bit for bit with f32 |
//! | [`fixed_model`] | fixed point in f64, made exact by error-free transformations; asked by [`fixed`] | bit for bit with fixed point |
//! | [`fixed_oracle`] | fixed point in `i128`, one exact division per rounding | bit for bit with fixed point and the model |
//! | [`tracking`] | the samples of a tracking learner; the three above do its arithmetic | |
//! | [`plain`] | f64 as the textbook writes it, rounded nowhere | within [`tolerance`] |
//! | [`previous_direction`] | f64, the streaming rule over stored rows | within 10⁻¹² of streaming in f64 |
//! | [`closed_form`] | the minimiser w* by a dense solver | within a stated error |

pub mod closed_form;
pub mod fixed;
pub mod fixed_model;
pub mod fixed_oracle;
pub mod plain;
pub mod previous_direction;
pub mod rounded;
pub mod tolerance;
pub mod tracking;

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

/// The parameters of a reference learner.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// η_k.
    pub gain: Gain,
    /// β.
    pub beta: f64,
    /// The update is skipped if ‖c‖ is below this.
    pub skip_below: f64,
}
