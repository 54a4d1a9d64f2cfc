//! The sums of a cosine, in fixed point: once per check of a tracking learner's gain.

/// The products of the mantissas of b − a and c − b.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct CosineSums {
    /// Of one and the other.
    pub product: i64,
    /// Of b − a with itself.
    pub before: u64,
    /// Of c − b with itself.
    pub after: u64,
}

/// The sums over the mantissas of b − a and c − b: each difference is shifted until its largest element has 24 bits, rounded
/// to even. All have the same length.
pub fn cosine_sums(a: &[i32], b: &[i32], c: &[i32]) -> CosineSums {
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
    let mut sums = CosineSums::default();
    for ((&a, &b), &c) in a.iter().zip(b).zip(c) {
        let [before, after] = [mantissa(a, b, zeros_before), mantissa(b, c, zeros_after)];
        sums.product += after * before;
        sums.before += (before * before).cast_unsigned();
        sums.after += (after * after).cast_unsigned();
    }
    sums
}
