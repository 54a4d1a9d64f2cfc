//! A room with floor heating that learns its own heating.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`sensor`] | three thermometers on one I²C bus |
//! | [`features`] | what they say, as φ |
//! | [`model`] | what one step of heating is expected to do |
//! | [`agent`] | chooses the power, and learns from the evening |
//! | [`actuator`] | the heater at the other end of a serial line |
//! | [`telemetry`] | what is told about all this |
//!
//! A step is five minutes and an evening is an episode. Heat goes into the floor first and reaches the room an hour later:
//! who looks one step ahead never heats, and who waits for the room to be warm has heated too much.

pub mod actuator;
pub mod agent;
pub mod features;
pub mod model;
pub mod sensor;
pub mod telemetry;

use osculate::{ConfigError, RowError};

use crate::line::LineLost;

/// What the room should be like, in °C.
pub const SET_POINT: f32 = 21.0;
/// What a step at full power costs, in °C away from the set-point.
pub const PRICE: f32 = 0.15;
/// The heater's levels, as shares of its power.
pub const POWERS: [f32; 3] = [0.0, 0.5, 1.0];
/// How much the next step counts against this one.
pub const GAMMA: f32 = 0.95;

/// What the thermometers say, in °C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The air in the room.
    pub room: f32,
    /// The floor.
    pub floor: f32,
    /// The air outside.
    pub outside: f32,
}

/// What a step costs: the distance to the set-point, and the energy.
pub fn cost(room: f32, power: f32) -> f32 {
    (room - SET_POINT).abs() + PRICE * power
}

/// What is learned from: the cost of a step, negative, in units that make a value the mean cost per step to come.
pub fn reward(room: f32, power: f32) -> f32 {
    -(1.0 - GAMMA) * cost(room, power)
}

/// A thermometer does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silent;

/// Why an agent had to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A thermometer was silent when an evening began.
    Silent,
    /// The heater's line is gone.
    LineLost,
    /// A parameter of the learner makes no sense.
    Config(ConfigError),
    /// A reading cannot be learned from.
    Row(RowError),
}

macro_rules! failures {
    ($($from:ty, $name:ident => $to:expr;)*) => { $(
        impl From<$from> for Failure {
            fn from($name: $from) -> Self {
                $to
            }
        }
    )* };
}
failures! {
    Silent, _silent => Self::Silent;
    LineLost, _lost => Self::LineLost;
    ConfigError, error => Self::Config(error);
    RowError, error => Self::Row(error);
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Silent => f.write_str("a thermometer does not answer"),
            Self::LineLost => f.write_str("the line to the heater is gone"),
            Self::Config(error) => error.fmt(f),
            Self::Row(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Failure {}
