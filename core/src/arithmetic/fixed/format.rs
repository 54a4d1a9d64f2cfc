//! The named formats, and their numbers as data.

use fixed::{FixedI32, FixedI64};

use super::rounding::{scale_clipped, split};
use super::{Q24, Q28};
use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::Empty;
use crate::sealed::Sealed;
use crate::state::{Persist, Reader, Writer};

macro_rules! fixed_format {
    ($name:ident, $text:literal) => {
        impl Sealed for $name {}
        impl Arithmetic for $name {
            const NAME: &'static str = $text;

            fn weight(value: f32) -> Self::Weight {
                // Out-of-range and infinite values saturate; NaN gives 0.
                let (mantissa, power) = if value.is_nan() { (0, 0) } else { split(value) };
                Self::Weight::from_bits(scale_clipped(mantissa, power + Self::WEIGHT).value)
            }
            fn bits(weight: Self::Weight) -> u64 {
                weight.to_bits().cast_unsigned().into()
            }
        }
    };
}
fixed_format!(Q28, "q28");
fixed_format!(Q24, "q24");

macro_rules! fixed_data {
    ($type:ident) => {
        impl<F> Empty for $type<F> {
            const EMPTY: Self = Self::ZERO;
        }
        impl<F> Persist for $type<F> {
            const BYTES: usize = size_of::<Self>();
            fn write(&self, writer: &mut Writer<'_>) {
                self.to_bits().write(writer);
            }
            fn read(&mut self, reader: &mut Reader<'_>) {
                let mut bits = self.to_bits();
                bits.read(reader);
                *self = Self::from_bits(bits);
            }
        }
    };
}
fixed_data!(FixedI32);
fixed_data!(FixedI64);

macro_rules! zero {
    ($($integer:ident)*) => {$(
        impl Empty for $integer {
            const EMPTY: Self = 0;
        }
    )*};
}
zero!(i16 i32 i64);
