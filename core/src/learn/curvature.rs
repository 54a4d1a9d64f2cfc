//! The curvature step: how far the osculating circle of the descent path reaches along g.

use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::{Empty, Overflow, Persist, Scalar};

/// ‖C‖ of C = Σ ((φᵢ·d)/‖φᵢ‖²) φᵢ for the mantissas d of a direction: the rows' H applied to it, times τ.
///
/// With d = G this is −τ²·ΔTP(w) of the paper, by linearity. It is never a difference of two projections, which would
/// cancel. Not inlined: the stack holds its sum only while it runs.
#[inline(never)]
fn curvature_along<A: Arithmetic, const N: usize>(
    rows: &[A::Row<N>],
    direction: &A::Direction<N>,
) -> Result<A::Scalar, Overflow> {
    let mut sum = Empty::EMPTY;
    A::accumulate_projections(&mut sum, rows, direction);
    let (norm, exponent) = A::projections_norm(&mut sum)?;
    Ok(norm.scaled(exponent))
}

/// What the rows tell about the mantissas d of their total projection G: as little as the stack has to hold while they do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths<S> {
    /// ‖d‖.
    norm: S,
    /// ‖C‖ along d, if it differs from ‖d‖.
    along: Option<S>,
    /// Whether C was asked for.
    pub(crate) measured: bool,
}

impl<S: Scalar> Lengths<S> {
    /// From the rows of one episode; without `curvature`, C is not computed.
    #[inline(always)]
    pub(crate) fn measure<A: Arithmetic<Scalar = S>, const N: usize>(
        rows: &[A::Row<N>],
        total: &A::Direction<N>,
        curvature: bool,
    ) -> Result<Self, Overflow> {
        let norm = A::norm(total);
        // With one row, H maps g to itself. If g is zero, there is no curvature.
        let along = if curvature && rows.len() > 1 && norm != S::ZERO {
            Some(curvature_along::<A, N>(rows, total)?)
        } else {
            None
        };
        Ok(Self { norm, along, measured: curvature })
    }
}

/// The lengths of G = τ·g and of C = τ²·c, in the units of the weights, and their ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Curvature<S> {
    /// ‖G‖.
    pub(crate) g_norm: S,
    /// ‖C‖.
    pub(crate) c_norm: S,
    /// ‖G‖/‖C‖; 1/τ if G is zero or C was not computed, not finite if only C is zero.
    pub(crate) ratio: S,
}

impl<S: Scalar> Curvature<S> {
    /// From the lengths of a direction with this exponent, of so many rows.
    #[inline(always)]
    pub(crate) fn new(lengths: Lengths<S>, exponent: i32, tau: S) -> Self {
        let g_norm = lengths.norm.scaled(exponent);
        match lengths.along {
            Some(along) => Self { g_norm, c_norm: along.scaled(exponent), ratio: lengths.norm / along },
            None => Self { g_norm, c_norm: g_norm, ratio: S::ONE / tau },
        }
    }
}

/// Running averages of ‖G‖ and ‖C‖ over past episodes: a curvature that is known before the next episode begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PastCurvature<S> {
    pub(super) g_norm: S,
    pub(super) c_norm: S,
    pub(super) count: u32,
}

impl<S: Scalar> Empty for PastCurvature<S> {
    const EMPTY: Self = Self { g_norm: S::ZERO, c_norm: S::ZERO, count: 0 };
}

impl<S: Persist> Persist for PastCurvature<S> {
    crate::state::persist!(fields g_norm: S, c_norm: S, count: u32);
}

impl<S: Scalar> PastCurvature<S> {
    /// Adds one pair of lengths to the averages. The weight of the past settles at 49 in 50.
    ///
    /// A length outside the format's range carries no information and would stay in the averages forever, so it is
    /// ignored.
    pub(crate) fn observe(&mut self, g_norm: S, c_norm: S) {
        if !(g_norm.is_finite() && c_norm.is_finite()) {
            return;
        }
        let least = S::from_ratio(1, 50);
        let share = S::ONE / S::from_count(self.count.saturating_add(1));
        let share = if share < least { least } else { share };
        self.g_norm = self.g_norm + share * (g_norm - self.g_norm);
        self.c_norm = self.c_norm + share * (c_norm - self.c_norm);
        self.count = self.count.saturating_add(1);
    }

    /// The ratio of the averages, at most `cap`; 1/τ before there are any.
    ///
    /// Also 1/τ if no curvature has been seen yet, for example if two one-hot episodes share no state.
    pub(crate) fn ratio(&self, tau: u32, cap: S) -> S {
        if self.g_norm == S::ZERO || self.c_norm == S::ZERO {
            return S::ONE / S::from_count(tau);
        }
        // If the quotient does not exist it is infinite, and capped like any other.
        let ratio = self.g_norm / self.c_norm;
        if ratio < cap { ratio } else { cap }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_is_averaged_capped_and_never_infinite() {
        let mut past = PastCurvature::EMPTY;
        assert_eq!(past.ratio(4, 1e6), 0.25, "nothing seen yet: one over the number of rows");
        past.observe(6.0_f32, 2.0);
        past.observe(f32::INFINITY, 1.0);
        assert_eq!((past.ratio(4, 1e6), past.ratio(4, 2.5)), (3.0, 2.5));
        past.observe(2.0, 6.0);
        assert_eq!(past.ratio(4, 1e6), 1.0);
    }
}
