//! A room with floor heating that learns to control it.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`sensor`] | three thermometers on one I²C bus |
//! | [`features`] | their readings as φ |
//! | [`model`] | the expected effect of one step of heating, learned on the way |
//! | [`thermostat`] | acts where the room is far from its set-point |
//! | [`agent`] | chooses the power of the heater at the other end of a serial line, and learns from the evening |
//! | [`occupant`] | an agent and the step it waits for: one call per sample, faulty ones included |
//! | [`telemetry`] | the reports about an agent's evenings |
//!
//! A step is five minutes, and an evening an episode: the night in between is not the agent's. Heat goes into the floor first and reaches the room an hour
//! later: looking only one step ahead never heats, and waiting until the room is warm heats too much.

pub mod agent;
pub mod features;
pub mod model;
pub mod occupant;
pub mod sensor;
pub mod telemetry;
pub mod thermostat;

/// The set-point of the room in °C.
pub const SET_POINT: f32 = 21.0;
/// The cost of a step at full power, in °C away from the set-point.
pub const PRICE: f32 = 0.15;
/// The heater's levels, as fractions of full power.
pub const POWERS: [f32; 3] = [0.0, 0.5, 1.0];
/// The discount of the next step.
pub const GAMMA: f32 = 0.95;

/// The thermometer readings in °C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The air in the room.
    pub room: f32,
    /// The floor.
    pub floor: f32,
    /// The air outside.
    pub outside: f32,
}

/// The reward: the negative cost of a step (the distance to the set-point, and the energy), in units that make a value
/// the mean cost per step to come.
pub fn reward(room: f32, power: f32) -> f32 {
    -(1.0 - GAMMA) * ((room - SET_POINT).abs() + PRICE * power)
}
