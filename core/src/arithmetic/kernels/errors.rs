//! The statistics of a tracking learner's errors: once per row, so they cost more than the row itself where there are few
//! features.

use super::super::scalar::Scalar;

/// Errors before their mean counts as known.
pub const FIRST: u32 = 16;
/// Older errors than these fade from the mean.
pub const MEMORY: u32 = 200;
/// Older squares than these fade from their mean.
const SQUARES: u32 = 100;

/// The errors |δ|/‖φ‖ so far. The kernels know the order of its fields.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Errors<S> {
    /// s̄, the mean error.
    pub mean: S,
    /// C, the cumulative sum of how much larger than usual the errors have been.
    pub excess: S,
    /// s², the mean square, if γ = 0.
    pub spread: S,
    /// Rows learned from.
    pub rows: u32,
    /// Errors seen, at most [`MEMORY`] and at most as many as rows; 16 after a probe.
    pub count: u32,
}

/// An excess above this needs an explanation.
const MOST: f32 = 8.0;

impl<S: Scalar> Errors<S> {
    /// Before the first row.
    pub const NONE: Self = Self { mean: S::ZERO, excess: S::ZERO, spread: S::ZERO, rows: 0, count: 0 };

    /// A row and its finite error, with its square. Returns whether the errors have been so large for so long that they need
    /// an explanation.
    #[inline(always)]
    pub fn observe(&mut self, error: S) -> bool {
        if self.count == MEMORY { S::observe_steadily(self, error) } else { self.observe_any(error, true) }
    }

    /// The same for any count, with or without the square.
    #[inline(never)]
    pub fn observe_any(&mut self, error: S, squares: bool) -> bool {
        self.pass();
        let square = error.times(error);
        if squares && square.is_finite() {
            let share = share(self.rows, SQUARES, S::PERCENT);
            self.spread = self.spread.plus(share.times(square.minus(self.spread)));
        }
        self.count = if self.count < MEMORY { self.count + 1 } else { MEMORY };
        if self.count <= FIRST {
            self.mean = self.mean.plus(error.minus(self.mean).over(S::from_count(self.count)));
            return S::from(MOST).below(self.excess);
        }
        let most = self.mean.scaled_here(2);
        let bounded = if error.below(most) { error } else { most };
        let share = share(self.count, MEMORY, S::HALF_PERCENT);
        self.mean = self.mean.plus(share.times(bounded.minus(self.mean)));
        // Where there is no error at all, there is nothing to compare with, and no alarm.
        if S::ZERO.below(self.mean) {
            let excess = self.excess.plus(bounded.over(self.mean).minus(S::from(1.75)));
            self.excess = if S::ZERO.below(excess) { excess } else { S::ZERO };
        }
        S::from(MOST).below(self.excess)
    }

    /// A row without a finite error.
    pub fn pass(&mut self) {
        self.rows = self.rows.saturating_add(1);
    }
}

/// 1 / `count`, but not less than `least`, which is 1 / `most`.
#[inline(always)]
fn share<S: Scalar>(count: u32, most: u32, least: S) -> S {
    // Known in the long run. With an FPU, the compiler would divide anyway, and then choose.
    let divides = cfg!(has_vfp) && size_of::<S>() == size_of::<f32>();
    if divides {
        S::from_ratio(1, if count < most { count } else { most })
    } else if count < most {
        one_of(count)
    } else {
        least
    }
}

/// 1 / `count`, by a call: the compiler takes a division for cheap, and would always make it.
#[cold]
#[inline(never)]
fn one_of<S: Scalar>(count: u32) -> S {
    S::from_ratio(1, count)
}

/// [`Errors::observe`] for a count of [`MEMORY`], by the core's own kernel if it has one.
#[inline(always)]
pub(in super::super) fn steadily(errors: &mut Errors<f32>, error: f32) -> bool {
    #[cfg(has_vfp)]
    {
        // SAFETY: it is a reference.
        let excess = unsafe { super::vfp::observe(errors, error) };
        // Floats that are not negative are ordered as their bits are.
        excess > const { MOST.to_bits().cast_signed() }
    }
    #[cfg(not(has_vfp))]
    portable(errors, error)
}

/// The plain form.
#[inline(always)]
pub(in super::super) fn portable<S: Scalar>(errors: &mut Errors<S>, error: S) -> bool {
    errors.observe_any(error, true)
}
