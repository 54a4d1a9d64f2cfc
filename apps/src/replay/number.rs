//! Recorded numbers into an arithmetic, and its results out as bits.

use osculate::arithmetic::Features;
use osculate::{Arithmetic, Q24, Q24Wide, Q28, Q28Wide};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The arithmetics that can be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arith {
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// Weights with 28 fraction bits, rows of `i16`.
    Q28,
    /// Weights with 24 fraction bits, rows of `i16`.
    Q24,
    /// Weights with 28 fraction bits, rows of `i32`.
    Q28Wide,
    /// Weights with 24 fraction bits, rows of `i32`.
    Q24Wide,
}

impl Arith {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::F32, Self::F64, Self::Q28, Self::Q24, Self::Q28Wide, Self::Q24Wide];

    /// Bytes of a recorded value, of a weight and of a scalar: the same for all three.
    pub const fn bytes(self) -> usize {
        if matches!(self, Self::F64) { 8 } else { 4 }
    }

    /// For people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Q28 => "q28, i16 rows",
            Self::Q24 => "q24, i16 rows",
            Self::Q28Wide => "q28, i32 rows",
            Self::Q24Wide => "q24, i32 rows",
        }
    }
}

/// A recorded feature or reward.
pub trait Value: Copy + Default + Serialize + DeserializeOwned {
    /// The nearest.
    fn from_f64(value: f64) -> Self;
}

macro_rules! value {
    ($($float:ident)*) => {$(
        impl Value for $float {
            fn from_f64(value: f64) -> Self {
                value as Self
            }
        }
    )*};
}

value!(f32 f64);

/// An arithmetic that recorded numbers can be fed to. Implemented for every [`Arith`].
pub trait Replayed: Arithmetic {
    /// What numbers are recorded in: `f64` for `f64`, `f32` for all others.
    type Value: Value;

    /// φ. What the format cannot hold becomes all zeros, which a learner drops like any other unusable features.
    fn recorded_features<const N: usize>(values: &[Self::Value; N]) -> Self::Features<N>;
    /// A reward; `None` where the format cannot hold it.
    fn recorded_reward(value: Self::Value) -> Option<Self::Target>;
    /// A parameter, rounded to the format.
    fn scalar(value: f64) -> Self::Scalar;
    /// Its bits, in the low bytes.
    fn scalar_bits(scalar: Self::Scalar) -> u64;
    /// Its bits, in the low bytes.
    fn weight_bits(weight: Self::Weight) -> u64;
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Replayed for $float {
            type Value = $float;
            fn recorded_features<const N: usize>(values: &[$float; N]) -> [$float; N] {
                *values
            }
            fn recorded_reward(value: $float) -> Option<$float> {
                Some(value)
            }
            fn scalar(value: f64) -> $float {
                value as $float
            }
            fn scalar_bits(scalar: $float) -> u64 {
                scalar.to_bits().into()
            }
            fn weight_bits(weight: $float) -> u64 {
                weight.to_bits().into()
            }
        }
    )*};
}

floats!(f32 f64);

macro_rules! fixed {
    ($($fixed:ident)*) => {$(
        impl Replayed for $fixed {
            type Value = f32;
            fn recorded_features<const N: usize>(values: &[f32; N]) -> Self::Features<N> {
                Self::features(values).unwrap_or(Features::new([0; N], 0))
            }
            fn recorded_reward(value: f32) -> Option<Self::Target> {
                Self::target(value).ok()
            }
            fn scalar(value: f64) -> f32 {
                value as f32
            }
            fn scalar_bits(scalar: f32) -> u64 {
                scalar.to_bits().into()
            }
            fn weight_bits(weight: Self::Weight) -> u64 {
                weight.to_bits().cast_unsigned().into()
            }
        }
    )*};
}

fixed!(Q28 Q24 Q28Wide Q24Wide);
