//! A user's choices when a program starts: the rule and the arithmetic.

use osculate::Arithmetic;
use serde::{Deserialize, Serialize};

pub use crate::replay::rules::Rule;

use crate::with_arithmetic;

/// An arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arith {
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// Weights with 28 fraction bits.
    Q28,
    /// Weights with 24 fraction bits.
    Q24,
}

impl Arith {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::F32, Self::F64, Self::Q28, Self::Q24];

    /// Its short name.
    pub const fn name(self) -> &'static str {
        with_arithmetic!(self, A => A::NAME)
    }

    /// Bytes of a weight.
    pub const fn bytes(self) -> usize {
        if matches!(self, Self::F64) { 8 } else { 4 }
    }

    /// The exact weight with these bits.
    pub fn weight(self, bits: u64) -> f64 {
        match self {
            Self::F32 => f32::from_bits(bits as u32).into(),
            Self::F64 => f64::from_bits(bits),
            // Fixed point: the bits of 1 are its unit.
            _ => with_arithmetic!(self, A => f64::from(bits as u32 as i32) / A::bits(A::weight(1.0)) as f64),
        }
    }
}

/// An expression in the chosen arithmetic: `with_arithmetic!(arith, A => learn::<A>())`.
#[macro_export]
macro_rules! with_arithmetic {
    ($arith:expr, $a:ident => $then:expr) => {
        $crate::with_arithmetic!(@ $arith, $a => $then; F32: f32, F64: f64, Q28: ::osculate::Q28, Q24: ::osculate::Q24)
    };
    (@ $arith:expr, $a:ident => $then:expr; $($name:ident: $type:ty),*) => {
        match $arith {
            $($crate::choice::Arith::$name => {
                type $a = $type;
                $then
            })*
        }
    };
}
