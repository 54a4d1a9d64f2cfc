//! Tasks of classic control: a car that must swing to get out of a valley, and a pole on a cart, to be kept upright.

use std::convert::Infallible;

use osculate::features::Bounds;
use osculate::{Transition, World};
use osculate_host_tests::worlds::Dice;

/// The physics of a task; only its starts are drawn by lot.
pub(crate) struct Task<const D: usize> {
    /// The number of actions.
    pub(crate) actions: usize,
    /// An episode is cut after this many steps.
    pub(crate) patience: u32,
    /// Where observations can be.
    pub(crate) low: [f32; D],
    pub(crate) high: [f32; D],
    /// What every step is worth.
    reward: f32,
    start: fn(&mut Dice) -> [f32; D],
    act: fn([f32; D], usize) -> [f32; D],
    /// Whether the episode goes on from here.
    goes_on: fn([f32; D]) -> bool,
}

impl<const D: usize> Task<D> {
    pub(crate) const fn bounds(&self) -> Bounds<D> {
        Bounds::new(self.low, self.high)
    }
}

/// Position and velocity of the car, which begins at rest near the bottom; actions: back, coast, forward. Every step costs 1
/// until it reaches the top on the right.
pub(crate) const MOUNTAIN_CAR: Task<2> = Task {
    actions: 3,
    patience: 2_000,
    low: [-1.2, -0.07],
    high: [0.5, 0.07],
    reward: -1.0,
    start: |dice| [-0.5 + 0.1 * dice.uniform(), 0.0],
    act: |[position, velocity], action| {
        let push = 0.001 * (action as f32 - 1.0);
        let velocity = (velocity + push - 0.0025 * libm::cosf(3.0 * position)).clamp(-0.07, 0.07);
        if position + velocity < -1.2 { [-1.2, 0.0] } else { [position + velocity, velocity] }
    },
    goes_on: |[position, _]| position < 0.5,
};

/// In metres and radians; the velocities are only where observations end.
const LIMITS: [f32; 4] = [2.4, 3.0, 0.209_439_51, 3.5];

/// Position and velocity of the cart, angle and angular velocity of the pole; actions: push left, push right. Every
/// step is worth 1, until the pole leans by more than 12° or the cart leaves its track.
pub(crate) const CART_POLE: Task<4> = Task {
    actions: 2,
    patience: 500,
    low: [-LIMITS[0], -LIMITS[1], -LIMITS[2], -LIMITS[3]],
    high: LIMITS,
    reward: 1.0,
    start: |dice| [0; 4].map(|_| 0.05 * dice.uniform()),
    // One Euler step of 20 ms: a cart of 1 kg, a pole of 0.1 kg and 1 m, a push of 10 N.
    act: |[x, speed, angle, turning], action| {
        let push = if action == 1 { 10.0 } else { -10.0 };
        let (sin, cos) = (libm::sinf(angle), libm::cosf(angle));
        let shared = (push + 0.05 * turning * turning * sin) / 1.1;
        let angular = (9.8 * sin - cos * shared) / (0.5 * (4.0 / 3.0 - 0.1 * cos * cos / 1.1));
        let linear = shared - 0.05 * angular * cos / 1.1;
        [x + 0.02 * speed, speed + 0.02 * linear, angle + 0.02 * turning, turning + 0.02 * angular]
    },
    goes_on: |[x, _, angle, _]| x.abs() <= LIMITS[0] && angle.abs() <= LIMITS[2],
};

/// A task that is tried, and what has been done in it.
pub(crate) struct Trial<const D: usize> {
    task: &'static Task<D>,
    dice: Dice,
    state: [f32; D],
    /// All actions.
    pub(crate) actions: Vec<u8>,
}

impl<const D: usize> Trial<D> {
    /// The same seed gives the same starts.
    pub(crate) fn new(task: &'static Task<D>, seed: u64) -> Self {
        Self { task, dice: Dice::new(seed), state: [0.0; D], actions: Vec::new() }
    }

    fn observation(&self) -> [f32; D] {
        std::array::from_fn(|i| self.state[i].clamp(self.task.low[i], self.task.high[i]))
    }
}

impl<const D: usize> World for Trial<D> {
    type Observation = [f32; D];
    type Error = Infallible;

    fn begin(&mut self) -> Result<[f32; D], Infallible> {
        self.state = (self.task.start)(&mut self.dice);
        Ok(self.observation())
    }

    fn act(&mut self, action: usize) -> Result<Transition<[f32; D]>, Infallible> {
        self.actions.push(action as u8);
        self.state = (self.task.act)(self.state, action);
        let next = (self.task.goes_on)(self.state).then(|| self.observation());
        Ok(Transition { reward: Some(self.task.reward), next })
    }
}
