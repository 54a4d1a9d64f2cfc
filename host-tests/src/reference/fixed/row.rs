//! 1 to 3. Features, rows, and what is divided by ‖φ‖².

use super::super::call::{Format, Phi};
use super::super::rules::Unusable;
use super::Integer;

/// An encoded row.
#[derive(Clone, Debug)]
pub struct Row<I> {
    /// mᵢ: φ = m·2^(e − P).
    pub(super) m: Vec<I>,
    pub(super) e: i64,
    pub(super) t: I,
    /// N and l: 1/S ≈ N·2^−(l + 25).
    pub(super) n: I,
    pub(super) l: i64,
}

/// x·2^by, rounded once.
pub(super) fn scaled(x: f32, by: i64) -> f32 {
    (f64::from(x) * 2_f64.powi(by as i32)) as f32
}

/// 1. rne(x·2^by), in P bits: what rounds to 2^P saturates.
fn fitted<I: Integer>(x: I, by: i64, p: i64) -> I {
    let most = (1 << p) - 1;
    x.shifted(by).cut(-most, most).0
}

/// 1. Integers and the exponent of one that has P bits. `None` if a float is not finite.
fn integers<I: Integer>(phi: &Phi, p: i64) -> Option<(Vec<I>, i64)> {
    match phi {
        Phi::Integers(mantissas) => Some((mantissas.iter().map(|&m| i64::from(m).into()).collect(), 0)),
        Phi::Floats(phi) if phi.iter().all(|x| x.is_finite()) => {
            let parts = || phi.iter().map(|&x| I::parts(x));
            let lengths = parts().filter(|(a, _)| a.length() > 0).map(|(a, e)| a.length() + e);
            let e = lengths.max().unwrap_or(0);
            Some((parts().map(|(a, exponent)| fitted(a, exponent + p - e, p)).collect(), e))
        }
        Phi::Floats(_) => None,
    }
}

impl<I: Integer> Row<I> {
    /// 1. The same numbers, normalised so that the largest has P bits.
    pub(super) fn new(phi: &Phi, format: Format) -> Result<Self, Unusable> {
        let p = i64::from(format.feature_bits);
        let (m, exponent) = integers::<I>(phi, p).ok_or(Unusable::NotFinite)?;
        let longest = I::longest(&m);
        if longest == 0 {
            return Err(Unusable::Zeros);
        }
        let m: Vec<I> = m.iter().map(|&m| fitted(m, p - longest, p)).collect();
        let square = I::dot(&m, &m);
        let l = square.length();
        let n = I::from(1 << 57).quotient(square.shifted(32 - l));
        Ok(Self { m, e: exponent + longest - p, t: I::default(), n, l })
    }

    /// 3. (r/S)·2^y, and whether it saturated.
    pub(super) fn quotient(&self, r: I, y: i64) -> (I, bool) {
        let drop = (r.length() - 26).max(0);
        self.share(r.shifted(-drop), drop + y)
    }

    /// 3. (x/S)·2^y for an x of at most 26 bits.
    pub(super) fn share(&self, x: I, y: i64) -> (I, bool) {
        (x * self.n).shifted(y - self.l - 25).cut32()
    }

    /// 18. N₁.
    pub(super) fn inverse(&self) -> f32 {
        scaled(self.n.to_f32(), -(self.l + 25))
    }
}
