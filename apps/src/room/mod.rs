//! A room with floor heating that learns its own heating.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`sensor`] | three thermometers on one I²C bus |
//! | [`features`] | what they say, as φ |
//! | [`model`] | what one step of heating is expected to do |
//! | [`agent`] | chooses the power of the heater at the other end of a serial line, and learns from the evening |
//! | [`telemetry`] | what is told about all this |
//!
//! A step is five minutes and an evening is an episode. Heat goes into the floor first and reaches the room an hour later:
//! who looks one step ahead never heats, and who waits for the room to be warm has heated too much.

pub mod agent;
pub mod features;
pub mod model;
pub mod sensor;
pub mod telemetry;

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

/// What is learned from: the cost of a step (the distance to the set-point, and the energy), negative, in units that make a value the mean cost per step to come.
pub fn reward(room: f32, power: f32) -> f32 {
    -(1.0 - GAMMA) * ((room - SET_POINT).abs() + PRICE * power)
}
