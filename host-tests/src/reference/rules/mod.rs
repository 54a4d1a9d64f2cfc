//! The rules of learning, written once, for every arithmetic. The numbers in the comments are the steps of
//! `docs/numerics.md`: its "exactly" is an [`Arithmetic`], everything else is here.
//!
//! | file | what it is |
//! | --- | --- |
//! | `iterate` | w, w̄, the velocity and the past: what an update moves |
//! | `episodes` | the samples of an episode, and who waits for what |
//! | `stored`, `streaming` | the two rules with episodes |
//! | `samples` | the samples of tracking, and who waits for what |
//! | `tracking`, `alarm` | the rule that learns at every sample, its gain and its statistics |
//!
//! Scalars are f64, and rounded after every operation by [`Arithmetic::round`].

mod alarm;
mod episodes;
mod iterate;
mod samples;
mod stored;
mod streaming;
mod tracking;

use std::fmt::Debug;

use super::call::Phi;
pub use episodes::Episodes;
pub use samples::Samples;
pub use stored::Stored;
pub use streaming::Streaming;

/// Features that make no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// Only zeros: their value is 0.
    Zeros,
    /// NaN or infinite.
    NotFinite,
}

/// What a sum over rows is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumOf {
    /// G, of residuals.
    Residuals,
    /// C, along a direction.
    Changes,
}

/// A normalised sum: d·2^exponent, and ‖d‖. An arithmetic that does not scale has the exponent 0.
#[derive(Clone, Debug)]
pub struct Direction<W> {
    /// d.
    pub d: Vec<W>,
    /// ‖d‖.
    pub norm: f64,
    /// e.
    pub exponent: i64,
}

/// A dutch trace z, in units of 2^exponent, and v_old.
#[derive(Clone, Debug)]
pub struct Chain<A: Arithmetic> {
    /// ζ.
    pub z: Vec<A::Number>,
    /// E.
    pub exponent: i64,
    /// v_old.
    pub expected: Option<A::Number>,
}

impl<A: Arithmetic> Chain<A> {
    fn new(n: usize) -> Self {
        Self { z: vec![A::Number::default(); n], exponent: 0, expected: None }
    }
}

/// The numbers of a learner, and the operations in which arithmetics differ. What returns a `u32` beside its result
/// counts what saturated; what returns an `Option` refuses what leaves the range.
pub trait Arithmetic: Clone + Debug {
    /// Whatever is a vector's element, a reward, a value, or an r/S.
    type Number: Copy + Debug + Default + PartialOrd;
    /// φ normalised, its inverse square, and a target, 0 at first.
    type Row: Clone + Debug;

    /// The scalar nearest to the result of one operation.
    fn round(&self, x: f64) -> f64;
    /// The largest scalar.
    fn largest(&self) -> f64;
    /// The maximum number of rows in an episode.
    fn most_rows(&self) -> usize;

    /// 1. A row without a target.
    fn encode(&self, phi: &Phi) -> Result<Self::Row, Unusable>;
    /// 2. A reward or target, if it fits.
    fn number(&self, x: f32) -> Option<Self::Number>;
    /// 2. The row with a target, if it fits.
    fn aimed(&self, row: Self::Row, target: Self::Number) -> Option<Self::Row>;

    /// 4. (φ·w − V)/‖φ‖², and whether it saturated.
    fn residual(&self, row: &Self::Row, w: &[Self::Number]) -> (Self::Number, bool);
    /// 6. (φ·d)/‖φ‖².
    fn along(&self, row: &Self::Row, direction: &Direction<Self::Number>) -> Self::Number;
    /// 4 and 6. Adds q·φ.
    fn add(&self, sum: &mut [Self::Number], row: &Self::Row, q: Self::Number, of: SumOf);
    /// 5 and 7.
    fn normalised(&self, sum: &[Self::Number], of: SumOf) -> Option<Direction<Self::Number>>;
    /// 21. a − b, normalised.
    fn difference(&self, a: &[Self::Number], b: &[Self::Number]) -> Option<Direction<Self::Number>>;
    /// 21. The cosine of the angle between two differences.
    fn cosine(&self, u: &Direction<Self::Number>, d: &Direction<Self::Number>) -> f64;

    /// 10. w⁺ and v⁺ after a step of a·d with momentum.
    fn stepped(
        &self,
        w_and_v: [&[Self::Number]; 2],
        direction: &Direction<Self::Number>,
        a_and_beta: [f64; 2],
    ) -> Option<([Vec<Self::Number>; 2], u32)>;
    /// 10. Moves w̄ to w by a share of the way.
    fn average(&self, mean: &mut [Self::Number], w: &[Self::Number], share: f64);

    /// 11. φ·w.
    fn value(&self, row: &Self::Row, w: &[Self::Number]) -> Self::Number;
    /// 11. The nearest f32.
    fn to_f32(&self, number: Self::Number) -> f32;
    /// 12. R + γV.
    fn backup(&self, reward: Self::Number, gamma: f32, following: Self::Number) -> Self::Number;

    /// 13. z ← γz.
    fn decay(&self, z: &mut [Self::Number], gamma: f32);
    /// 13. z ← z + φ/‖φ‖².
    fn enter(&self, z: &mut Vec<Self::Number>, row: &Self::Row) -> u32;
    /// 13. G ← G − Rz.
    fn credit(&self, sum: &mut Vec<Self::Number>, z: &[Self::Number], reward: Self::Number) -> u32;

    /// 17. w after a plain step.
    fn pulled(&self, w: &[Self::Number], row: &Self::Row, r: Self::Number, mu: f64)
    -> Option<(Vec<Self::Number>, u32)>;
    /// 18. w after a traced step, for the row's target.
    fn traced(
        &self,
        w: &[Self::Number],
        chain: &mut Chain<Self>,
        row: &Self::Row,
        target: Self::Number,
        mu_and_rho: [f64; 2],
    ) -> Option<(Vec<Self::Number>, u32)>;
    /// 19. ε.
    fn error(&self, row: &Self::Row, r: Self::Number) -> f64;

    /// The bits of a weight.
    fn weight_bits(&self, w: Self::Number) -> u64;
    /// The bits of a number.
    fn number_bits(&self, number: Self::Number) -> u64;
    /// The bits of a trace's exponent, if it has one.
    fn exponent_bits(&self, exponent: i64) -> Option<u64>;
}

/// 2^e.
fn power(e: i64) -> f64 {
    2_f64.powi(e as i32)
}

impl<W> Direction<W> {
    /// 7. ‖d‖·2^by beyond its own exponent.
    fn length<A: Arithmetic>(&self, arithmetic: &A, by: i64) -> f64 {
        arithmetic.round(self.norm * power(self.exponent + by))
    }
}

/// The value of features, whether they make a row or not.
fn value<A: Arithmetic>(arithmetic: &A, phi: &Phi, w: &[A::Number]) -> Option<A::Number> {
    match arithmetic.encode(phi) {
        Ok(row) => Some(arithmetic.value(&row, w)),
        Err(Unusable::Zeros) => arithmetic.number(0.0),
        Err(Unusable::NotFinite) => None,
    }
}

/// The bits of the value, if it is a finite f32.
fn asked<A: Arithmetic>(arithmetic: &A, phi: &Phi, w: &[A::Number]) -> Option<u32> {
    let value = arithmetic.to_f32(value(arithmetic, phi, w)?);
    value.is_finite().then(|| value.to_bits())
}

fn all_bits<A: Arithmetic>(arithmetic: &A, vector: &[A::Number]) -> Vec<u64> {
    vector.iter().map(|&x| arithmetic.weight_bits(x)).collect()
}
