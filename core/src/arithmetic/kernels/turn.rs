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

/// The magnitudes of b − a and of c − b, each combined by or; all bits are set where one of them does not fit. All have
/// the same length.
#[inline(always)]
pub fn ways(a: &[i32], b: &[i32], c: &[i32]) -> [u32; 2] {
    #[cfg(has_long_multiply)]
    if a.len() == b.len() && a.len() == c.len() {
        // SAFETY: all slices have this length.
        let words = unsafe { armv7m_track::ways(a.as_ptr(), b.as_ptr(), c.as_ptr(), a.len()) };
        return [words as u32, (words >> 32) as u32];
    }
    portable::ways(a, b, c)
}

/// The sums over the mantissas of b − a and c − b, which are shifted to the left until they have 30 bits, and of which 24
/// are left, rounded to even. All have the same length.
#[inline(always)]
pub fn sums(a: &[i32], b: &[i32], c: &[i32], shifts: [u32; 2]) -> TurnSums {
    #[cfg(has_long_multiply)]
    if a.len() == b.len() && a.len() == c.len() {
        let mut sums = core::mem::MaybeUninit::uninit();
        let both = shifts[0] << 8 | shifts[1];
        // SAFETY: all slices have this length; all sums are written.
        unsafe {
            armv7m_track::turn_sums(a.as_ptr(), b.as_ptr(), c.as_ptr(), a.len(), both, sums.as_mut_ptr());
            return sums.assume_init();
        }
    }
    portable::sums(a, b, c, shifts)
}

/// The plain loops.
pub mod portable {
    use super::TurnSums;

    /// [`ways`](super::ways).
    pub fn ways(a: &[i32], b: &[i32], c: &[i32]) -> [u32; 2] {
        let way = |from: &[i32], to: &[i32]| {
            let magnitudes = from.iter().zip(to).map(|(&from, to)| to.checked_sub(from).map_or(!0, i32::unsigned_abs));
            magnitudes.fold(0, |all, magnitude| all | magnitude)
        };
        [way(a, b), way(b, c)]
    }

    /// [`sums`](super::sums).
    pub fn sums(a: &[i32], b: &[i32], c: &[i32], shifts: [u32; 2]) -> TurnSums {
        let mantissa = |from: i32, to: i32, shift: u32| {
            let full = to.wrapping_sub(from) << shift;
            i64::from((full + 31 + (full >> 6 & 1)) >> 6)
        };
        let mut sums = TurnSums::default();
        for ((&a, &b), &c) in a.iter().zip(b).zip(c) {
            let [before, after] = [mantissa(a, b, shifts[0]), mantissa(b, c, shifts[1])];
            sums.product += after * before;
            sums.before += (before * before).cast_unsigned();
            sums.after += (after * after).cast_unsigned();
        }
        sums
    }
}
