//! Random numbers that are the same on 32- and 64-bit machines.
//!
//! The caller brings the generator, a portable seeded one where runs must repeat. Only
//! [`next_u32`](rand_core::Rng::next_u32) is ever drawn from it: other draws consume their words differently from one
//! generator to the next. What is made of a word here are a multiplication and a shift or a comparison, never a division.

use rand_core::Rng;

use crate::arithmetic::Scalar;

/// A whole number in 0..`bound` from one draw; 0 where the bound is 0 or 1.
///
/// It is the upper half of draw · bound, so no number is favoured by more than bound/2³².
///
/// ```
/// use osculate::random::below;
/// use rand_xoshiro::{Xoshiro128PlusPlus, rand_core::SeedableRng};
/// let mut rng = Xoshiro128PlusPlus::seed_from_u64(1);
/// assert!((0..100).all(|_| below(&mut rng, 6) < 6));
/// ```
pub fn below<R: Rng + ?Sized>(rng: &mut R, bound: u32) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(bound)) >> 32) as u32
}

/// Whether something of this probability happens, from one draw: never at 0 or less, always from 1 on.
///
/// The probability counts in units of 2⁻³², rounded down.
///
/// ```
/// use osculate::random::happens;
/// use rand_xoshiro::{Xoshiro128PlusPlus, rand_core::SeedableRng};
/// let mut rng = Xoshiro128PlusPlus::seed_from_u64(1);
/// let heads = (0..1000).filter(|_| happens(&mut rng, 0.5_f32)).count();
/// assert!((450..550).contains(&heads));
/// ```
pub fn happens<R: Rng + ?Sized, S: Scalar>(rng: &mut R, probability: S) -> bool {
    let draw = rng.next_u32();
    // Times a power of two is exact. From 1 on, the units do not fit a word.
    probability >= S::ONE || draw < probability.scaled(32).whole()
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::convert::Infallible;
    use rand_core::TryRng;

    /// Always the same word, and none of any other kind.
    struct Stuck(u32);

    impl TryRng for Stuck {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(self.0)
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            panic!("a 64-bit draw")
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
            panic!("a draw of bytes")
        }
    }

    #[test]
    fn below_reaches_both_ends_and_no_further() {
        for bound in [1, 2, 3, 10, u32::MAX] {
            assert_eq!(below(&mut Stuck(0), bound), 0);
            assert_eq!(below(&mut Stuck(u32::MAX), bound), bound - 1);
        }
        assert_eq!(below(&mut Stuck(u32::MAX), 0), 0);
        assert_eq!(below(&mut Stuck(1 << 31), 4), 2);
    }

    #[test]
    fn certain_and_impossible_are_exact() {
        for draw in [0, 1, u32::MAX] {
            assert!(happens(&mut Stuck(draw), 1.0_f32) && happens(&mut Stuck(draw), f64::INFINITY));
            assert!(!happens(&mut Stuck(draw), 0.0_f32) && !happens(&mut Stuck(draw), f32::NAN));
            assert!(!happens(&mut Stuck(draw), -1.0_f64));
        }
        assert!(happens(&mut Stuck((1 << 30) - 1), 0.25_f32) && !happens(&mut Stuck(1 << 30), 0.25_f32));
    }
}
