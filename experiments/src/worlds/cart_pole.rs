//! A pole on a cart, to be kept upright.

use std::convert::Infallible;

use osculate::features::Bounds;
use osculate::{Transition, World};

use osculate_host_tests::worlds::Dice;

/// Position and velocity of the cart, angle and angular velocity of the pole; actions: push left, push right. Every
/// step is worth 1, until the pole leans by more than 12° or the cart leaves its track.
#[derive(Clone, Debug)]
pub struct CartPole {
    dice: Dice,
    state: [f32; 4],
}

/// Metres and radians; the velocities are only where observations end.
const LIMITS: [f32; 4] = [2.4, 3.0, 0.209_439_51, 3.5];

impl CartPole {
    /// The number of actions.
    pub const ACTIONS: usize = 2;
    /// An episode is cut after this many steps.
    pub const STEPS: u32 = 500;
    /// Where observations can be.
    pub const BOUNDS: Bounds<4> = Bounds::new([-LIMITS[0], -LIMITS[1], -LIMITS[2], -LIMITS[3]], LIMITS);

    /// The same seed gives the same starts.
    pub fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed), state: [0.0; 4] }
    }

    fn observation(&self) -> [f32; 4] {
        std::array::from_fn(|i| self.state[i].clamp(-LIMITS[i], LIMITS[i]))
    }
}

impl World for CartPole {
    type Observation = [f32; 4];
    type Error = Infallible;

    /// Everything uniform in ±0.05.
    fn begin(&mut self) -> Result<[f32; 4], Infallible> {
        self.state = [0; 4].map(|_| 0.05 * self.dice.uniform());
        Ok(self.observation())
    }

    /// One Euler step of 20 ms: a cart of 1 kg, a pole of 0.1 kg and 1 m, a push of 10 N.
    fn act(&mut self, action: usize) -> Result<Transition<[f32; 4]>, Infallible> {
        let [x, speed, angle, turning] = self.state;
        let push = if action == 1 { 10.0 } else { -10.0 };
        let (sin, cos) = (libm::sinf(angle), libm::cosf(angle));
        let shared = (push + 0.05 * turning * turning * sin) / 1.1;
        let angular = (9.8 * sin - cos * shared) / (0.5 * (4.0 / 3.0 - 0.1 * cos * cos / 1.1));
        let linear = shared - 0.05 * angular * cos / 1.1;
        self.state = [x + 0.02 * speed, speed + 0.02 * linear, angle + 0.02 * turning, turning + 0.02 * angular];
        let upright = self.state[0].abs() <= LIMITS[0] && self.state[2].abs() <= LIMITS[2];
        Ok(Transition { reward: Some(1.0), next: upright.then(|| self.observation()) })
    }
}
