//! Features, targets and rows.

use super::super::fixed::{Format, Phi};
use super::{cut, cut32, dot, integer_and_exponent, len, nearest, shifted, times};

/// An encoded row: mᵢ, e, t, v and l.
#[derive(Clone, Debug)]
pub struct Encoded {
    pub(super) m: Vec<i128>,
    pub(super) e: i64,
    pub(super) t: i128,
    pub(super) inverse: i128,
    pub(super) l: i64,
}

/// Saturates to the range of a target.
pub(super) fn cut64(x: i128) -> i128 {
    cut(x, i64::MIN.into(), i64::MAX.into()).0
}

/// 1. A multiple of 2⁻³², or `None` if it does not fit.
pub(super) fn raw(number: f32) -> Option<i128> {
    let (a, exponent) = integer_and_exponent(number);
    Some(shifted(a, exponent + 32)).filter(|&raw| number.is_finite() && cut64(raw) == raw)
}

impl Format {
    /// ±2¹⁵ does not fit in the features of an `i16` row.
    fn fitted(self, m: i128) -> i128 {
        if self.feature_bits == 15 { m.clamp(-32_767, 32_767) } else { m }
    }

    /// 1. mᵢ and E. `None` if a float is not finite.
    pub(super) fn integers(self, phi: &Phi) -> Option<(Vec<i128>, i64)> {
        match phi {
            Phi::Integers(mantissas) => Some((mantissas.iter().map(|&m| m.into()).collect(), 0)),
            Phi::Floats(phi) if phi.iter().all(|x| x.is_finite()) => {
                let parts: Vec<_> = phi.iter().map(|&x| integer_and_exponent(x)).collect();
                let e = parts.iter().filter(|(a, _)| *a != 0).map(|(a, e)| len(*a) + e).max().unwrap_or(0);
                let p = i64::from(self.feature_bits);
                Some((parts.iter().map(|&(a, exponent)| self.fitted(shifted(a, exponent + p - e))).collect(), e))
            }
            Phi::Floats(_) => None,
        }
    }

    /// 2. mᵢ normalised to P bits, and e. `None` if all are zero.
    fn filled(self, (m, exponent): (Vec<i128>, i64)) -> Option<(Vec<i128>, i64)> {
        let longest = m.iter().map(|&m| len(m)).max().filter(|&longest| longest > 0)?;
        let k = i64::from(self.feature_bits) - longest;
        Some((m.iter().map(|&m| self.fitted(shifted(m, k))).collect(), exponent - k))
    }

    /// 2. A row without a target.
    pub(super) fn encode(self, integers: (Vec<i128>, i64)) -> Option<Encoded> {
        let (m, e) = self.filled(integers)?;
        let square = dot(&m, &m);
        let l = len(square);
        let inverse = nearest(1 << 57, shifted(square, 32 - l));
        Some(Encoded { m, e, t: 0, inverse, l })
    }

    /// 2. The row with a target, or `None` if the target is too large.
    pub(super) fn with_target(self, row: Encoded, target: i128) -> Option<Encoded> {
        let t = shifted(target, i64::from(self.feature_bits + self.fraction_bits) - 32 - row.e);
        (len(t) <= 61).then_some(Encoded { t, ..row })
    }

    /// 11. φ·w for φ = m·2^(e − P).
    pub(super) fn product(self, m: &[i128], e: i64, w: &[i128]) -> i128 {
        cut64(shifted(dot(m, w), e + 32 - i64::from(self.feature_bits + self.fraction_bits)))
    }
}

impl Encoded {
    /// 3. (r/S)·2^y, and whether it saturated.
    pub(super) fn quotient(&self, r: i128, y: i64) -> (i128, bool) {
        let drop = (len(r) - 26).max(0);
        self.share(shifted(r, -drop), drop + y)
    }

    /// (x/S)·2^y for an x of at most 26 bits.
    pub(super) fn share(&self, x: i128, y: i64) -> (i128, bool) {
        cut32(shifted(x * self.inverse, y - self.l - 25))
    }
}

/// 11. φ·w as a multiple of 2⁻³², for weights in units of 2^−F. Returns `None` if a float is not finite.
pub fn value(format: Format, phi: &Phi, w: &[i32]) -> Option<i64> {
    let w: Vec<i128> = w.iter().map(|&w| w.into()).collect();
    let integers = format.integers(phi)?;
    // All-zero features make no row, but have a value.
    let value = format.filled(integers).map_or(0, |(m, e)| format.product(&m, e, &w));
    Some(value as i64)
}

/// 12. reward + γ·next in multiples of 2⁻³².
pub fn backup(reward: i64, gamma: f32, next: i64) -> i64 {
    back_up(reward.into(), gamma, next.into()) as i64
}

pub(super) fn back_up(reward: i128, gamma: f32, next: i128) -> i128 {
    cut64(reward + times(next, gamma))
}
