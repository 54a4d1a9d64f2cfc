//! Does this chip (or its soft-float library) compute `f32` exactly as IEEE 754 specifies?
#![no_std]
#![no_main]

use osculate_firmware as _;

#[defmt_test::tests]
mod tests {
    use osculate_programs::float_cases::{EXPECTED, digest};

    #[test]
    fn every_result_is_rounded_once() {
        defmt::assert_eq!(digest(|a, b| [a + b, a - b, a * b, a / b, libm::sqrtf(a)]), EXPECTED);
    }
}
