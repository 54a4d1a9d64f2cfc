//! The loops over integers: exact 64-bit sums, so their order does not matter.

use core::mem::MaybeUninit;

use fixed::traits::FixedSigned;
use fixed::types::I1F15;

#[cfg(has_short_multiply)]
use super::armv6m;
use super::portable::{self, RowSums};
use super::row::{FixedRow, Numerator};
use crate::state::{Persist, Reader, Writer};

/// The features of a row. They start at a multiple of 4, so that two can be loaded as one word.
///
/// In an encoded row, no feature is −2¹⁵. The sums of `armv6m` are exact only then, but safety does not depend on it.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(4))]
pub struct Aligned<R, const N: usize>(pub [R; N]);

impl<R: Persist, const N: usize> Persist for Aligned<R, N> {
    const BYTES: usize = <[R; N]>::BYTES;
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn read(&mut self, reader: &mut Reader<'_>) {
        self.0.read(reader);
    }
}

/// Fixed-point weights as integers.
#[inline]
pub(crate) fn bits_of<W: FixedSigned<Bits = i32>, const N: usize>(weights: &[W; N]) -> &[i32; N] {
    const { assert!(size_of::<W>() == size_of::<i32>() && align_of::<W>() == align_of::<i32>()) };
    // SAFETY: the trait is sealed, and its only types with these bits are `FixedI32`, transparent around an `i32`.
    unsafe { &*weights.as_ptr().cast() }
}

/// Fixed-point features as integers.
#[inline]
pub(crate) fn integers_of<const N: usize>(features: &[I1F15; N]) -> &[i16; N] {
    const { assert!(size_of::<I1F15>() == size_of::<i16>() && align_of::<I1F15>() == align_of::<i16>()) };
    // SAFETY: `FixedI16` is transparent around an `i16`.
    unsafe { &*features.as_ptr().cast() }
}

/// The same, to be changed.
#[inline]
pub(crate) fn bits_of_mut<W: FixedSigned<Bits = i32>, const N: usize>(weights: &mut [W; N]) -> &mut [i32; N] {
    const { assert!(size_of::<W>() == size_of::<i32>() && align_of::<W>() == align_of::<i32>()) };
    // SAFETY: see `bits_of`; every `i32` is the bits of a weight.
    unsafe { &mut *weights.as_mut_ptr().cast() }
}

/// The operations on a row's integer type that need a fast kernel.
pub trait IntegerKernels: Copy + Into<i32> {
    /// The common factor of all rows in a pass.
    type Factor<'w, const N: usize>;
    /// Where it is, if it is not the plain integers.
    type Room<const N: usize>;

    /// From plain integers, ready for multiplication.
    fn factor<'w, const N: usize>(w: &'w [i32; N], room: &'w mut MaybeUninit<Self::Room<N>>) -> Self::Factor<'w, N>;
    /// x · x.
    fn norm_squared<const N: usize>(x: &Aligned<Self, N>) -> u64 {
        portable::dot_integer(&x.0, &x.0) as u64
    }
    /// x · w.
    #[inline(never)]
    fn dot<const N: usize>(x: &Aligned<Self, N>, w: &[i32; N]) -> i64 {
        portable::dot_integer(&x.0, w)
    }
    /// sum ← sum + factor · x.
    #[inline(never)]
    fn add_scaled<const N: usize>(sum: &mut [i64; N], factor: i32, x: &Aligned<Self, N>) {
        portable::add_scaled_integer(sum, factor, &x.0);
    }
    /// a · w and b · w.
    fn dot_pair<const N: usize>(rows: [&Aligned<Self, N>; 2], w: &Self::Factor<'_, N>) -> [i64; 2];
    /// Whether [`add_rows`](Self::add_rows) does anything.
    const ADDS_ROWS: bool = false;
    /// sum ← sum + q · φ for the leading rows, with their quotients q. Returns how many rows are left: one of the next two
    /// has a quotient of too many bits.
    #[inline]
    fn add_rows<const N: usize>(
        _: &mut [i64; N],
        rows: &[FixedRow<Self, N>],
        _: &Self::Factor<'_, N>,
        _: Numerator,
    ) -> usize {
        rows.len()
    }
    /// sum ← sum + p · a + q · b.
    #[inline]
    fn add_scaled_pair<const N: usize>(sum: &mut [i64; N], [p, q]: [i32; 2], [a, b]: [&Aligned<Self, N>; 2]) {
        portable::add_scaled_integer(sum, p, &a.0);
        portable::add_scaled_integer(sum, q, &b.0);
    }
    /// A tracking learner's whole sample, where a core has a kernel for it: the row (x, `target`) pulls w by the share `gain` of
    /// the way. `more` is the number of fraction bits of x · w beyond 32. Returns the error before it and how many weights
    /// saturated; `None` if there is no kernel or if the row must be built.
    #[inline(always)]
    fn pull_row<const N: usize>(
        _: &mut [i32; N],
        _: &[Self; N],
        _more: u32,
        _target: f32,
        _gain: f32,
    ) -> Option<(f32, u32)> {
        None
    }
    /// Whether [`pull_row`](Self::pull_row) is a kernel.
    const PULLS_ROWS: bool = false;
    /// The sums that a tracking learner starts from, if it can learn from such a row without building it.
    #[inline(always)]
    fn row_sums<const N: usize>(_: &[Self; N], _: &[i32; N]) -> Option<RowSums> {
        None
    }
    /// Whether [`subtract_row`](Self::subtract_row) does anything.
    const SUBTRACTS_ROWS: bool = false;
    /// w ← w − factor · (x · 2^by) / 2³² for a factor other than −2³¹ and a shift of up to 16, rounded to nearest even. Returns how
    /// many weights saturated.
    #[inline(always)]
    fn subtract_row(_: &mut [i32], _: &[Self], _factor: i32, _by: u32) -> u32 {
        0
    }
}

#[cfg(not(any(has_long_multiply, has_short_multiply)))]
impl IntegerKernels for i16 {
    type Factor<'w, const N: usize> = &'w [i32; N];
    type Room<const N: usize> = ();

    #[inline]
    fn row_sums<const N: usize>(x: &[i16; N], w: &[i32; N]) -> Option<RowSums> {
        Some(portable::row_sums(x, w))
    }
    const SUBTRACTS_ROWS: bool = true;
    #[inline]
    fn subtract_row(w: &mut [i32], x: &[i16], factor: i32, by: u32) -> u32 {
        portable::subtract_row(w, x, factor, by)
    }

    #[inline]
    fn factor<'w, const N: usize>(w: &'w [i32; N], _: &'w mut MaybeUninit<()>) -> &'w [i32; N] {
        w
    }
    #[inline]
    fn dot_pair<const N: usize>(rows: [&Aligned<Self, N>; 2], w: &&[i32; N]) -> [i64; 2] {
        rows.map(|row| portable::dot_integer(&row.0, *w))
    }
}

// SAFETY, for every call below: the references are valid for N integers each, rows are aligned, and mutable references
// are not aliased.
#[cfg(has_short_multiply)]
impl IntegerKernels for i16 {
    type Factor<'w, const N: usize> = armv6m::SplitWeights<'w, N>;
    type Room<const N: usize> = armv6m::Parts<N>;

    #[inline]
    fn factor<'w, const N: usize>(w: &'w [i32; N], room: &'w mut MaybeUninit<Self::Room<N>>) -> Self::Factor<'w, N> {
        armv6m::SplitWeights::new(w, room)
    }
    #[inline]
    fn norm_squared<const N: usize>(x: &Aligned<i16, N>) -> u64 {
        // SAFETY: see above.
        unsafe { armv6m::norm_squared(x.0.as_ptr(), N) }
    }
    #[inline]
    fn dot<const N: usize>(x: &Aligned<i16, N>, w: &[i32; N]) -> i64 {
        armv6m::dot_whole(x, w)
    }
    #[inline]
    fn add_scaled<const N: usize>(sum: &mut [i64; N], factor: i32, x: &Aligned<i16, N>) {
        Self::add_scaled_pair(sum, [factor, 0], [x, x]);
    }
    #[inline]
    fn dot_pair<const N: usize>(rows: [&Aligned<i16, N>; 2], w: &Self::Factor<'_, N>) -> [i64; 2] {
        rows.map(|row| w.dot(row))
    }
    #[inline]
    fn add_scaled_pair<const N: usize>(sum: &mut [i64; N], [p, q]: [i32; 2], [a, b]: [&Aligned<i16, N>; 2]) {
        // SAFETY: see above.
        unsafe { armv6m::add_scaled_pair(sum.as_mut_ptr(), a.0.as_ptr(), b.0.as_ptr(), N, p, q) }
    }
    #[inline]
    fn row_sums<const N: usize>(x: &[i16; N], w: &[i32; N]) -> Option<RowSums> {
        armv6m::row_sums(x, w)
    }
    const SUBTRACTS_ROWS: bool = true;
    #[inline]
    fn subtract_row(w: &mut [i32], x: &[i16], factor: i32, by: u32) -> u32 {
        // SAFETY: both have that many elements.
        unsafe { armv6m::subtract_row(w.as_mut_ptr(), x.as_ptr(), w.len().min(x.len()), factor, by) }
    }
}

#[cfg(has_long_multiply)]
mod fast {
    use core::mem::MaybeUninit;

    #[cfg(not(has_dsp))]
    use super::super::armv7m::norm_squared;
    #[cfg(has_vfp)]
    use super::super::armv7m_pull;
    #[cfg(has_dsp)]
    use super::super::dsp::pass::{self, Layout};
    #[cfg(has_dsp)]
    use super::super::dsp::{self, norm_squared};
    #[cfg(has_dsp)]
    use super::super::dsp::{SplitWeights, Words};
    use super::super::portable::RowSums;
    use super::super::{armv7m, armv7m_track};
    use super::{Aligned, IntegerKernels};
    #[cfg(has_dsp)]
    use super::{FixedRow, Numerator};

    // SAFETY, for every call below: the references are valid for N integers each, rows are aligned, and mutable
    // references are not aliased.
    impl IntegerKernels for i16 {
        #[cfg(has_dsp)]
        type Factor<'w, const N: usize> = SplitWeights<'w, N>;
        #[cfg(not(has_dsp))]
        type Factor<'w, const N: usize> = &'w [i32; N];
        #[cfg(has_dsp)]
        type Room<const N: usize> = Words<N>;
        #[cfg(not(has_dsp))]
        type Room<const N: usize> = ();

        #[cfg(has_dsp)]
        #[inline]
        fn factor<'w, const N: usize>(w: &'w [i32; N], room: &'w mut MaybeUninit<Words<N>>) -> SplitWeights<'w, N> {
            SplitWeights::new(w, room)
        }
        #[cfg(not(has_dsp))]
        #[inline]
        fn factor<'w, const N: usize>(w: &'w [i32; N], _: &'w mut MaybeUninit<()>) -> &'w [i32; N] {
            w
        }
        #[inline]
        fn norm_squared<const N: usize>(x: &Aligned<i16, N>) -> u64 {
            // SAFETY: see above.
            unsafe { norm_squared(x.0.as_ptr(), N) as u64 }
        }
        #[cfg(has_dsp)]
        #[inline]
        fn dot_pair<const N: usize>(rows: [&Aligned<i16, N>; 2], w: &SplitWeights<'_, N>) -> [i64; 2] {
            match w.words() {
                // SAFETY: these are the words of N weights.
                Some(words) => unsafe { dot_halves_pair(rows, words) },
                None => dot_pair(rows, w.whole()),
            }
        }
        #[cfg(not(has_dsp))]
        #[inline]
        fn dot_pair<const N: usize>(rows: [&Aligned<i16, N>; 2], w: &&[i32; N]) -> [i64; 2] {
            dot_pair(rows, w)
        }
        #[cfg(has_dsp)]
        const ADDS_ROWS: bool = true;
        #[cfg(has_dsp)]
        #[inline]
        fn add_rows<const N: usize>(
            sum: &mut [i64; N],
            rows: &[FixedRow<i16, N>],
            w: &SplitWeights<'_, N>,
            numerator: Numerator,
        ) -> usize {
            use core::mem::offset_of;
            type Row<const N: usize> = FixedRow<i16, N>;
            const {
                let target = offset_of!(Row<N>, target);
                assert!(offset_of!(Row<N>, features) == 0 && offset_of!(Row<N>, inverse_mantissa) == target + 8);
                assert!(offset_of!(Row<N>, inverse_exponent) == target + 12);
            }
            let (Some(halves), pairs @ 1..) = (w.words(), rows.len() / 2) else { return rows.len() };
            let layout: &Layout =
                const { &Layout { n: N, stride: size_of::<Row<N>>(), tail: offset_of!(Row<N>, target) } };
            let pass = if numerator.with_target { pass::residuals } else { pass::projections };
            // SAFETY: see above; the layout is asserted, and there are that many pairs.
            let left = unsafe { pass(layout, rows.as_ptr().cast(), pairs, sum.as_mut_ptr(), halves, numerator.by) };
            2 * left + rows.len() % 2
        }
        #[inline]
        fn add_scaled_pair<const N: usize>(sum: &mut [i64; N], [p, q]: [i32; 2], [a, b]: [&Aligned<i16, N>; 2]) {
            // SAFETY: see above.
            unsafe { armv7m::add_scaled_pair(sum.as_mut_ptr(), a.0.as_ptr(), b.0.as_ptr(), N, p, q) }
        }
        #[cfg(has_vfp)]
        const PULLS_ROWS: bool = true;
        #[cfg(has_vfp)]
        #[inline(always)]
        fn pull_row<const N: usize>(
            w: &mut [i32; N],
            x: &[i16; N],
            more: u32,
            target: f32,
            gain: f32,
        ) -> Option<(f32, u32)> {
            // SAFETY: see above.
            let words = unsafe { armv7m_pull::pull_integers::<N>(w.as_mut_ptr(), x.as_ptr(), more, target, gain) };
            let error = words as u32;
            (error.cast_signed() >= 0).then_some((f32::from_bits(error), (words >> 32) as u32))
        }
        #[inline]
        fn row_sums<const N: usize>(x: &[i16; N], w: &[i32; N]) -> Option<RowSums> {
            let mut sums = MaybeUninit::uninit();
            // SAFETY: see above; all sums are written.
            unsafe {
                armv7m_track::row_sums(x.as_ptr(), w.as_ptr(), sums.as_mut_ptr(), N);
                Some(sums.assume_init())
            }
        }
        const SUBTRACTS_ROWS: bool = true;
        #[inline]
        fn subtract_row(w: &mut [i32], x: &[i16], factor: i32, by: u32) -> u32 {
            // SAFETY: both have that many elements.
            unsafe { armv7m_track::subtract_row(w.as_mut_ptr(), x.as_ptr(), w.len().min(x.len()), factor, by) }
        }
    }

    /// # Safety
    /// The words are those of [`SplitWeights`] for N weights.
    #[cfg(has_dsp)]
    #[inline]
    unsafe fn dot_halves_pair<const N: usize>(rows: [&Aligned<i16, N>; 2], words: *const u32) -> [i64; 2] {
        // SAFETY: see above; there are N words, plus one more.
        rows.map(|row| unsafe { dsp::dot_halves(row.0.as_ptr(), words, N) })
    }

    #[inline]
    fn dot_pair<const N: usize>([a, b]: [&Aligned<i16, N>; 2], w: &[i32; N]) -> [i64; 2] {
        let mut sums = [0; 2];
        // SAFETY: see above; there is room for two sums.
        unsafe { armv7m::dot_pair(a.0.as_ptr(), b.0.as_ptr(), w.as_ptr(), N, sums.as_mut_ptr()) };
        sums
    }
}
