//! What an arithmetic offers.

use core::borrow::Borrow;
use core::fmt::Debug;

use super::{Overflow, RowError, Scalar};

/// The vector operations that the algorithm is made of. Implemented for `f32`, `f64` and
/// [`Fixed`](crate::arithmetic::Fixed).
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
    ///
    /// ```
    /// use osculate::{Arithmetic, Q28, Q28Wide};
    /// assert!(Q28Wide::MAX_ROWS < Q28::MAX_ROWS && Q28::MAX_ROWS < f32::MAX_ROWS);
    /// ```
    const MAX_ROWS: usize;

    /// φ from floats, each rounded at most once, for features that are computed in `f32`.
    ///
    /// # Errors
    /// [`RowError::NonFiniteFeature`] where the format cannot hold what is not finite.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::features(&[0.5, 2.0]), Ok([0.5, 2.0]));
    /// ```
    fn features<const N: usize>(values: &[f32; N]) -> Result<Self::Features<N>, RowError>;
    /// A target from a float, rounded at most once.
    ///
    /// # Errors
    /// [`RowError`] where the format cannot hold it.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(osculate::Q28::target(0.5).unwrap(), 0.5);
    /// ```
    fn target(value: f32) -> Result<Self::Target, RowError>;
    /// Scales features by a power of two (exactly) and takes their norm: a row with the target 0.
    ///
    /// # Errors
    /// [`RowError`] where they are all zero or not finite.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert!(f32::admit(&[3.0, 4.0]).is_ok());
    /// ```
    fn admit<const N: usize>(features: &Self::Features<N>) -> Result<Self::Row<N>, RowError>;
    /// Gives a row its target, scaled like the features.
    ///
    /// # Errors
    /// [`RowError`] where the target is not finite or out of range; the row keeps its old one.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let mut row = f32::admit(&[1.0]).unwrap();
    /// assert!(f32::aim(&mut row, f32::NAN).is_err());
    /// ```
    fn aim<const N: usize>(row: &mut Self::Row<N>, target: Self::Target) -> Result<(), RowError>;
    /// φ·w, the value of a state: that of its row, see [`row_value`](Self::row_value), in fixed point to the bit.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::value(&[2.0, 1.0], &[3.0, 4.0]), 10.0);
    /// ```
    fn value<const N: usize>(features: &Self::Features<N>, weights: &[Self::Weight; N]) -> Self::Target;
    /// φ·w of an admitted row, in the units that its features came in.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::row_value(&f32::admit(&[2.0, 1.0]).unwrap(), &[3.0, 4.0]), 10.0);
    /// ```
    fn row_value<const N: usize>(row: &Self::Row<N>, weights: &[Self::Weight; N]) -> Self::Target;
    /// reward + gamma · next: one step of a return, for a gamma in [0, 1]. Callers check it; what comes of any other is not
    /// said.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::backup(1.0, 0.5, 4.0), 3.0);
    /// ```
    fn backup(reward: Self::Target, gamma: Self::Scalar, next: Self::Target) -> Self::Target;
    /// Whether a reward is a number.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert!(f32::is_usable(1.0) && !f32::is_usable(f32::INFINITY));
    /// ```
    fn is_usable(reward: Self::Target) -> bool;
    /// (φ·w − V)/‖φ‖².
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let mut row = f32::admit(&[2.0]).unwrap(); // held as 1, with the exponent 1
    /// f32::aim(&mut row, 6.0).unwrap(); // and so as 3
    /// assert_eq!(f32::residual(&row, &[1.0]), 1.0 - 3.0);
    /// ```
    fn residual<const N: usize>(row: &Self::Row<N>, weights: &[Self::Weight; N]) -> Self::Quotient;
    /// (φ·d)/‖φ‖² for the mantissas d of a direction.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let direction = f32::close([1.5]).unwrap();
    /// assert_eq!(f32::along(&f32::admit(&[1.0]).unwrap(), &direction), 1.5);
    /// ```
    fn along<const N: usize>(row: &Self::Row<N>, direction: &Self::Direction<N>) -> Self::Quotient;
    /// The sum of no rows, ready to accumulate [`residual`](Self::residual)s.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::residual_sum(), [0.0; 2]);
    /// ```
    fn residual_sum<const N: usize>() -> Self::Sum<N>;
    /// The sum of no rows, ready to accumulate quotients [`along`](Self::along) a direction, in that one's units.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::change_sum(), [0.0; 2]);
    /// ```
    fn change_sum<const N: usize>() -> Self::Sum<N>;
    /// sum += quotient · φ.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let mut sum = [1.0, 1.0];
    /// f32::accumulate(&mut sum, 3.0, &f32::admit(&[1.0, 0.5]).unwrap());
    /// assert_eq!(sum, [4.0, 2.5]);
    /// ```
    fn accumulate<const N: usize>(sum: &mut Self::Sum<N>, quotient: Self::Quotient, row: &Self::Row<N>);
    /// sum += [`residual`](Self::residual) · φ for every row: a whole pass. Backends may take several rows at a time, to the
    /// same bits.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let mut row = f32::admit(&[1.0]).unwrap();
    /// f32::aim(&mut row, 2.0).unwrap();
    /// let mut sum = f32::residual_sum();
    /// f32::accumulate_residuals(&mut sum, [&row, &row, &row].into_iter(), &[0.0]);
    /// assert_eq!(sum, [-6.0]);
    /// ```
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
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let (row, direction) = (f32::admit(&[1.0]).unwrap(), f32::close([1.0]).unwrap());
    /// let mut sum = f32::change_sum();
    /// f32::accumulate_along(&mut sum, [&row, &row, &row].into_iter(), &direction);
    /// assert_eq!(sum, [3.0]);
    /// ```
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
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::exponent(&f32::close([12.0]).unwrap()), 3); // 1.5 · 2³
    /// ```
    fn close<const N: usize>(sum: Self::Sum<N>) -> Result<Self::Direction<N>, Overflow>;
    /// The exponent that the mantissas share: the vector is 2^exponent · mantissas.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::exponent(&f32::close([0.25]).unwrap()), -2);
    /// ```
    fn exponent<const N: usize>(direction: &Self::Direction<N>) -> i32;
    /// How many quotients in a direction were cut to the format's range.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::saturated(&f32::close([1.0]).unwrap()), 0); // floats are never cut
    /// ```
    fn saturated<const N: usize>(direction: &Self::Direction<N>) -> u32;
    /// The Euclidean norm of the mantissas.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::norm(&f32::close([3.0, 4.0]).unwrap()), 1.25); // 5/2²
    /// ```
    fn norm<const N: usize>(direction: &Self::Direction<N>) -> Self::Scalar;
    /// velocity ← beta · velocity − gain · direction, then weights ← weights + velocity.
    ///
    /// A weight that would leave the format's range stays at its limit and is counted, if the format has limits to stay
    /// at; in a float nothing moves then.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let (mut w, mut velocity, g) = ([1.0], [0.5], f32::close([1.0]).unwrap());
    /// assert_eq!(f32::step(&mut w, &mut velocity, &g, 0.25, 0.5), Ok(0));
    /// assert_eq!((w, velocity), ([1.0], [0.0]));
    /// ```
    fn step<const N: usize>(
        weights: &mut [Self::Weight; N],
        velocity: &mut [Self::Weight; N],
        direction: &Self::Direction<N>,
        gain: Self::Scalar,
        beta: Self::Scalar,
    ) -> Result<u32, Overflow>;
    /// mean ← mean + gain · (weights − mean), for a gain in [0, 1].
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let mut mean = [1.0];
    /// f32::average(&mut mean, &[3.0], 0.5);
    /// assert_eq!(mean, [2.0]);
    /// ```
    fn average<const N: usize>(mean: &mut [Self::Weight; N], weights: &[Self::Weight; N], gain: Self::Scalar);
    /// The Euclidean norm of a vector of weights.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::length(&[3.0, 4.0]), 5.0);
    /// ```
    fn length<const N: usize>(vector: &[Self::Weight; N]) -> Self::Scalar;

    /// trace ← gamma · trace.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let (mut trace, mut sum) = (Default::default(), [0.0]);
    /// f32::enter(&mut trace, &f32::admit(&[2.0]).unwrap()); // 2/2²
    /// f32::decay(&mut trace, 0.5);
    /// f32::credit(&mut sum, 1.0, &trace);
    /// assert_eq!(sum, [-0.25]);
    /// ```
    fn decay<const N: usize>(trace: &mut Self::Trace<N>, gamma: Self::Scalar);
    /// trace ← trace + φ/‖φ‖², in the units that the features came in.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let (mut trace, mut sum) = (Default::default(), [0.0]);
    /// f32::enter(&mut trace, &f32::admit(&[2.0]).unwrap()); // 2/2²
    /// f32::credit(&mut sum, 1.0, &trace);
    /// assert_eq!(sum, [-0.5]);
    /// ```
    fn enter<const N: usize>(trace: &mut Self::Trace<N>, row: &Self::Row<N>);
    /// How many entries of a trace were cut to its range.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// assert_eq!(f32::trace_saturated::<1>(&Default::default()), 0); // floats are never cut
    /// ```
    fn trace_saturated<const N: usize>(trace: &Self::Trace<N>) -> u32;
    /// sum ← sum − reward · trace.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let (mut trace, mut sum) = (Default::default(), [0.0]);
    /// f32::enter(&mut trace, &f32::admit(&[2.0]).unwrap()); // 2/2²
    /// f32::credit(&mut sum, 4.0, &trace);
    /// assert_eq!(sum, [-2.0]);
    /// ```
    fn credit<const N: usize>(sum: &mut Self::Sum<N>, reward: Self::Target, trace: &Self::Trace<N>);
    /// A first visit of a streaming learner, all of it: [`decay`](Self::decay), [`enter`](Self::enter), [`accumulate`](Self::accumulate)
    /// of [`residual`](Self::residual) to the first sum and of [`along`](Self::along) a direction, if there is one, to the
    /// second, and [`credit`](Self::credit) of the first. Backends may take it in one go, to the same bits.
    ///
    /// ```
    /// use osculate::Arithmetic;
    /// let (mut trace, mut total, mut change) = (Default::default(), [0.0], [0.0]);
    /// let (row, direction) = (f32::admit(&[2.0]).unwrap(), f32::close([1.5]).unwrap());
    /// f32::visit(&mut trace, [&mut total, &mut change], &row, (&[3.0], Some(&direction)), (0.5, 4.0));
    /// assert_eq!((total, change), ([3.0 - 4.0 / 2.0], [1.5]));
    /// ```
    fn visit<const N: usize>(
        trace: &mut Self::Trace<N>,
        [total, change]: [&mut Self::Sum<N>; 2],
        row: &Self::Row<N>,
        (weights, direction): (&[Self::Weight; N], Option<&Self::Direction<N>>),
        (gamma, reward): (Self::Scalar, Self::Target),
    ) {
        Self::decay(trace, gamma);
        Self::enter(trace, row);
        Self::accumulate(total, Self::residual(row, weights), row);
        if let Some(direction) = direction {
            Self::accumulate(change, Self::along(row, direction), row);
        }
        Self::credit(total, reward, trace);
    }
}
