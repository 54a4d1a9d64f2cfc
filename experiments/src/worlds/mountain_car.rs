//! The car that must swing to get out of a valley.

use std::convert::Infallible;

use osculate::features::Bounds;
use osculate::{Transition, World};

use osculate_host_tests::worlds::Dice;

/// Position and velocity; actions: back, coast, forward. Every step costs 1 until the car reaches the top on the right.
#[derive(Clone, Debug)]
pub struct MountainCar {
    dice: Dice,
    position: f32,
    velocity: f32,
}

impl MountainCar {
    /// The number of actions.
    pub const ACTIONS: usize = 3;
    /// Where position and velocity can be.
    pub const BOUNDS: Bounds<2> = Bounds::new([-1.2, -0.07], [0.5, 0.07]);

    /// The same seed gives the same starts.
    pub fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed), position: 0.0, velocity: 0.0 }
    }
}

impl World for MountainCar {
    type Observation = [f32; 2];
    type Error = Infallible;

    /// At rest, near the bottom: a position uniform in [−0.6, −0.4).
    fn begin(&mut self) -> Result<[f32; 2], Infallible> {
        (self.position, self.velocity) = (-0.5 + 0.1 * self.dice.uniform(), 0.0);
        Ok([self.position, self.velocity])
    }

    fn act(&mut self, action: usize) -> Result<Transition<[f32; 2]>, Infallible> {
        let push = 0.001 * (action as f32 - 1.0);
        self.velocity = (self.velocity + push - 0.0025 * libm::cosf(3.0 * self.position)).clamp(-0.07, 0.07);
        self.position += self.velocity;
        if self.position < -1.2 {
            (self.position, self.velocity) = (-1.2, 0.0);
        }
        let next = (self.position < 0.5).then_some([self.position, self.velocity]);
        Ok(Transition { reward: Some(-1.0), next })
    }
}
