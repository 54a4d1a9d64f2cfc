//! Decimals into numbers; results as decimals and as hexadecimal bits.

use core::fmt::{Display, from_fn};

use super::Arith;

impl Arith {
    /// A decimal, rounded once, to the `f64` or the `f32` that this arithmetic learns from; `None` where it is no number.
    pub fn decimal(self, text: &str) -> Option<f64> {
        match self {
            Arith::F64 => text.parse().ok(),
            _ => text.parse::<f32>().ok().map(f64::from),
        }
    }

    /// A weight of these bits, exactly.
    pub fn weight(self, bits: u64) -> f64 {
        let fixed = |fraction_bits: u32| f64::from(bits as u32 as i32) / f64::from(1_u32 << fraction_bits);
        match self {
            Arith::F32 => f32::from_bits(bits as u32).into(),
            Arith::F64 => f64::from_bits(bits),
            Arith::Q28 | Arith::Q28Wide => fixed(28),
            Arith::Q24 | Arith::Q24Wide => fixed(24),
        }
    }

    /// A scalar (ϑ, ‖g‖) of these bits, exactly.
    pub fn scalar(self, bits: u64) -> f64 {
        match self {
            Arith::F64 => f64::from_bits(bits),
            _ => f32::from_bits(bits as u32).into(),
        }
    }

    /// All bits of a weight or a scalar, in hexadecimal.
    pub fn hex(self, bits: u64) -> impl Display {
        from_fn(move |f| write!(f, "{bits:0width$x}", width = self.bytes() * 2))
    }
}
