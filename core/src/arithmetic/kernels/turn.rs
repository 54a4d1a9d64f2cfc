//! The sums over a turn from one way to another, in fixed point: once per check of a tracking learner's gain.

#[cfg(has_long_multiply)]
use super::armv7m_track;

/// The products of the mantissas of two ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct TurnSums {
    /// Of the way after the turn and of that before it.
    pub product: i64,
    /// Of the way before with itself.
    pub before: u64,
    /// Of the way after with itself.
    pub after: u64,
}

/// The sums over the mantissas of b − a and c − b: each way is shifted until its largest element has 24 bits, rounded to
/// even. All have the same length; if they differ, which they never do, there are no sums.
#[inline(always)]
pub fn turn_sums(a: &[i32], b: &[i32], c: &[i32]) -> TurnSums {
    #[cfg(has_long_multiply)]
    {
        if a.is_empty() || a.len() != b.len() || a.len() != c.len() {
            return TurnSums::default();
        }
        let mut sums = core::mem::MaybeUninit::uninit();
        // SAFETY: all slices have this length, and it is not 0; all sums are written.
        unsafe {
            armv7m_track::turn_sums(a.as_ptr(), b.as_ptr(), c.as_ptr(), a.len(), sums.as_mut_ptr());
            sums.assume_init()
        }
    }
    #[cfg(not(has_long_multiply))]
    portable(a, b, c)
}

/// The plain loops.
pub fn portable(a: &[i32], b: &[i32], c: &[i32]) -> TurnSums {
    // The leading zeros of the largest difference: its magnitude has at most 32 bits.
    let zeros = |from: &[i32], to: &[i32]| {
        from.iter().zip(to).fold(0, |all, (&from, &to)| all | to.abs_diff(from)).leading_zeros()
    };
    // Magnitudes round to even as signed numbers do.
    let mantissa = |from: i32, to: i32, zeros: u32| {
        let full = to.abs_diff(from).unbounded_shl(zeros);
        let floor = full >> 8;
        let magnitude = i64::from(floor + u32::from(full << 24 > (1 << 31) - (floor & 1)));
        if to < from { -magnitude } else { magnitude }
    };
    let [zeros_before, zeros_after] = [zeros(a, b), zeros(b, c)];
    let mut sums = TurnSums::default();
    for ((&a, &b), &c) in a.iter().zip(b).zip(c) {
        let [before, after] = [mantissa(a, b, zeros_before), mantissa(b, c, zeros_after)];
        sums.product += after * before;
        sums.before += (before * before).cast_unsigned();
        sums.after += (after * after).cast_unsigned();
    }
    sums
}
