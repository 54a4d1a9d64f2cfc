//! f32 arithmetic emulated in f64, one operation at a time.

/// Rounds to 24 significant bits, to nearest even.
pub fn round24(x: f64) -> f64 {
    const DROPPED: u32 = 53 - 24;
    let bits = x.to_bits();
    let is_odd = (bits >> DROPPED) & 1;
    let half_less_one = (1_u64 << (DROPPED - 1)) - 1;
    // A carry out of the fraction increments the exponent, as intended.
    f64::from_bits((bits + half_less_one + is_odd) >> DROPPED << DROPPED)
}

pub(super) fn add(a: f64, b: f64) -> f64 {
    round24(a + b)
}
pub(super) fn sub(a: f64, b: f64) -> f64 {
    round24(a - b)
}
pub(super) fn mul(a: f64, b: f64) -> f64 {
    round24(a * b)
}
pub(super) fn div(a: f64, b: f64) -> f64 {
    round24(a / b)
}
pub(super) fn sqrt(a: f64) -> f64 {
    round24(a.sqrt())
}

/// A 24-bit number stored as an f32: infinity if it is out of range.
pub(super) fn kept(x: f64) -> f64 {
    if x.abs() > f64::from(f32::MAX) { x * f64::INFINITY } else { x }
}

/// Σ aᵢbᵢ in four lanes: indices 0, 4, 8, …, then 1, 5, 9, … and so on. The four sums are then added in pairs.
pub(super) fn inner(a: &[f64], b: &[f64]) -> f64 {
    let quarter = |start: usize| {
        let products = a.iter().zip(b).skip(start).step_by(4).map(|(&a, &b)| mul(a, b));
        products.fold(0.0, add)
    };
    add(add(quarter(0), quarter(1)), add(quarter(2), quarter(3)))
}

/// ‖x‖.
pub(super) fn norm(x: &[f64]) -> f64 {
    sqrt(inner(x, x))
}

/// sum += factor · x, element by element.
pub(super) fn add_multiple(sum: &mut [f64], factor: f64, x: &[f64]) {
    for (sum, &x) in sum.iter_mut().zip(x) {
        *sum = add(*sum, mul(factor, x));
    }
}

/// The same, stored as f32 after every operation: a number that leaves the range once does not come back.
pub(super) fn add_kept_multiple(sum: &mut [f64], factor: f64, x: &[f64]) {
    for (sum, &x) in sum.iter_mut().zip(x) {
        *sum = kept(add(*sum, kept(mul(factor, x))));
    }
}

/// Each f32 as the f64 of the same value.
pub(super) fn widened(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&x| x.into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worlds::Dice;

    /// Checks this model of f32 against the machine's f32, operation by operation.
    #[test]
    fn each_operation_equals_f32() {
        let mut dice = Dice::new(7);
        for _ in 0..1_000_000 {
            let a = dice.uniform() * 2_f32.powi(dice.below(41) as i32 - 20);
            let b = dice.uniform() * 2_f32.powi(dice.below(41) as i32 - 20);
            let (x, y) = (f64::from(a), f64::from(b));
            assert_eq!(add(x, y), f64::from(a + b));
            assert_eq!(sub(x, y), f64::from(a - b));
            assert_eq!(mul(x, y), f64::from(a * b));
            assert_eq!(div(x, y), f64::from(a / b));
            assert_eq!(sqrt(x.abs()), f64::from(a.abs().sqrt()));
        }
    }

    /// The same at the end of the range.
    #[test]
    fn what_is_kept_is_what_f32_keeps() {
        let mut dice = Dice::new(8);
        let (mut kept_finite, mut kept_infinite) = (0, 0);
        for _ in 0..100_000 {
            let a = dice.uniform() * 2_f32.powi(127);
            let b = dice.uniform() * 4.0;
            let (x, y) = (f64::from(a), f64::from(b));
            assert_eq!(kept(mul(x, y)), f64::from(a * b));
            assert_eq!(kept(add(x, kept(mul(x, y)))), f64::from(a + a * b));
            let finite = (a * b).is_finite();
            kept_finite += u32::from(finite);
            kept_infinite += u32::from(!finite);
        }
        assert!(kept_finite > 10_000 && kept_infinite > 10_000, "{kept_finite} and {kept_infinite}");
        assert_eq!(kept(f32::MAX.into()), f64::from(f32::MAX));
    }
}
