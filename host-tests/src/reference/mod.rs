//! Independent readings of the algorithm. None of them calls the crate that it checks.
//!
//! | module | what it is | how it is compared |
//! | --- | --- | --- |
//! | [`rounded`] | f64, rounded to 24 bits after every single operation | bit for bit with f32 |
//! | [`plain`] | f64 as the textbook writes it, rounded nowhere | within [`tolerance`] |
//! | [`closed_form`] | the minimiser w* by a dense solver | within a stated error |

pub mod closed_form;
pub mod plain;
pub mod rounded;
pub mod tolerance;

/// Features φ and target V of one state.
pub type Row = (Vec<f32>, f32);

/// The gain η_k that a reference uses.
#[derive(Clone, Copy, Debug)]
pub enum Gain {
    /// 1/k.
    Harmonic,
    /// k^−¾.
    ThreeQuarters,
    /// The same always.
    Constant(f64),
}

/// The parameters of a reference learner.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// η_k.
    pub gain: Gain,
    /// β.
    pub beta: f64,
    /// No update where ‖c‖ is below this.
    pub skip_below: f64,
}
