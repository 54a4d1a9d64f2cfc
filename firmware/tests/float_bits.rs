//! Does this chip (or its soft-float library) compute `f32` exactly as IEEE 754 specifies?
#![no_std]
#![no_main]

use core::hint::black_box;

use osculate_firmware as _;
use osculate_programs::float_cases::Case;

/// Hides the value from the compiler, which would otherwise compute the result on the host.
fn float(bits: u32) -> f32 {
    f32::from_bits(black_box(bits))
}

fn check(cases: &[Case], operation: fn(f32, f32) -> f32) {
    for &(a, b, expected) in cases {
        let got = operation(float(a), float(b)).to_bits();
        defmt::assert_eq!(got, expected, "{=u32:#010x} and {=u32:#010x}", a, b);
    }
}

#[defmt_test::tests]
mod tests {
    use core::hint::black_box;

    use osculate_programs::float_cases::*;

    use super::{check, float};

    #[test]
    fn add() {
        check(ADD, |a, b| a + b);
    }

    #[test]
    fn sub() {
        check(SUB, |a, b| a - b);
    }

    #[test]
    fn mul() {
        check(MUL, |a, b| a * b);
    }

    #[test]
    fn div() {
        check(DIV, |a, b| a / b);
    }

    #[test]
    fn sqrt() {
        for &(a, expected) in SQRT {
            defmt::assert_eq!(libm::sqrtf(float(a)).to_bits(), expected, "{=u32:#010x}", a);
        }
        defmt::assert!(libm::sqrtf(float(NEG_ONE)).is_nan());
    }

    #[test]
    fn not_a_number() {
        for &(operation, a, b) in NOT_A_NUMBER {
            let (a, b) = (float(a), float(b));
            let got = match operation {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                _ => a / b,
            };
            defmt::assert!(got.is_nan(), "{=f32} {=char} {=f32}", a, operation, b);
        }
    }

    /// (1 + 2^-12)² - (1 + 2^-11) is 0 if the product is rounded first, and 2^-24 if a fused instruction keeps it
    /// exact.
    #[test]
    fn multiply_and_add_round_twice() {
        let (a, b) = (float(0x3f80_0800), float(0x3f80_1000));
        defmt::assert_eq!((a * a - b).to_bits(), ZERO);
    }

    #[test]
    fn integers() {
        for &(integer, expected) in FROM_I32 {
            defmt::assert_eq!((black_box(integer) as f32).to_bits(), expected, "{=i32}", integer);
        }
        for &(bits, expected) in TO_I32 {
            defmt::assert_eq!(float(bits) as i32, expected, "{=u32:#010x}", bits);
        }
    }
}
