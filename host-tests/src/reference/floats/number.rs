//! Float arithmetic emulated in f64, one operation at a time.

/// The floats that are emulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// f32.
    Single,
    /// f64.
    Double,
}

/// Rounds to 24 significant bits, to nearest even.
#[inline]
pub fn round24(x: f64) -> f64 {
    const DROPPED: u32 = 53 - 24;
    let bits = x.to_bits();
    let is_odd = (bits >> DROPPED) & 1;
    let half_less_one = (1_u64 << (DROPPED - 1)) - 1;
    // A carry out of the fraction increments the exponent, as intended.
    f64::from_bits((bits + half_less_one + is_odd) >> DROPPED << DROPPED)
}

impl Precision {
    /// The nearest number of these significant bits, with any exponent.
    #[inline]
    pub(super) fn near(self, x: f64) -> f64 {
        if self == Self::Single { round24(x) } else { x }
    }

    /// A number as it is stored: infinity if it is out of range.
    #[inline]
    pub(super) fn kept(self, x: f64) -> f64 {
        let is_out = self == Self::Single && x.abs() > f64::from(f32::MAX);
        if is_out { x * f64::INFINITY } else { x }
    }

    /// Σ aᵢbᵢ in four lanes: indices 0, 4, 8, …, then 1, 5, 9, … and so on. The four sums are then added in pairs.
    #[inline]
    pub(super) fn inner(self, a: &[f64], b: &[f64]) -> f64 {
        let mut lanes = [0.0; 4];
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            lanes[i % 4] = self.near(lanes[i % 4] + self.near(a * b));
        }
        self.near(self.near(lanes[0] + lanes[1]) + self.near(lanes[2] + lanes[3]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::rules::Arithmetic;
    use crate::worlds::Dice;

    /// Checks this model of f32 against the machine's f32, operation by operation.
    #[test]
    fn each_operation_equals_f32() {
        let mut dice = Dice::new(7);
        for _ in 0..1_000_000 {
            let a = dice.uniform() * 2_f32.powi(dice.below(41) as i32 - 20);
            let b = dice.uniform() * 2_f32.powi(dice.below(41) as i32 - 20);
            let (x, y) = (f64::from(a), f64::from(b));
            assert_eq!(round24(x + y), f64::from(a + b));
            assert_eq!(round24(x - y), f64::from(a - b));
            assert_eq!(round24(x * y), f64::from(a * b));
            assert_eq!(round24(x / y), f64::from(a / b));
            assert_eq!(round24(x.abs().sqrt()), f64::from(a.abs().sqrt()));
        }
    }

    /// The same for what is rounded as a scalar is, of any size: subnormal and infinite results included.
    #[test]
    fn scalars_are_those_of_the_machine() {
        let mut dice = Dice::new(7);
        let round = |x| Precision::Single.round(x);
        for _ in 0..1_000_000 {
            // Without signs and infinite operands.
            let [a, b] = [0; 2].map(|_| f32::from_bits(dice.bits()).abs().min(f32::MAX));
            let (x, y) = (f64::from(a), f64::from(b));
            assert_eq!(round(x + y), f64::from(a + b), "{a} + {b}");
            assert_eq!(round(x - y), f64::from(a - b), "{a} - {b}");
            assert_eq!(round(x * y), f64::from(a * b), "{a} * {b}");
            assert_eq!(round(x.sqrt()), f64::from(a.sqrt()), "root of {a}");
            if b != 0.0 {
                assert_eq!(round(x / y), f64::from(a / b), "{a} / {b}");
            }
        }
    }

    /// The same at the end of the range, of numbers that are kept.
    #[test]
    fn what_is_kept_is_what_f32_keeps() {
        let mut dice = Dice::new(8);
        let kept = |x| Precision::Single.kept(round24(x));
        let (mut kept_finite, mut kept_infinite) = (0, 0);
        for _ in 0..100_000 {
            let a = dice.uniform() * 2_f32.powi(127);
            let b = dice.uniform() * 4.0;
            let (x, y) = (f64::from(a), f64::from(b));
            assert_eq!(kept(x * y), f64::from(a * b));
            assert_eq!(kept(x + kept(x * y)), f64::from(a + a * b));
            let finite = (a * b).is_finite();
            kept_finite += u32::from(finite);
            kept_infinite += u32::from(!finite);
        }
        assert!(kept_finite > 10_000 && kept_infinite > 10_000, "{kept_finite} and {kept_infinite}");
        assert_eq!(kept(f32::MAX.into()), f64::from(f32::MAX));
    }
}
