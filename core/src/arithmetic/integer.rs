//! Rounding shifts, and a quotient without a division: what the fixed-point backend is made of.

/// How many bits |x| has; 0 for 0.
#[inline]
pub(super) fn bit_length(x: u64) -> u32 {
    u64::BITS - x.leading_zeros()
}

/// x / 2^`by`, to nearest, ties to even. A shift that always rounds up, or always down, is a drift.
#[inline]
pub(super) fn round_shift(x: i64, by: u32) -> i64 {
    match by {
        0 => x,
        1..64 => {
            let floor = x >> by;
            // The bits shifted out, moved to the top: comparing them with a half needs no mask.
            let rest = (x << (64 - by)) as u64;
            const HALF: u64 = 1 << 63;
            floor + i64::from(rest > HALF || (rest == HALF && floor & 1 == 1))
        }
        _ => 0,
    }
}

/// x · 2^`by`, rounded like [`round_shift`], or `None` where it does not fit.
#[inline]
pub(super) fn scale(x: i64, by: i32) -> Option<i64> {
    if by <= 0 {
        return Some(round_shift(x, by.unsigned_abs()));
    }
    let by = by.unsigned_abs();
    let fits = x == 0 || by < x.unsigned_abs().leading_zeros();
    fits.then(|| if x == 0 { 0 } else { x << by })
}

/// A number that was cut to the range of its format, if need be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clipped {
    pub(super) value: i32,
    pub(super) saturated: bool,
}

/// x · 2^`by` in 32 bits, or the nearest that they can hold.
#[inline]
pub(super) fn scale_clipped(x: i64, by: i32) -> Clipped {
    let limit = if x < 0 { i32::MIN } else { i32::MAX };
    match scale(x, by).map(i32::try_from) {
        Some(Ok(value)) => Clipped { value, saturated: false },
        _ => Clipped { value: limit, saturated: true },
    }
}

/// 1/s as `mantissa` · 2^−`exponent`, with a mantissa in [2²⁵, 2²⁶].
///
/// The hot loops multiply by it: a 64-bit division per row and pass would cost as much as the row itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inverse {
    mantissa: u32,
    exponent: u16,
}

/// Mantissas of this many bits, multiplied, stay below 2⁵³: an f64 model of the product is exact.
const MANTISSA: u32 = 26;

impl Inverse {
    /// 1/s for s > 0.
    #[inline]
    pub(super) fn of(s: u64) -> Self {
        let length = bit_length(s);
        // s to 32 significant bits; where rounding makes them 33, the quotient below is just 2²⁵.
        let divisor =
            if length > 32 { round_shift(s as i64, length - 32) as u64 } else { s.unbounded_shl(32 - length) };
        let numerator = 1_u64 << 57;
        // A zero cannot come here from a row, which is never all zeros; it gives the largest inverse.
        let floor = numerator.checked_div(divisor).unwrap_or(1 << MANTISSA);
        let rest = numerator.checked_rem(divisor).unwrap_or(0);
        let up = rest * 2 > divisor || (rest * 2 == divisor && floor & 1 == 1);
        Self { mantissa: (floor + u64::from(up)) as u32, exponent: length as u16 + 25 }
    }

    /// (r/s) · 2^`by`, in 32 bits. r is first rounded to 26 bits, so the relative error is about 2⁻²⁵.
    #[inline]
    pub(super) fn times(self, r: i64, by: i32) -> Clipped {
        let drop = bit_length(r.unsigned_abs()).saturating_sub(MANTISSA);
        let product = round_shift(r, drop) * i64::from(self.mantissa);
        scale_clipped(product, drop as i32 + by - i32::from(self.exponent))
    }

    /// (x/s) · 2^`by` for a feature x, in 32 bits.
    #[inline]
    pub(super) fn share(self, x: i32, by: i32) -> Clipped {
        scale_clipped(i64::from(x) * i64::from(self.mantissa), by - i32::from(self.exponent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_round_to_even() {
        let halves = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].map(|x| round_shift(x, 1));
        assert_eq!(halves, [-2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2]);
        assert_eq!([round_shift(i64::MIN, 63), round_shift(i64::MAX, 63), round_shift(i64::MIN, 64)], [-1, 1, 0]);
        assert_eq!(round_shift(i64::MAX, 1), 1 << 62);
    }

    #[test]
    fn left_shifts_know_their_range() {
        assert_eq!(scale(1, 62), Some(1 << 62));
        assert_eq!(scale(1, 63), None);
        assert_eq!(scale(0, 1000), Some(0));
        assert_eq!(scale(-3, -1), Some(-2));
        assert_eq!(scale_clipped(-1, 40), Clipped { value: i32::MIN, saturated: true });
    }

    #[test]
    fn inverse_is_near() {
        for s in [1, 2, 3, 5, 7, 1000, (1 << 30) + 1, (1 << 36) - 1, u64::from(u32::MAX), (1 << 33) - 1, 1 << 56] {
            let inverse = Inverse::of(s);
            let value = f64::from(inverse.mantissa) * crate::Scalar::scaled(1.0_f64, -i32::from(inverse.exponent));
            assert!((value * s as f64 - 1.0).abs() < 1.0 / f64::from(1 << 25), "{s}");
            assert!((1 << 25..=1 << 26).contains(&inverse.mantissa), "{s}");
        }
        assert_eq!(Inverse::of(4).times(20, 0), Clipped { value: 5, saturated: false });
        assert_eq!(Inverse::of(4).times(-10, 0), Clipped { value: -2, saturated: false });
    }
}
